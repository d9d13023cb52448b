"""Connects lights, buzzer, dials and the raid timer with the game.

The timer's thread only sets a flag; another thread publishes the raid on the event bus, so that phones and a busy
table cannot delay the raid.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from companion.daemon.journal_folder import Opened
from companion.daemon.refusals import refused
from companion.kernel.capabilities import Countdown
from companion.kernel.events import EventBus
from companion.kernel.messages import Body, Signal, Update
from companion.kernel.rules import ANYONE, Actor
from hardware.raid_timer import UNDER_WAY, RaidSeen
from hardware.table_hardware import TableHardware
from vision import layout

_log = logging.getLogger(__name__)


class DialLabels:
    """Replaces the sector number in a dial's Signal by the label that the dial points at."""

    def __init__(self, put: Callable[[Signal], None]) -> None:
        self._put = put
        self._values: dict[str, tuple[int, ...]] = {}

    def opened(self, opened: Opened) -> None:
        zones = layout.load(opened.game.box_file.with_name("layout.toml")).zones
        dials = {name: zone for name, zone in zones.items() if isinstance(zone, layout.Dial)}
        self._values = {name: tuple(sector.value for sector in dial.sectors) for name, dial in dials.items()}

    def follow(self, _opened: Opened | None, _updates: tuple[Update, ...]) -> None:
        """Nothing to do: Updates do not turn dials."""

    def put(self, signal: Signal) -> None:
        self._put(self._meant(signal) if signal.kind == "dial" else signal)

    def _meant(self, signal: Signal) -> Signal:
        values, sector = self._values.get(signal.source, ()), signal.value
        if sector is None or not 1 <= sector <= len(values):
            _log.warning("The layout has no sector %s of the %s: what it points at is left out.", sector, signal.source)
            return msgspec.structs.replace(signal, value=None)
        return msgspec.structs.replace(signal, value=values[sector - 1])


class RaidControl:
    """Connects the raid timer with the phones. `opened` returns the open game."""

    def __init__(self, hardware: TableHardware, bus: EventBus, opened: Callable[[], Opened | None]) -> None:
        self._hardware, self._bus, self._opened = hardware, bus, opened
        self._news: queue.SimpleQueue[bool] = queue.SimpleQueue()
        hardware.raid_changed = lambda: self._news.put(True)
        self._thread = threading.Thread(target=self._run, name="raid herald", daemon=True)
        self._thread.start()

    def raid(self) -> Body | None:
        """The state of the newest raid; None if there was none yet."""
        seen = self._hardware.timer.seen()
        if seen is None:
            return None
        opened = self._opened()
        taken = {} if opened is None or seen.practice else opened.table.taken
        return {**msgspec.structs.asdict(seen), "ready": list(seen.ready), "taken": taken}

    def _run(self) -> None:
        while self._news.get():
            raid = self.raid()
            if raid is not None:
                self._bus.aside("raid", raid)

    def close(self) -> None:
        self._hardware.raid_changed = lambda: None
        self._news.put(False)
        self._thread.join(1.0)

    # Acts of people

    def act(self, act: str, seat: int | None) -> None:
        """A tap by a seat, or without a seat by the host, who may do everything but get ready. Raises `Refused`."""
        match act:
            case "ready":
                self._ready(seat)
            case "start":
                self._hardware.timer.start(self._of_king("set", seat).king)
            case "pause":
                self._of_king("running", seat)
                self._hardware.timer.pause()
            case "resume":
                self._of_king("paused", seat)
                self._hardware.timer.resume()
            case "call_off":
                self._call_off(seat)
            case "practice":
                self._practise(seat)
            case _:
                raise refused("unknown_act", act)

    def _ready(self, seat: int | None) -> None:
        """The same as a press of the seat's button: the timer sends the Signal."""
        seen = self._under_way("gathering")
        if seat is None or self._opened() is None or seat not in self._hardware.seats:
            raise refused("no_seat")
        if seat not in seen.ready:
            self._hardware.timer.ready(seat)

    def _of_king(self, phase: str, seat: int | None) -> RaidSeen:
        seen = self._under_way(phase)
        if seat not in (None, seen.king):
            raise refused("not_the_king")
        return seen

    def _under_way(self, *phases: str) -> RaidSeen:
        seen = self._hardware.timer.seen()
        if seen is None or seen.phase not in UNDER_WAY:
            raise refused("no_raid")
        if seen.phase not in phases:
            raise refused("not_now")
        return seen

    def _call_off(self, seat: int | None) -> None:
        """Stop the raid. One that counts is still due and starts over."""
        seen = self._under_way(*UNDER_WAY)
        if seat not in (None, seen.king):
            raise refused("not_the_king")
        self._hardware.timer.call_off()
        countdown = self._countdown()
        if not seen.practice and countdown is not None:
            self._hardware.gather(countdown.leader, countdown.seconds)

    def _practise(self, seat: int | None) -> None:
        """Start a raid that does not count, if no other raid is due."""
        seen, opened = self._hardware.timer.seen(), self._opened()
        if opened is None:
            raise refused("no_game")
        if self._countdown() is not None or (seen is not None and seen.phase in UNDER_WAY):
            raise refused("raid_due")
        self._hardware.gather(seat or 0, practice=True)

    def _countdown(self) -> Countdown | None:
        opened = self._opened()
        return None if opened is None else opened.game.countdown(opened.table.state)


