"""The raid timer's thread: exact, independent of the wall clock, and not stopped by errors of its listeners."""

from __future__ import annotations

import gc
import queue
import time
from collections.abc import Iterator

import pytest

from hardware.raid_timer import Raid, RaidEvent, RaidTimer

Told = queue.SimpleQueue[RaidEvent]
HOUR = 3600.0


@pytest.fixture
def told() -> Told:
    return queue.SimpleQueue()


@pytest.fixture
def timer(told: Told) -> Iterator[RaidTimer]:
    timer = RaidTimer(told.put)
    yield timer
    timer.close()


def until(told: Told, kind: str) -> list[RaidEvent]:
    events = [told.get(timeout=60)]
    while events[-1].kind != kind:
        events.append(told.get(timeout=60))
    return events


def started(timer: RaidTimer, seconds: float = 0.3, tick: float = 0.1) -> None:
    timer.gather(Raid([0], 0, seconds, tick=tick))
    timer.ready(0)
    timer.start(0)


def test_a_raid_runs_to_its_end(told: Told) -> None:
    now = [100.0]
    timer = RaidTimer(told.put, lambda: now[0])
    started(timer, 0.375, tick=0.125)
    assert [event.kind for event in until(told, "started")] == ["ready", "all_ready", "started"]
    for kind in ("last_five", "last_five", "stopped"):
        now[0] += 0.125
        (event,) = until(told, kind)
        assert (event.at, event.late) == (now[0], 0.0)
    timer.close()


def test_a_raid_that_is_over_when_the_machine_wakes_ends_at_its_time(told: Told) -> None:
    now = [100.0]
    timer = RaidTimer(told.put, lambda: now[0])
    started(timer, 0.375, tick=0.125)
    until(told, "started")
    now[0] += 10.0
    *_, stop = until(told, "stopped")
    assert (stop.at, stop.late) == (100.375, 9.625)
    timer.close()


def test_time_runs_from_the_press_even_if_it_is_heard_of_late(timer: RaidTimer, told: Told) -> None:
    timer.gather(Raid([0], 0, 5.0))
    timer.ready(0)
    pressed = time.monotonic() - 4.9
    timer.start(0, pressed)
    assert until(told, "stopped")[-1].at == pytest.approx(pressed + 5.0)


def test_nobody_can_start_in_the_future(timer: RaidTimer, told: Told) -> None:
    timer.gather(Raid([0], 0, 0.05))
    timer.ready(0)
    timer.start(0, time.monotonic() + 1000)
    assert until(told, "stopped")[-1].at < time.monotonic() + 1


def test_a_changed_wall_clock_moves_nothing(timer: RaidTimer, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.monotonic()
    started(timer)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    stop = until(told, "stopped")[-1]
    assert begun < stop.at <= time.monotonic(), "the stop is told on the monotonic clock"


def test_collecting_rubbish_moves_no_deadline(timer: RaidTimer, told: Told) -> None:
    started(timer)
    heap = [[number] for number in range(200_000)]
    gc.collect()
    events = until(told, "stopped")
    assert events[-1].at - next(e.at for e in events if e.kind == "started") == pytest.approx(0.3)
    assert len(heap) == 200_000


def test_pause_and_go_on(timer: RaidTimer, told: Told) -> None:
    started(timer, HOUR, tick=1.0)
    until(told, "started")
    timer.pause()
    left = until(told, "paused")[-1].left
    timer.resume()
    assert until(told, "resumed")[-1].left == pytest.approx(left)
    timer.call_off()
    until(told, "called_off")


def test_a_new_raid_calls_the_old_one_off(timer: RaidTimer, told: Told) -> None:
    started(timer, HOUR)
    until(told, "started")
    started(timer, 0.05)
    assert until(told, "stopped")[0].kind == "called_off"


def test_a_listener_that_fails_does_not_stop_the_clock(caplog: pytest.LogCaptureFixture) -> None:
    told: Told = queue.SimpleQueue()

    def clumsy(event: RaidEvent) -> None:
        told.put(event)
        raise RuntimeError("the light fell off")

    timer = RaidTimer(clumsy)
    started(timer)
    until(told, "stopped")
    timer.close()
    assert "The event of the raid could not be reported: stopped" in caplog.text


def test_closing_does_not_wait_for_a_raid() -> None:
    timer = RaidTimer(lambda _event: None)
    started(timer, HOUR)
    timer.close()
    timer._thread.join(60)
    assert not timer._thread.is_alive()
