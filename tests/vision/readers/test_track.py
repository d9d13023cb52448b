"""Markers on a track: each is found on its field, partly hidden ones too, and none is invented."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from random import Random

import msgspec
import pytest

from companion.kernel.views import Marks, Pieces, View
from vision.accuracy import tables
from vision.kit.teaching_tables import bare
from vision.layout import Layout, from_data
from vision.rendered import LIGHTS, Camera, Light, Scene, picture, scene_of
from vision.table_reader import TableReader

DISC_MM = 12.0
LAYOUT: Layout = from_data(
    {
        "name": "a score track",
        "area": {"width": 600, "height": 400},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
        "pieces": {
            "disc": {
                "size": [DISC_MM, DISC_MM],
                "height": 5,
                "round": True,
                "labels": ["red", "blue", "yellow", "purple"],
            }
        },
        "zones": {
            "score": {
                "kind": "track",
                "at": {str(n): [120 + 28 * n, 280] for n in range(14)},
                "size": [26, 30],
                "holds": "disc",
            }
        },
    },
    "a score track",
)
RIG = tables.Rig(Camera(height_mm=700, tilt_degrees=6, tilt_direction=60, hfov=62, k1=-0.02, roll=1.0), "wood")


@cache
def eyes() -> TableReader:
    return TableReader(LAYOUT, tables.taught(LAYOUT, RIG, "even", Random(2)))


def laid(field: dict[str, int], seed: int) -> Scene:
    return scene_of(LAYOUT, View({"score": Marks(field)}), Random(seed), table_top=RIG.table_top)


def put_on(scene: Scene, upper: str, lower: str, aside: tuple[float, float]) -> Scene:
    """Lift a disc onto another, so many millimetres beside its middle."""
    below = next(piece for piece in scene.pieces if piece.label == lower)
    x, y = below.x + aside[0], below.y + aside[1]
    return msgspec.structs.replace(
        scene,
        pieces=tuple(
            msgspec.structs.replace(piece, x=x, y=y, lift=5.0, cell=below.cell) if piece.label == upper else piece
            for piece in scene.pieces
        ),
    )


def read(scene: Scene, seed: int, light: Light = "even") -> dict[str, int]:
    contents = eyes().look(picture(LAYOUT, scene, RIG.camera, light, Random(seed))).reading.zones["score"].contents
    assert isinstance(contents, Marks)
    return contents.field


def any_fields(seed: int) -> dict[str, int]:
    rng = Random(seed)
    return dict(zip(LAYOUT.pieces["disc"].labels, rng.sample(range(14), 4), strict=True))


@pytest.mark.parametrize("seed", range(40, 46))
def test_a_disc_under_another_is_told_by_what_shows_of_it(seed: int) -> None:
    fields = any_fields(seed)
    upper, lower = Random(seed).sample(sorted(fields), 2)
    around = math.radians(seed * 60)
    aside = (0.33 * DISC_MM * math.cos(around), 0.33 * DISC_MM * math.sin(around))
    seen = read(put_on(laid(fields, seed), upper, lower, aside), seed)
    assert seen == {**fields, upper: fields[lower]}


def test_a_disc_that_another_hides_is_nowhere() -> None:
    """Fields near the camera's own foot, where a disc hides all that is under it."""
    fields = {"red": 2, "blue": 7, "yellow": 7, "purple": 11}
    seen = read(put_on(laid(fields, 50), "yellow", "blue", (0.0, 0.0)), 50)
    assert seen == {"red": 2, "yellow": 7, "purple": 11}


@pytest.mark.parametrize(
    "seeds", [(60, 61), pytest.param(range(62, 70), marks=pytest.mark.proof)], ids=["two", "eight"]
)
@pytest.mark.parametrize("light", LIGHTS)
def test_a_disc_that_is_not_there_is_not_made_up_from_the_edges_of_others(light: Light, seeds: Sequence[int]) -> None:
    for seed in seeds:
        fields = any_fields(seed)
        for absent in fields:
            there = {colour: field for colour, field in fields.items() if colour != absent}
            assert absent not in read(laid(there, seed), seed, light)


def test_with_two_discs_missing_nobody_says_whose_sliver_it_is() -> None:
    fields = {"red": 3, "purple": 9, "blue": 1, "yellow": 12}
    assert read(put_on(laid(fields, 71), "red", "purple", (2.0, 0.0)), 71) == {**fields, "red": 9}
    del fields["blue"], fields["yellow"]
    assert read(put_on(laid(fields, 71), "red", "purple", (2.0, 0.0)), 71) == {"red": 9}


ROUND_A_BOARD: Layout = from_data(
    {
        "name": "a track around a board",
        "area": {"width": 600, "height": 400},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
        "pieces": {
            "disc": {"size": [8, 8], "height": 5, "round": True, "labels": ["red", "blue", "yellow", "green"]},
            "house": {"size": [10, 10], "height": 12, "labels": ["red", "blue", "yellow", "green"]},
        },
        "zones": {
            "score": {
                "kind": "track",
                "path": [[0, 120, 80], [18, 480, 80], [30, 480, 320], [48, 120, 320], [60, 120, 80]],
                "size": [19, 19],
                "holds": "disc",
            },
            "city": {"kind": "pool", "rect": [200, 140, 400, 260], "holds": "house"},
        },
    },
    "a track around a board",
)


@cache
def eyes_on_a_board() -> TableReader:
    return TableReader(ROUND_A_BOARD, tables.taught(ROUND_A_BOARD, RIG, "warm", Random(3), [bare(ROUND_A_BOARD)]))


@pytest.mark.parametrize("light", LIGHTS)
def test_what_stands_inside_a_track_is_no_marker_on_it(light: Light) -> None:
    rng = Random(f"board {light}")
    fields = dict(zip(("red", "blue", "yellow"), rng.sample(range(60), 3), strict=True))
    houses = Pieces({"red": 2, "blue": 1, "green": 3})
    view = View({"score": Marks(fields), "city": houses})
    _, image = tables.shot(ROUND_A_BOARD, view, RIG, light, rng)
    seen = eyes_on_a_board().look(image).reading.zones
    assert seen["score"].contents == Marks(fields)
    assert seen["city"].contents == houses


def test_small_discs_are_learnt_though_their_blurred_edges_make_them_look_larger() -> None:
    assert set(eyes_on_a_board().kit.colours["score"].means()[0]) == {"red", "blue", "yellow", "green"}
