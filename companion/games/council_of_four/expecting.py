"""What the table waits for: one sentence of the catalogue's `expects`, and who is to act."""

from __future__ import annotations

from companion.kernel.rules import ANYONE, CHANCE, Expected, Fact

from .box import REGIONS
from .rulebook.nobility import choice_facts
from .rulebook.permits import refilling
from .rulebook.quick import quick_moves
from .rulebook.scoring import score
from .rulebook.setup import cities_without_token, neutrals_due
from .state import NONE, State, region_of


def expects(state: State) -> Expected:
    match state.phase:
        case "laying_out":
            return Expected("lay_out", {}, ANYONE, state.phase)
        case "lots":
            return _lots(state)
        case "turn":
            return _turn(state)
        case "over":
            sheet = score(state)
            best = max(seat.total for seat in sheet.seats)
            if not sheet.winners:
                return Expected("over_tied", {"points": best}, None, state.phase)
            if sheet.winner is None:
                seats = tuple(map(state.colour, sheet.winners))
                return Expected("over_shared", {"seats": seats, "points": best}, None, state.phase)
            return Expected("over", {"seat": state.colour(sheet.winner), "points": best}, None, state.phase)


def _lots(state: State) -> Expected:
    """Chance lays out one kind of thing after the other; any other order is welcome too."""
    tokens = len(cities_without_token(state))
    councillors = sum(members.count(NONE) for members in state.councils)
    permits = state.offers.count(NONE)
    if tokens:
        return Expected("put_tokens", {"left": tokens}, CHANCE, state.phase)
    if councillors:
        return Expected("put_councillors", {"left": councillors}, CHANCE, state.phase)
    if permits:
        return Expected("turn_up_permits", {"left": permits}, CHANCE, state.phase)
    assert neutrals_due(state)
    return Expected("draw_neutral", {"region": REGIONS[state.neutral.index(NONE)]}, CHANCE, state.phase)


def _turn(state: State) -> Expected:
    place = next(refilling(state), None)
    if place is not None:
        return Expected("refill", {"region": REGIONS[region_of(place)]}, CHANCE, state.phase)
    if state.choices:
        return _seat(state, f"choose_{state.choices[0].kind}", **choice_facts(state))
    if state.main and state.acted:
        return _seat(state, "another_action", actions=state.main)
    if state.main:
        return _seat(state, "main_action_left" if state.quick else "main_action", actions=state.main)
    possible = not state.quick and any(True for _ in quick_moves(state))
    return _seat(state, "quick_action" if possible else "turn_over")


def _seat(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, {"seat": state.colour(state.turn), **facts}, state.turn, state.phase)
