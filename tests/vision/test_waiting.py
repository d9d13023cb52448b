"""Houses and pillars of one colour that wait side by side, on a mat of that colour."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from companion.kernel.views import Pieces
from vision.accuracy.tables import Rig, taught
from vision.layout import from_data
from vision.rendered import Camera, Piece, Scene, picture
from vision.table_reader import TableReader

STOCK = "stock green"
TABLE = from_data(
    {
        "name": "What is left to build",
        "area": {"width": 1000, "height": 560},
        "picture": [2560, 1440],
        "markers": {"side": 50, "at": {"0": [36, 36], "1": [964, 36], "2": [964, 524], "3": [36, 524]}},
        "pieces": {
            "waiting": {
                "size": [16, 16],
                "height": 18,
                "labels": ["green house", "green pillar"],
                "looks": {"green pillar": "green statue"},
            }
        },
        "zones": {STOCK: {"kind": "pool", "rect": [860, 80, 960, 460], "holds": "waiting"}},
    },
    "a test",
)
RIG = Rig(Camera(height_mm=900, tilt_degrees=4, hfov=64), "wood")


@cache
def reader() -> TableReader:
    return TableReader(TABLE, taught(TABLE, RIG, "even", Random(2)))


@pytest.mark.parametrize("apart", [(0, 23), (20, 4), (14, 15), (16, 15)])
def test_two_that_stand_close_together_do_not_hide_each_other(apart: tuple[float, float]) -> None:
    pieces = [
        Piece("green pillar", x + aside, y + down, 30.0, STOCK)
        for x, y in ((885, 120), (900, 260), (890, 400))
        for aside, down in ((0, 0), apart)
    ]
    seen = reader().look(picture(TABLE, Scene(tuple(pieces), "wood"), RIG.camera, "even", Random(5)))
    assert seen.reading.zones[STOCK].contents == Pieces({"green pillar": 6})
