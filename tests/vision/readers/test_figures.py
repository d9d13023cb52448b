"""Standing pieces: on named places, several on one, loose in a rack, and on tiles that are read beneath them."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.kernel.messages import ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Pieces, View
from vision.accuracy import tables
from vision.layout import Layout, LayoutError, Slots, from_data
from vision.picture.background import Ground
from vision.picture.table_picture import locate
from vision.readers import figures
from vision.readers.figures import named
from vision.rendered import Camera, Hand, picture, scene_of
from vision.table_reader import TableReader

RAW = {
    "name": "a small land",
    "area": {"width": 600, "height": 400},
    "markers": {"side": 40, "at": {"0": [30, 30], "1": [570, 30], "2": [570, 370], "3": [30, 370]}},
    "pieces": {
        "field": {"size": [28, 28], "height": 2, "labels": ["meadow", "forest", "mountain", "village"]},
        "statue": {"size": [9, 9], "height": 15, "labels": ["blue", "yellow", "purple"]},
    },
    "zones": {
        "land": {"kind": "grid", "rect": [90, 90, 258, 258], "columns": 6, "rows": 6, "holds": "field"},
        "statues": {"kind": "grid", "rect": [90, 90, 258, 258], "columns": 6, "rows": 6, "holds": "statue"},
        "years": {
            "kind": "slots",
            "size": [34, 38],
            "at": {str(year): [330 + 36 * year, 120] for year in range(6)},
            "holds": "statue",
        },
        "rack": {"kind": "pool", "rect": [320, 180, 510, 300], "holds": "statue", "labels": ["blue"]},
    },
}
LAYOUT: Layout = from_data(RAW, "land")
RIG = tables.Rig(Camera(height_mm=650, tilt_degrees=8, tilt_direction=60, hfov=62, k1=-0.02, roll=1.0), "wood")

BENEATH = {"B2": "blue", "D4": "yellow", "E6": "purple"}


@cache
def eyes() -> TableReader:
    return TableReader(LAYOUT, tables.taught(LAYOUT, RIG, "even", Random(2)))


def table() -> View:
    land: dict[str, str | None] = {
        cell: ("meadow", "forest", "mountain", "village")[number % 4]
        for number, cell in enumerate(LAYOUT.zones["land"].places())  # type: ignore[union-attr]
    }
    statues: dict[str, str | None] = dict.fromkeys(land)
    statues |= BENEATH
    years: dict[str, str | None] = {"0": "blue", "1": None, "2": "yellow x2", "3": None, "4": "purple", "5": None}
    zones = {"land": Cells(land), "statues": Cells(statues), "years": Cells(years), "rack": Pieces({"blue": 9})}
    return View(zones)  # type: ignore[arg-type]


def read(light: str = "even", seed: int = 3, hands: tuple[Hand, ...] = ()) -> dict[str, ZoneReading]:
    rng = Random(seed)
    scene = scene_of(LAYOUT, table(), rng, table_top="wood")
    return eyes().look(picture(LAYOUT, scene, RIG.camera, light, rng, hands)).reading.zones  # type: ignore[arg-type]


def astray(seen: ZoneReading, should: object) -> dict[str, str | None]:
    """The places that were not read as they are."""
    assert isinstance(seen.contents, Cells)
    assert isinstance(should, Cells)
    return {cell: seen.contents.at[cell] for cell, label in should.at.items() if seen.contents.at[cell] != label}


@pytest.mark.parametrize("light", ["even", "warm"])
def test_figures_are_read_wherever_they_stand(light: str) -> None:
    seen, should = read(light), table().zones
    assert astray(seen["years"], should["years"]) == {}
    assert seen["rack"].contents == should["rack"]
    unread = astray(seen["statues"], should["statues"])
    assert set(unread.values()) <= {UNKNOWN}
    assert len(unread) <= 2
    assert not unread.keys() & BENEATH


def test_the_tile_beneath_a_figure_is_right_or_unknown_and_the_others_are_read() -> None:
    unread = astray(read()["land"], table().zones["land"])
    assert set(unread.values()) <= {UNKNOWN}
    assert len(unread.keys() - BENEATH) <= 1


def test_a_hand_over_a_rack_makes_it_unknown() -> None:
    assert read(hands=(Hand("bottom", (415.0, 240.0)),))["rack"].contents is None


def test_what_a_hand_covers_is_not_called_empty() -> None:
    years = read(hands=(Hand("bottom", (402.0, 118.0)),))["years"]
    assert isinstance(years.contents, Cells)
    assert years.contents.at["2"] == UNKNOWN, "two yellow ones stand there"


def test_a_lamp_that_flickers_lays_nothing_on_the_table() -> None:
    rng = Random(3)
    scene = scene_of(LAYOUT, table(), rng, table_top="wood")
    image = picture(LAYOUT, scene, RIG.camera, "dim", rng)
    sight = locate(image, LAYOUT)
    (left, top), (right, bottom) = sight.plane.to_pixels([(300.0, 75.0), (540.0, 165.0)]).astype(int)
    brighter = image.copy()
    brighter[top:bottom, left:right] = np.clip(image[top:bottom, left:right] * 1.27, 0, 255)
    seen = eyes().look(brighter).reading.zones["years"]
    assert astray(seen, table().zones["years"]) == {}


def test_ground_that_nobody_ever_saw_is_no_evidence() -> None:
    rng = Random(3)
    image = picture(LAYOUT, scene_of(LAYOUT, table(), rng, table_top="wood"), RIG.camera, "even", rng)
    area, ground = LAYOUT.zones["rack"].area(), deepcopy(eyes().kit.grounds["rack"])
    painted, holes = ground.picture(), ground.holes()
    painted[20:44, 20:44] = (0.05, 0.6, 0.05)
    hidden = []
    for never_seen in (0, 1):
        holes[20:44, 20:44] = never_seen
        [finds] = eyes().kit.figures["statue"].find(locate(image, LAYOUT), [area], [ground])
        hidden.append(finds.hidden(area))
    assert hidden == [True, False]


def test_a_place_whose_print_is_gone_is_not_called_empty() -> None:
    rng = Random(3)
    image = picture(LAYOUT, scene_of(LAYOUT, table(), rng, table_top="wood"), RIG.camera, "even", rng)
    zone, plain = LAYOUT.zones["years"], eyes().kit.grounds["years"]
    assert isinstance(zone, Slots)
    # Lines so fine and faint that a palm of the ground's colour differs from them by its smoothness alone.
    lines = np.where(np.arange(plain.shape[1]) % 6 < 3, 1.15, 1 / 1.15)[None, :, None]
    printed = Ground(plain.box)
    printed.take((plain.picture() * lines).astype(np.float32))
    known, unread = eyes().kit.figures["statue"], []
    for ground in (plain, printed):
        [seen] = figures.read(locate(image, LAYOUT), {"years": zone}, known, {"years": ground}, {}, {}).values()
        unread.append(astray(seen, table().zones["years"]))
    assert unread == [{}, dict.fromkeys(("1", "3", "5"), UNKNOWN)]


def test_several_on_one_place_are_named_together() -> None:
    assert named(Counter()) is None
    assert named(Counter(["blue"])) == "blue"
    assert named(Counter(["red", "blue", "blue"])) == "blue x2 + red"


def test_a_zone_may_name_only_pieces_of_its_family() -> None:
    zones = {**RAW["zones"], "rack": {**RAW["zones"]["rack"], "labels": ["pink"]}}  # type: ignore[dict-item, index]
    with pytest.raises(LayoutError, match="zone 'rack' names pieces that 'statue' does not have: pink"):
        from_data({**RAW, "zones": zones}, "land")


def test_a_place_cannot_hold_fewer_pieces_than_none() -> None:
    zones = {**RAW["zones"], "statues": {**RAW["zones"]["statues"], "most": -1}}  # type: ignore[dict-item, index]
    with pytest.raises(LayoutError, match="zone 'statues' cannot hold at most -1 pieces on a place"):
        from_data({**RAW, "zones": zones}, "land")
