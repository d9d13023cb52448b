"""The table as text: segments with their piles and plots, the castle, and what everybody has."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Paint, plain

from .box import BUILDINGS, GOODS
from .components import segment_names
from .state import (
    NOBODY,
    NOWHERE,
    State,
    kind_of,
    owner_of,
    section_at,
    workers_left,
)

SIGNS = ("P", "G", "W")
"""Trading post, guildhall, workshop."""


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    parts = (_segments, _seats)
    return "\n\n".join("\n".join(part(state, speaker, paint)) for part in parts)


def _segments(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """A line for each segment, clockwise: plots, viscounts, piles, and the castle behind them."""
    for segment in state.order:
        if segment == NOWHERE:
            continue
        name = segment_names(state.box)[segment]
        plots = "".join(_plot(state, standing, paint) for standing in state.plots[segment])
        viscounts = "".join(
            paint(f"♞{state.space_name(space)}", state.colour_of(seat))
            for seat, space in enumerate(state.viscounts)
            if space != NOWHERE and space // 3 == segment
        )
        tops = (state.offer[segment], state.scripts[segment])
        piles = " ".join(f"[{speaker.word(top or 'nothing')}]" for top in tops)
        yield f"  {name:<6}{plots}  {_workers(state, segment, paint)}  {piles} {viscounts}".rstrip()


def _plot(state: State, standing: int, paint: Paint) -> str:
    return "." if standing == NOBODY else paint(SIGNS[kind_of(standing)], state.colour_of(owner_of(standing)))


def _workers(state: State, segment: int, paint: Paint) -> str:
    """Workers of the first and second ring in front of a segment."""
    if state.castle == NOWHERE or NOWHERE in state.order:
        return ""
    section = section_at(state, segment)
    rings = (
        "".join(paint("i" * number, state.colour_of(seat)) for seat, number in enumerate(ring[section]))
        for ring in state.rings
    )
    return "|".join(rings)


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    for seat in range(state.players):
        owner = state.colour_of(seat)
        name = paint(owner[0].upper(), f"on {owner}") + paint(f" {speaker.word(owner):<9}", owner)
        turn = "→" if seat == state.turn and state.phase not in ("laying_out", "lots", "over") else " "
        goods = "  ".join(f"{state.has(seat, good):>2} {speaker.word(word)}" for good, word in enumerate(GOODS))
        row = " ".join(f"[{speaker.word(card) if card else ''}]" for card in state.rows[seat])
        track = f"☠{state.corruption[seat]} ☼{state.virtue[seat]}"
        built = "".join(
            sign * (state.built[seat] >> 3 * kind & 7).bit_count() for kind, sign in enumerate(SIGNS[: len(BUILDINGS)])
        )
        stock = f"♟{workers_left(state, seat)}+{state.top[seat]}"
        yield f"{turn} {name} {track}  {stock} {built:<4} {goods}  {row}".rstrip()
