"""What a game came to: the score sheet with its reasons and its chart, and the files that people take home."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from companion.catalogue import Language, Speaker
from companion.daemon.shelf import Opened
from companion.daemon.words import both
from companion.journal import Journal
from companion.retelling import GrowingTale, MoveTold, Tale, page, pictures
from companion.rules import Note, Scoresheet
from companion.sentences import in_each, speakers_for

Body = dict[str, Any]


def scores(opened: Opened, tale: GrowingTale) -> Body:
    """Every point with its reason, how it was decided, and how it came about."""
    sheet, speakers = opened.game.score(opened.table.state), speakers_for(opened.game.catalogue, opened.seats)
    return {
        "seats": [
            {
                "seat": score.seat,
                "total": score.total,
                "lines": [
                    {
                        "label": in_each(speakers, lambda speaker, one=line: speaker.word(one.label)),  # type: ignore[misc]
                        "points": line.points,
                        "because": in_each(speakers, lambda speaker, one=line: _why(speaker, one.because)),  # type: ignore[misc]
                    }
                    for line in score.lines
                ],
            }
            for score in sheet.seats
        ],
        "winners": list(sheet.winners),
        "because": [in_each(speakers, lambda speaker, one=note: _why(speaker, one)) for note in sheet.because],  # type: ignore[misc]
        "chart": tale.chart(),
        "over": opened.over,
    }


def _why(speaker: Speaker, note: Note) -> str:
    return speaker.applied(note) or speaker.rule(note.rule)


# Files


def as_csv(opened: Opened, language: Language) -> bytes:
    """The score sheet, a line for each reason; with the mark that spreadsheets know UTF-8 by."""
    sheet, speaker = opened.game.score(opened.table.state), _speaker(opened, language)
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(both(f"csv.{column}")[language] for column in ("seat", "name", "points", "label", "because"))
    for score in sheet.seats:
        seat = opened.seats[score.seat]
        who = [speaker.catalogue.word(seat.colour, language), _harmless(seat.name)]
        for line in score.lines:
            lines.writerow([*who, line.points, speaker.word(line.label), _why(speaker, line.because)])
        lines.writerow([*who, score.total, both("csv.total")[language], ""])
    return text.getvalue().encode("utf-8-sig")


def _harmless(name: str) -> str:
    """A name as text: a spreadsheet would compute what begins like a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name


class _Whole(msgspec.Struct):
    game: str
    title: str
    begun: str
    seats: Any
    moves: list[MoveTold]
    after: Any
    score: Scoresheet


def as_json(opened: Opened, tale: Tale, language: Language) -> bytes:
    """The whole game, move by move with its reasons, and the score sheet."""
    sheet = opened.game.score(tale.state)
    title = opened.game.catalogue.title.in_(language)
    whole = _Whole(tale.game, title, tale.begun, tale.seats, tale.moves, tale.after, sheet)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def as_page(opened: Opened, tale: Tale, language: Language) -> bytes:
    """The page of the game, with its pictures; it needs nothing beside it."""
    wanted = {n for move in tale.moves for n in move.pictures.values()}
    wanted |= {one.picture for move in tale.moves for one in move.findings if one.picture is not None}
    wanted |= {one.picture for one in tale.after if one.picture is not None}
    with Journal.read(opened.table.journal.path) as journal:
        shown = dict(pictures(journal, wanted))
    return page(opened.game, tale, _speaker(opened, language), shown).encode()


def _speaker(opened: Opened, language: Language) -> Speaker:
    return speakers_for(opened.game.catalogue, opened.seats)[language]


def file_name(opened: Opened, ending: str) -> str:
    """By game, day and number of the journal."""
    journal = opened.table.journal
    return f"{journal.path.stem}-{journal.head.created[:10]}.{ending}"
