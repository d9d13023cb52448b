"""Pieces laid roughly on their places, found by their outlines."""

from __future__ import annotations

import math
from random import Random

import msgspec
import pytest

from companion.kernel.views import Cells, View
from vision.faces.middles import middle
from vision.layout import Layout, Slots, from_data
from vision.picture.table_picture import locate
from vision.rendered import LIGHTS, Camera, Light, picture, scene_of

LAYOUT: Layout = from_data(
    {
        "name": "four cards",
        "area": {"width": 600, "height": 400},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
        "pieces": {"card": {"size": [30, 30], "height": 2, "labels": ["tree", "lake", "mill", "barn"]}},
        "zones": {
            "cards": {
                "kind": "slots",
                "size": [38, 38],
                "at": {"a": [120, 120], "b": [300, 120], "c": [120, 280], "d": [300, 280]},
                "holds": "card",
            }
        },
    },
    "four cards",
)
CAMERA = Camera(height_mm=700, tilt_degrees=6, tilt_direction=60, hfov=62, k1=-0.02, roll=1.0)


@pytest.mark.parametrize("light", LIGHTS)
def test_a_piece_beside_the_middle_of_its_place_is_found_by_its_outline(light: Light) -> None:
    rng = Random(light)
    view = View({"cards": Cells(dict(zip("abcd", LAYOUT.pieces["card"].labels, strict=True)))})
    scene = scene_of(LAYOUT, view, rng, mess=0.2, table_top="wood")
    sight = locate(picture(LAYOUT, scene, CAMERA, light, rng), LAYOUT)
    zone = LAYOUT.zones["cards"]
    assert isinstance(zone, Slots)
    for piece in scene.pieces:
        found = middle(sight, zone.places()[piece.cell], LAYOUT.pieces["card"])
        assert math.dist(found, (piece.x, piece.y)) < 1.0


def test_where_nothing_lies_or_nothing_has_room_it_is_the_middle_of_the_place() -> None:
    rng = Random(5)
    scene = scene_of(LAYOUT, View({}), rng, table_top="felt", mats=False)
    sight = locate(picture(LAYOUT, scene, CAMERA, "even", rng), LAYOUT)
    zone = LAYOUT.zones["cards"]
    assert isinstance(zone, Slots)
    place = zone.places()["a"]
    tight = msgspec.structs.replace(LAYOUT.pieces["card"], size=(37.0, 37.0))
    assert middle(sight, place, tight) == place.centre