class HardwareFollower:
    """Updates the rig's lights, sounds and raid timer after each message."""

    def __init__(self, hardware: TableHardware, raid_pace: float = 1.0) -> None:
        """`raid_pace` speeds up raids, for a fast demo."""
        self._hardware, self._raid_pace = hardware, raid_pace
        self._countdown = False  # a raid is due or runs, and has the lights
        self._verdict = False  # lights blink because a rule is broken
        self._shown: Actor = None  # whose turn the lights showed last

    def opened(self, opened: Opened) -> None:
        self._hardware.seat([seat.colour for seat in opened.seats])
        self._call_off()
        self._verdict = False
        self._hardware.glow_all("off")
        self._shown = opened.game.actor(opened.table.state)  # not a change: no sound
        countdown = opened.game.countdown(opened.table.state)
        if countdown is not None:
            self._gather(countdown.leader, countdown.seconds, countdown.running)
        self._show_whose_turn(opened)

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        for update in updates:
            self._react(update)
        if opened is not None:
            # Also after a tick: the raid timer's thread may have changed the lights.
            self._show_whose_turn(opened)

    def _react(self, update: Update) -> None:
        match update.kind:
            case "rush" if update.body.get("over"):
                self._call_off()
                self._hardware.glow_all("off")
            case "rush":
                self._gather(update.body["leader"], update.body["seconds"], update.body.get("running", False))
            case "verdict":
                self._verdict = True
                self._hardware.sound("breach")
                self._blink(update.body.get("seat"))
            case "settled" | "undone" | "corrected" | "adopted" if self._verdict:
                self._verdict = False
                self._hardware.glow_all("off")
            case _:
                pass

    def _gather(self, leader: int, seconds: float, running: bool) -> None:
        """A raid is due. A running raid without a timer was interrupted by a restart and gets its full time again."""
        self._countdown = True
        raid = self._hardware.timer.raid
        same = raid is not None and raid.king == leader and not raid.practice
        phases = (*UNDER_WAY, "stopped") if running else ("gathering", "set")
        if raid is None or not same or raid.phase not in phases:
            self._hardware.gather(leader, seconds / self._raid_pace)

    def _call_off(self) -> None:
        self._countdown = False
        self._hardware.timer.call_off()

    def _blink(self, seat: Any) -> None:
        if isinstance(seat, int):
            self._hardware.glow(seat, "blink")
        else:
            self._hardware.glow_all("blink")

    def _show_whose_turn(self, opened: Opened) -> None:
        raid = self._hardware.timer.raid
        if (
            self._countdown or self._verdict or (raid is not None and raid.phase in UNDER_WAY)
        ):  # the raid uses the lights
            return
        actor = opened.game.actor(opened.table.state)
        for number in range(len(opened.seats)):
            self._hardware.glow(number, "pulse" if actor == ANYONE else "on" if actor == number else "off")
        if actor != self._shown and isinstance(actor, int):
            self._hardware.sound("your_turn")
        self._shown = actor
