"""Bouncing contacts: no press is lost, none is invented, and each has the time of its first edge."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import CONFIRM, QUIET, Change, Debounce

Edge = tuple[bool, float]


def watched(edges: list[Edge]) -> list[Change]:
    """The changes that a thread finds in these edges: it handles due changes before each edge, and at the end."""
    contact, changes = Debounce(), []

    def settle(until: float) -> None:
        while (due := contact.due) is not None and due <= until:
            change = contact.change(due)
            if change is not None:
                changes.append(change)
            elif contact.due == due:
                break

    for down, at in edges:
        settle(at)
        contact.edge(down, at)
    settle(float("inf"))
    return changes


def bouncing(down: bool, at: float, gaps: list[float]) -> list[Edge]:
    """A contact that closes (or opens) at a time and bounces at these intervals."""
    edges, level = [(down, at)], down
    for gap in gaps:
        at += gap
        level = not level
        edges.append((level, at))
    if level != down:
        edges.append((down, at + 0.0004))
    return edges


bounces = st.lists(st.floats(0.00005, 0.0012), max_size=6)
presses = st.lists(st.tuples(st.floats(0.015, 0.5), st.floats(0.04, 0.5), bounces, bounces), min_size=1, max_size=6)


@given(presses)
def test_no_press_is_lost_and_none_invented(several: list[tuple[float, float, list[float], list[float]]]) -> None:
    edges: list[Edge] = []
    downs: list[float] = []
    at = 1.0
    for held, pause, closing, opening in several:
        downs.append(at)
        edges += bouncing(True, at, closing)
        edges += bouncing(False, at + held, opening)
        at += held + pause
    changes = watched(edges)
    assert [change.down for change in changes] == [True, False] * len(several)
    assert [change.at for change in changes if change.down] == downs


def test_presses_sixty_milliseconds_apart_are_two() -> None:
    for held in (0.012, 0.016, 0.03, 0.044):
        flutter = [0.0003, 0.0008, 0.0005, 0.001]
        edges = [
            *bouncing(True, 1.0, flutter),
            *bouncing(False, 1.0 + held, flutter),
            *bouncing(True, 1.06, flutter),
            *bouncing(False, 1.06 + held, flutter),
        ]
        assert [change.at for change in watched(edges) if change.down] == [1.0, 1.06], held


@given(st.floats(0.00001, 0.9 * CONFIRM))
def test_a_spike_on_the_wire_is_no_press(width: float) -> None:
    assert watched([(True, 1.0), (False, 1.0 + width)]) == []


def test_a_short_tap_is_a_press() -> None:
    assert watched([(True, 1.0), (False, 1.006)]) == [Change(True, 1.0), Change(False, 1.006)]


def test_a_press_counts_a_millisecond_after_its_first_edge() -> None:
    contact = Debounce()
    contact.edge(True, 1.0)
    assert contact.due == 1.0 + CONFIRM
    assert contact.change(1.0 + CONFIRM / 2) is None
    assert contact.change(1.0 + CONFIRM) == Change(True, 1.0)
    assert contact.due is None


def test_a_contact_that_flutters_for_long_is_told_when_it_is_quiet() -> None:
    flutter = [(number % 2 == 0, 1.0 + number * 0.0019) for number in range(21)]
    assert watched(flutter) == [Change(True, 1.0)]


def test_a_button_that_is_down_at_the_start_is_no_press() -> None:
    contact = Debounce(down=True)
    contact.edge(True, 1.0)
    assert contact.due is None
    contact.edge(False, 2.0)
    assert contact.change(2.0 + QUIET) == Change(False, 2.0)
