"""What the table waits for in each phase: one sentence of the catalogue's `expects`, and who is to act."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact, SeatNo

from .rulebook.endings import leader
from .rulebook.phase1_mood import spin_due
from .rulebook.phase3_tumults import due_back, greediest
from .rulebook.phase4_statues import whose_turn
from .rulebook.phase5_ranks import exchange_due
from .rulebook.phase6_coronation import statues_due
from .rulebook.phase7_mercy import mercy_due
from .rulebook.setup import first_statue_fields, next_first_statue, next_to_draw
from .state import UNNAMED, State


def expects(state: State) -> Expected:
    return replace(_expected(state), phase=state.phase)


def _expected(state: State) -> Expected:
    match state.phase:
        case "laying_out" | "cards" | "boards" | "first_statues":
            return _setting_up(state)
        case "mood" | "raid" | "stopped" | "turning_up" | "gambling":
            return _before_tumults(state)
        case "tumults":
            return _tumult(state)
        case "placing":
            return _seat(state, "place", whose_turn(state))
        case "consolation":
            return _consolation(state)
        case "ranks":
            return _exchange(state)
        case "coronation":
            return _crown(state)
        case "uncovering":
            return _king(state, "uncover", boards=state.to_uncover)
        case "mercy":
            return _mercy(state)
        case "mixing":
            return Expected("mix", {}, ANYONE)
        case "over":
            winner = leader(state)
            return Expected("over", {"seat": state.colour(winner), "statues": state.placed[winner]})


def _setting_up(state: State) -> Expected:
    if state.phase == "laying_out":
        return _anyone("lay_out", tiles=state.hidden_middle, followers=state.followers[0])
    if state.phase == "cards":
        return _seat(state, "draw_card", next_to_draw(state))
    if state.phase == "boards":
        return _board(state)
    meadow = any(state.land[field] == "meadow" for field in first_statue_fields(state))
    return _seat(state, "first_statue" if meadow else "first_statue_anywhere", next_first_statue(state))


def _board(state: State) -> Expected:
    """The next board to name; one that was begun field by field is told to its end."""
    place = state.boards.index(UNNAMED)
    untold = [field for field in state.place_fields(place) if state.land[field] == UNNAMED]
    if len(untold) == len(state.place_fields(place)):
        return Expected("name_board", {"place": state.place_name(place)}, CHANCE)
    return Expected("name_field", {"field": state.field_name(untold[0])}, CHANCE)


def _before_tumults(state: State) -> Expected:
    if state.phase == "mood":
        return _mood(state)
    if state.phase == "raid":
        return _anyone("raid", seconds=state.box.raid_seconds)
    if state.phase == "stopped":
        holding = [seat for seat, holds in enumerate(state.holding) if holds]
        return Expected("lay_down", {"waiting": _colours(state, holding)}, _one_or_anyone(holding))
    if state.phase == "turning_up":
        return _turn_up(state)
    return _king(state, "spin_for", good=spin_due(state) or "")


def _turn_up(state: State) -> Expected:
    """What the people ask for is said with it, unless gamblers spin for that afterwards."""
    none_yet = not state.middle and not any(state.castles)
    key, left = "stop_and_turn_up" if none_yet else "turn_up", state.hidden_middle + sum(state.hidden_castles)
    if not state.demand[0]:
        return _anyone(key, left=left)
    return _anyone(f"{key}_for", left=left, demand=state.demand[0])


def _mood(state: State) -> Expected:
    """The spin comes first: it is what people forget, while tiles can be set aside meanwhile."""
    if spin_due(state) is not None:
        return _king(state, "spin")
    if not all(state.aside):
        return _set_aside(state)
    if not all(state.ready):
        return _anyone("ready", waiting=_missing(state, state.ready))
    return _king(state, "start_raid")


def _set_aside(state: State) -> Expected:
    """Those who still have to are named, unless nobody saw who has done it already."""
    each = state.box.set_aside.each
    if not state.aside_unseen:
        return _anyone("set_aside", tiles=each, waiting=_missing(state, state.aside))
    return _anyone("set_aside_some", tiles=each, left=state.aside.count(False) - state.aside_unseen)


def _tumult(state: State) -> Expected:
    good = state.tumults[0]
    seat = greediest(state, good)
    tiles = due_back(state, seat, good)
    key = "atone" if tiles else "atone_followers"
    relief, paying = _payment(state, seat, state.box.followers.greediest_loses)
    return _seat(state, key + relief, seat, good=good, tiles=tiles, **paying)


def _payment(state: State, seat: SeatNo, number: int) -> tuple[str, dict[str, Fact]]:
    """How a sentence about paying goes on when a seat has too few: the supply helps everybody first."""
    has = state.followers[seat]
    each = min(state.box.followers.relief, state.supply // state.players) if has < number else 0
    paying: dict[str, Fact] = {"followers": min(number, has + each)}
    return ("_relief", {**paying, "each": each}) if each else ("", paying)


def _consolation(state: State) -> Expected:
    seat, number = state.to_console[0], state.box.followers.consolation
    if state.supply < number:
        return _seat(state, "console_supply", seat, followers=number, each=state.box.followers.relief)
    return _seat(state, "console", seat, followers=number)


def _exchange(state: State) -> Expected:
    due = exchange_due(state)
    if due is None:
        raise ValueError("Nobody has a card to swap, yet the phase of ranks is not over.")
    holder = state.ranks.index(due.rank)
    cards: dict[str, Fact] = {"rank": f"rank{due.rank}", "other": f"rank{state.ranks[due.seat]}"}
    return _seat(state, "exchange", due.seat, holder=state.colour(holder), **cards)


def _crown(state: State) -> Expected:
    relief, paying = _payment(state, state.king, state.box.followers.king_pays)
    return _king(state, "crown" + relief, statues=statues_due(state), field=len(state.chronicle) + 1, **paying)


def _mercy(state: State) -> Expected:
    due = mercy_due(state)
    turning = [seat for seat in range(state.players) if state.mercy[seat] != due[seat]]
    if len(turning) > 1:
        return _anyone("turn_mercy", waiting=_colours(state, turning))
    return _seat(state, "mercy" if due[turning[0]] else "no_mercy", turning[0])


def _seat(state: State, key: str, seat: SeatNo, **facts: Fact) -> Expected:
    return Expected(key, {"seat": state.colour(seat), **facts}, seat)


def _king(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, {"king": state.colour(state.king), **facts}, state.king)


def _anyone(key: str, **facts: Fact) -> Expected:
    return Expected(key, facts, ANYONE)


def _one_or_anyone(seats: list[SeatNo]) -> Actor:
    return seats[0] if len(seats) == 1 else ANYONE


def _missing(state: State, done: tuple[bool, ...]) -> tuple[str, ...]:
    return _colours(state, (seat for seat, yes in enumerate(done) if not yes))


def _colours(state: State, seats: Iterable[SeatNo]) -> tuple[str, ...]:
    return tuple(state.colour(seat) for seat in seats)
