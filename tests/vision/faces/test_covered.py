"""Faces under figures and shadows: the face that explains most of the picture is found."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from companion.kernel.views import Cells, Pointing, View
from vision.accuracy import tables
from vision.faces.covered import Laid
from vision.layout import Box, Grid, Layout, from_data
from vision.picture.table_picture import locate
from vision.rendered import LIGHTS, Camera, Light
from vision.table_reader import TableReader

FACES = ("meadow", "forest", "mountain", "village", "castle", "back")
LAYOUT: Layout = from_data(
    {
        "name": "a land",
        "area": {"width": 600, "height": 400},
        "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
        "pieces": {
            "field": {"size": [28, 28], "height": 2, "labels": list(FACES)},
            "statue": {"size": [9, 9], "height": 15, "labels": ["blue", "yellow", "purple", "grey"]},
        },
        "zones": {
            "land": {"kind": "grid", "rect": [120, 90, 456, 258], "columns": 12, "rows": 6, "holds": "field"},
            "statues": {
                "kind": "grid",
                "rect": [120, 90, 456, 258],
                "columns": 12,
                "rows": 6,
                "holds": "statue",
                "most": 3,
            },
        },
    },
    "land",
)
RIG = tables.Rig(Camera(height_mm=800, tilt_degrees=6, tilt_direction=200, hfov=62, k1=-0.02, roll=0.5), "felt")
STANDING = {"meadow": "grey", "forest": "purple", "mountain": "blue", "village": "yellow x2", "castle": "blue x3"}


@cache
def eyes() -> TableReader:
    return TableReader(LAYOUT, tables.taught(LAYOUT, RIG, "even", Random(5)))


def table(every: int) -> View:
    """Every so many cells of the land have figures on them."""
    land: dict[str, str | None] = {}
    statues: dict[str, str | None] = {}
    for number, cell in enumerate(LAYOUT.zones["land"].places()):  # type: ignore[union-attr]
        land[cell] = FACES[number % len(FACES)]
        statues[cell] = STANDING.get(str(land[cell])) if number % every == 0 else None
    return View({"land": Cells(land), "statues": Cells(statues)})


@cache
def seen(light: Light, seed: int = 8) -> tuple[View, Laid, dict[str, object]]:
    view = table(7)
    _, image = tables.shot(LAYOUT, view, RIG, light, Random(seed))
    sight = locate(image, LAYOUT)
    laid = eyes().kit.prints["land"].look(sight, eyes()._whole(sight, "land"))
    zones = eyes().read(sight)
    return view, laid, {name: zones[name].contents for name in zones}


@pytest.mark.parametrize("light", LIGHTS)
def test_what_lies_under_figures_and_in_shadows_is_told(light: Light) -> None:
    view, laid, _ = seen(light)
    land, statues = view.zones["land"], view.zones["statues"]
    assert isinstance(land, Cells)
    assert isinstance(statues, Cells)
    for cell, one in laid.prints.items():
        assert one.label == land.at[cell] or not one.sure, cell
    alone = [cell for cell, label in statues.at.items() if label is None or " x3" not in label]
    assert all(laid.prints[cell].sure for cell in alone)


@pytest.mark.parametrize("light", LIGHTS)
def test_a_figure_hides_a_large_spot_and_a_shadow_none(light: Light) -> None:
    view, laid, _ = seen(light)
    statues = view.zones["statues"]
    assert isinstance(statues, Cells)
    hidden = {cell: laid.prints[cell].hidden for cell in statues.at}
    footprint = 81.0
    assert max(hidden[cell] for cell, label in statues.at.items() if label is None) < 1.2 * footprint
    assert min(hidden[cell] for cell, label in statues.at.items() if label is not None) > 1.2 * footprint


@pytest.mark.parametrize("light", LIGHTS)
def test_figures_on_tiles_and_the_tiles_beneath_are_read(light: Light) -> None:
    view, _, contents = seen(light)
    for zone in ("land", "statues"):
        should, read = view.zones[zone], contents[zone]
        assert isinstance(should, Cells)
        assert isinstance(read, Cells)
        astray = {cell: read.at[cell] for cell, label in should.at.items() if read.at[cell] != label}
        assert set(astray.values()) <= {"unknown"}, astray
        assert len(astray) <= 2, astray


def test_the_ground_is_painted_as_it_lies_there() -> None:
    view = table(1000)  # the first cell only
    _, image = tables.shot(LAYOUT, view, RIG, "even", Random(4))
    sight = locate(image, LAYOUT)
    laid = eyes().kit.prints["land"].look(sight, eyes()._whole(sight, "land"))
    zone = LAYOUT.zones["land"]
    assert isinstance(zone, Grid)
    painted, real = laid.ground.picture(), sight.patch(zone.area(), 4 / 3)
    rows, columns = painted.shape[:2]
    apart = np.abs(painted - real[:rows, :columns])[8:-8, 60:-8]
    assert float(np.median(apart)) < 0.05
    assert float(apart.mean()) < 0.08


def test_a_face_nobody_taught_is_not_named() -> None:
    prints = eyes().kit.prints["land"]
    view = View({**table(1000).zones, "disc": Pointing(None)})
    _, image = tables.shot(LAYOUT, view, RIG, "even", Random(4))
    stranger = image.copy()
    sight = locate(image, LAYOUT)
    box: Box = LAYOUT.zones["land"].places()["F3"]  # type: ignore[union-attr]
    x, y = (int(v) for v in sight.plane.to_pixels([box.centre])[0])
    stranger[y - 40 : y + 40, x - 40 : x + 40] = np.random.default_rng(1).integers(0, 255, (80, 80, 3))
    strange = locate(stranger, LAYOUT)
    assert not prints.look(strange, eyes()._whole(strange, "land")).prints["F3"].sure
