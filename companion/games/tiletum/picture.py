"""The table as text: wheel, offers, cities, and what everybody has; readable in any terminal."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Paint, plain

from .box import ACTIONS, GOODS
from .components import city_names
from .state import (
    NOBODY,
    State,
    houses_in_stock,
    pillars_in_stock,
    section_value,
)


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    parts = (_wheel, _offers, _cities, _seats)
    return "\n\n".join("\n".join(part(state, speaker, paint)) for part in parts)


def _wheel(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """A line for each section: value, action, tile, dice by their good."""
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
    """Houses as capitals, pillars as small letters, architect and merchant as A and M with their colour."""
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
        free = state.houses[city].count(NOBODY)
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
