"""The demo: a simulated table whose players follow the rules, or break them when a phone asks for it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import msgspec

from companion.daemon.app import Source
from companion.daemon.camera_thread import CameraThread
from companion.daemon.demo.players import ButtonPresser, DemoClient
from companion.daemon.game_thread import Follower
from companion.daemon.hardware_link import DialLabels
from companion.daemon.health import Health, told
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, Opened
from companion.kernel.catalogue import LANGUAGES, Both, Language, Text
from companion.kernel.events import EventBus
from companion.kernel.game import Game
from companion.kernel.messages import Update
from companion.kernel.simulation import of
from companion.simulation.camera import READS_FOR, NoisyObserver, PlainTableTop
from companion.simulation.live import (
    CALM,
    LOSES_PATIENCE,
    PACE,
    STEP,
    Live,
    LiveSettings,
    PlayersLeft,
    TableTop,
    time_factor,
)
from companion.simulation.people import People
from hardware.mock import Desk
from hardware.raid_timer import RaidTimer
from hardware.rig import Rig
from web.backend import Refused

_log = logging.getLogger(__name__)

_RAID: Final = {"running": "grabbing", "paused": "grabbing", "stopped": "counting"}
DOING: Final[Mapping[str, Text]] = {
    "laying": Text("Der Tisch wird gedeckt.", "The table is being laid."),
    "playing": Text("Die Leute spielen.", "People are playing."),
    "raid": Text("Alle machen sich für den Raub bereit.", "Everybody is getting ready for the raid."),
    "grabbing": Text("Der Raub läuft: Alle greifen zu.", "The raid is on: everybody takes tiles."),
    "counting": Text("Hände weg – die Plättchen werden gezählt.", "Hands off – the tiles are being counted."),
    "wrong": Text("Jemand schummelt. {why}", "Somebody cheats. {why}"),
    "lying": Text("So liegt es falsch auf dem Tisch. {why}", "It lies there wrongly. {why}"),
    "put_right": Text("Der Fehler wird behoben.", "The mistake is put right."),
    "takeback": Text("Jemand nimmt einen Zug zurück.", "Somebody takes a move back."),
    "by_hand": Text(
        "Die Kamera sieht nichts; die Züge werden am Handy angesagt.",
        "The camera sees nothing; moves are told on a phone.",
    ),
    "over": Text("Das Spiel ist aus.", "The game is over."),
}
WAITING: Final = Text("Alle warten auf ein Handy: {who}", "Everybody waits for a phone: {who}")
STUMBLED: Final = Text(
    "Die Leute sind über etwas gestolpert und haben aufgehört; beginnt ein neues Spiel.",
    "The people stumbled over something and stopped; begin another game.",
)
CANNOT: Final = Text("Das geht in der Demo gerade nicht.", "The demo cannot do that now.")


def both(text: Text, **facts: Both) -> Both:
    """A text with its facts, each in its own language."""
    said = msgspec.structs.asdict(text)
    for name, fact in facts.items():
        said = {language: words.replace(f"{{{name}}}", fact[language]) for language, words in said.items()}
    return {language: words.strip() for language, words in said.items()}


PACES: Final = (0.5, 1.0, 2.0, PACE, 5.0, 8.0)
STOP_TIMEOUT: Final = 3.0
"""Seconds that `stop` waits for the thread of the players."""


class DemoTableTop(TableTop, Protocol):
    """A table top whose camera can be covered and unplugged by setting these, and knocked if it has one."""

    covered: bool
    unplugged: bool
    pixels: bool

    def use(self, game: Game[Any, Any]) -> None: ...

    def knock(self) -> None: ...

    def look_again(self, zones: Collection[str]) -> None: ...


class Demo:
    """Simulated players at the table of the open game. Phones call `state` and `act`, from any thread."""

    def __init__(
        self,
        top: DemoTableTop,
        presser: ButtonPresser,
        timer: RaidTimer,
        client: DemoClient,
        wishes: LiveSettings,
        seed: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._top, self._presser, self._timer = top, presser, timer
        self._client, self._wishes, self._seed, self._sleep = client, wishes, seed, sleep
        self._paces = sorted({*PACES, wishes.pace})
        self._opened: Opened | None = None
        self._evening = 0
        self.live: Live | None = None
        self._stopping = self._stumbled = self._raid_paused = False
        self.steps = 0
        self._thread = threading.Thread(target=self._run, name="people", daemon=True)

    # After the table

    def opened(self, opened: Opened) -> None:
        """Replace the players by those of this game."""
        self._client.opened(opened)
        self._top.use(opened.game)
        self._opened = opened
        self._wishes.gone = True

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        self._client.follow(opened, updates)

    # The thread

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = self._wishes.gone = True
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT)

    @property
    def waits(self) -> bool:
        return True  # players may pause for any time

    knocks = 0

    @property
    def blind(self) -> str:
        """Why the table cannot be read, without pictures; with pictures the camera thread answers this."""
        return "unplugged" if self._top.unplugged else "black" if self._top.covered else ""

    def health(self) -> Iterator[Health]:
        if not self._top.pixels:
            yield told("camera", "troubled" if self._top.blind else "ok", "camera.demo")
        doing = self._doing()
        yield Health("people", "failed" if self._stumbled else "ok", doing["en"], doing["de"])

    def _run(self) -> None:
        while not self._stopping:
            self._wishes.gone = False
            opened = self._opened  # after clearing the flag, so that a game opened meanwhile is not missed
            if opened is None or self._stopping:
                self._nap(STEP)
                continue
            self._evening += 1
            try:
                self.live = self._sat_down(opened, self._evening)
                self.live.play()
                self.live.rest()
            except PlayersLeft:
                continue
            except Exception:  # the table works on without its players
                _log.exception("The people of the demo stumbled and got up; begin another game.")
                self._stumbled = True
                while not self._wishes.gone:
                    self._nap(STEP)

    def _sat_down(self, opened: Opened, evening: int) -> Live:
        game, state = opened.game, opened.table.state
        rng = Random(f"{self._seed}/{evening}")
        world = of(game.name).world(state, "keen", rng)
        people = People(game, state, world, Random(f"people/{self._seed}/{evening}"), mistake_rate=0.0)
        self._stumbled = False
        wishes = self._wishes
        wishes.pause_soon = wishes.cheat = wishes.put_right = False
        wishes.suggested.clear()
        self._presser.seat([seat.colour for seat in opened.seats])
        return Live(game, people, state, self._top, self._presser, self._client, wishes, self._nap)

    def _nap(self, seconds: float) -> None:
        self.steps += 1
        self._sleep(seconds)

    # For phones

    def leave_to_phones(self, seats: Callable[[], Collection[int]]) -> None:
        """The players leave the ready buttons of these seats to the phones that took them."""
        self._presser.phones = seats

    def wait_for_visitors(self, joined: Callable[[], bool]) -> None:
        """Let people make no mistakes before a phone has joined."""
        self._wishes.watched = joined

    def state(self) -> dict[str, Any]:
        return {
            "pace": self._wishes.pace,
            "paused": self._wishes.paused,
            "doing": self._doing(),
            "can": [name for name, (_, can) in self._acts().items() if can],
        }

    def act(self, name: str) -> None:
        """Raises `Refused`."""
        act, can = self._acts().get(name, (None, False))
        if act is None or not can:
            raise Refused("cannot", both(CANNOT))
        act()

    def _doing(self) -> Both:
        live, opened = self.live, self._opened
        if self._stumbled:
            return both(STUMBLED)
        if live is None or opened is None:
            return both(DOING["laying"])
        waits_for = () if live.doing == "over" else self._presser.awaited
        if waits_for:
            words = opened.game.catalogue.word
            colours = [opened.seats[seat].colour for seat in waits_for]
            return both(WAITING, who=_in_both(lambda language: ", ".join(words(c, language) for c in colours)))
        doing: str = live.doing
        if doing == "raid":
            doing = _RAID.get(self._presser.raid_phase, doing)
        rules = [opened.game.catalogue.rule(rule).says for rule in sorted(live.act.rules)] if live.act else []
        return both(DOING[doing], why=_in_both(lambda language: " ".join(rule.in_(language) for rule in rules)))

    def _acts(self) -> dict[str, tuple[Callable[[], None], bool]]:
        """All acts that a phone may ask for, and whether each is possible now."""
        wishes, top = self._wishes, self._top
        over = self._stumbled or (self.live is not None and self.live.doing == "over")
        plays = self.live is not None and not over
        return {
            "pause": (self._pause, plays and not wishes.paused),
            "go_on": (self._go_on, plays and wishes.paused),
            "step": (self._step, plays),
            "faster": (lambda: self._change_pace(1), wishes.pace < self._paces[-1]),
            "slower": (lambda: self._change_pace(-1), wishes.pace > self._paces[0]),
            "cheat": (lambda: setattr(wishes, "cheat", True), plays and not top.blind and not wishes.cheat),
            "cover": (lambda: setattr(top, "covered", True), not top.covered),
            "uncover": (lambda: setattr(top, "covered", False), top.covered),
            "unplug": (lambda: setattr(top, "unplugged", True), not top.unplugged),
            "plug_in": (lambda: setattr(top, "unplugged", False), top.unplugged),
            "knock": (top.knock, top.pixels and not top.blind),
            "again": (self._again, over or (self.live is not None and self.live.disagreements >= 2 * LOSES_PATIENCE)),
        }

    def sit_still(self) -> None:
        """Pause until a phone continues the demo."""
        self._wishes.paused = True

    def _pause(self) -> None:
        """Pause the players, and a running raid with them, or their tiles would come after its end."""
        self._wishes.paused, self._wishes.pause_soon = True, False
        raid = self._timer.raid
        if raid is not None and raid.phase == "running" and not raid.practice:
            self._raid_paused = True
            self._timer.pause()

    def _go_on(self) -> None:
        self._wishes.paused = self._wishes.pause_soon = False
        if self._raid_paused:
            self._raid_paused = False
            self._timer.resume()

    def _step(self) -> None:
        """Let the players finish the current act, or do the next one."""
        self._go_on()
        self._wishes.pause_soon = True

    def _change_pace(self, by: int) -> None:
        now = self._wishes.pace
        faster, slower = [pace for pace in self._paces if pace > now], [pace for pace in self._paces if pace < now]
        self._wishes.pace = faster[0] if by > 0 else slower[-1]

    def _again(self) -> None:
        opened = self._opened
        assert opened is not None
        setup = opened.table.journal.head.setup
        wanted = Begin(opened.game.name, setup.seats, setup.options, instead=True)
        self._go_on()
        self._client.tell("begin", **msgspec.to_builtins(wanted))


def _in_both(said: Callable[[Language], str]) -> Both:
    return {language: said(language) for language in LANGUAGES}


class Seated(msgspec.Struct, frozen=True, eq=False):
    """The parts of a demo table, in the order in which they are started and called."""

    desk: Desk
    demo: Demo
    top: DemoTableTop
    sources: list[Source]
    followers: list[Follower]


def seated(
    inbox: Inbox,
    bus: EventBus,
    rig: Rig,
    pace: float,
    seed: str,
    pictures: Path | None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    mistakes_every: float = CALM,
) -> Seated:
    """Set up a demo table. Without a folder for taught pieces it has no pictures."""
    dials = DialLabels(inbox.put)
    desk = Desk(dials.put, rig, clock)
    wishes = LiveSettings(pace, mistakes_every)
    top, camera_threads = _top(inbox, pace, seed, pictures, clock)
    client = DemoClient(bus, inbox.put, wishes, top.look_again)
    presser = ButtonPresser(desk, lambda: wishes.pace)
    demo = Demo(top, presser, desk.hardware.timer, client, wishes, seed, sleep)
    return Seated(desk, demo, top, [*camera_threads, demo], [dials, *camera_threads, demo])


def _top(
    inbox: Inbox, pace: float, seed: str, pictures: Path | None, clock: Callable[[], float]
) -> tuple[DemoTableTop, list[CameraThread]]:
    """A table top, and the camera thread that watches it."""
    if pictures is None:
        onlooker = NoisyObserver(Random(f"eyes/{seed}"), reads_for=READS_FOR / time_factor(pace))
        return PlainTableTop(onlooker, inbox.put, clock), []
    # Imported here, because a table without pictures does not need the libraries that render them.
    from companion.daemon.demo.rendered_table import RenderedTableTop

    top = RenderedTableTop(seed, pictures, clock)
    return top, [CameraThread(top.look, inbox.put)]
