"""What the table waits for, moves in words, and the table as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.kernel.catalogue import Speaker
from companion.kernel.game import Paint, plain
from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact, Progress

from .box import ACTIONS, GOODS
from .components import city_names
from .moves import NO_BUILDING, Move, UseHelper
from .rulebook import kings_track
from .rulebook.actions import action_begun, points_left
from .rulebook.fairs import fair_word
from .rulebook.figures import figure_word
from .rulebook.goods import action_word, free_actions_left
from .rulebook.guests import guests_due, markers_due
from .rulebook.rounds import die_word, may_take_tile
from .rulebook.scoring import score
from .rulebook.setup import cost_word, tiles_due
from .state import (
    EMPTY,
    NO_SEAT,
    NOWHERE,
    State,
    contract_stack,
    dice_missing,
    houses_in_stock,
    pillars_in_stock,
    section_value,
)


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
            return CHANCE if state.filling or guests_due(state) or kings_track.reveal_due(state) else state.turn


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
            return _table(state, "favour", seat=state.colour(kings_track.ranking(state)[0]))
        case "fair":
            return _table(state, "fair", city=state.city_name(state.venues[state.round]))
        case "turn":
            return _turn(state)
        case "over":
            sheet = score(state)
            winner = sheet.winner if sheet.winner is not None else 0
            return _table(state, "over", seat=state.colour(winner), points=sheet.seats[winner].total)


def progress(state: State) -> Progress | None:
    """Return how far the game is; None before the first round and after the last."""
    if state.phase in ("laying_out", "lots", "over"):
        return None
    facts: dict[str, Fact] = {"round": state.round + 1, "rounds": state.box.rounds}
    if state.phase != "turn":
        return Progress("round", facts, state.round + 1, state.order)
    return Progress("turn", {**facts, "turn": state.lap + 1, "turns": state.box.turns}, state.round + 1, state.order)


def _table(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, facts, actor(state), state.phase)


def _lots(state: State) -> Expected:
    """Return what chance lays out next; people may lay it out in any other order."""
    waiting = (
        ("put_venues", state.venues.count(NOWHERE)),
        ("put_fairs", state.fairs.count(EMPTY)),
        ("put_costs", sum(not state.costs[city] for city in state.map.cathedrals)),
        ("put_tiles", len(tiles_due(state))),
        ("offer_contracts", state.contracts.count(EMPTY) if contract_stack(state) else 0),
    )
    key, left = next(((key, left) for key, left in waiting if left), ("offer_guests", state.guests.count(EMPTY)))
    return _table(state, key, left=left)


def _turn(state: State) -> Expected:
    seat = state.colour(state.turn)
    if state.filling and not contract_stack(state):
        return _table(state, "slide_contracts")
    if state.filling:
        return _table(state, "fill_contracts", left=state.contracts.count(EMPTY))
    if guests_due(state):
        return _table(state, "fill_guests", left=state.guests.count(EMPTY))
    if kings_track.reveal_due(state):
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
            if may_take_tile(state) and not (left and action_begun(state)):
                key = "may_take_tile" if state.options.leave_tile else "take_tile"
                return _table(state, key, seat=seat, tile=state.section_tiles[state.section])
            if left:
                return _table(state, "act", seat=seat, action=action_word(state.section), left=left)
            if free := free_actions_left(state):
                return _table(state, "free", seat=seat, amounts=free)
            return _table(state, "turn_over", seat=seat)


def facts(state: State, move: Move) -> dict[str, Fact]:
    parts = msgspec.structs.asdict(move).items()
    found = {name: _word(state, name, value) for name, value in parts if name not in ("off", "astray")}
    if isinstance(move, UseHelper) and move.building != NO_BUILDING:
        found["tile"] = (move.tile, f"building {move.building + 1}")
    return found


def _word(state: State, name: str, value: Any) -> Fact:
    match name:
        case "seat":
            return state.colour(value)
        case "city":
            return state.city_name(value)
        case "section":
            return action_word(value)
        case "figure":
            return figure_word(value)
        case "colour":
            return die_word(value)
        case "fair":
            return fair_word(value)
        case "cost":
            return cost_word(value)
        case "building" if value == NO_BUILDING:
            return "nothing"
        case "round" | "building":
            return int(value) + 1
        case "place" if isinstance(value, int):
            return value + 1
        case _:
            fact: Fact = value
            return fact


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    parts = (_wheel, _offers, _cities, _seats)
    return "\n\n".join("\n".join(part(state, speaker, paint)) for part in parts)


def _wheel(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Yield a line for each section: value, action, tile, and dice by their good."""
    goods = state.box.dice.colours
    for name in state.box.wheel.actions:
        action = ACTIONS.index(name)
        dice = " ".join(
            paint(f"{speaker.word(goods[colour])}{value}", colour)
            for section, colour, value in state.wheel
            if section == action
        )
        tile = speaker.word(state.section_tiles[action]) if state.section_tiles[action] else ""
        yield f"  {section_value(state, action)} {speaker.word(name):<12}[{tile}] {dice}".rstrip()


def _offers(state: State, speaker: Speaker, _paint: Paint) -> Iterator[str]:
    for tiles in (state.contracts, state.guests):
        yield "  " + " ".join(f"[{speaker.word(tile) if tile else ''}]" for tile in tiles)


def _cities(state: State, _speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Yield the cities: houses as capitals, pillars as small letters, architect and merchant as A and M with their
    colour."""
    for city, name in enumerate(city_names(state.box)):
        standing = [
            paint(seat.colour[0].upper(), f"on {seat.colour}")
            for number, seat in enumerate(state.seats)
            if number in state.houses[city]
        ]
        for number, seat in enumerate(state.seats):
            standing += [paint(seat.colour[0], seat.colour)] * (state.pillars[city] >> number & 1)
            standing += [paint("A", seat.colour)] * (state.architects[number] == city)
            standing += [paint("M", seat.colour)] * (state.merchants[number] == city)
        free = state.houses[city].count(NO_SEAT)
        yield f"  {name:<12}{'.' * free}{' '.join(standing)}".rstrip()


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    for seat in state.order:
        owner = state.seats[seat].colour
        name = paint(owner[0].upper(), f"on {owner}") + paint(f" {speaker.word(owner):<9}", owner)
        turn = "→" if seat == state.turn and state.phase == "turn" else " "
        goods = "  ".join(f"{state.has(seat, good):>2} {speaker.word(word)}" for good, word in enumerate(GOODS))
        tiles = " ".join(f"[{speaker.word(tile)}]" for tile in state.warehouse[seat])
        stock = f"{houses_in_stock(state, seat)}+{pillars_in_stock(state, seat)}"
        crown = f"♚{state.crown[seat]}"
        yield f"{turn} {name}{state.points[seat]:>4}  {crown:<4} {stock}  {goods}  {tiles}".rstrip()
