"""Loose tiles: alone, touching, stacked, and things that are no tiles."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from companion.kernel.views import Pieces, View
from vision import layout as layouts
from vision.accuracy import tables
from vision.faces.examples import Guess
from vision.kit.kit import Kit
from vision.layout import Box, from_data
from vision.picture.table_picture import locate
from vision.readers.tray import _Search
from vision.rendered import LIGHTS, Camera, Scene, picture
from vision.rendered.scene import Piece
from vision.table_reader import TableReader

GOODS = ["bread1", "bread3", "marble1", "marble2", "marble3", "tool1", "tool2", "back"]
LAYOUT = from_data(
    {
        "name": "a yard",
        "area": {"width": 600, "height": 400},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
        "pieces": {"goods": {"size": [25, 25], "height": 2}},
        "zones": {"yard": {"kind": "tray", "rect": [90, 80, 510, 320], "holds": "goods"}},
    },
    "yard",
)
CAMERA = Camera(height_mm=640, tilt_degrees=8, tilt_direction=60, hfov=62, k1=-0.02, roll=1.0)


def lying(label: str, x: float, y: float, angle: float = 0.0, lift: float = 0.0) -> Piece:
    return Piece(label, x, y, angle, "yard", lift=lift)


def photographed(*pieces: Piece, seed: int = 1, light: str = "even") -> np.ndarray:
    return picture(LAYOUT, Scene(pieces, "wood"), CAMERA, light, Random(seed))  # type: ignore[arg-type]


@cache
def eyes() -> TableReader:
    kit = Kit(LAYOUT)
    rng = Random(3)
    for column in range(2):
        tiles = [
            lying(label, 130 + 50 * number, 130 + 120 * column, rng.uniform(0, 360))
            for number, label in enumerate(GOODS)
        ]
        truth = [{"label": tile.label, "x": tile.x, "y": tile.y, "angle": tile.angle} for tile in tiles]
        kit.show(locate(photographed(*tiles, seed=column), LAYOUT), {"yard": truth})
    kit.derive()
    return TableReader(LAYOUT, kit)


def seen(image: np.ndarray) -> dict[str, int] | None:
    contents = eyes().look(image).reading.zones["yard"].contents
    return None if contents is None else dict(contents.count)  # type: ignore[union-attr]


@pytest.mark.parametrize("light", ["even", "one_sided", "dim"])
def test_tiles_that_touch_are_told_apart(light: str) -> None:
    square = [
        lying(label, 220 + 25.2 * (number % 3), 150 + 25.2 * (number // 3), 90.0 * number)
        for number, label in enumerate(GOODS)
    ]
    assert seen(photographed(*square, light=light)) == Counter(GOODS)


def test_where_a_tile_lies_and_how_it_is_turned_is_said() -> None:
    reading = eyes().look(photographed(lying("tool2", 301.5, 187.0, 37.0))).reading.zones["yard"]
    (found,) = reading.found
    assert (found.label, found.x, found.y) == ("tool2", pytest.approx(301.5, abs=1), pytest.approx(187.0, abs=1))
    assert found.angle == pytest.approx(37, abs=3)


@pytest.mark.parametrize("off", [0.62, 0.75, 0.9])
def test_a_tile_half_under_another_is_read_by_what_shows_of_it(off: float) -> None:
    right = 0
    for number, (under, over) in enumerate(zip(GOODS, [*GOODS[3:], *GOODS[:3]], strict=True)):
        angle = 40.0 * number
        x, y = 300 + 25 * off * np.cos(np.radians(angle)), 200 + 25 * off * np.sin(np.radians(angle))
        pile = lying(under, 300, 200, angle), lying(over, float(x), float(y), angle + 12, lift=2.0)
        read = seen(photographed(*pile, seed=number))
        assert read in (None, Counter([under, over]))
        right += read is not None
    assert right >= 6


def test_what_is_no_tile_makes_the_tray_unknown() -> None:
    image = photographed(lying("tool1", 300, 200))
    assert seen(image) == {"tool1": 1}
    x, y = locate(image, LAYOUT).plane.to_pixels([(400, 250)])[0].astype(int)
    cv2.circle(image, (int(x), int(y)), 30, (40, 60, 200), -1)
    assert seen(image) is None


def test_a_bare_tray_is_empty() -> None:
    assert seen(photographed()) == {}


def test_what_looks_like_a_card_upon_the_middle_of_a_clearer_one_is_a_part_of_it() -> None:
    """A black card's lower half looked like another, upside down; people lay them side by side."""
    tray = _Search(None, None, Box((524.0, 598.0), (252.0, 104.0)), layouts.Piece((44.0, 67.0), 0.4))  # type: ignore[arg-type]
    card, part = Guess("card black", 0.95, 0.5, 2.8, 604.0, 608.0), Guess("card black", 0.76, 0.5, 183.0, 603.0, 634.0)
    assert tray.take([card, part])
    assert tray.pieces == [card]
    upon = Guess("card white", 0.97, 0.5, 0.0, 600.0, 634.0)
    assert tray.take([upon])
    assert tray.pieces == [card, upon]


def test_a_card_that_reaches_far_beyond_the_edge_of_its_tray_sticks_out() -> None:
    tray = _Search(None, None, Box((524.0, 598.0), (252.0, 104.0)), layouts.Piece((44.0, 67.0), 0.4))  # type: ignore[arg-type]
    assert tray.sticks_out(Guess("card joker", 0.7, 0.5, 0.0, 535.0, 560.0))
    assert not tray.sticks_out(Guess("card joker", 0.7, 0.5, 5.0, 535.0, 590.0))


def test_rims_of_tokens_on_a_cloth_are_no_strange_things() -> None:
    """Under a leaning camera tokens are found a millimetre aside; what is left of their rims is none of a hand."""
    labels = ["assistant1", "assistant3"]
    layout = from_data(
        {
            "name": "cloth",
            "area": {"width": 1160, "height": 660},
            "markers": {"side": 50, "at": {"0": [36, 36], "1": [1124, 36], "2": [1124, 624], "3": [36, 624]}},
            "pieces": {"assistant": {"size": [20, 20], "height": 2, "round": True, "labels": labels}},
            "zones": {"supply": {"kind": "pool", "rect": [658, 542, 878, 652], "holds": "assistant", "cloth": "sage"}},
        },
        "cloth",
    )
    rig = tables.Rig(
        Camera(height_mm=1064, tilt_degrees=13.8, tilt_direction=254, hfov=64, k1=-0.01, roll=-0.85), "felt"
    )
    rng = Random(11)
    eyes = TableReader(layout, tables.taught(layout, rig, "flicker", rng))
    for light in LIGHTS:
        view = View({"supply": Pieces({"assistant3": 13, "assistant1": 1})})
        _, image = tables.shot(layout, view, rig, light, rng)
        seen = eyes.look(image).reading.zones["supply"]
        assert Counter(piece.label for piece in seen.found) == {"assistant3": 13, "assistant1": 1}
