"""The table of the independent bench pictures as a layout, and the folder of those pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vision.layout import from_data

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
TABLES = PHOTOS / "tables" / "dev"

with_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"the photographs are not there: {PHOTOS}")

RAW: dict[str, Any] = {
    "name": "bench table",
    "area": {"width": 900.0, "height": 600.0},
    "markers": {"side": 60.0, "at": {"0": [40, 40], "1": [860, 40], "2": [860, 560], "3": [40, 560]}},
    "pieces": {
        "tile": {"size": [38.0, 38.0], "height": 2.0},
        "die": {"size": [16.0, 16.0], "height": 16.0},
        "figure": {"size": [12.0, 12.0], "height": 14.0},
        "disc": {"size": [12.0, 12.0], "height": 5.0, "round": True},
    },
    "zones": {
        "grid": {
            "kind": "grid",
            "rect": [97.0, 97.0, 373.0, 281.0],
            "columns": 6,
            "rows": 4,
            "names": "r{row}c{column}",
            "holds": "tile",
        },
        "tray": {"kind": "tray", "rect": [440.0, 90.0, 840.0, 270.0], "holds": "tile"},
        "dice": {"kind": "dice", "rect": [440.0, 300.0, 640.0, 420.0], "holds": "die"},
        "slots": {
            "kind": "slots",
            "at": {f"s{n + 1}": [120.0 + 40 * (n % 6), 340.0 + 60 * (n // 6)] for n in range(12)},
            "size": [40.0, 40.0],
            "holds": "figure",
        },
        "track": {
            "kind": "track",
            "at": {str(n): [130.0 + 24 * n, 500.0] for n in range(21)},
            "size": [24.0, 30.0],
            "holds": "disc",
        },
        "dial": {
            "kind": "dial",
            "centre": [760.0, 400.0],
            "radius": 50.0,
            "sectors": [
                {"value": 2, "start": 0.0, "end": 130.0},
                {"value": 3, "start": 130.0, "end": 230.0},
                {"value": 4, "start": 230.0, "end": 310.0},
                {"value": 5, "start": 310.0, "end": 360.0},
            ],
        },
    },
}
LAYOUT = from_data(RAW, "bench table")
