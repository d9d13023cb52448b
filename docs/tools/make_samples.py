"""Renders the sample pictures of docs/samples: a small table, the lesson its kit is taught from, and dice.

.venv/bin/python docs/tools/make_samples.py
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from typing import Final

import cv2
import msgspec

from companion.kernel.views import Cells, Pieces, View
from vision import layout as layouts
from vision.accuracy import tables
from vision.kit import store
from vision.kit.teaching_tables import everything
from vision.plane.plane import Image
from vision.rendered import Camera, picture, scene_of

SAMPLES: Final = Path(__file__).parents[1] / "samples"
CAMERA: Final = Camera(height_mm=470, tilt_degrees=6, hfov=62)
SHOWN: Final = View(
    {
        "board": Cells(
            {"A1": "bread2", "B1": "tool1", "D1": "marble1", "A2": "tool2", "C2": "bread1", "D3": "marble2"}
        ),
        "camp": Cells({"A": "purple", "C": "blue"}),
        "dice": Pieces({"die white 3": 1, "die white 5": 1, "die blue 6": 1, "die red 1": 1}),
    }
)
DICE: Final = {"die white 1": 1, "die white 4": 1, "die red 2": 1, "die red 6": 1, "die blue 3": 1, "die blue 5": 1}


def main() -> None:
    table = layouts.load(SAMPLES / "table.toml")
    rng = Random(3)
    rig = tables.Rig(CAMERA, "wood")
    (view,) = everything(table)
    scene, image = tables.shot(table, view, rig, "even", rng)
    lesson = _write("lesson.jpg", image)
    truth = tables.taught_truth(table, scene, view)
    (SAMPLES / "lesson.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(SAMPLES / "kit", ignore_errors=True)
    store.teach(SAMPLES / "kit", table, lesson, truth)
    scene, image = tables.shot(table, SHOWN, rig, "warm", rng)
    _write("table.jpg", image)
    shown = tables.truth_of(table, scene, SHOWN)
    (SAMPLES / "table.json").write_text(json.dumps(shown, indent=1) + "\n", encoding="utf-8")
    _dice(table, rng)


def _dice(table: layouts.Layout, rng: Random) -> None:
    """The dice alone, seen from nearer."""
    near = msgspec.structs.replace(CAMERA, height_mm=300)
    scene = scene_of(table, View({"dice": Pieces(DICE)}), rng, table_top="felt")
    image = picture(table, scene, near, "even", rng)
    plane = near.plane(table.area, (image.shape[1], image.shape[0]))
    (left, top), (right, bottom) = plane.to_pixels([(262, 60), (402, 210)])
    _write("dice.jpg", image[int(top) : int(bottom), int(left) : int(right)])


def _write(name: str, image: Image) -> Path:
    cv2.imwrite(str(SAMPLES / name), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return SAMPLES / name


if __name__ == "__main__":
    main()
