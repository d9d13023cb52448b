"""The demo's players: what they press and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from companion.daemon.inbox import NotAccepted
from companion.daemon.journal_folder import Opened
from companion.kernel.events import EventBus
from companion.kernel.messages import Command, Signal, Update
from companion.simulation.live import Wishes
from companion.table import Table
from companion.table.ledger import Point, Told
from hardware.mock import Desk
from hardware.raid_timer import UNDER_WAY, Raid

HELD: Final = 0.12
"""Seconds that a finger stays on a button."""
BETWEEN_PRESSES: Final = 0.5
"""Seconds at pace 1 between two people who press."""
TAKES_BREATH: Final = 2.0
"""Seconds at pace 1 that the king lets pass before he starts."""


_BEGUN: Final = ("running", "paused", "stopped")


class ButtonPresser:
    """Presses the buttons of people, in their thread. A seat that a phone has taken is left to the phone."""

    def __init__(self, desk: Desk, pace: Callable[[], float]) -> None:
        self._desk, self._pace = desk, pace
        self.phones: Callable[[], Collection[int]] = frozenset
        """Asks for the seats that phones have taken."""
        self._timer = desk.hardware.timer
        self._colours: Sequence[str] = ()
        self._due = False
        self._wanted: set[int] = set()
        self._starts = False
        self._past: Raid | None = None
        self._down = ""
        self._waited = 0.0

    def seat(self, colours: Sequence[str]) -> None:
        self._colours = colours

    # The raid that people wait for

    def raid_due(self, on: bool) -> None:
        raid = self._timer.raid
        self._due = on
        if on and raid is not None and raid.phase in ("stopped", "off"):
            self._past = raid
        if not on and (self._raid is None or self._raid.phase in _BEGUN):
            self._wanted, self._starts = set(), False

    @property
    def _raid(self) -> Raid | None:
        """The raid that is due: neither the one before it, nor a practice."""
        raid = self._timer.raid
        return None if raid is None or raid is self._past or raid.practice else raid

    def want(self, signal: Signal) -> None:
        if signal.source == "raid ready" and signal.seat is not None:
            self._wanted.add(signal.seat)
        self._starts = self._starts or signal.source == "raid started"

    def happened(self, signal: Signal) -> bool:
        raid = self._raid
        if raid is None:
            return False
        begun = raid.phase in _BEGUN
        match signal.source:
            case "raid ready":
                # A phone that is not ready yet keeps nobody else from being ready.
                return begun or signal.seat in raid.ready_seats or signal.seat in self.phones()
            case "raid started":
                return begun
            case _:
                return raid.phase == "stopped"

    @property
    def left(self) -> float:
        raid = self._raid
        deadline = None if raid is None else raid.deadline
        return 0.0 if raid is None or deadline is None else raid.left(self._desk.clock())

    @property
    def raid_phase(self) -> str:
        """How far the raid is that people wait for; empty before it gathers."""
        raid = self._raid
        return "" if raid is None else raid.phase

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose phones everybody waits for."""
        raid, phones = self._timer.raid, self.phones()
        if raid is None or not (raid.practice or (self._due and raid is not self._past)):
            return ()
        if raid.phase == "gathering":
            return tuple(seat for seat in self._getting_ready(raid) if seat in phones)
        starts = raid.phase == "paused" or (raid.phase == "set" and self._may_start(raid))
        return (raid.king,) if starts and raid.king in phones else ()

    @property
    def under_way(self) -> bool:
        raid = self._raid
        return raid is not None and raid.phase in UNDER_WAY

    # Pressing

    def press(self, signal: Signal) -> None:
        self._let_go()
        self._press(signal.source.removeprefix("seat "))

    def step(self, seconds: float) -> None:
        """Time goes on: buttons are let go, and who is not ready yet gets ready."""
        self._waited += seconds
        if self._down:
            if self._waited >= HELD:
                self._let_go()
            return
        raid = self._timer.raid
        if raid is None or not (raid.practice or (self._due and raid is not self._past)):
            return
        phones, waited = self.phones(), self._waited * max(1.0, self._pace())
        if raid.phase == "gathering" and waited >= BETWEEN_PRESSES:
            for seat in [seat for seat in self._getting_ready(raid) if seat not in phones][:1]:
                self._press(self._colours[seat])
        elif raid.phase == "set" and waited >= TAKES_BREATH and self._may_start(raid) and raid.king not in phones:
            self._press(self._colours[raid.king])

    def _getting_ready(self, raid: Raid) -> list[int]:
        """Who should be ready by now and is not: everybody in a practice, otherwise those whose turn it is."""
        return [seat for seat in raid.seats if seat not in raid.ready_seats and (raid.practice or seat in self._wanted)]

    def _may_start(self, raid: Raid) -> bool:
        return raid.practice or self._starts

    def _press(self, colour: str) -> None:
        self._desk.down(colour)
        self._down, self._waited = colour, 0.0

    def _let_go(self) -> None:
        if self._down:
            self._desk.up(self._down)
            self._down, self._waited = "", 0.0


