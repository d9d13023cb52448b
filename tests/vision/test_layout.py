"""A layout is data a person writes: checked when it is loaded, with errors that name the zone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.kernel.messages import NewPiece
from vision.layout import (
    Box,
    Dial,
    Grid,
    LayoutError,
    Sector,
    Track,
    from_data,
    load,
)

TABLE: dict[str, Any] = {
    "name": "kitchen table",
    "area": {"width": 900, "height": 600},
    "markers": {"side": 60, "at": {"0": [40, 40], "1": [860, 40], "2": [860, 560], "3": [40, 560]}},
    "pieces": {"tile": {"size": [38, 38], "height": 2}},
    "zones": {
        "map": {"kind": "grid", "rect": [100, 100, 376, 284], "columns": 6, "rows": 4, "holds": "tile"},
        "hand": {"kind": "tray", "rect": [440, 90, 840, 270], "holds": "tile"},
        "seats": {"kind": "slots", "at": {"north": [450, 60], "south": [450, 540]}, "size": [40, 40]},
        "score": {"kind": "track", "at": {"0": [130, 500], "1": [154, 500]}, "size": [24, 30]},
        "disc": {
            "kind": "dial",
            "centre": [760, 400],
            "radius": 50,
            "sectors": [{"value": 2, "start": 0, "end": 180}, {"value": 5, "start": 180, "end": 360}],
        },
    },
}


def changed(zone: str, **facts: Any) -> dict[str, Any]:
    zones = {**TABLE["zones"], zone: {**TABLE["zones"].get(zone, {}), **facts}}
    return {**TABLE, "zones": zones}


def refusal(raw: dict[str, Any]) -> str:
    with pytest.raises(LayoutError) as refused:
        from_data(raw, "table.toml")
    assert str(refused.value).startswith("table.toml")
    return str(refused.value)


def test_the_cells_of_a_grid_are_named_like_a_chess_board() -> None:
    grid = from_data(TABLE, "table.toml").zones["map"]
    assert isinstance(grid, Grid)
    places = grid.places()
    assert len(places) == 24
    assert places["A1"].centre == (123.0, 123.0)
    assert places["F4"].centre == (353.0, 261.0)


def test_a_turned_grid_turns_its_cells_about_its_middle() -> None:
    grid = Grid(rect=(100, 100, 300, 200), columns=2, rows=1, angle=90)
    places = grid.places()
    assert places["A1"].centre == pytest.approx((200, 100))
    assert places["B1"].centre == pytest.approx((200, 200))


def test_letters_go_on_after_z() -> None:
    names = list(Grid(rect=(0, 0, 300, 10), columns=28, rows=1).places())
    assert names[25:] == ["Z1", "AA1", "AB1"]


def test_an_arrow_on_the_line_counts_for_the_smaller_number() -> None:
    dial = Dial(centre=(0, 0), radius=10, sectors=(Sector(2, 0, 180), Sector(5, 180, 360)))
    assert (dial.value(90), dial.value(270), dial.value(180), dial.value(0)) == (2, 5, 2, 2)


def test_a_box_knows_what_lies_in_it_when_it_is_turned() -> None:
    box = Box((100, 100), (100, 20), 45)
    assert box.holds((130, 130))
    assert not box.holds((130, 70))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (changed("map", kind="gird"), "zone 'map' is of kind 'gird'"),
        (changed("map", columns="six"), "zone 'map' is not usable: columns"),
        (changed("map", colums=6), "zone 'map' is not usable: "),
        (changed("map", columns=0), "zone 'map' needs at least one row and one column"),
        (changed("map", names="{row}"), "zone 'map' gives two cells the same name"),
        (changed("hand", holds="dragon"), "zone 'hand' holds 'dragon'"),
        (changed("hand", rect=[440, 90, 1840, 270]), "zone 'hand' reaches beyond the table"),
        (changed("hand", rect=[440, 90, 440, 270]), "zone 'hand' has no size"),
        (changed("score", at={}), "zone 'score' has no"),
        (changed("disc", sectors=[]), "zone 'disc' has no sectors"),
        ({**TABLE, "drawing": [{"lines": [["map", "nowhere"]]}]}, "a line is drawn to zone 'nowhere'"),
        ({**TABLE, "drawing": [{"rects": [[10, 10, 10, 40]]}]}, "a drawn rectangle has no size"),
        ({**TABLE, "area": {"width": 900}}, "height"),
    ],
)
def test_a_mistake_is_named_with_its_zone(raw: dict[str, Any], said: str) -> None:
    assert said in refusal(raw)


def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('name = "x"\narea = = 3\n', encoding="utf-8")
    with pytest.raises(LayoutError, match="line 2"):
        load(path)
    with pytest.raises(LayoutError, match="cannot be read"):
        load(tmp_path / "gone.toml")


def test_a_track_may_be_given_by_its_corners() -> None:
    path = [[0, 100, 100], [2, 140, 100], [3, 140, 130]]
    raw = changed("score", kind="track", path=path)
    del raw["zones"]["score"]["at"]
    zone = from_data(raw, "table.toml").zones["score"]
    assert isinstance(zone, Track)
    assert zone.at == {"0": (100, 100), "1": (120, 100), "2": (140, 100), "3": (140, 130)}


def test_a_track_that_goes_round_ends_before_its_first_field() -> None:
    raw = changed("score", kind="track", path=[[0, 100, 100], [1, 120, 100], [2, 120, 120], [3, 100, 100]])
    del raw["zones"]["score"]["at"]
    zone = from_data(raw, "table.toml").zones["score"]
    assert isinstance(zone, Track)
    assert zone.at == {"0": (100, 100), "1": (120, 100), "2": (120, 120)}


@pytest.mark.parametrize("path", [[[0, 100, 100]], [[4, 100, 100], [2, 140, 100]]])
def test_a_path_whose_numbers_do_not_rise_is_refused(path: list[list[float]]) -> None:
    raw = changed("score", kind="track", path=path)
    del raw["zones"]["score"]["at"]
    assert "zone 'score'" in refusal(raw)
    assert "path" in refusal(raw)


def test_of_a_board_with_two_sides_the_one_that_was_chosen_is_drawn() -> None:
    sides = [{"lines": [["map", "hand"]]}, *({"words": {side: [1, 1]}, "only": {"side": side}} for side in "AB")]
    table = from_data({**TABLE, "drawing": sides}, "table.toml")
    assert [one.words for one in table.chosen({"side": "B", "first": 0}).drawing] == [{}, {"B": (1, 1)}]
    assert len(table.chosen({}).drawing) == 1


def test_pieces_that_people_described_are_of_their_family() -> None:
    shipped = load(games.load("council_of_four").box_file.with_name("layout.toml"))
    new = [NewPiece("AC", "permit", "permit AC", "AC gold2"), NewPiece("gold7", "token", "gold7")]
    grown = shipped.grown([*new, NewPiece("x", "dragons", "dragon")])
    assert grown.pieces["permit"].labels == (*shipped.pieces["permit"].labels, "permit AC")
    assert grown.pieces["permit"].looks["permit AC"] == "AC gold2"
    assert grown.pieces["token"].labels[-1] == "gold7"
    assert grown.grown(new) == grown
    assert shipped.grown([]) == shipped
    assert not list(grown.problems())
