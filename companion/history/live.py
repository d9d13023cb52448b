"""The history of a game while it is being written, and the result that a journal keeps when the game is over.

Each event is read once, in both languages, and scores are recorded on the way. Any thread may ask: the journal is read
through a connection of its own, so no writer waits.

A result is the score sheet, the history in both languages and the chart. It is shown as it was written, even if the
rules or the words change later.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.history.history import GameHistory, Happening, MoveTold, Reteller
from companion.journal import Event, Journal
from companion.kernel.catalogue import LANGUAGES, Language
from companion.kernel.game import Game
from companion.kernel.messages import Body
from companion.kernel.rules import Seat
from companion.table.ledger import Seen
from companion.table.snapshot import places_changed

RESULT: Final = "result"
_PLAYED: Final = frozenset(("move", "learn", "adopt", "join", "undo"))
"""Events that make a result kept earlier invalid."""


class Result(msgspec.Struct, frozen=True):
    """A finished game: its history in each language, and the points after each event of its chart."""

    histories: Mapping[Language, GameHistory] = msgspec.field(name="tales")
    chart: list[dict[str, Any]]


class _Packed(msgspec.Struct, frozen=True):
    zlib: bytes


class LiveHistory:
    """Follows one journal that is still being written."""

    def __init__(self, path: Path, game: Game[Any, Any]) -> None:
        self._game = game
        self._turn = threading.Lock()
        self._journal = Journal.read(path)
        self._begin(self._journal.head.setup.seats)
        self._kept: Result | None = None
        """The kept result of a finished game, which is then shown instead."""
        self._totals: dict[int, list[int]] = {}
        """By event number: the points of each seat after it."""

    @property
    def path(self) -> Path:
        return self._journal.path

    def history(self, before: int | None, count: int) -> Body:
        """The last `count` moves before an event, the newest first, in both languages."""
        with self._turn:
            histories = self._told()
        seats = {seat.colour: number for number, seat in enumerate(histories["en"].seats)}
        moves = list(zip(*(history.moves for history in histories.values()), strict=True))
        wanted = [together for together in moves if before is None or together[0].n < before]
        return {
            "moves": [
                {
                    "seat": seats.get(together[0].seat or ""),
                    "colour": together[0].seat,
                    "places": self._places(together[0].n),
                    **_both_moves(*together),
                }
                for together in reversed(wanted[-count:] if count else [])
            ],
            "after": [
                _both_happenings(*one) for one in zip(*(history.after for history in histories.values()), strict=True)
            ],
            "more": len(wanted) > count,
        }

    def _places(self, event: int) -> dict[str, list[str]]:
        """The places that a move changed, if it counts."""
        point = self._ledger.point(event)
        return {} if point is None or point.parent is None else places_changed(self._game, point)

    def chart(self) -> list[Body]:
        """The points of each seat at the start, after each event that changed them, and now."""
        with self._turn:
            self._catch_up()
            if self._kept is not None:
                return self._kept.chart
            line = self._ledger.line()
            points = [(point.n, self._totals[point.n]) for point in line]
        told = [points[0]]
        for n, totals in points[1:]:
            if totals != told[-1][1]:
                told.append((n, totals))
        if points[-1][0] != told[-1][0]:
            told.append(points[-1])
        return [{"event": n, "totals": totals} for n, totals in told]

    def told(self, language: Language) -> GameHistory:
        return self.in_each_language()[language]

    def in_each_language(self) -> dict[Language, GameHistory]:
        with self._turn:
            return self._told()

    def state_before(self, event: int) -> tuple[Any, Any] | None:
        """The position before a move that counts, and the move."""
        with self._turn:
            self._catch_up()
            point = self._ledger.point(event)
        return None if point is None or point.parent is None or point.move is None else (point.parent.state, point.move)

    def picture(self, event: int) -> bytes | None:
        """The picture of a move, or of the event itself."""
        with self._turn:
            self._catch_up()
            moves = self._retellers["en"].moves if self._kept is None else self._kept.histories["en"].moves
            move = next((move for move in moves if move.n == event), None)
        shown = event if move is None else move.pictures.get("after")
        if shown is None or shown < 1:
            return None
        one = next(self._journal.events(after=shown - 1), None)
        if one is None or one.kind != "seen":
            return None
        return msgspec.json.decode(one.body, type=Seen).picture or None

    # Following

    @property
    def _ledger(self) -> Any:
        return self._retellers["en"].ledger

    def _told(self) -> dict[Language, GameHistory]:
        self._catch_up()
        if self._kept is not None:
            return dict(self._kept.histories)
        return {language: reteller.history() for language, reteller in self._retellers.items()}

    def _begin(self, seats: tuple[Seat, ...]) -> None:
        """Tell everything from the start, with the names that the players have now."""
        self._seats, self._read = seats, 0
        self._retellers: dict[Language, Reteller] = {
            language: Reteller(self._journal, self._game, language, seats) for language in LANGUAGES
        }

    def _catch_up(self) -> None:
        self._score()
        for event in self._journal.events(after=self._read):
            for reteller in self._retellers.values():
                reteller.hear(event)
            self._read = event.n
            self._kept = result_after(event, self._kept)
            self._score()
        if self._ledger.seats != self._seats:
            self._begin(self._ledger.seats)
            self._catch_up()

    def _score(self) -> None:
        point = self._ledger.now
        if point.n not in self._totals:
            self._totals[point.n] = [seat.total for seat in self._game.score(point.state).seats]


def keep_result(journal: Journal, game: Game[Any, Any]) -> None:
    """Write the result of a finished game to its journal, unless it is there already."""
    if kept_result(journal) is None:
        history = LiveHistory(journal.path, game)
        journal.append(RESULT, pack_result(Result(history.in_each_language(), history.chart())))


def _both(one: MoveTold | Happening, other: MoveTold | Happening, name: str) -> dict[str, Any]:
    return {"de": getattr(one, name), "en": getattr(other, name)}


def _both_moves(german: MoveTold, english: MoveTold) -> Body:
    because = zip(german.because, english.because, strict=True)
    findings = zip(german.findings, english.findings, strict=True)
    return {
        "event": german.n,
        "at": german.at,
        "move": german.move,
        "says": _both(german, english, "says"),
        "because": [
            {"rule": one.rule, "says": {"de": one.says or one.sentence, "en": other.says or other.sentence}}
            for one, other in because
        ],
        "round": german.round,
        "trivial": german.trivial,
        "proof": german.proof,
        "known": _both(german, english, "known") if german.known else None,
        "picture": "after" in german.pictures,
        "pictures": german.pictures,
        "undone": german.undone,
        "findings": [_both_happenings(*one) for one in findings],
    }


def _both_happenings(german: Happening, english: Happening) -> Body:
    rules = zip(german.rules, english.rules, strict=True)
    steps = zip(german.put_right, english.put_right, strict=True)
    return {
        "event": german.n,
        "at": german.at,
        "kind": german.kind,
        "says": _both(german, english, "says"),
        "by": german.by,
        "rules": [
            {"rule": one.rule, "says": {"de": one.says or one.sentence, "en": other.says or other.sentence}}
            for one, other in rules
        ],
        "put_right": [{"de": one, "en": other} for one, other in steps],
        "picture": german.picture,
    }


def pack_result(result: Result) -> bytes:
    """The body of the event that keeps a result."""
    return msgspec.json.encode(_Packed(zlib.compress(msgspec.json.encode(result))))


def result_after(event: Event, known: Result | None) -> Result | None:
    """The valid result after an event, given the one before it."""
    if event.kind != RESULT:
        return None if event.kind in _PLAYED else known
    body = msgspec.json.decode(event.body, type=_Packed)
    return msgspec.json.decode(zlib.decompress(body.zlib), type=Result)


def kept_result(journal: Journal) -> Result | None:
    """The result of a finished game, if the journal has one. Raises `DamagedJournal`."""
    last: Event | None = None
    for event in journal.events():
        if event.kind == RESULT or event.kind in _PLAYED:
            last = event
    return None if last is None else result_after(last, None)
