"""Tables with many areas with figures of one family, and a camera above them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vision.accuracy import tables
from vision.layout import Layout, from_data
from vision.rendered import Camera

RIG: Final = tables.Rig(Camera(height_mm=1050, tilt_degrees=8, tilt_direction=60, hfov=65, k1=-0.02, roll=1.0), "wood")


def pools(
    looks: Mapping[str, str], edge: int, height: int, area: tuple[int, int], places: list[tuple[int, int]]
) -> Layout:
    """A table with a pool of this size (width, height) at each of these places, by its top left corner."""
    wide, tall = area
    return from_data(
        {
            "name": "pools",
            "area": {"width": 1000, "height": 600},
            "picture": [2300, 1380],
            "markers": {"side": 50, "at": {"0": [36, 36], "1": [964, 36], "2": [964, 564], "3": [36, 564]}},
            "pieces": {"figure": {"size": [edge, edge], "height": height, "labels": list(looks), "looks": dict(looks)}},
            "zones": {
                f"pool {number}": {"kind": "pool", "rect": [x, y, x + wide, y + tall], "holds": "figure"}
                for number, (x, y) in enumerate(places)
            },
        },
        "pools",
    )
