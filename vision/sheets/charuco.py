"""The ChArUco sheet, photographed from several sides to find the camera's lens (see `vision.plane.lens`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.plane.lens import DICTIONARY, MARKER_MM, SQUARE_MM, SQUARES, board
from vision.sheets.paper import MARGIN, RULER_MM, draw_marker, draw_ruler, paper_size, save
from vision.sheets.pdf import Page
from vision.sheets.words import Language, say

TOP: Final = 25.0


def charuco_sheet(path: Path, paper: str = "A4", language: Language = "de") -> None:
    """Print the sheet in true size on one page."""
    width, height = paper_size(paper)
    page = Page(width, height)
    page.text(MARGIN, 14, say("charuco.title", language), 15, bold=True)
    page.text(MARGIN, 20, say("charuco.how", language), 8.5, colour=0.35)
    left = (width - SQUARES[0] * SQUARE_MM) / 2
    centres = {}
    for number, corners in zip(board().getIds().ravel(), board().getObjPoints(), strict=True):
        centres[int(number)] = float(corners[:, 0].mean()), float(corners[:, 1].mean())
    white = {(int(x // SQUARE_MM), int(y // SQUARE_MM)) for x, y in centres.values()}
    page.rects(
        (left + column * SQUARE_MM, TOP + row * SQUARE_MM, SQUARE_MM, SQUARE_MM)
        for row in range(SQUARES[1])
        for column in range(SQUARES[0])
        if (column, row) not in white
    )
    for number, (x, y) in centres.items():
        draw_marker(page, DICTIONARY, number, left + x - MARKER_MM / 2, TOP + y - MARKER_MM / 2, MARKER_MM)
    draw_ruler(page, (width - RULER_MM) / 2, height - 11, language)
    save(path, [page], say("charuco.title", language))
