"""A Table for tests: send Readings and commands, let time pass, and collect all Updates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.games.council_of_four.game import CouncilOfFour
from companion.games.tiletum.game import Tiletum
from companion.games.tumult_royale.game import TumultRoyale
from companion.games.tumult_royale.state import State
from companion.games.viscounts.game import Viscounts
from companion.journal import replay
from companion.kernel.game import Game
from companion.kernel.messages import Command, Found, Message, Reading, Signal, Tick, Update, ZoneKind, ZoneReading
from companion.kernel.rules import Seat
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from companion.table import Table
from tests import nine_beds

BEDS_SEATS = (Seat("blue", "Anna"), Seat("yellow"), Seat("purple"))

KINDS: Mapping[type[Any], ZoneKind] = {Cells: "grid", Pieces: "tray", Marks: "track", Pointing: "dial"}
ANGLES = {1: 20.0, 2: 45.0, 3: 135.0, 4: 225.0, 5: 315.0}
"""Where a dial's arrow is when it points at a value."""


def now() -> str:
    return "2025-05-01T20:00:00+02:00"


class Evening:
    """One table. It handles messages, and returns and collects their Updates."""

    def __init__(self, table: Table[Any, Any], path: Path) -> None:
        self.table = table
        self.path = path
        self.clock = 1000.0
        self.told: list[Update] = []
        self.dial = 2
        self.angle = ANGLES[2]
        self._commands = 0

    @classmethod
    def begin(
        cls, game: Game[Any, Any], folder: Path, seats: tuple[Seat, ...], sides: Mapping[int, str] | None = None
    ) -> Evening:
        path = folder / "evening.journal"
        return cls(Table.begin(game, path, seats, {}, now, sides=sides), path)

    def reopened(self) -> Evening:
        """The same table after a power cut."""
        self.table.close()
        again = Evening(Table.reopen(self.table.game, self.path, now), self.path)
        again.clock, again.dial, again.angle, again._commands = self.clock, self.dial, self.angle, self._commands
        return again

    @property
    def state(self) -> Any:
        return self.table.state

    def take(self, message: Message) -> list[Update]:
        updates = list(self.table.take(message))
        self.told += updates
        return updates

    def shows(
        self,
        what: Any,
        covered: Collection[str] = (),
        unsure: Collection[str] = (),
        unknown: Collection[tuple[str, str]] = (),
        seconds: float = 1.0,
        hands: tuple[str, ...] = (),
        without: Collection[str] = (),
        only: Collection[str] | None = None,
    ) -> list[Update]:
        """Send a Reading of a position (a State or a View), with some hidden parts."""
        self.clock += seconds
        view = what if isinstance(what, View) else self.table.game.view(what)
        zones = {
            name: self._zone(name, contents, name in covered, name in covered or name in unsure, unknown)
            for name, contents in view.zones.items()
            if name not in without and (only is None or name in only)
        }
        return self.take(Reading(zones, self.clock, hands=hands, picture=b"\xff\xd8 a small picture"))

    def _zone(
        self, name: str, contents: Contents, covered: bool, unseen: bool, unknown: Collection[tuple[str, str]]
    ) -> ZoneReading:
        kind = KINDS[type(contents)]
        if unseen:
            return ZoneReading(kind, None, 0.0, covered=covered)
        if isinstance(contents, Pointing) and name == "disc":
            if contents.value is not None and contents.value != self.dial:
                self.dial, self.angle = contents.value, ANGLES.get(contents.value, 0.0)
            return ZoneReading(kind, Pointing(self.dial), found=(Found("arrow", 0.0, 0.0, self.angle),))
        if isinstance(contents, Cells):
            contents = Cells({c: UNKNOWN if (name, c) in unknown else label for c, label in contents.at.items()})
        return ZoneReading(kind, contents)

    def waits(self, seconds: float, step: float = 0.5) -> list[Update]:
        """Let time pass."""
        told = []
        for _ in range(round(seconds / step)):
            self.clock += step
            told += self.take(Tick(self.clock))
        return told

    def asks(self, kind: str, seat: int | None = None, **body: Any) -> list[Update]:
        """Send a command from a phone; the host has no seat."""
        self._commands += 1
        return self.take(Command(f"command {self._commands}", kind, seat, body))

    def tells(self, move: Any, seat: int | None = None) -> list[Update]:
        return self.asks("move", seat, move=msgspec.to_builtins(move))

    def timer(self, source: str, seat: int | None = None, seconds: float = 1.0) -> list[Update]:
        self.clock += seconds
        return self.take(Signal("timer", source, self.clock, seat))

    def presses(self, seat: int) -> list[Update]:
        self.clock += 1.0
        return self.take(Signal("press", f"button {seat}", self.clock, seat))

    # What must always hold

    def holds(self) -> None:
        """Check that the journal leads to the table's state, and that its Updates are numbered without gaps."""
        assert replay(self.table.journal, self.table.game, verify="all") == self.table.state
        assert [update.number for update in self.told] == list(range(1, len(self.told) + 1))


