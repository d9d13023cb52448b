"""What all sheets share: paper, markers drawn as vectors, and the ruler that shows whether the printer scaled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.sheets import pdf
from vision.sheets.words import Language, say

PAPERS: Final[dict[str, tuple[float, float]]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
}
MARGIN: Final = 12.0
RULER_MM: Final = 100.0


class SheetError(Exception):
    """A sheet that cannot be printed as asked; the message is a sentence for a person."""


def paper_size(paper: str) -> tuple[float, float]:
    for name, size in PAPERS.items():
        if name.lower() == paper.strip().lower():
            return size
    raise SheetError(f"There is no paper called {paper!r}; choose from {', '.join(PAPERS)}.")


def bits(dictionary: str, number: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """A marker's modules with its black border, True where it is white."""
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
    """A marker with its top left corner at (x, y): a black square, and its white modules in runs over it."""
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
    """Exactly 100 mm, to be compared with a real ruler."""
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
