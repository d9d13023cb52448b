"""Tumult Royale in words: what the table waits for, the facts of a move, and the table as text for a terminal.

The sentences themselves stand in `rules.toml`; the facts of notes and breaches come from `rulebook`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.kernel.catalogue import Speaker
from companion.kernel.game import Paint, plain
from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact, Progress, SeatNo

from .box import ROWS, SIDE
from .moves import (
    MIDDLE,
    UNKNOWN_SEAT,
    DealCard,
    Exchange,
    Look,
    Move,
    Rob,
    TurnUp,
)
from .rulebook.phase1_mood import spin_due
from .rulebook.phase2_raid import place_facts
from .rulebook.phase3_tumults import greediest, tiles_due_back
from .rulebook.phase4_statues import whose_turn
from .rulebook.phase5_ranks import exchange_due
from .rulebook.phase6_coronation import statues_due
from .rulebook.phase7_mercy import mercy_due
from .rulebook.scoring import leader
from .rulebook.setup import first_statue_fields, next_first_statue, next_to_draw
from .state import HIDDEN, NO_SEAT, UNNAMED, State, seats_by_rank


def expects(state: State) -> Expected:
    """Return what the table waits for, with the phase of the round."""
    return replace(_expected(state), phase=state.phase)


def progress(state: State) -> Progress | None:
    """Return how far the game is; None before the first round and after the last."""
    if not state.round or state.phase == "over":
        return None
    facts: dict[str, Fact] = {"round": state.round, "rounds": state.box.chronicle.fields}
    return Progress("round", facts, state.round, seats_by_rank(state.ranks))


def _expected(state: State) -> Expected:
    """Choose the sentence for the current phase."""
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
    """What the set-up waits for."""
    if state.phase == "laying_out":
        return _anyone("lay_out", tiles=state.hidden_middle, followers=state.followers[0])
    if state.phase == "cards":
        return _seat(state, "draw_card", next_to_draw(state))
    if state.phase == "boards":
        return _board(state)
    meadow = any(state.land[field] == "meadow" for field in first_statue_fields(state))
    return _seat(state, "first_statue" if meadow else "first_statue_anywhere", next_first_statue(state))


def _board(state: State) -> Expected:
    """The next board to name; a board that was begun field by field is finished field by field."""
    place = state.boards.index(UNNAMED)
    untold = [field for field in state.place_fields(place) if state.land[field] == UNNAMED]
    if len(untold) == len(state.place_fields(place)):
        return Expected("name_board", {"place": state.place_name(place)}, CHANCE)
    return Expected("name_field", {"field": state.field_name(untold[0])}, CHANCE)


def _before_tumults(state: State) -> Expected:
    """What phases 1 and 2 wait for, with the spins of the gamblers' variant."""
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
    """Tiles are to be turned up; the demanded number is told too, unless gamblers spin for it afterwards."""
    none_yet = not state.middle and not any(state.castles)
    key, left = "stop_and_turn_up" if none_yet else "turn_up", state.hidden_middle + sum(state.hidden_castles)
    if not state.demand[0]:
        return _anyone(key, left=left)
    return _anyone(f"{key}_for", left=left, demand=state.demand[0])


def _mood(state: State) -> Expected:
    """The spin is asked for first, because it is easily forgotten; tiles can be set aside meanwhile."""
    if spin_due(state) is not None:
        return _king(state, "spin")
    if not all(state.aside):
        return _set_aside(state)
    if not all(state.ready):
        return _anyone("ready", waiting=_still_missing(state, state.ready))
    return _king(state, "start_raid")


def _set_aside(state: State) -> Expected:
    """The seats that still have to set tiles aside are named, unless it is not known who has done it."""
    each = state.box.set_aside.each
    if not state.aside_unseen:
        return _anyone("set_aside", tiles=each, waiting=_still_missing(state, state.aside))
    return _anyone("set_aside_some", tiles=each, left=state.aside.count(False) - state.aside_unseen)


def _tumult(state: State) -> Expected:
    """The next tumult, the seat that suffers it, and what it has to give back."""
    good = state.tumults[0]
    seat = greediest(state, good)
    tiles = tiles_due_back(state, seat, good)
    key = "atone" if tiles else "atone_followers"
    relief, paying = _payment(state, seat, state.box.followers.greediest_loses)
    return _seat(state, key + relief, seat, good=good, tiles=tiles, **paying)