def kinds(updates: list[Update]) -> list[str]:
    return [update.kind for update in updates]


def one(updates: list[Update], kind: str) -> dict[str, Any]:
    """The body of the only update of a kind."""
    (found,) = [update.body for update in updates if update.kind == kind]
    return found


def none(updates: list[Update], *unwanted: str) -> None:
    assert not [update for update in updates if update.kind in unwanted], updates


def changed(view: View, **zones: Contents | Callable[[Any], Contents]) -> View:
    """A View with some zones changed; `_` in a name stands for a space."""
    other = dict(view.zones)
    for name, contents in zones.items():
        zone = name.replace("_", " ")
        other[zone] = contents(other[zone]) if callable(contents) else contents
    return View(other)


class _InTheMiddle:
    """A game that begins in the middle."""

    def __init__(self, start: Any) -> None:
        super().__init__()
        self._start = start

    def setup(self, *_what: Any, **_options: Any) -> Any:
        return self._start


class TumultFrom(_InTheMiddle, TumultRoyale):
    pass


class CouncilFrom(_InTheMiddle, CouncilOfFour):
    pass


class TiletumFrom(_InTheMiddle, Tiletum):
    pass


class ViscountsFrom(_InTheMiddle, Viscounts):
    pass


def viscounts(start: Any, folder: Path) -> Evening:
    """A table of Viscounts at this point of a game, which the camera has seen."""
    evening = Evening.begin(ViscountsFrom(start), folder, start.seats)
    evening.shows(start)
    return evening


def tiletum(start: Any, folder: Path) -> Evening:
    """A table of Tiletum at this point of a game, which the camera has seen."""
    evening = Evening.begin(TiletumFrom(start), folder, start.seats)
    evening.shows(start)
    return evening


def tumult(start: State, folder: Path, sides: Mapping[int, str] | None = None) -> Evening:
    """A table of Tumult Royale at this point of a game, which the camera has seen."""
    evening = Evening.begin(TumultFrom(start), folder, start.seats, sides)
    evening.shows(start)
    return evening


def beds(folder: Path, *moves: Any, players: int = 2) -> Evening:
    """A table of Nine Beds after the roll of a five and these moves, which the camera has seen."""
    evening = Evening.begin(nine_beds.GAME, folder, BEDS_SEATS[:players])
    evening.shows(evening.state)
    for move in (nine_beds.Roll(5), *moves):
        evening.shows(then := evening.table.game.play(evening.state, move))
        if evening.state != then:
            evening.tells(move)
        assert evening.state == then
    return evening


def after(evening: Evening, *moves: Any) -> Any:
    """The state after these moves from the current one."""
    state = evening.state
    for move in moves:
        state = evening.table.game.play(state, move)
    return state


def unchecked(evening: Evening, move: Any) -> View:
    """The View after a forbidden move."""
    assert evening.table.game.check(evening.state, move)
    state = evening.table.game.play_unchecked(evening.state, move)
    assert state is not None
    return evening.table.game.view(state)
