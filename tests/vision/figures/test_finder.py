"""Figures are found wherever they stand in an area: crowds on a mat, several on a place, on known ground or not."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from companion.kernel.views import Cells, Pieces, View
from vision import layout as layouts
from vision.figures import Figures, Finds
from vision.figures.areas import frames, look
from vision.layout import Box, Layout
from vision.picture.background import Ground
from vision.picture.table_picture import TablePicture, locate
from vision.rendered import Camera, Hand, Scene, picture, scene_of

LAYOUT: Layout = layouts.from_data(
    {
        "name": "A rack and a row",
        "area": {"width": 500.0, "height": 320.0},
        "markers": {"side": 40.0, "at": {"0": [30, 30], "1": [470, 30], "2": [470, 290], "3": [30, 290]}},
        "pieces": {"statue": {"size": [9.0, 9.0], "height": 15.0}},
        "zones": {
            "rack": {"kind": "pool", "rect": [80, 90, 240, 200], "holds": "statue"},
            "row": {
                "kind": "slots",
                "at": {str(number): [290 + number * 34, 150] for number in range(4)},
                "size": [32.0, 38.0],
                "holds": "statue",
            },
        },
    },
    "a rack and a row",
)
CAMERA = Camera(height_mm=760.0, tilt_degrees=6.0, tilt_direction=40.0, hfov=62.0)
RACK = LAYOUT.zones["rack"].area()
ROW = LAYOUT.zones["row"].places()  # type: ignore[union-attr]


def shown(
    rack: dict[str, int], row: dict[str, str | None], seed: int, hands: tuple[Hand, ...] = ()
) -> tuple[TablePicture, Scene]:
    rng = Random(seed)
    scene = scene_of(LAYOUT, View({"rack": Pieces(rack), "row": Cells(row)}), rng, table_top="wood")
    return locate(picture(LAYOUT, scene, CAMERA, "even", rng, hands=hands), LAYOUT), scene


class Table:
    """What was taught by one picture."""

    def __init__(self) -> None:
        self.figures = Figures(LAYOUT.pieces["statue"])
        self.grounds = {name: Ground(zone.area()) for name, zone in LAYOUT.zones.items()}
        sight, scene = shown({"blue": 3, "yellow": 3, "grey": 2}, {"0": "blue", "1": None, "2": "yellow"}, 1)
        for piece in scene.pieces:
            self.figures.learn(sight, Box((piece.x, piece.y), (9.0, 9.0)), piece.label)
        for name, ground in self.grounds.items():
            ground.learn(sight, [((piece.x, piece.y), 11.0) for piece in scene.of_zone(name)])


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


@pytest.fixture(scope="module")
def crowd() -> tuple[TablePicture, Scene]:
    return shown({"blue": 7, "yellow": 5, "grey": 3}, {"0": "yellow x2", "1": "blue", "3": "blue x2"}, 2)


def counts(finds: Finds) -> Counter[str | None]:
    return Counter(figure.label if figure.sure else "unknown" for figure in finds.figures)


def test_a_crowd_is_counted_by_colour(table: Table, crowd: tuple[TablePicture, Scene]) -> None:
    (finds,) = table.figures.find(crowd[0], [RACK], [table.grounds["rack"]])
    assert counts(finds) == {"blue": 7, "yellow": 5, "grey": 3}
    assert not finds.hidden(RACK)


def test_a_crowd_is_counted_on_ground_nobody_knows(table: Table, crowd: tuple[TablePicture, Scene]) -> None:
    (finds,) = table.figures.find(crowd[0], [RACK], [None])
    read = counts(finds)
    assert read.total() == 15
    assert read["unknown"] <= 1


def test_feet_are_found_where_the_figures_stand(table: Table, crowd: tuple[TablePicture, Scene]) -> None:
    (finds,) = table.figures.find(crowd[0], [RACK], [table.grounds["rack"]])
    for piece in crowd[1].of_zone("rack"):
        assert min(math.dist((piece.x, piece.y), (one.x, one.y)) for one in finds.figures) < 3


def test_several_figures_on_one_place_are_counted(table: Table, crowd: tuple[TablePicture, Scene]) -> None:
    found = table.figures.find(crowd[0], list(ROW.values()), [table.grounds["row"]] * 4)
    assert [counts(finds) for finds in found] == [{"yellow": 2}, {"blue": 1}, {}, {"blue": 2}]


def test_a_turned_area_holds_the_same_figures(table: Table, crowd: tuple[TablePicture, Scene]) -> None:
    turned = Box(RACK.centre, (RACK.size[1] + 60, RACK.size[0] + 60), 80.0)
    (finds,) = table.figures.find(crowd[0], [turned], [None])
    assert [one for one in finds.figures if one.sure and RACK.holds((one.x, one.y))]
    assert sum(RACK.holds((one.x, one.y)) for one in finds.figures) == 15


def test_black_wood_is_darker_than_the_shadow_it_casts(table: Table) -> None:
    sight, scene = shown({"black": 4}, {}, 5)
    (finds,) = table.figures.find(sight, [RACK], [table.grounds["rack"]])
    feet = [(piece.x, piece.y) for piece in scene.of_zone("rack")]
    standing = [one for one in finds.seen.figures if min(math.dist(one.foot, foot) for foot in feet) < 4]
    assert len(standing) == 4
    assert all(one.dark > 0.5 for one in standing)
    others = [one for one in finds.seen.figures if one not in standing]
    assert all(one.dark < 0.5 for one in others)


def test_an_empty_area_is_empty(table: Table) -> None:
    sight, _ = shown({}, {}, 3)
    for finds in table.figures.find(sight, [RACK, *ROW.values()], [table.grounds["rack"], *[table.grounds["row"]] * 4]):
        assert finds.figures == ()
        assert not finds.hidden(RACK)


def test_what_a_hand_covers_is_said_to_be_hidden(table: Table) -> None:
    sight, _ = shown({"blue": 4}, {"0": "blue"}, 4, (Hand("bottom", (160.0, 150.0)),))
    for ground in (table.grounds["rack"], None):
        (finds,) = table.figures.find(sight, [RACK], [ground])
        assert finds.hidden(RACK)


def test_a_flat_thing_is_no_figure_and_hides_what_it_lies_on(table: Table) -> None:
    sight, _ = shown({}, {}, 5)
    image = sight.image.copy()
    corner = sight.plane.to_pixels([(150.0, 140.0), (175.0, 165.0)]).astype(int)
    image[corner[0][1] : corner[1][1], corner[0][0] : corner[1][0]] = (60, 150, 60)
    (finds,) = table.figures.find(
        TablePicture(image, sight.layout, sight.plane, sight.light), [RACK], [table.grounds["rack"]]
    )
    assert not any(figure.sure for figure in finds.figures)
    assert finds.figures or finds.hidden(Box((162.0, 152.0), (20.0, 20.0)))


def test_untaught_figures_are_found_but_not_named(crowd: tuple[TablePicture, Scene]) -> None:
    (finds,) = Figures(LAYOUT.pieces["statue"]).find(crowd[0], [RACK], [None])
    assert len(finds.figures) >= 13
    assert not any(figure.sure for figure in finds.figures)


def test_a_colour_nobody_taught_is_not_named(table: Table) -> None:
    sight, _ = shown({"red": 2, "green": 2}, {}, 6)
    (finds,) = table.figures.find(sight, [RACK], [table.grounds["rack"]])
    assert len(finds.figures) == 4
    assert not any(figure.sure for figure in finds.figures)


def test_neighbouring_places_are_looked_at_together_and_distant_ones_apart(crowd: tuple[TablePicture, Scene]) -> None:
    plane, piece = crowd[0].plane, LAYOUT.pieces["statue"]
    assert [members for _, members in frames(plane, list(ROW.values()), piece)] == [[0, 1, 2, 3]]
    apart = [Box((100.0, 60.0), (25.0, 25.0)), Box((400.0, 250.0), (25.0, 25.0))]
    assert len(frames(plane, apart, piece)) == 2


def test_a_view_knows_where_on_the_table_its_cells_lie(crowd: tuple[TablePicture, Scene]) -> None:
    view = look(crowd[0], Box((200.0, 150.0), (61.0, 43.0), 30.0), [], 4 / 3)
    there = np.array([(190.0, 140.0), (215.0, 160.0)])
    for (x, y), point in zip(view.to_cells(there), there, strict=True):
        assert np.allclose(view.to_table(float(x), float(y)), point)
    assert view.seen.shape[0] % 16 == view.seen.shape[1] % 16 == 0