_OURS: Final = "demo "
"""How the ids of the people's own commands begin."""


class DemoClient:
    """Follows the table in the game thread; the people ask in theirs. States never change, so nobody waits."""

    def __init__(
        self,
        bus: EventBus,
        put: Callable[[Command], None],
        wishes: Wishes,
        look_again: Callable[[Collection[str]], None],
    ) -> None:
        self._bus, self._put, self._wishes, self._look_again = bus, put, wishes, look_again
        self._numbers = count(1)
        self._question: tuple[int, tuple[Any, ...]] = 0, ()
        self._known = 0
        self._now: Point[Any] | None = None
        self._ahead: Sequence[Point[Any]] = ()
        self.state: Any = None

    # After the table

    def opened(self, opened: Opened) -> None:
        self.state, self._known = opened.table.state, opened.table.journal.last_number
        self._now, self._ahead = None, ()

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        if opened is None or not isinstance(opened.table, Table):
            return
        table = opened.table
        for update in updates:
            match update.kind:
                case "look_again":
                    self._look_again(update.body["zones"])
                case "waiting":
                    self._wishes.put_right = True
                case "moved":
                    self._wishes.suggested += self._told_by_others(table)
                case "question" if table.question is not None:
                    number, options = table.question
                    states = (table.state if one is None else table.outcomes.option(one) for one in options)
                    self._question = number, tuple(states)
                case _:
                    pass
        self.state, self._known = table.state, table.journal.last_number
        self._now, self._ahead = table.ledger.now, table.ledger.ahead

    def _told_by_others(self, table: Table[Any, Any]) -> list[Any]:
        """Moves that somebody told on a phone, and that hands have yet to make."""
        told = []
        for point in table.ledger.line():
            proof = point.proof
            if point.n > self._known and isinstance(proof, Told) and proof.kind == "move":
                told += [] if proof.command.startswith(_OURS) else [point.move]
        return told

    # For the people

    @property
    def trouble(self) -> Mapping[str, Any] | None:
        trouble: Mapping[str, Any] | None = self._bus.snapshot.table.get("trouble")
        return trouble

    def earlier(self) -> Iterator[Any]:
        point = self._now
        while point is not None:
            yield point.state
            first = point.first
            while point is not None and point.n >= first:
                point = point.parent

    def later(self) -> Iterator[Any]:
        yield self.state
        yield from (point.state for point in self._ahead)

    def options(self, question: int) -> Sequence[Any]:
        number, states = self._question
        return states if number == question else ()

    def tell(self, kind: str, **body: Any) -> None:
        """As a phone does; a table that stops, or has too much to do, does not take it, and that is no matter here."""
        try:
            self._put(Command(f"{_OURS}{id(self):x} {next(self._numbers)}", kind, body=body))
        except NotAccepted:
            return
