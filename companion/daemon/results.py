"""The result of a game: the score sheet with its reasons and its chart, and the files for people to keep."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import msgspec

from companion.daemon.journal_folder import Opened
from companion.history import (
    GameHistory,
    LiveHistory,
    MoveTold,
    SheetTold,
    keep_result,
    page,
    pictures,
)
from companion.history.history import LineTold
from companion.journal import Journal
from companion.kernel.catalogue import Language, Speaker
from companion.kernel.messages import Body, Update
from companion.text.sentences import Bilingual, both_words


def scores(opened: Opened, history: LiveHistory) -> Body:
    """Every point with its reason, the tie breaks, and the chart of the scores."""
    sheets = {language: told.sheet for language, told in history.in_each_language().items()}
    sheet, colours = sheets["en"], [seat.colour for seat in opened.seats]

    def each(words: Callable[[SheetTold], str]) -> dict[str, str]:
        return {language: words(one) for language, one in sheets.items()}

    return {
        "seats": [
            {
                "seat": colours.index(score.seat),
                "total": score.total,
                "lines": [
                    {
                        "label": each(lambda one, at=(place, row): _line(one, at).label),  # type: ignore[misc]
                        "points": line.points,
                        "because": each(lambda one, at=(place, row): _why(_line(one, at))),  # type: ignore[misc]
                    }
                    for row, line in enumerate(score.lines)
                ],
            }
            for place, score in enumerate(sheet.seats)
        ],
        "winners": [colours.index(colour) for colour in sheet.winners],
        "because": [each(lambda one, at=row: one.because[at]) for row in range(len(sheet.because))],  # type: ignore[misc]
        "chart": history.chart(),
        "over": opened.over,
    }


def _line(sheet: SheetTold, at: tuple[int, int]) -> LineTold:
    return sheet.seats[at[0]].lines[at[1]]


def _why(line: LineTold) -> str:
    return line.because or line.sentence


class ResultKeeper:
    """A Follower that stores the result of a game as soon as it is over."""

    def __init__(self) -> None:
        self._kept: Any = None
        """The State whose result was stored last."""

    def opened(self, opened: Opened) -> None:
        self._keep(opened)

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        if opened is not None and updates:
            self._keep(opened)

    def _keep(self, opened: Opened) -> None:
        state = opened.table.state
        if opened.over and state is not self._kept:
            keep_result(opened.table.journal, opened.game)
            self._kept = state


# Files


def as_csv(opened: Opened, history: GameHistory, language: Language) -> bytes:
    """The score sheet with a line for each reason. A byte order mark tells spreadsheets that it is UTF-8."""
    names = {seat.colour: seat.name for seat in opened.seats}
    catalogue = opened.game.catalogue
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(both_words(f"csv.{column}")[language] for column in ("seat", "name", "points", "label", "because"))
    for score in history.sheet.seats:
        who = [catalogue.word(score.seat, language), _harmless(names[score.seat])]
        for line in score.lines:
            lines.writerow([*who, line.points, line.label, _why(line)])
        lines.writerow([*who, score.total, both_words("csv.total")[language], ""])
    return text.getvalue().encode("utf-8-sig")


def _harmless(name: str) -> str:
    """Escape a name that begins like a formula, so that spreadsheets do not compute it."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name


class _Whole(msgspec.Struct):
    game: str
    title: str
    begun: str
    seats: Any
    moves: list[MoveTold]
    after: Any
    score: SheetTold
    notice: str


def as_json(history: GameHistory) -> bytes:
    """The whole game, move by move with its reasons, and the score sheet."""
    whole = _Whole(
        history.game,
        history.title,
        history.begun,
        history.seats,
        history.moves,
        history.after,
        history.sheet,
        history.notice,
    )
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def as_page(opened: Opened, history: GameHistory, language: Language) -> bytes:
    """The page of the game with its pictures, in a single file."""
    wanted = {n for move in history.moves for n in move.pictures.values()}
    wanted |= {one.picture for move in history.moves for one in move.findings if one.picture is not None}
    wanted |= {one.picture for one in history.after if one.picture is not None}
    with Journal.read(opened.table.journal.path) as journal:
        shown = dict(pictures(journal, wanted))
    return page(history, _speaker(opened, language), shown).encode()


def _speaker(opened: Opened, language: Language) -> Speaker:
    return Bilingual(opened.game.catalogue, opened.seats)[language]


def file_name(opened: Opened, ending: str) -> str:
    """A file name with the game, the day and the number of the journal."""
    journal = opened.table.journal
    return f"{journal.path.stem}-{journal.head.created[:10]}.{ending}"
