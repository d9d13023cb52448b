"""Tugend, Korruption & Verbrecher."""

from __future__ import annotations

from companion.games.viscounts.box import Effect
from companion.games.viscounts.rulebook.effects import apply
from companion.games.viscounts.state import State
from companion.kernel.rules import RuleLog

from .table import RED, marker_fields, markers, table


def after(state: State, **effect: int) -> tuple[int, int]:
    return marker_fields(apply(state, RED, Effect(**effect), RuleLog()))


def notes(state: State, **effect: int) -> list[str]:
    log = RuleLog()
    apply(state, RED, Effect(**effect), log)
    return [note.rule for note in log.notes]


def test_marker_corruption__it_goes_to_the_right() -> None:
    assert after(table(), corruption=2) == (3, 7)
    assert notes(table(), corruption=2) == ["marker.corruption"]


def test_marker_virtue__it_goes_to_the_left() -> None:
    assert after(table(), virtue=3) == (1, 4)
    assert notes(table(), virtue=1) == ["marker.virtue"]


def test_marker_meet__markers_that_have_met_go_together() -> None:
    assert after(markers(table(), 3, 4), virtue=1) == (3, 3)
    assert notes(markers(table(), 3, 4), virtue=1) == ["marker.virtue", "marker.meet"]


def test_example_two_virtues_meet_corruption_and_take_it_along() -> None:
    """The first step brings virtue to corruption, the second moves both by one."""
    assert after(markers(table(), 4, 5), virtue=2) == (3, 3)


def test_marker_meet__corruption_comes_first_where_both_are_gained() -> None:
    """Corruption first: they meet on 4, and virtue takes both back to 3; the other way round both would be on 4."""
    assert after(markers(table(), 3, 4), corruption=1, virtue=1) == (3, 3)


def test_marker_end__nothing_goes_beyond_the_track() -> None:
    assert after(markers(table(), 7, 7), corruption=2) == (7, 7)
    assert after(markers(table(), 1, 1), virtue=1) == (1, 1)
    assert notes(markers(table(), 7, 7), corruption=1) == ["marker.corruption", "marker.end"]
