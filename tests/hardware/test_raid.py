"""The sequence of a raid: all ready, the king starts, ticks, the last five seconds, stop; pausing and calling off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.raid_timer import Raid, RaidEvent, RaidSeen


def running(seconds: float = 20.0, practice: bool = False) -> Raid:
    """A raid of two that the king (seat 1) starts at 100."""
    raid = Raid([0, 1], king=1, seconds=seconds, practice=practice)
    assert [event.kind for event in raid.ready(0, 90.0)] == ["ready"]
    assert [event.kind for event in raid.ready(1, 91.0)] == ["ready", "all_ready"]
    assert [event.kind for event in raid.start(1, 100.0)] == ["started"]
    return raid


def to_the_end(raid: Raid) -> list[RaidEvent]:
    events: list[RaidEvent] = []
    while (due := raid.due) is not None:
        events += raid.advance(due)
    return events


def test_twenty_seconds_with_a_tick_each_and_the_last_five_told() -> None:
    events = to_the_end(running())
    assert [event.left for event in events] == [float(left) for left in range(19, -1, -1)]
    assert [event.kind for event in events] == ["tick"] * 14 + ["last_five"] * 5 + ["stopped"]
    assert [event.at for event in events] == [100.0 + n for n in range(1, 21)]


def test_nobody_starts_before_everybody_is_ready() -> None:
    raid = Raid([0, 1, 2], king=0)
    assert list(raid.start(0, 1.0)) == []
    list(raid.ready(0, 1.0))
    assert [event.kind for event in raid.ready(0, 1.1)] == []
    list(raid.ready(1, 2.0))
    assert list(raid.start(0, 2.5)) == []
    assert list(raid.ready(7, 3.0)) == [], "who does not play cannot be ready"
    list(raid.ready(2, 3.0))
    assert raid.phase == "set"


def test_only_the_king_starts() -> None:
    raid = Raid([0, 1], king=1)
    list(raid.ready(0, 1.0))
    list(raid.ready(1, 1.0))
    assert list(raid.start(0, 2.0)) == []
    assert raid.phase == "set"


def test_a_pause_keeps_what_is_left() -> None:
    raid = running()
    list(raid.advance(101.0))
    assert [(event.kind, event.left) for event in raid.pause(107.5)] == [("paused", 12.5)]
    assert raid.due is None
    assert list(raid.advance(500.0)) == []
    assert [(event.kind, event.left) for event in raid.resume(600.0)] == [("resumed", 12.5)]
    assert raid.deadline == 612.5
    assert [event.left for event in to_the_end(raid)] == [float(left) for left in range(12, -1, -1)]


def test_a_raid_that_is_over_cannot_be_paused_or_called_off() -> None:
    raid = running(3)
    to_the_end(raid)
    assert raid.phase == "stopped"
    for act in (raid.pause, raid.resume, raid.call_off):
        assert list(act(200.0)) == []


def test_called_off_it_stops_for_good() -> None:
    raid = running()
    assert [event.kind for event in raid.call_off(105.0)] == ["called_off"]
    assert raid.left(300.0) == 15.0
    assert raid.due is None
    assert list(raid.ready(0, 106.0)) == list(raid.start(1, 106.0)) == []


def test_a_practice_raid_says_so_in_every_event() -> None:
    assert all(event.practice for event in to_the_end(running(6, practice=True)))


def test_after_a_long_sleep_the_stop_says_how_late_it_is_and_missed_ticks_are_not_made_up() -> None:
    raid = running()
    assert [(event.kind, event.left) for event in raid.advance(104.2)] == [("tick", 16.0)]
    [stop] = raid.advance(120.75)
    assert (stop.kind, stop.at, stop.late) == ("stopped", 120.0, 0.75)


@pytest.mark.parametrize("seconds", [0.3, 1.0, 7.5, 12.0])
def test_any_length_ends_at_its_deadline(seconds: float) -> None:
    events = to_the_end(running(seconds))
    assert events[-1].kind == "stopped"
    assert events[-1].at == pytest.approx(100.0 + seconds)
    assert [event.left for event in events] == sorted((event.left for event in events), reverse=True)


@given(st.lists(st.tuples(st.sampled_from(["ready", "start", "pause", "resume", "call_off"]), st.integers(-1, 3),
                          st.floats(0.0, 5.0)), max_size=30))  # fmt: skip
def test_whatever_is_pressed_the_time_left_never_grows_and_it_stops_at_most_once(
    acts: list[tuple[str, int, float]],
) -> None:
    raid, now, events = Raid([0, 1], 1, 6.0), 0.0, []
    for act, seat, later in acts:
        now += later
        while (due := raid.due) is not None and due <= now:
            events += raid.advance(due)
        events += getattr(raid, act)(*((seat, now) if act in ("ready", "start") else (now,)))
    lefts = [event.left for event in events]
    assert lefts == sorted(lefts, reverse=True)
    assert sum(event.kind == "stopped" for event in events) <= 1


def test_how_a_raid_stands_is_seen_at_any_moment() -> None:
    raid = Raid([0, 1], king=1, seconds=20)
    assert raid.seen(5.0).since is None
    list(raid.ready(1, 10.0))
    assert (raid.seen(10.0).phase, raid.seen(10.0).ready) == ("gathering", (1,))
    list(raid.ready(0, 11.0))
    list(raid.start(1, 12.0))
    assert raid.seen(15.0) == RaidSeen("running", 1, 20.0, (0, 1), left=17.0, deadline=32.0, since=12.0)
    list(raid.pause(20.0))
    assert raid.seen(100.0) == RaidSeen("paused", 1, 20.0, (0, 1), left=12.0, since=20.0)
    list(raid.resume(101.0))
    list(raid.advance(200.0))
    assert raid.seen(300.0) == RaidSeen("stopped", 1, 20.0, (0, 1), left=0.0, since=113.0)
