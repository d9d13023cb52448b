"""What was seen against what should be seen: unknown is no evidence, in either direction. And what changes between
positions."""

from __future__ import annotations

import msgspec
import pytest

from companion.kernel.views import (
    UNKNOWN,
    Cells,
    Contents,
    Marks,
    Pieces,
    Pointing,
    View,
    ViewComparison,
    changed_places,
    changed_zones,
    differences,
    distance,
    mismatches,
)


@pytest.mark.parametrize(
    ("seen", "expected", "fits"),
    [
        (Cells({"A1": "blue"}), Cells({"A1": "blue"}), True),
        (Cells({"A1": None}), Cells({"A1": "blue"}), False),
        (Cells({"A1": UNKNOWN}), Cells({"A1": "blue"}), True),
        (Cells({}), Cells({"A1": "blue"}), True),
        (Pieces({"bread1": 2}), Pieces({"bread1": 2}), True),
        (Pieces({"bread1": 2, "back": 0}), Pieces({"bread1": 2}), True),
        (Pieces({"bread1": 2}), Pieces({"bread1": 2, "back": 1}), False),
        (Marks({"red": 4}), Marks({"red": 4, "green": 1}), True),
        (Marks({"red": 5}), Marks({"red": 4}), False),
        (Pointing(3), Pointing(3), True),
        (Pointing(3), Pointing(4), False),
        (Pointing(3), Pointing(None), True),
        (Cells({}), Pieces({}), False),
    ],
)
def test_what_was_seen_fits_what_was_expected(seen: Contents, expected: Contents, fits: bool) -> None:
    assert (mismatches(seen, expected) == 0) is fits
    assert (differences(View({"zone": seen}), View({"zone": expected})) == {}) is fits
    assert ViewComparison(View({"zone": seen})).is_of(View({"zone": expected})) is fits


def test_pieces_that_are_not_there_have_no_count_however_they_were_told() -> None:
    assert Pieces({"nut": 3, "pit": 0}) == Pieces({"nut": 3})
    assert msgspec.json.decode(b'{"type":"pieces","count":{"pit":0}}', type=Contents) == Pieces({})
    assert msgspec.structs.replace(Pieces({"nut": 3}), count={"nut": 0}).count == {}


def test_only_zones_that_were_seen_can_differ() -> None:
    expected = View({"disc": Pointing(3), "middle": Pieces({"back": 4})})
    assert differences(View({}), expected) == {}
    assert differences(View({"disc": Pointing(5)}), expected) == {"disc": (Pointing(5), Pointing(3))}


def test_distance_counts_pieces_and_says_nothing_of_what_is_unknown() -> None:
    should = View({"a": Cells({"x": "p", "y": None}), "b": Pieces({"p": 3}), "c": Pointing(4)})
    assert distance(should, should) == 0
    assert distance(View({"a": Cells({"x": UNKNOWN, "y": "q"})}), should) == 1
    assert distance(View({"b": Pieces({"p": 1, "q": 2})}), should) == 4
    assert distance(View({"c": Pointing(None)}), should) == 0
    assert distance(View({"c": Pointing(5)}), should) == 1


def test_changed_places_are_cells_and_markers_and_else_whole_zones() -> None:
    before = View(
        {"map": Cells({"A1": "blue", "B1": None}), "track": Marks({"red": 4, "grey": 1}), "bowl": Pieces({"nut": 2})}
    )
    after = View(
        {"map": Cells({"A1": None, "B1": None}), "track": Marks({"red": 5, "grey": 1}), "bowl": Pieces({"nut": 3})}
    )
    assert changed_zones(before, before) == ()
    assert changed_zones(before, after) == ("map", "track", "bowl")
    assert changed_places(before, after) == (("map", "A1"), ("track", "red"), ("bowl", ""))
