"""A score sheet in words, which can be shown without the game's rules."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.catalogue import Speaker
from companion.kernel.game import Game


class LineTold(msgspec.Struct, frozen=True):
    """Points, what they are for, and the rule; `because` says what the rule did here, if it has a sentence for that."""

    label: str
    points: int
    rule: str
    because: str | None
    sentence: str


class SeatTold(msgspec.Struct, frozen=True):
    """The colour of a seat, the word for it, its points and where they come from."""

    seat: str
    word: str
    total: int
    lines: list[LineTold]


class SheetTold(msgspec.Struct, frozen=True):
    """The whole sheet, with seats in their order and winners as colours."""

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
