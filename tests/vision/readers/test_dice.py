"""Dice with taught colours: greys are distinguished, and doubtful dice are reported with their place."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import dist
from random import Random

import numpy as np
import pytest
from msgspec import structs

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Pieces, View
from vision.accuracy.tables import Rig, taught
from vision.layout import from_data
from vision.picture.preview import UNREAD, draw
from vision.picture.table_picture import locate
from vision.readers.dice import _where_it_lies
from vision.rendered import LIGHTS, Camera, Light, Piece, Scene, picture, scene_of
from vision.table_reader import TableReader

COLOURS = ("light_grey", "dark_grey", "blue", "pink")
VALUES = (1, 2, 3, 4, 5, 6, 2, 1)
TABLE = from_data(
    {
        "name": "A tray of dice",
        "area": {"width": 500, "height": 300},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [470, 30], "2": [470, 270], "3": [30, 270]}},
        "pieces": {
            "die": {
                "size": [14, 14],
                "height": 14,
                "labels": [f"die {colour} {value}" for colour in COLOURS for value in range(1, 7)],
                "looks": {f"die light_grey {value}": f"white die {value}" for value in range(1, 7)},
            },
            "figure": {"size": [14, 14], "height": 14, "labels": ["green cube"]},
        },
        "zones": {
            "tray": {"kind": "dice", "rect": [80, 60, 420, 240], "holds": "die"},
            "beside": {"kind": "pool", "rect": [430, 100, 490, 200], "holds": "figure"},
        },
    },
    "a test",
)
RIG = Rig(Camera(height_mm=560, tilt_degrees=5, hfov=62), "felt")


@cache
def eyes() -> TableReader:
    return TableReader(TABLE, taught(TABLE, RIG, "even", Random(2)))


def read(scene: Scene, light: Light = "even") -> ZoneReading:
    image = picture(TABLE, scene, RIG.camera, light, Random(7))
    return eyes().look(image, only=["tray"]).reading.zones["tray"]


def die(label: str, x: float, y: float) -> Piece:
    return Piece(f"die {label}", x, y, 20.0, "tray")


@pytest.mark.parametrize("light", LIGHTS)
def test_light_grey_dark_grey_and_blue_dice_are_told_apart_in_every_light(light: Light) -> None:
    dice = Counter(f"die {colour} {value}" for colour, value in zip((*COLOURS, *COLOURS), VALUES, strict=True))
    scene = scene_of(TABLE, View({"tray": Pieces(dict(dice))}), Random(3), table_top="felt")
    assert read(scene, light).contents == Pieces(dict(dice))


@pytest.mark.parametrize("value", [1, 2])
def test_whether_it_is_a_one_or_a_pip_of_a_two_its_silhouette_tells(value: int) -> None:
    """The pip of a two looks like the middle of a one; there the die would stick out."""
    scene = Scene((die(f"pink {value}", 200, 150),), "felt")
    sight = locate(picture(TABLE, scene, RIG.camera, "one_sided", Random(7)), TABLE)
    bodies, over = eyes().kit.bodies["die"], eyes().kit.grounds["tray"].look(sight)
    turn = np.radians(20)
    pip = (200 + 3.5 * (np.cos(turn) - np.sin(turn)), 150 + 3.5 * (np.sin(turn) + np.cos(turn)))
    x, y = (200.0, 150.0) if value == 1 else pip
    doubtful = Found(UNKNOWN, float(x), float(y), 0.0, 0.0, "doubtful")
    free = np.ones(over.ground.shape, np.uint8)
    told = _where_it_lies(sight, over, free, doubtful, [doubtful], bodies)
    assert told.label == f"die pink {value}"
    assert dist((told.x, told.y), (200, 150)) < 1.5


def test_a_thing_among_the_dice_that_is_none_is_told_with_its_place() -> None:
    thing = Piece("green cube", 330, 150, 0.0, "beside")
    seen = read(Scene((die("blue 4", 150, 120), thing), "felt"))
    assert seen.contents is None
    (strange,) = [one for one in seen.found if one.label == UNKNOWN]
    assert abs(strange.x - 330) < 10
    assert abs(strange.y - 150) < 10


def odd(seen: ZoneReading) -> list[tuple[str, float, float]]:
    """The unreadable pieces in a zone without contents, with their rough place."""
    assert seen.contents is None
    return [(one.odd, round(one.x, -1), round(one.y, -1)) for one in seen.found if one.label == UNKNOWN]


@pytest.mark.parametrize("tilt", [28.0, 45.0])
@pytest.mark.parametrize("light", ["even", "warm", "dim"])
def test_a_die_on_its_edge_is_told_with_its_place_and_never_with_a_value(light: Light, tilt: float) -> None:
    leaning = structs.replace(die("pink 3", 300, 150), tilt=tilt)
    seen = read(Scene((die("blue 4", 150, 120), leaning), "felt"), light)
    assert [what for what, *_ in odd(seen)] in (["edge"], ["stacked"]), "from above one may look like the other"
    (place,) = [(one.x, one.y) for one in seen.found if one.odd]
    assert dist(place, (300, 150)) < 14


@pytest.mark.parametrize("light", ["even", "warm", "dim"])
def test_two_dice_on_each_other_are_told_with_their_place(light: Light) -> None:
    upper = structs.replace(die("pink 3", 96, 80), lift=14.0, angle=60.0)
    seen = read(Scene((die("blue 4", 95, 80), upper, die("blue 2", 300, 200)), "felt"), light)
    ((what, x, y),) = odd(seen)
    assert what == "stacked"
    assert dist((x, y), (95, 80)) < 14


@pytest.mark.parametrize(("x", "y"), [(66.0, 150.0), (250.0, 254.0)])
def test_a_die_that_lies_in_no_zone_is_told_with_its_place(x: float, y: float) -> None:
    seen = read(Scene((die("blue 4", 150, 120), die("pink 3", x, y)), "felt"))
    assert odd(seen) == [("outside", round(x, -1), round(y, -1))]


def test_what_lies_beside_a_die_in_another_zone_is_no_part_of_it() -> None:
    cube = Piece("green cube", 437, 150, 20.0, "beside")
    seen = read(Scene((die("pink 5", 412, 150), die("blue 3", 300, 150), cube), "felt"))
    assert seen.contents == Pieces({"die pink 5": 1, "die blue 3": 1})


def test_a_die_in_another_zone_does_not_lie_outside() -> None:
    seen = read(Scene((die("blue 4", 150, 120), die("pink 3", 438, 150)), "felt"))
    assert seen.contents == Pieces({"die blue 4": 1})


def test_where_it_cannot_be_read_is_drawn_over_the_picture() -> None:
    scene = Scene((die("blue 4", 150, 120), structs.replace(die("pink 3", 300, 150), tilt=45.0)), "felt")
    seen = eyes().look(picture(TABLE, scene, RIG.camera, "even", Random(7)), only=["tray"])
    drawn = draw(np.zeros((1080, 1920, 3), np.uint8), TABLE, seen.plane, seen.reading)
    x, y = seen.plane.to_pixels([(300.0, 150.0)])[0].astype(int)
    about = drawn[y - 90 : y + 90, x - 90 : x + 90]
    assert (about == UNREAD).all(axis=2).sum() > 100


def test_nobody_searches_an_empty_tray_for_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_args: object, **_options: object) -> list[object]:
        raise AssertionError("the net was asked")

    monkeypatch.setattr("vision.dice.find", search)
    assert read(Scene((), "felt")).contents == Pieces({})


def test_an_empty_tray_has_no_dice() -> None:
    assert read(Scene((), "felt"), "dim").contents == Pieces({})
