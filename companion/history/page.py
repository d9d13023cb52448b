"""The page of a journal: score, moves, reasons and pictures in one HTML file without any other files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from companion.history.history import GameHistory, Happening, MoveTold, Reason, SeatTold
from companion.kernel.catalogue import Speaker
from companion.text.sentences import say

STYLE: Final = Path(__file__).with_name("page.css")
MANY: Final = 6
"""Maximum number of taken-back moves in a row that are shown; more are folded. An early correction can replace a whole
game."""
_COLOURS: Final = {
    "blue": "#2f78c4",
    "yellow": "#d9a400",
    "purple": "#9550b5",
    "grey": "#7d858c",
    "red": "#c8453b",
    "green": "#3f9150",
    "orange": "#dd7a22",
    "black": "#444444",
    "white": "#c9c4b8",
}
# Nothing on the page may be loaded from elsewhere, whatever a player's name or a journal contains.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(history: GameHistory, speaker: Speaker, shown: Mapping[int, bytes], breaks_off: int | None = None) -> str:
    """The whole page. `shown` are the pictures of the history by event number; those that are not JPEG are left out.

    `breaks_off` is the last event that could be read of a journal with a damaged end.
    """
    return "\n".join(_Page(history, speaker, shown, breaks_off).lines())


class _Page:
    def __init__(
        self, history: GameHistory, speaker: Speaker, shown: Mapping[int, bytes], breaks_off: int | None
    ) -> None:
        self._breaks_off = breaks_off
        self._history = history
        self._speaker = speaker
        self._title = history.title
        self._pictures = {n: (size, jpeg) for n, jpeg in shown.items() if (size := jpeg_size(jpeg))}

    def lines(self) -> Iterator[str]:
        yield "<!doctype html>"
        yield f'<html lang="{self._speaker.language}">'
        yield from self._head()
        yield "<body>"
        yield from self._opening()
        yield "<main>"
        yield from self._score()
        yield from self._moves()
        yield "</main>"
        yield from self._album()
        yield "</body>"
        yield "</html>"

    def _say(self, key: str, **facts: Any) -> str:
        return escape(say(self._speaker, f"page.{key}", **facts))

    def _head(self) -> Iterator[str]:
        yield "<head>"
        yield '<meta charset="utf-8">'
        yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield '<meta name="color-scheme" content="light dark">'
        yield f"<title>{escape(self._title)}, {escape(_day(self._history.begun))}</title>"
        yield f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>"
        yield "</head>"

    def _opening(self) -> Iterator[str]:
        yield "<header>"
        yield f"<h1>{escape(self._title)}</h1>"
        yield f'<p><time datetime="{escape(self._history.begun)}">{escape(_day(self._history.begun))}</time></p>'
        yield '<ul class="seats">'
        for seat in self._history.seats:
            yield f"<li{_tint(seat.colour)}>{escape(self._speaker.word(seat.colour))}</li>"
        yield "</ul>"
        yield "</header>"

    # The score sheet

    def _score(self) -> Iterator[str]:
        sheet = self._history.sheet
        yield '<section class="score">'
        yield f"<h2>{self._say('score')}</h2>"
        for reason in sheet.because:
            yield f'<p class="winner">{escape(reason)}</p>'
        if self._breaks_off is not None:
            yield f'<p class="breaks-off">{self._say("breaks_off", number=self._breaks_off)}</p>'
        if self._history.notice:
            yield f'<p class="so-far">{escape(self._history.notice)}</p>'
        if not sheet.over:
            yield f'<p class="so-far">{self._say("so_far")}</p>'
        for score in sorted(sheet.seats, key=lambda score: -score.total):
            yield from self._seat(score)
        yield "</section>"

    def _seat(self, score: SeatTold) -> Iterator[str]:
        yield f"<table{_tint(score.seat)}>"
        yield f"<thead><tr><th>{score.total}</th><th>{escape(score.word)}</th></tr></thead>"
        yield "<tbody>"
        for line in score.lines:
            yield f"<tr><td>{line.points}</td><td>{escape(line.because or line.label)}</td></tr>"
        yield "</tbody></table>"

    # The moves

    def _moves(self) -> Iterator[str]:
        yield '<section class="moves">'
        yield f"<h2>{self._say('moves')}</h2>"
        if not self._history.moves:
            yield f"<p>{self._say('no_moves')}</p>"
        for undone, moves in groupby(self._history.moves, key=lambda move: move.undone):
            told = list(moves)
            if undone and len(told) > MANY:
                yield f"<details><summary>{self._say('many_taken_back', number=len(told))}</summary>"
                yield from self._told(told)
                yield "</details>"
            else:
                yield from self._told(told)
        for happening in self._history.after:
            yield from self._happening(happening)
        yield "</section>"

    def _told(self, moves: list[MoveTold]) -> Iterator[str]:
        """Moves that were accepted together share their pictures."""
        for _, together in groupby(moves, key=lambda move: move.first):
            group = list(together)
            for move in group:
                for happening in move.findings:
                    yield from self._happening(happening)
                yield from self._move(move, last=move is group[-1])

    def _move(self, move: MoveTold, last: bool) -> Iterator[str]:
        yield f'<article class="move{" undone" if move.undone else ""}" id="n{move.n}"{_tint(move.seat)}>'
        says = escape(move.says)
        yield f"<h3><b>{move.n}</b> {f'<s>{says}</s>' if move.undone else says}</h3>"
        known = [f'<span class="mark">{self._say("taken_back")}</span>'] if move.undone else []
        known += [escape(move.known)] if move.known else []
        if known:
            yield f'<p class="known">{" · ".join(known)}</p>'
        yield from self._reasons(_at_work(move.says, reason) for reason in move.because)
        if last:
            yield from self._shown([(self._say(name), n) for name, n in move.pictures.items()])
        yield "</article>"

    def _reasons(self, reasons: Iterable[str]) -> Iterator[str]:
        lines = list(reasons)
        if lines:
            yield '<ul class="because">'
            yield from lines
            yield "</ul>"

    def _happening(self, happening: Happening) -> Iterator[str]:
        yield f'<article class="happening {escape(happening.kind)}" id="n{happening.n}">'
        yield f"<h3><b>{happening.n}</b> {escape(happening.says)}</h3>"
        yield from self._reasons(_because(reason.sentence, reason) for reason in happening.rules)
        if happening.put_right:
            yield f'<p class="known">{self._say("put_right")}</p>'
            yield "<ol>" + "".join(f"<li>{escape(step)}</li>" for step in happening.put_right) + "</ol>"
        if happening.picture is not None:
            yield from self._shown([(self._say("shown"), happening.picture)])
        yield "</article>"

    # Pictures: each is on the page only once, even if it is shown before one move and after another

    def _shown(self, pictures: list[tuple[str, int]]) -> Iterator[str]:
        there = [(name, n) for name, n in pictures if n in self._pictures]
        if not there:
            return
        yield '<div class="pictures">'
        for name, n in there:
            (width, height), _ = self._pictures[n]
            svg = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{name}"><use href="#p{n}"/></svg>'
            yield f'<figure tabindex="0">{svg}<figcaption>{name}</figcaption></figure>'
        yield "</div>"

    def _album(self) -> Iterator[str]:
        yield '<svg class="album" width="0" height="0" aria-hidden="true"><defs>'
        for n, ((width, height), jpeg) in self._pictures.items():
            data = f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"
            yield f'<image id="p{n}" width="{width}" height="{height}" href="{data}"/>'
        yield "</defs></svg>"


def _at_work(said: str, reason: Reason) -> str:
    """What a rule did, or the rule itself in smaller print if the move's sentence says so already."""
    if reason.says and reason.says.rstrip(".!") != said:
        return _because(reason.says, reason)
    return _because(reason.sentence, reason, "rule")


def _because(says: str, reason: Reason, kind: str = "fact") -> str:
    return f'<li class="{kind}" data-rule="{escape(reason.rule)}">{escape(says)}</li>'


def _tint(colour: str | None) -> str:
    return f' style="--seat: {_COLOURS[colour]}"' if colour in _COLOURS else ""


def _day(time: str) -> str:
    """The day and the minute of a time in ISO format."""
    return time[:16].replace("T", " ")


def jpeg_size(jpeg: bytes) -> tuple[int, int] | None:
    """Width and height from the header of the first frame; None if there is none."""
    at = 2 if jpeg[:2] == b"\xff\xd8" else len(jpeg)
    while at + 9 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = int.from_bytes(jpeg[at + 5 : at + 7]), int.from_bytes(jpeg[at + 7 : at + 9])
            return (width, height) if width and height else None
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4])
    return None
