"""A score sheet in words: it needs no rules to be shown again."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Game


class LineTold(msgspec.Struct, frozen=True):
    """So many points, for what, by which rule; `because` is what the rule did here, where it has words for that."""

    label: str
    points: int
    rule: str
    because: str | None
    sentence: str


class SeatTold(msgspec.Struct, frozen=True):
    """A seat by its colour, the word for the colour, its points and where they come from."""

    seat: str
    word: str
    total: int
    lines: list[LineTold]


class SheetTold(msgspec.Struct, frozen=True):
    """The whole sheet, the seats in their order; winners are colours."""

    over: bool
    seats: list[SeatTold]
    winners: list[str]
    because: list[str]
    unverified: list[str]


def tell_sheet(game: Game[Any, Any], state: Any, speaker: Speaker) -> SheetTold:
    sheet = game.score(state)
    colours = [seat.colour for seat in state.seats]
    seats = []
    for score in sheet.seats:
        lines = [
            LineTold(
                speaker.word(line.label),
                line.points,
                line.because.rule,
                speaker.applied(line.because),
                speaker.rule(line.because.rule),
            )
            for line in score.lines
        ]
        seats.append(SeatTold(colours[score.seat], speaker.word(colours[score.seat]), score.total, lines))
    because = [speaker.applied(note) or speaker.rule(note.rule) for note in sheet.because]
    winners = [colours[seat] for seat in sheet.winners]
    return SheetTold(game.actor(state) is None, seats, winners, because, list(state.box.unverified))
