"""Paper sizes, markers and a ruler on a page, and the words of all sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np

from vision.sheets import pdf

Language = Literal["de", "en"]

WORDS: Final[dict[str, dict[Language, str]]] = {
    "markers.title": {"de": "Marker für {name}", "en": "Markers for {name}"},
    "markers.print": {
        "de": "1. In Originalgröße drucken (100 %, ohne Anpassen) und unten nachmessen.",
        "en": "1. Print in actual size (100 %, no fitting to the page) and check the ruler below.",
    },
    "markers.cut": {
        "de": "2. An den gestrichelten Linien ausschneiden; der weiße Rand bleibt stehen.",
        "en": "2. Cut along the dashed lines; keep the white border.",
    },
    "markers.lay": {
        "de": "3. Flach aufkleben wie gezeichnet, das Dreieck zum oberen Tischrand.",
        "en": "3. Stick down flat as drawn, the triangle towards the top of the table.",
    },
    "markers.measured": {
        "de": "Gemessen wird jeweils zur Mitte des Markers; die kleinen Striche zeigen auf sie.",
        "en": "Measure to the middle of each marker; the small ticks point to it.",
    },
    "table.top": {"de": "oben", "en": "top"},
    "table.size": {"de": "{width} × {height} mm", "en": "{width} × {height} mm"},
    "from.left": {"de": "{mm} mm von links", "en": "{mm} mm from the left"},
    "from.right": {"de": "{mm} mm von rechts", "en": "{mm} mm from the right"},
    "from.top": {"de": "{mm} mm von oben", "en": "{mm} mm from the top"},
    "from.bottom": {"de": "{mm} mm von unten", "en": "{mm} mm from the bottom"},
    "beyond.left": {"de": "{mm} mm links daneben", "en": "{mm} mm off the left"},
    "beyond.right": {"de": "{mm} mm rechts daneben", "en": "{mm} mm off the right"},
    "beyond.top": {"de": "{mm} mm darüber", "en": "{mm} mm above"},
    "beyond.bottom": {"de": "{mm} mm darunter", "en": "{mm} mm below"},
    "place.top.left": {"de": "oben links", "en": "top left"},
    "place.top.middle": {"de": "oben Mitte", "en": "top middle"},
    "place.top.right": {"de": "oben rechts", "en": "top right"},
    "place.middle.left": {"de": "links Mitte", "en": "left middle"},
    "place.middle.middle": {"de": "Mitte", "en": "middle"},
    "place.middle.right": {"de": "rechts Mitte", "en": "right middle"},
    "place.bottom.left": {"de": "unten links", "en": "bottom left"},
    "place.bottom.middle": {"de": "unten Mitte", "en": "bottom middle"},
    "place.bottom.right": {"de": "unten rechts", "en": "bottom right"},
    "ruler": {"de": "Nachmessen: genau 100 mm", "en": "Check me: exactly 100 mm"},
    "page": {"de": "Seite {page} von {pages}", "en": "Page {page} of {pages}"},
    "charuco.title": {"de": "Linsenblatt", "en": "Lens sheet"},
    "charuco.how": {
        "de": "Flach auf Karton kleben. Zehn scharfe Bilder aus verschiedenen Winkeln, auch in den Bildecken.",
        "en": "Stick flat on cardboard. Ten sharp pictures from different angles, also in the picture's corners.",
    },
    "mat.how": {
        "de": "Auf jedes Feld das genannte Teil legen, dann ein Bild von oben; alle Marker müssen zu sehen sein.",
        "en": "Lay the named piece on each field, then take one picture from above with all markers in view.",
    },
}


def say(key: str, language: Language, **facts: object) -> str:
    """A sentence of the sheets."""
    return WORDS[key][language].format(**facts)


PAPERS: Final[dict[str, tuple[float, float]]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
}
MARGIN: Final = 12.0
RULER_MM: Final = 100.0


class SheetError(Exception):
    """A sheet that cannot be printed like this; the message is a sentence for a person."""


def paper_size(paper: str) -> tuple[float, float]:
    for name, size in PAPERS.items():
        if name.lower() == paper.strip().lower():
            return size
    raise SheetError(f"There is no paper called {paper!r}; choose from {', '.join(PAPERS)}.")


def bits(dictionary: str, number: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """A marker's modules including its black border; True is white."""
    known = getattr(cv2.aruco, f"DICT_{dictionary.removeprefix('DICT_').upper()}", None)
    if known is None:
        raise SheetError(f"There is no marker dictionary called {dictionary!r}; 4X4_50 is the usual one.")
    markers = cv2.aruco.getPredefinedDictionary(known)
    if not 0 <= number < len(markers.bytesList):
        raise SheetError(
            f"The dictionary {dictionary} has no marker {number}; it ends at {len(markers.bytesList) - 1}."
        )
    return np.asarray(markers.generateImageMarker(number, markers.markerSize + 2) > 127)


def draw_marker(page: pdf.Page, dictionary: str, number: int, x: float, y: float, side: float) -> None:
    """Draw a marker with its top left corner at (x, y): a black square with runs of white modules on it."""
    modules = bits(dictionary, number)
    step = side / len(modules)
    page.rect(x, y, side, side)
    page.rects(
        ((x + start * step, y + row * step, length * step, step) for row, start, length in _runs(modules)), fill=1.0
    )


def _runs(modules: np.ndarray[Any, np.dtype[np.bool_]]) -> list[tuple[int, int, int]]:
    runs: list[tuple[int, int, int]] = []
    for row, line in enumerate(modules):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        runs += [(row, int(start), int(end - start)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return runs


def draw_ruler(page: pdf.Page, x: float, y: float, language: Language) -> None:
    """Draw a ruler of exactly 100 mm, to check the size of the print."""
    page.line((x, y), (x + RULER_MM, y), width=0.3)
    for mm in range(int(RULER_MM) + 1):
        tick = 4.0 if mm % 10 == 0 else 2.8 if mm % 5 == 0 else 1.6
        page.line((x + mm, y), (x + mm, y - tick), width=0.25 if mm % 10 == 0 else 0.12)
    for mm in range(0, int(RULER_MM) + 1, 10):
        page.text(x + mm, y - 5, str(mm), 6, "centre", colour=0.25)
    page.text(x + RULER_MM / 2, y + 4, say("ruler", language), 8, "centre", bold=True)


def save(path: Path, pages: Sequence[pdf.Page], title: str) -> None:
    try:
        pdf.write(path, pages, title)
    except OSError as error:
        raise SheetError(f"The sheet cannot be written to {path}: {error}.") from error
