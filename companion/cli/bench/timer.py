"""`companion bench timer`: measures the delay of the raid's stop, idle and under full load, and of a press."""

from __future__ import annotations

import argparse
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final

from companion.cli.terminal import Terminal, print_figures

SECONDS: Final = 0.05
"""Seconds of a measured timer: the delay at its end does not depend on its length."""
READERS: Final = 2
"""Number of threads that read tables without a pause: more load than a Pi has in a game."""


def run(arguments: argparse.Namespace) -> int:
    terminal = Terminal(sys.stderr)
    timers = arguments.timers
    idle = lateness(timers, lambda done: terminal.progress(0.4 * done / timers, "idle"))
    pressed = presses(timers)
    with reading_pictures() as readings:
        loaded = lateness(timers, lambda done: terminal.progress(0.5 + 0.4 * done / timers, "while pictures are read"))
        busy_presses = presses(timers)
    figures = {
        "timers": timers,
        "stop_late_ms": {"idle": shares(idle), "loaded": shares(loaded)},
        "press_to_signal_ms": {"idle": shares(pressed), "loaded": shares(busy_presses)},
        "load": {"reading_threads": READERS, "tables_read": readings[0], "dashboard_clients": 0},
        "growth": {
            "loaded_p99_ms": shares(loaded)["p99"],
            "idle_p99_ms": shares(idle)["p99"],
            "ratio": round(percentile(loaded, 99) / max(percentile(idle, 99), 1e-6), 1),
        },
    }
    terminal.done()
    print_figures(figures, arguments.json)
    return 0


def lateness(timers: int, on_timer: Callable[[int], None] = lambda _done: None) -> list[float]:
    """For each of so many timers, the seconds from its deadline to its stop event."""
    from hardware.raid_timer import Raid, RaidEvent, RaidTimer

    told: queue.SimpleQueue[float] = queue.SimpleQueue()

    def hear(event: RaidEvent) -> None:
        if event.kind == "stopped":
            told.put(time.monotonic() - event.at)

    timer = RaidTimer(hear)
    late = []
    for done in range(timers):
        timer.gather(Raid([0], 0, SECONDS, tick=SECONDS))
        timer.ready(0)
        timer.start(0)
        late.append(told.get(timeout=60))
        on_timer(done + 1)
    timer.close()
    return late


def presses(number: int) -> list[float]:
    """For each of so many presses of a bouncing button, the seconds from the edge on a mock pin to the Signal."""
    from hardware.mock import Desk

    heard: queue.SimpleQueue[float] = queue.SimpleQueue()
    desk = Desk(lambda signal: heard.put(time.monotonic() - signal.at) if signal.kind == "press" else None)
    delays = []
    for _ in range(number):
        desk.down("blue")
        delays.append(heard.get(timeout=60))
        desk.up("blue")
        time.sleep(0.04)  # fingers are not faster
    desk.close()
    return delays


@contextmanager
def reading_pictures() -> Iterator[list[int]]:
    """Threads that read a four-player table again and again; the list counts the tables they read."""
    import cv2

    from companion.cli.bench.vision import _layout, _views
    from vision.accuracy import tables
    from vision.rendered import any_camera
    from vision.table_reader import TableReader

    cv2.setNumThreads(1)
    rng, layout = Random(1), _layout()
    rig = tables.Rig(any_camera(rng, layout), "wood")
    reader = TableReader(layout, tables.taught(layout, rig, "even", rng))
    _, image = tables.shot(layout, rng.choice(_views((4,), 1)), rig, "even", rng)
    reader.look(image)
    readings, over = [0], threading.Event()

    def read() -> None:
        while not over.is_set():
            reader.look(image)
            readings[0] += 1

    threads = [threading.Thread(target=read, name=f"reader {number}", daemon=True) for number in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield readings
    finally:
        over.set()
        for thread in threads:
            thread.join()


def shares(seconds: Sequence[float]) -> dict[str, float]:
    return {
        "p50": round(percentile(seconds, 50) * 1000, 3),
        "p99": round(percentile(seconds, 99) * 1000, 3),
        "max": round(max(seconds) * 1000, 3),
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * int(share) // 100) - 1))]
