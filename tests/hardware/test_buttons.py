"""A press is signalled at once; long and double ones in addition, with the time of the press."""

from __future__ import annotations

from hardware.buttons import DOUBLE, LONG, Change, Presses


def kinds(presses: Presses, *changes: Change) -> list[tuple[str, float]]:
    return [(signal.kind, signal.at) for change in changes for signal in presses.changed(change)]


def test_a_press_is_told_when_the_finger_goes_down() -> None:
    presses = Presses("seat blue")
    assert kinds(presses, Change(True, 1.0), Change(False, 1.1)) == [("press", 1.0)]
    assert presses.due is None


def test_a_press_that_is_held_is_a_long_one_once() -> None:
    presses = Presses("seat blue")
    kinds(presses, Change(True, 1.0))
    assert presses.due == 1.0 + LONG
    assert list(presses.waited(1.0 + LONG - 0.01)) == []
    assert [(s.kind, s.at, s.source) for s in presses.waited(1.0 + LONG)] == [("long_press", 1.0, "seat blue")]
    assert list(presses.waited(9.0)) == []


def test_two_presses_in_a_hurry_are_a_double_one_and_three_are_not_two() -> None:
    presses = Presses("seat blue")
    hurry = DOUBLE / 2
    told = kinds(presses, *(Change(n % 2 == 0, 1.0 + n * hurry / 2) for n in range(6)))
    assert told == [("press", 1.0), ("press", 1.0 + hurry), ("double_press", 1.0 + hurry), ("press", 1.0 + 2 * hurry)]


def test_two_presses_with_time_between_them_are_two() -> None:
    told = kinds(Presses("x"), Change(True, 1.0), Change(False, 1.1), Change(True, 1.0 + DOUBLE + 0.01))
    assert [kind for kind, _ in told] == ["press", "press"]
