"""The demo's players press buttons and answer questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from companion.daemon.inbox import NotAccepted
from companion.daemon.journal_folder import Opened
from companion.kernel.events import EventBus
from companion.kernel.messages import Command, Signal, Update
from companion.simulation.live import LiveSettings
from companion.table import Table
from companion.table.ledger import Point, Told
from hardware.mock import Desk
from hardware.raid_timer import UNDER_WAY, Raid

HELD: Final = 0.12
"""Seconds that a finger stays on a button."""
BETWEEN_PRESSES: Final = 0.5
"""Seconds at pace 1 between presses of two players."""
TAKES_BREATH: Final = 2.0
"""Seconds at pace 1 that the king waits before he starts the raid."""


_BEGUN: Final = ("running", "paused", "stopped")


class ButtonPresser:
    """Presses the players' buttons, in their thread. Seats that phones have taken are left to the phones."""

    def __init__(self, desk: Desk, pace: Callable[[], float]) -> None:
        self._desk, self._pace = desk, pace
        self.phones: Callable[[], Collection[int]] = frozenset
        """Returns the seats that phones have taken."""
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

    # The raid that the players wait for

    def raid_due(self, on: bool) -> None:
        raid = self._timer.raid
        self._due = on
        if on and raid is not None and raid.phase in ("stopped", "off"):
            self._past = raid
        if not on and (self._raid is None or self._raid.phase in _BEGUN):
            self._wanted, self._starts = set(), False

    @property
    def _raid(self) -> Raid | None:
        """The raid that is due; not an earlier one, and not a practice."""
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
                # Simulated players do not wait for phones before they are ready.
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
        """The phase of the awaited raid; empty before players get ready."""
        raid = self._raid
        return "" if raid is None else raid.phase

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose phones the players wait for."""
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
        """Advance the time: release buttons, and press for the next seat that is not ready."""
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
        """The seats that should press now: all seats in a practice, otherwise those that the players wait for."""
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
"""Prefix of the ids of the players' own commands."""


class DemoClient:
    """Follows the table in the game thread, answers the players in theirs. States are immutable: no lock is needed."""

    def __init__(
        self,
        bus: EventBus,
        put: Callable[[Command], None],
        wishes: LiveSettings,
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
        """Moves that people entered on phones and that hands still have to make."""
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
        """Send a command, as a phone does. It is dropped if the table stops or is too busy; that does no harm here."""
        try:
            self._put(Command(f"{_OURS}{id(self):x} {next(self._numbers)}", kind, body=body))
        except NotAccepted:
            return
