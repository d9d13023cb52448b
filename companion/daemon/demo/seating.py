"""Where people sit down at a table of the demo: its desk, its top, their fingers and voices, wired to an inbox."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec

from companion.daemon.daemon import Source
from companion.daemon.demo.demo import Demo, DemoTop
from companion.daemon.demo.fingers import Fingers
from companion.daemon.demo.voice import TableVoice
from companion.daemon.dials import Dials
from companion.daemon.inbox import Inbox
from companion.daemon.owner import Follower
from companion.daemon.watching import Watching
from companion.kernel.events import Bulletin
from companion.simulation.around import Wishes, hurried
from companion.simulation.onlooker import READS_FOR, Onlooker
from companion.simulation.top import PlainTop
from hardware.desk import Desk
from hardware.rig import Rig


class Seated(msgspec.Struct, frozen=True, eq=False):
    """A table of the demo: its parts, in the order in which they are started and told."""

    desk: Desk
    demo: Demo
    top: DemoTop
    sources: list[Source]
    followers: list[Follower]


def seated(
    inbox: Inbox,
    bulletin: Bulletin,
    rig: Rig,
    pace: float,
    seed: str,
    pictures: Path | None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Seated:
    """Without a folder for what the eyes learn from pictures, there are no pictures."""
    dials = Dials(inbox.put)
    desk = Desk(dials.put, rig, clock)
    wishes = Wishes(pace)
    top, eyes = _top(inbox, pace, seed, pictures, clock)
    voice = TableVoice(bulletin, inbox.put, wishes, top.look_again)
    fingers = Fingers(desk, lambda: wishes.pace)
    demo = Demo(top, fingers, desk.hands.timer, voice, wishes, seed, sleep)
    return Seated(desk, demo, top, [*eyes, demo], [dials, *eyes, demo])


def _top(
    inbox: Inbox, pace: float, seed: str, pictures: Path | None, clock: Callable[[], float]
) -> tuple[DemoTop, list[Watching]]:
    """A table top, and who watches it in a thread of its own."""
    if pictures is None:
        onlooker = Onlooker(Random(f"eyes/{seed}"), reads_for=READS_FOR / hurried(pace))
        return PlainTop(onlooker, inbox.put, clock), []
    # Here, because a table without pictures needs none of the libraries that make them.
    from companion.daemon.demo.rendered_table import PicturedTop

    top = PicturedTop(seed, pictures, clock)
    return top, [Watching(top.look, inbox.put)]
