"""A table for these tests, drawn by the rendered camera: ten places and wooden figures in several colours."""

from __future__ import annotations

from random import Random

from companion.kernel.views import Cells, View
from vision import layout as layouts
from vision.figures import Figures
from vision.layout import Box, Layout, Slots
from vision.picture.table_picture import TablePicture, locate
from vision.rendered import Camera, Hand, Light, picture, scene_of

PLACES = tuple(f"p{number}" for number in range(1, 11))
COLOURS = ("red", "blue", "yellow", "black")
SHAPES = ("pawn", "cube")
LABELS = tuple(f"{colour}_{shape}" for colour in COLOURS for shape in SHAPES)

LAYOUT: Layout = layouts.from_data(
    {
        "name": "Ten places",
        "area": {"width": 500.0, "height": 320.0},
        "markers": {"side": 40.0, "at": {"0": [30, 30], "1": [470, 30], "2": [470, 290], "3": [30, 290]}},
        "pieces": {"figure": {"size": [12.0, 12.0]}},
        "zones": {
            "slots": {
                "kind": "slots",
                "at": {name: [110 + number % 5 * 70, 120 + number // 5 * 80] for number, name in enumerate(PLACES)},
                "size": [40.0, 40.0],
                "holds": "figure",
            }
        },
    },
    "ten places",
)
CAMERA = Camera(height_mm=620.0, tilt_degrees=9.0, tilt_direction=70.0, hfov=62.0)


def places() -> dict[str, Box]:
    zone = LAYOUT.zones["slots"]
    assert isinstance(zone, Slots)
    return zone.places()


def seen(at: dict[str, str | None], seed: int, light: Light = "even", hands: tuple[Hand, ...] = ()) -> TablePicture:
    """A located picture of the table with these figures on it."""
    rng = Random(seed)
    scene = scene_of(LAYOUT, View({"slots": Cells(at)}), rng, table_top="wood")
    return locate(picture(LAYOUT, scene, CAMERA, light, rng, hands=hands), LAYOUT)


def taught(light: Light = "even") -> Figures:
    """Everything shown once, in one picture; two places stay empty."""
    figures = Figures(LAYOUT.pieces["figure"])
    at: dict[str, str | None] = {**dict.fromkeys(PLACES), **dict(zip(PLACES, LABELS, strict=False))}
    sight = seen(at, 1, light)
    for place, label in at.items():
        if label is None:
            figures.learn_ground(sight, places()[place])
        else:
            figures.learn(sight, places()[place], label)
    return figures