def _payment(state: State, seat: SeatNo, number: int) -> tuple[str, dict[str, Fact]]:
    """Choose the form of a sentence about paying: a seat with too few followers is helped from the supply first."""
    has = state.followers[seat]
    each = min(state.box.followers.relief, state.supply // state.players) if has < number else 0
    paying: dict[str, Fact] = {"followers": min(number, has + each)}
    return ("_relief", {**paying, "each": each}) if each else ("", paying)


def _consolation(state: State) -> Expected:
    """The next consolation; if the supply is too small, all fill it up first."""
    seat, number = state.to_console[0], state.box.followers.consolation
    if state.supply < number:
        return _seat(state, "console_supply", seat, followers=number, each=state.box.followers.relief)
    return _seat(state, "console", seat, followers=number)


def _exchange(state: State) -> Expected:
    """The next two nobility cards to swap."""
    due = exchange_due(state)
    if due is None:
        raise ValueError("No exchange of cards is due, yet the phase of ranks is not over.")
    holder = state.ranks.index(due.rank)
    cards: dict[str, Fact] = {"rank": f"rank{due.rank}", "other": f"rank{state.ranks[due.seat]}"}
    return _seat(state, "exchange", due.seat, holder=state.colour(holder), **cards)


def _crown(state: State) -> Expected:
    """The coronation and its price."""
    relief, paying = _payment(state, state.king, state.box.followers.king_pays)
    return _king(state, "crown" + relief, statues=statues_due(state), field=len(state.chronicle) + 1, **paying)


def _mercy(state: State) -> Expected:
    """The mercy cards to turn."""
    due = mercy_due(state)
    turning = [seat for seat in range(state.players) if state.mercy[seat] != due[seat]]
    if len(turning) > 1:
        return _anyone("turn_mercy", waiting=_colours(state, turning))
    return _seat(state, "mercy" if due[turning[0]] else "no_mercy", turning[0])


def _seat(state: State, key: str, seat: SeatNo, **facts: Fact) -> Expected:
    """A sentence about one seat that is to act."""
    return Expected(key, {"seat": state.colour(seat), **facts}, seat)


def _king(state: State, key: str, **facts: Fact) -> Expected:
    """A sentence about the king, who is to act."""
    return Expected(key, {"king": state.colour(state.king), **facts}, state.king)


def _anyone(key: str, **facts: Fact) -> Expected:
    """A sentence about all players."""
    return Expected(key, facts, ANYONE)


def _one_or_anyone(seats: list[SeatNo]) -> Actor:
    """The only seat in a list, or anyone."""
    return seats[0] if len(seats) == 1 else ANYONE


def _still_missing(state: State, done: tuple[bool, ...]) -> tuple[str, ...]:
    """The colours of the seats that have not done it yet."""
    return _colours(state, (seat for seat, yes in enumerate(done) if not yes))


def _colours(state: State, seats: Iterable[SeatNo]) -> tuple[str, ...]:
    """The colours of these seats."""
    return tuple(state.colour(seat) for seat in seats)


def facts(state: State, move: Move) -> dict[str, Fact]:
    """Return the facts of a move, in words of the catalogue."""
    words: dict[str, Fact] = {}
    for name, value in msgspec.structs.asdict(move).items():
        words[name] = _word(state, move, name, value)
    return {**words, **place_facts(state, move)} if isinstance(move, TurnUp) else words


def _word(state: State, move: Move, name: str, value: Any) -> Fact:
    """Translate the value of one field of a move into a fact."""
    match name:
        case "seat":
            return "somebody" if value == UNKNOWN_SEAT else state.colour(value)
        case "field":
            return state.field_name(value)
        case "place":
            return state.place_name(value)
        case "source" if isinstance(move, Look | Rob):
            return "middle" if value == MIDDLE else state.colour(value)
        case "rank" if isinstance(move, DealCard | Exchange):
            return f"rank{value}"
        case "holding":
            return tuple(state.colour(seat) for seat in value)
        case "areas":
            return tuple(map(str, value))
        case _:
            fact: Fact = value
            return fact


FIELD_SIGNS = {
    "meadow": "·",
    "forest": "♣",
    "mountain": "▲",
    "village": "⌂",
    "castle": "♜",
    HIDDEN: " ",
    UNNAMED: "?",
}


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    """Draw the landscape and the seats as text."""
    lines = [*_landscape(state, paint), _legend(speaker), "", *_seats(state, speaker, paint)]
    return "\n".join(lines)


def _landscape(state: State, paint: Paint) -> Iterator[str]:
    """Draw the landscape, a line for each row of fields, with the edges of the boards."""
    width = state.columns * SIDE
    letters = [chr(ord("A") + column) for column in range(width)]
    edge = "+".join("-" * (SIDE * 4) for _ in range(state.columns))
    yield paint("     " + " ".join("".join(f" {letter}  " for letter in part) for part in _in_threes(letters)), "dim")
    for row in range(ROWS * SIDE):
        if row % SIDE == 0:
            yield paint(f"    +{edge}+", "dim")
        cells = [_cell(state, row * width + column, paint) for column in range(width)]
        bar = paint("|", "dim")
        yield paint(f" {row + 1}  ", "dim") + bar + bar.join("".join(part) for part in _in_threes(cells)) + bar
    yield paint(f"    +{edge}+", "dim")


def _in_threes(items: list[str]) -> Iterator[list[str]]:
    """Split a row into the parts that belong to one board each."""
    return (items[start : start + SIDE] for start in range(0, len(items), SIDE))


def _cell(state: State, field: int, paint: Paint) -> str:
    """Draw a field in four characters: its kind, and the owner and number of its statues (`♣B1`)."""
    kind = state.land[field]
    if kind == HIDDEN:
        return paint("░░░░", "dim")
    owner = state.owner[field]
    if owner == NO_SEAT:
        return paint(f" {FIELD_SIGNS[kind]}  ", kind or "dim")
    colour = state.colour(owner)
    return paint(f" {FIELD_SIGNS[kind]}", kind) + paint(f"{colour[0].upper()}{state.standing[field]}", f"on {colour}")


def _legend(speaker: Speaker) -> str:
    """Explain the signs of the fields."""
    kinds = ("meadow", "forest", "mountain", "village", "castle")
    return "     " + "  ".join(f"{FIELD_SIGNS[kind]} {speaker.word(kind)}" for kind in kinds)


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Draw a line for each seat, from the king to the lowest rank."""
    total = state.box.statues_each
    for seat in seats_by_rank(state.ranks):
        colour = state.colour(seat)
        name = paint(colour[0].upper(), f"on {colour}") + paint(f" {speaker.word(colour):<9}", colour)
        rank = f"{speaker.word(f'rank{state.ranks[seat]}'):<8}" if state.ranks[seat] else " " * 8
        placed = state.placed[seat]
        bar = paint("█" * placed, colour) + paint("░" * (total - placed), "dim")
        mercy = "♥" if state.mercy[seat] else " "
        followers = f"{state.followers[seat]:>3} {speaker.word('followers')}"
        yield f"  {name}{rank}{bar} {placed:>2}/{total}  {followers} {mercy}".rstrip()
