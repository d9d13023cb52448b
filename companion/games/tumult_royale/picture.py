"""The table as text: landscape, chronicle and seats, readable in any terminal."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Paint, plain

from .box import ROWS, SIDE
from .state import HIDDEN, NOBODY, UNNAMED, State, by_rank

SIGNS = {
    "meadow": "·",
    "forest": "♣",
    "mountain": "▲",
    "village": "⌂",
    "castle": "♜",
    HIDDEN: " ",
    UNNAMED: "?",
}


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    lines = [*_landscape(state, paint), _legend(speaker), "", *_seats(state, speaker, paint)]
    return "\n".join(lines)


def _landscape(state: State, paint: Paint) -> Iterator[str]:
    width = state.columns * SIDE
    letters = [chr(ord("A") + column) for column in range(width)]
    edge = "+".join("-" * (SIDE * 4) for _ in range(state.columns))
    yield paint("     " + " ".join("".join(f" {letter}  " for letter in part) for part in _threes(letters)), "dim")
    for row in range(ROWS * SIDE):
        if row % SIDE == 0:
            yield paint(f"    +{edge}+", "dim")
        cells = [_cell(state, row * width + column, paint) for column in range(width)]
        bar = paint("|", "dim")
        yield paint(f" {row + 1}  ", "dim") + bar + bar.join("".join(part) for part in _threes(cells)) + bar
    yield paint(f"    +{edge}+", "dim")


def _threes(items: list[str]) -> Iterator[list[str]]:
    return (items[start : start + SIDE] for start in range(0, len(items), SIDE))


def _cell(state: State, field: int, paint: Paint) -> str:
    """Four characters: the field's sign, and whose statues stand there (`♣B1`)."""
    kind = state.land[field]
    if kind == HIDDEN:
        return paint("░░░░", "dim")
    owner = state.owner[field]
    if owner == NOBODY:
        return paint(f" {SIGNS[kind]}  ", kind or "dim")
    colour = state.colour(owner)
    return paint(f" {SIGNS[kind]}", kind) + paint(f"{colour[0].upper()}{state.standing[field]}", f"on {colour}")


def _legend(speaker: Speaker) -> str:
    kinds = ("meadow", "forest", "mountain", "village", "castle")
    return "     " + "  ".join(f"{SIGNS[kind]} {speaker.word(kind)}" for kind in kinds)


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    total = state.box.statues_each
    for seat in by_rank(state.ranks):
        colour = state.colour(seat)
        name = paint(colour[0].upper(), f"on {colour}") + paint(f" {speaker.word(colour):<9}", colour)
        rank = f"{speaker.word(f'rank{state.ranks[seat]}'):<8}" if state.ranks[seat] else " " * 8
        placed = state.placed[seat]
        bar = paint("█" * placed, colour) + paint("░" * (total - placed), "dim")
        mercy = "♥" if state.mercy[seat] else " "
        followers = f"{state.followers[seat]:>3} {speaker.word('followers')}"
        yield f"  {name}{rank}{bar} {placed:>2}/{total}  {followers} {mercy}".rstrip()
