"""Hands on a table: what they can carry, turn and point, and what they cannot."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel.simulation import Hands, Impossible
from companion.kernel.views import Cells, Pieces, Pointing, View, changed_zones, same_table

TABLE = View(
    {
        "bowl": Pieces({"nut": 3, "pit": 0}),
        "plate": Pieces({}),
        "shelf": Cells({"left": "cup", "right": None}),
        "dial": Pointing(2),
    }
)


def test_what_was_taken_lies_nowhere_until_it_is_put_down() -> None:
    hands = Hands(TABLE)
    hands.take("bowl", "nut", 2)
    assert (hands.count("bowl", "nut"), hands.count("plate", "nut"), hands.held["nut"]) == (1, 0, 2)
    hands.put("plate", "nut", 2)
    assert hands.view.zones["plate"] == Pieces({"nut": 2})
    assert TABLE.zones["bowl"] == Pieces({"nut": 3, "pit": 0})


def test_the_last_piece_leaves_no_label_behind() -> None:
    hands = Hands(TABLE)
    hands.carry("bowl", "plate", "nut", 3)
    assert hands.labels("bowl") == {}


def test_cells_are_filled_emptied_swapped_and_turned() -> None:
    hands = Hands(TABLE)
    hands.take("bowl", "nut", 2)
    hands.put_cell("shelf", "right", "nut x2", "nut", 2)
    hands.swap_cells("shelf", "left", "right")
    hands.flip_cell("shelf", "right", "cup upside down")
    assert hands.view.zones["shelf"] == Cells({"left": "nut x2", "right": "cup upside down"})


def test_a_dial_points_where_it_was_turned() -> None:
    hands = Hands(TABLE)
    hands.point("dial", 5)
    assert hands.view.zones["dial"] == Pointing(5)
    assert changed_zones(TABLE, hands.view) == ("dial",)


def test_a_count_of_none_is_no_difference() -> None:
    assert same_table(TABLE, View({**TABLE.zones, "bowl": Pieces({"nut": 3})}))


@pytest.mark.parametrize(
    "act",
    [
        lambda hands: hands.take("bowl", "nut", 4),
        lambda hands: hands.take("bowl", "nut", -1),
        lambda hands: hands.take("shelf", "cup"),
        lambda hands: hands.put("plate", "nut"),
        lambda hands: hands.put_away("nut"),
        lambda hands: hands.take_cell("shelf", "right"),
        lambda hands: hands.take_cell("shelf", "middle"),
        lambda hands: hands.put_cell("shelf", "right", "cup"),
        lambda hands: hands.swap_cells("shelf", "left", "right"),
        lambda hands: hands.flip("bowl", "pit", "nut"),
        lambda hands: hands.flip_cell("shelf", "right", "cup"),
        lambda hands: hands.point("bowl", 1),
    ],
)
def test_no_hand_can_do_the_impossible(act) -> None:
    with pytest.raises(Impossible):
        act(Hands(TABLE))


def test_a_full_cell_takes_nothing_more() -> None:
    hands = Hands(TABLE)
    hands.bring("cup")
    with pytest.raises(Impossible):
        hands.put_cell("shelf", "left", "cup")


@given(st.lists(st.tuples(st.sampled_from(["bowl", "plate"]), st.sampled_from(["bowl", "plate"]), st.integers(0, 4))))
def test_carrying_never_makes_or_loses_a_piece(trips: list[tuple[str, str, int]]) -> None:
    hands = Hands(TABLE)
    for source, to, number in trips:
        if number <= hands.count(source, "nut"):
            hands.carry(source, to, "nut", number)
    assert Counter(hands.labels("bowl")) + Counter(hands.labels("plate")) == Counter(nut=3)
