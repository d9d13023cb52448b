"""Dice on a table whose colours were taught: greys told apart, doubts told with their place."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from companion.messages import UNKNOWN, Pieces, View, ZoneReading
from vision.accuracy import Rig, taught
from vision.eyes import Eyes
from vision.layout import from_data
from vision.rendered import LIGHTS, Camera, Light, Piece, Scene, picture, scene_of

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
def eyes() -> Eyes:
    return Eyes(TABLE, taught(TABLE, RIG, "even", Random(2)))


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


def test_a_thing_among_the_dice_that_is_none_is_told_with_its_place() -> None:
    thing = Piece("green cube", 330, 150, 0.0, "beside")
    seen = read(Scene((die("blue 4", 150, 120), thing), "felt"))
    assert seen.contents is None
    (strange,) = [one for one in seen.found if one.label == UNKNOWN]
    assert abs(strange.x - 330) < 10
    assert abs(strange.y - 150) < 10


def test_nobody_searches_an_empty_tray_for_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_args: object, **_options: object) -> list[object]:
        raise AssertionError("the net was asked")

    monkeypatch.setattr("vision.dice.find", search)
    assert read(Scene((), "felt")).contents == Pieces({})


def test_an_empty_tray_has_no_dice() -> None:
    assert read(Scene((), "felt"), "dim").contents == Pieces({})
