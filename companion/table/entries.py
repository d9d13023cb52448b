"""Forms that people fill in on several phones: collects the entered parts, then turns them into moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from companion.kernel.capabilities import Asked, Entry
from companion.kernel.messages import Command
from companion.kernel.rules import Breach
from companion.kernel.views import Cells, Contents, Pieces, View
from companion.referee import Explained, Illegal
from companion.table.actions import News, TableActions
from companion.table.ledger import Point, Told

MOST_PIECES: Final = 99
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_PIECES)]
Entered = dict[str, Contents]


def enter(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    """Handle the part that one phone entered. Accept moves as soon as the parts determine them."""
    entry = table.game.entry(table.state)
    zones = None if entry is None else _understood(entry, table, command.body.get("zones"))
    if entry is None or zones is None:
        yield _refused(table, "not_entered")
        return
    for asked in entry.zones:
        if asked.zone in zones and asked.seat is not None and command.seat not in (None, asked.seat):
            yield _refused(table, "not_your_seat", seat=table.tell.seat(asked.seat))
            return
    entered = {**table.entered, **zones}
    if entry.together and any(asked.zone not in entered for asked in entry.zones):
        table.keep_entered(entered)
        yield "entered", {"zones": sorted(entered)}
        return
    if refusal := _wrong_number(table, entry, entered):
        # Keep the parts of other phones: this phone's part may be the wrong one.
        table.keep_entered(entered)
        yield refusal
        return
    yield from _played(table, entered, told)


def _refused(table: TableActions[Any, Any], reason: str, **facts: Any) -> News:
    return "refused", table.tell.refused(reason, **facts)


def _understood(entry: Entry, table: TableActions[Any, Any], body: Any) -> Entered | None:
    """The entered zones of a command; None if they do not fit the form."""
    if not isinstance(body, Mapping) or not body:
        return None
    now = table.game.view(table.state).zones
    found: Entered = {}
    for zone, told in body.items():
        contents = _contents(entry.of(zone), now.get(zone), told)
        if contents is None:
            return None
        found[zone] = contents
    return found


def _contents(groups: tuple[Asked, ...], now: Contents | None, told: Any) -> Contents | None:
    try:
        if isinstance(now, Pieces) and groups:
            count = msgspec.convert(told, dict[str, Count])
            return Pieces(count) if set(groups[0].labels).issuperset(count) else None
        if isinstance(now, Cells) and groups:
            cells = msgspec.convert(told, dict[str, str])
            labels = {cell: group.labels for group in groups for cell in group.cells}
            fits = cells and all(label in labels.get(cell, ()) for cell, label in cells.items())
            return Cells({**now.at, **cells}) if fits else None
    except msgspec.ValidationError:
        pass
    return None


def _wrong_number(table: TableActions[Any, Any], entry: Entry, entered: Entered) -> News | None:
    """The refusal of a wrong total, if pieces only move between the form's zones."""
    should = _pieces(entry, table.game.view(table.state).zones)
    there = _pieces(entry, entered)
    if not entry.together or should == there:
        return None
    return _refused(table, "wrong_number", there=there, should=should)


def _pieces(entry: Entry, zones: Mapping[str, Contents]) -> int:
    trays = (zones[asked.zone] for asked in entry.zones if asked.zone in zones)
    return sum(sum(tray.count.values()) for tray in trays if isinstance(tray, Pieces))


def _played(table: TableActions[Any, Any], entered: Entered, told: Told) -> Iterator[News]:
    """Accept the moves that lead to the entered zones; if a timer has stopped the countdown, from before its stop."""
    view, breaches = View(entered), tuple[Breach, ...]()
    for point in _starts(table):
        moves, broken = _moves(table, point.state, view)
        if moves:
            yield from _made(table, point, moves, told)
            return
        breaches = broken or breaches
    table.keep_entered(entered)
    if breaches:
        yield _refused(table, "not_a_move", why=table.tell.why_not(breaches))
    else:
        yield _refused(table, "not_possible")


def _made(table: TableActions[Any, Any], start: Point[Any], moves: Sequence[Any], told: Told) -> Iterator[News]:
    if start is table.ledger.now:
        yield from table.make(moves, told)
    else:
        points = table.ledger.rewrite(start, [(told, tuple(moves), None)])
        table.mark_unseen(points)
        yield "moved", table.tell.moved(points)
        yield from table.clear_trouble()
    yield from table.judge_again(told=True)


def _starts(table: TableActions[Any, Any]) -> Iterator[Point[Any]]:
    now = table.ledger.now
    yield now
    if now.parent is not None and now.move is not None:
        countdown = table.game.countdown(now.parent.state)
        if countdown is not None and countdown.running and now.move == countdown.stop:
            yield now.parent


def _moves(table: TableActions[Any, Any], state: Any, view: View) -> tuple[Sequence[Any], tuple[Breach, ...]]:
    """The legal moves that lead to the entered zones; or none, and the broken rules if they are known."""
    game, moves = table.game, table.game.entered_moves(state, view)
    if moves is None:
        match table.judge.referee.judge(state, view):
            case Explained(moves=found):
                return found, ()
            case Illegal(tries=tries):
                return (), tries[0].breaches
        return (), ()
    for move in moves:
        if breaches := game.check(state, move):
            return (), breaches
        state = game.play(state, move)
    return moves, ()
