"""The table as text: councils, open permits, cities by region, and what everybody has; readable in any terminal."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Paint, plain

from .box import COUNCILS, REGIONS, letters
from .state import NEUTRAL, State, places_of, pool


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    return "\n".join(
        [*_councils(state, speaker, paint), "", *_cities(state, paint), "", *_seats(state, speaker, paint)]
    )


def _councils(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    for council, name in enumerate(COUNCILS):
        members = " ".join(_councillor(colour, speaker, paint) for colour in state.councils[council])
        line = f"  {speaker.word(name):<10}{paint('→', 'dim')} {members}"
        if council < len(REGIONS):
            line += "   " + "  ".join(f"[{state.offers[place] or ' '}]" for place in places_of(council))
        yield line
    free = " ".join(f"{_councillor(c, speaker, paint)}×{n}" for c, n in pool(state.box, state.councils).items())
    yield f"  {'':<10}  {free}"


def _councillor(colour: str, speaker: Speaker, paint: Paint) -> str:
    return paint(f"{speaker.word(colour) if colour else '?':<8}", colour or "dim")


def _cities(state: State, paint: Paint) -> Iterator[str]:
    """A line for each region: letter, king, emporiums by the first letter of their colour."""
    names = letters(state.box)
    for region in range(len(REGIONS)):
        yield "  " + "  ".join(_city(state, city, names[city], paint) for city in range(5 * region, 5 * region + 5))


def _city(state: State, city: int, letter: str, paint: Paint) -> str:
    bits = state.emporiums[city]
    owners = [seat.colour for number, seat in enumerate(state.seats) if bits >> number & 1]
    standing = "".join(paint(colour[0].upper(), f"on {colour}") for colour in owners)
    neutral = (bits // NEUTRAL).bit_count()
    standing += paint("n" * neutral, "dim") if neutral else ""
    width = len(owners) + neutral
    king = "♚" if state.king == city else " "
    return f"{paint(letter, state.map.colours[city])}{king}{standing}{' ' * (5 - width)}"


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    for seat, owner in enumerate(state.seats):
        name = paint(owner.colour[0].upper(), f"on {owner.colour}") + paint(
            f" {speaker.word(owner.colour):<9}", owner.colour
        )
        turn = "→" if seat == state.turn and state.phase == "turn" else " "
        counts = (
            ("points", state.points[seat]),
            ("gold", state.gold[seat]),
            ("assistants", state.assistants[seat]),
            ("nobility", state.nobility[seat]),
            ("cards", state.hands[seat]),
        )
        facts = "  ".join(f"{number:>2} {speaker.word(what)}" for what, number in counts)
        permits = " ".join(f"[{permit}]" for permit in state.permits[seat])
        built = f"{state.built(seat)}/{state.box.emporiums_each}"
        yield f"{turn} {name}{built:>5}  {facts}  {permits}".rstrip()
