"""`companion score`, `replay` and `export`: the content of a journal as tables and sentences."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.cli.terminal import Terminal, Unusable, add_json, add_language, print_json
from companion.history import (
    GameHistory,
    Happening,
    MoveTold,
    SheetTold,
    kept_result,
    page,
    pictures,
    retell,
    tell_sheet,
)
from companion.journal import DamagedJournal, Journal
from companion.journal.recovery import recover
from companion.journal.replay import named_seats
from companion.kernel.catalogue import Language, Speaker
from companion.table.ledger import Ledger
from companion.text.sentences import say


def add_to(commands: Any) -> None:
    score: argparse.ArgumentParser = commands.add_parser("score", help="the score sheet of a journal, with reasons")
    _add_journal(score)
    score.set_defaults(run=run_score)
    tell: argparse.ArgumentParser = commands.add_parser("replay", help="a journal move by move, with reasons")
    _add_journal(tell)
    tell.add_argument("--recover", type=Path, metavar="NEW", help="write the readable part of a damaged journal to NEW")
    tell.add_argument("--page", type=Path, metavar="OUT", help="write one HTML page with score, moves and pictures")
    tell.add_argument("--pictures", type=Path, metavar="FOLDER", help="write the pictures of the moves as files")
    tell.set_defaults(run=run_replay)


def _add_journal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", type=Path, metavar="JOURNAL")
    add_json(parser)
    add_language(parser)


def run_score(arguments: argparse.Namespace) -> int:
    with Journal.read(arguments.journal) as journal:
        sheet, notice = _scored(journal, arguments.language)
        damage = journal.missing()
    if arguments.json:
        print_json({**sheet_json(journal.head.game, sheet), "notice": notice, "damage": _damage(damage)})
    else:
        terminal = Terminal(sys.stdout)
        for line in (*([notice] if notice else []), *sheet_lines(sheet, terminal)):
            print(line)
    return _warned(damage)


def _scored(journal: Journal, language: Language) -> tuple[SheetTold, str]:
    """The stored score sheet, or one by the current rules; and a remark if the rules have changed."""
    if (kept := kept_result(journal)) is not None:
        return kept.histories[language].sheet, kept.histories[language].notice
    game = games.load(journal.head.game)
    ledger, speaker = Ledger.read(game, journal), _speaker(journal, language)
    change = ledger.change
    notice = "" if change is None else say(speaker, change.sentence, number=change.unfollowed)
    return tell_sheet(game, ledger.state, speaker), notice


def run_replay(arguments: argparse.Namespace) -> int:
    path = arguments.journal
    if arguments.recover:
        rescued = recover(path, arguments.recover, now=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
        print(rescued.reason, file=sys.stderr)
        path = arguments.recover
    with Journal.read(path) as journal:
        kept = kept_result(journal)
        if kept is not None:
            history = kept.histories[arguments.language]
        else:
            history = retell(journal, games.load(journal.head.game), arguments.language)
        damage = journal.missing()
        written = _write(arguments, journal, history, damage)
    if arguments.json:
        told = {"moves": msgspec.to_builtins(history.moves), "after": msgspec.to_builtins(history.after)}
        said = {"notice": history.notice, "written": written, "damage": _damage(damage)}
        print_json({"game": history.game, **told, **said})
    elif not written:
        for line in _lines(history, Terminal(sys.stdout)):
            print(line)
    return _warned(damage)


# Damaged journals


def _damage(damage: DamagedJournal | None) -> dict[str, Any] | None:
    if damage is None:
        return None
    return {"says": str(damage), "readable": damage.readable, "unread": damage.unread}


def _warned(damage: DamagedJournal | None) -> int:
    """Warn that only a part of the game was shown. Returns the exit code."""
    if damage is None:
        return 0
    print(f"This is not the whole game. {damage}", file=sys.stderr)
    return 1


# As files


def _write(
    arguments: argparse.Namespace, journal: Journal, history: GameHistory, damage: DamagedJournal | None
) -> list[str]:
    """Write the requested page and pictures. Returns the written paths."""
    if not arguments.page and not arguments.pictures:
        return []
    shown = {n: jpeg for n, jpeg in pictures(journal, _wanted(history)) if jpeg}
    written = []
    try:
        if arguments.page:
            readable = None if damage is None else damage.readable
            html = page(history, _speaker(journal, arguments.language), shown, readable)
            arguments.page.write_text(html, encoding="utf-8")
            written.append(str(arguments.page))
        if arguments.pictures:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            for name, n in _files(history):
                (arguments.pictures / name).write_bytes(shown[n])
                written.append(str(arguments.pictures / name))
    except OSError as error:
        raise Unusable(f"{error.filename} cannot be written: {error.strerror}.") from error
    if not arguments.json:
        print(f"{len(written)} written: {written[0]}{' …' if len(written) > 1 else ''}" if written else "No pictures.")
    return written


def _wanted(history: GameHistory) -> set[int]:
    return {n for _, n in _files(history)}


def _files(history: GameHistory) -> Iterator[tuple[str, int]]:
    """A file name for each picture, after its move or verdict, and the event that holds it.

    Moves that were accepted together share a picture, which is named after the last of them.
    """
    for move, following in zip_longest(history.moves, history.moves[1:]):
        yield from _seen(move.findings)
        if following is None or following.first != move.first:
            for name, n in move.pictures.items():
                yield f"{move.n:04}-{name}.jpg", n
    yield from _seen(history.after)


def _seen(happenings: list[Happening]) -> Iterator[tuple[str, int]]:
    for happening in happenings:
        if happening.picture is not None:
            yield f"{happening.n:04}-{happening.kind}.jpg", happening.picture


# As lines of text


def _lines(history: GameHistory, terminal: Terminal) -> Iterator[str]:
    for move in history.moves:
        for happening in move.findings:
            yield from _happening(happening, terminal)
        yield from _move(move, terminal)
    for happening in history.after:
        yield from _happening(happening, terminal)


def _move(move: MoveTold, terminal: Terminal) -> Iterator[str]:
    says = terminal.strike(move.says) if move.undone else move.says
    known = terminal.paint(f"  ({move.known})", "dim") if move.known else ""
    yield f"{move.n:>5}  {says}{known}"
    for because in move.because:
        yield f"       {because.says or because.sentence}  [{because.rule}]"


def _happening(happening: Happening, terminal: Terminal) -> Iterator[str]:
    alarm = happening.kind == "verdict"
    yield f"{happening.n:>5}  " + terminal.paint(
        f"{'!' if alarm else '·'} {happening.says}", "alarm" if alarm else "dim"
    )
    for rule in happening.rules:
        yield f"       {rule.sentence}  [{rule.rule}]"
    for step in happening.put_right:
        yield f"       → {step}"


def _speaker(journal: Journal, language: Language) -> Speaker:
    catalogue = games.load(journal.head.game).catalogue
    return Speaker(catalogue, language, {seat.colour: seat.name for seat in named_seats(journal)})


def sheet_lines(sheet: SheetTold, terminal: Terminal) -> list[str]:
    lines = []
    for score in sorted(sheet.seats, key=lambda score: -score.total):
        lines.append(terminal.paint(f"  {score.word:<10}", score.seat) + terminal.paint(f"{score.total:>3}", "bold"))
        lines += [f"      {line.points:>3}  {line.because or line.label}" for line in score.lines]
    lines += [terminal.paint(f"\n  ★ {reason}", "bold") for reason in sheet.because]
    return lines


def sheet_json(game: str, sheet: SheetTold) -> dict[str, Any]:
    seats = []
    for score in sheet.seats:
        lines = [
            {"label": line.label, "points": line.points, "because": line.because, "rule": line.rule}
            for line in score.lines
        ]
        seats.append({"seat": score.seat, "total": score.total, "lines": lines})
    return {
        "game": game,
        "over": sheet.over,
        "seats": seats,
        "winner": sheet.winners[0] if len(sheet.winners) == 1 else None,
        "winners": sheet.winners,
        "because": sheet.because,
        "unverified": sheet.unverified,
    }
