"""What lights, sounds and the raid timer do when the table says something. The rules are not asked here, only whose
turn it is and whether a rush is due."""

from __future__ import annotations

from typing import Any

from companion.daemon.journal_folder import Opened
from companion.kernel.messages import Update
from companion.kernel.rules import ANYONE, Actor
from hardware.raid import UNDER_WAY
from hardware.table_hardware import Hands


class Reactions:
    """Leads the hands of a rig after the table."""

    def __init__(self, hands: Hands, raid_pace: float = 1.0) -> None:
        """`raid_pace` makes a raid so many times shorter, for a demo in a hurry."""
        self._hands, self._raid_pace = hands, raid_pace
        self._rush = False
        self._verdict = False
        self._shown: Actor = None

    def opened(self, opened: Opened) -> None:
        self._hands.seat([seat.colour for seat in opened.seats])
        self._call_off()
        self._verdict = False
        self._hands.glow_all("off")
        self._shown = opened.game.actor(opened.table.state)  # known, and no news: no sound
        rush = opened.game.rush(opened.table.state)
        if rush is not None:
            self._gather(rush.leader, rush.seconds, rush.running)
        self._show_whose_turn(opened)

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        for update in updates:
            self._react(update)
        if opened is not None:
            # Also after nothing but a tick: the raid's timer, which has a thread of its own, may have used the lights.
            self._show_whose_turn(opened)

    def _react(self, update: Update) -> None:
        match update.kind:
            case "rush" if update.body.get("over"):
                self._call_off()
                self._hands.glow_all("off")
            case "rush":
                self._gather(update.body["leader"], update.body["seconds"], update.body.get("running", False))
            case "verdict":
                self._verdict = True
                self._hands.sound("breach")
                self._blink(update.body.get("seat"))
            case "settled" | "undone" | "corrected" | "adopted" if self._verdict:
                self._verdict = False
                self._hands.glow_all("off")
            case _:
                pass

    def _gather(self, leader: int, seconds: float, running: bool) -> None:
        """A raid is due. One that runs without a timer was cut short by a restart, and gets its time again."""
        self._rush = True
        raid = self._hands.timer.raid
        same = raid is not None and raid.king == leader and not raid.practice
        phases = (*UNDER_WAY, "stopped") if running else ("gathering", "set")
        if raid is None or not same or raid.phase not in phases:
            self._hands.gather(leader, seconds / self._raid_pace)

    def _call_off(self) -> None:
        self._rush = False
        self._hands.timer.call_off()

    def _blink(self, seat: Any) -> None:
        if isinstance(seat, int):
            self._hands.glow(seat, "blink")
        else:
            self._hands.glow_all("blink")

    def _show_whose_turn(self, opened: Opened) -> None:
        raid = self._hands.timer.raid
        if self._rush or self._verdict or (raid is not None and raid.phase in UNDER_WAY):  # the lights are the raid's
            return
        actor = opened.game.actor(opened.table.state)
        for number in range(len(opened.seats)):
            self._hands.glow(number, "pulse" if actor == ANYONE else "on" if actor == number else "off")
        if actor != self._shown and isinstance(actor, int):
            self._hands.sound("your_turn")
        self._shown = actor
