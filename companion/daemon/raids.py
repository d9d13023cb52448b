"""The raid on phones: how it stands, told at once to whoever listens, and what people may do to it.

The timer's thread only leaves a word and goes on; a thread of its own carries it to the bulletin, so that no phone and
no busy table can make the raid late.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from companion.daemon.journal_folder import Opened
from companion.kernel.events import Bulletin
from companion.kernel.rules import Rush
from companion.text.words import both
from hardware.raid import UNDER_WAY, RaidSeen
from hardware.table_hardware import Hands
from web.backend import Refused

Body = dict[str, Any]


class Raids:
    """Between the hands' raid timer and the phones. `opened` gives the game that is open."""

    def __init__(self, hands: Hands, bulletin: Bulletin, opened: Callable[[], Opened | None]) -> None:
        self._hands, self._bulletin, self._opened = hands, bulletin, opened
        self._news: queue.SimpleQueue[bool] = queue.SimpleQueue()
        hands.raid_changed = lambda: self._news.put(True)
        self._thread = threading.Thread(target=self._run, name="raid herald", daemon=True)
        self._thread.start()

    def raid(self) -> Body | None:
        """How the raid stands; None if there was none yet."""
        seen = self._hands.timer.seen()
        return None if seen is None else {**msgspec.structs.asdict(seen), "ready": list(seen.ready)}

    def _run(self) -> None:
        while self._news.get():
            raid = self.raid()
            if raid is not None:
                self._bulletin.aside("raid", raid)

    def close(self) -> None:
        self._hands.raid_changed = lambda: None
        self._news.put(False)
        self._thread.join(1.0)

    # What people do

    def act(self, act: str, seat: int | None) -> None:
        """A seat's tap, or with no seat the host's, who may do everything but be ready. Raises `Refused`."""
        match act:
            case "ready":
                self._ready(seat)
            case "start":
                self._hands.timer.start(self._of_king("set", seat).king)
            case "pause":
                self._of_king("running", seat)
                self._hands.timer.pause()
            case "resume":
                self._of_king("paused", seat)
                self._hands.timer.resume()
            case "call_off":
                self._call_off(seat)
            case "practice":
                self._practise(seat)
            case _:
                raise _refused("unknown_act", act)

    def _ready(self, seat: int | None) -> None:
        """As the seat's button does it: the timer tells the table."""
        seen = self._under_way("gathering")
        if seat is None or self._opened() is None or seat not in self._hands.seats:
            raise _refused("no_seat")
        if seat not in seen.ready:
            self._hands.timer.ready(seat)

    def _of_king(self, phase: str, seat: int | None) -> RaidSeen:
        seen = self._under_way(phase)
        if seat not in (None, seen.king):
            raise _refused("not_the_king")
        return seen

    def _under_way(self, *phases: str) -> RaidSeen:
        seen = self._hands.timer.seen()
        if seen is None or seen.phase not in UNDER_WAY:
            raise _refused("no_raid")
        if seen.phase not in phases:
            raise _refused("not_now")
        return seen

    def _call_off(self, seat: int | None) -> None:
        """A raid that counts is still due, and gathers anew."""
        seen = self._under_way(*UNDER_WAY)
        if seat not in (None, seen.king):
            raise _refused("not_the_king")
        self._hands.timer.call_off()
        rush = self._rush()
        if not seen.practice and rush is not None:
            self._hands.gather(rush.leader, rush.seconds)

    def _practise(self, seat: int | None) -> None:
        """A raid that counts for nothing, while none is due that does."""
        seen, opened = self._hands.timer.seen(), self._opened()
        if opened is None:
            raise _refused("no_game")
        if self._rush() is not None or (seen is not None and seen.phase in UNDER_WAY):
            raise _refused("raid_due")
        self._hands.gather(seat or 0, practice=True)

    def _rush(self) -> Rush | None:
        opened = self._opened()
        return None if opened is None else opened.game.rush(opened.table.state)


def _refused(reason: str, why: str = "") -> Refused:
    return Refused(reason, both(f"refused.{reason}", why=why))
