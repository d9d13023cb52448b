"""What the table waits for: one sentence of the catalogue's `expects`, and who is to act."""

from __future__ import annotations

from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact

from .rulebook import kings_track
from .rulebook.actions import action_begun, points_left
from .rulebook.gains import action_word, still_free
from .rulebook.guests import guests_due, markers_due
from .rulebook.scoring import score
from .rulebook.setup import tiles_due
from .rulebook.turns import tile_is_open
from .state import NONE, NOWHERE, State, contract_stack, dice_missing


def actor(state: State) -> Actor:
    match state.phase:
        case "over":
            return None
        case "laying_out" | "king" | "order" | "fair" | "tidying":
            return ANYONE
        case "lots" | "rolling" | "refilling":
            return CHANCE
        case "favour":
            return kings_track.ranking(state)[0]
        case "turn":
            return CHANCE if state.filling or guests_due(state) or kings_track.due(state) else state.turn


def expects(state: State) -> Expected:
    match state.phase:
        case "laying_out" | "king" | "order" | "tidying":
            return _table(state, state.phase)
        case "lots":
            return _lots(state)
        case "rolling":
            return _table(state, "roll", left=dice_missing(state))
        case "refilling":
            return _table(state, "refill_tiles", left=len(tiles_due(state)))
        case "favour":
            return _table(state, "favour", seat=state.colour_of(kings_track.ranking(state)[0]))
        case "fair":
            return _table(state, "fair", city=state.city_name(state.venues[state.round]))
        case "turn":
            return _turn(state)
        case "over":
            sheet = score(state)
            winner = sheet.winner if sheet.winner is not None else 0
            return _table(state, "over", seat=state.colour_of(winner), points=sheet.seats[winner].total)


def _table(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, facts, actor(state), state.phase)


def _lots(state: State) -> Expected:
    """Chance lays out one kind of thing after the other; any other order is welcome too."""
    waiting = (
        ("put_venues", state.venues.count(NOWHERE)),
        ("put_fairs", state.fairs.count(NONE)),
        ("put_costs", sum(not state.costs[city] for city in state.map.cathedrals)),
        ("put_tiles", len(tiles_due(state))),
        ("offer_contracts", state.contracts.count(NONE) if contract_stack(state) else 0),
    )
    key, left = next(((key, left) for key, left in waiting if left), ("offer_guests", state.guests.count(NONE)))
    return _table(state, key, left=left)


def _turn(state: State) -> Expected:
    seat = state.colour_of(state.turn)
    if state.filling and not contract_stack(state):
        return _table(state, "slide_contracts")
    if state.filling:
        return _table(state, "fill_contracts", left=state.contracts.count(NONE))
    if guests_due(state):
        return _table(state, "fill_guests", left=state.guests.count(NONE))
    if kings_track.due(state):
        return _table(state, "reveal", seat=seat)
    if state.owed:
        return _table(state, "choose_goods", seat=seat, left=state.owed)
    if any(True for _ in markers_due(state, state.turn)):
        return _table(state, "put_marker", seat=seat)
    return _die(state, seat)


def _die(state: State, seat: str) -> Expected:
    match state.stage:
        case "no_die":
            return _table(state, "take_die", seat=seat)
        case "die_taken":
            return _table(state, "use_die" if state.section == NOWHERE else "take_goods", seat=seat)
        case "die_used":
            left = points_left(state)
            if tile_is_open(state) and not (left and action_begun(state)):
                key = "may_take_tile" if state.options.leave_tile else "take_tile"
                return _table(state, key, seat=seat, tile=state.section_tiles[state.section])
            if left:
                return _table(state, "act", seat=seat, action=action_word(state.section), left=left)
            if free := still_free(state):
                return _table(state, "free", seat=seat, amounts=free)
            return _table(state, "turn_over", seat=seat)
