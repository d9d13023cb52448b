"""Teaching mats: sheets with a labelled field for each piece, so that no labels have to be typed.

A mat has its own markers in the corners (40 to 43) and two that identify its page (44 to 49). Its layout is the paper
itself, in millimetres from its top left corner, so a photograph of the filled mat can be read like a table, and its
truth is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path
from typing import Final

import msgspec

from vision.cameras.camera import Image
from vision.layout import Area, Layout, Markers, Piece, Point, Slots, Zone
from vision.plane.plane import find_markers
from vision.sheets.paper import (
    RULER_MM,
    Language,
    SheetError,
    draw_marker,
    draw_ruler,
    paper_size,
    save,
    say,
)
from vision.sheets.pdf import Page, fitting, text_width

DICTIONARY: Final = "4X4_50"
CORNERS: Final = (40, 41, 42, 43)
"""Top left, top right, bottom right, bottom left."""
PAGE_PAIRS: Final = tuple(permutations(range(44, 50), 2))
"""The markers at the top and at the bottom of each page. There are thirty pairs, so at most thirty pages."""

SIDE: Final = 20.0
EDGE: Final = 10.0
BETWEEN: Final = 12.0
BAND: Final = EDGE + SIDE + 8.0
GAP: Final = 3.0
"""Millimetres of white between a piece and the marks of its field. The reader needs white around the piece."""
LABEL: Final = 7.0
APART: Final = 4.0
ROWS_APART: Final = 7.0


class MatPiece(msgspec.Struct, frozen=True):
    """A piece to teach: its label, its size from above in millimetres, and its family."""

    label: str
    size: Point
    family: str = ""
    height: float = 0.0
    round: bool = False
    says: str = ""
    """What is printed under the field instead of the label."""


class Field(msgspec.Struct, frozen=True):
    """A field on a page: its zone and name, its piece, and its centre."""

    zone: str
    name: str
    piece: MatPiece
    centre: Point


LabelsWithSizes = Mapping[str, Point] | Iterable[MatPiece]


def teaching_mat(
    labels_with_sizes: LabelsWithSizes, path: Path, title: str, paper: str = "A4", language: Language = "de"
) -> int:
    """Print the mats for these pieces. Returns the number of pages."""
    size = paper_size(paper)
    pages = mat_pages(labels_with_sizes, paper)
    drawn = []
    for number, fields in enumerate(pages, 1):
        page = Page(*size)
        _markers(page, number)
        left, right = EDGE + SIDE + 5, size[0] - EDGE - 2 * SIDE - BETWEEN - 5
        text, points = fitting(title, right - left, 16, 8, bold=True)
        page.text(left, EDGE + 7, text, points, bold=True)
        page.text(left, EDGE + 13, say("page", language, page=number, pages=len(pages)), 8.5, colour=0.35)
        how = say("mat.how", language)
        for line, words in enumerate(_wrapped(how, right - left, 6.5)):
            page.text(left, EDGE + 17 + 2.7 * line, words, 6.5, colour=0.35)
        for field in fields:
            _draw_field(page, field)
        draw_ruler(page, left + (right - left - RULER_MM) / 2, size[1] - EDGE - 7, language)
        drawn.append(page)
    save(path, drawn, title)
    return len(drawn)


def mat_pages(labels_with_sizes: LabelsWithSizes, paper: str = "A4") -> list[tuple[Field, ...]]:
    """The fields of each page, filled row by row."""
    width, height = paper_size(paper)
    pages: list[list[Field]] = [[]]
    counts: dict[str, int] = {}
    x, y, row_tall = EDGE, BAND, 0.0
    for piece in _pieces(labels_with_sizes):
        wide, tall = piece.size[0] + 2 * GAP, piece.size[1] + 2 * GAP + LABEL
        if wide > width - 2 * EDGE or tall > height - 2 * BAND:
            raise SheetError(f"{piece.label!r} ({_by(piece.size)} mm) does not fit on a mat of {paper} paper.")
        if x + wide > width - EDGE + 1e-6:
            x, y, row_tall = EDGE, y + row_tall + ROWS_APART, 0.0
        if y + tall > height - BAND + 1e-6:
            pages.append([])
            counts.clear()
            x, y, row_tall = EDGE, BAND, 0.0
        zone = _family(piece)
        counts[zone] = counts.get(zone, 0) + 1
        centre = x + wide / 2, y + GAP + piece.size[1] / 2
        pages[-1].append(Field(zone, str(counts[zone]), piece, centre))
        x, row_tall = x + wide + APART, max(row_tall, tall)
    if not pages[0]:
        raise SheetError("There is no piece to teach, so there is no mat to print.")
    if len(pages) > len(PAGE_PAIRS):
        raise SheetError(f"These pieces need {len(pages)} mats, and only {len(PAGE_PAIRS)} can be told apart; use A3.")
    return [tuple(_centred(fields, width)) for fields in pages]


def mat_layout(labels_with_sizes: LabelsWithSizes, page: int, paper: str = "A4") -> Layout:
    """The layout of one page (from 1): the area is the paper, and each family of pieces is a zone of slots."""
    width, height = paper_size(paper)
    fields = _page(labels_with_sizes, page, paper)
    zones: dict[str, Zone] = {}
    pieces: dict[str, Piece] = {}
    for name in dict.fromkeys(field.zone for field in fields):
        of_family = [field for field in fields if field.zone == name]
        one = of_family[0].piece
        labels = tuple(dict.fromkeys(field.piece.label for field in of_family))
        pieces[name] = Piece(size=one.size, height=one.height, round=one.round, labels=labels)
        size = one.size[0] + 2 * GAP, one.size[1] + 2 * GAP
        zones[name] = Slots(at={field.name: field.centre for field in of_family}, size=size, holds=name)
    markers = Markers(SIDE, {str(number): centre for number, centre in _marker_centres(page, (width, height)).items()})
    return Layout(f"mat {page}", Area(width, height), zones, pieces, markers)


def mat_truth(labels_with_sizes: LabelsWithSizes, page: int, paper: str = "A4") -> dict[str, dict[str, str]]:
    """The truth of a filled page, as teaching needs it: the label of each field in each zone."""
    truth: dict[str, dict[str, str]] = {}
    for field in _page(labels_with_sizes, page, paper):
        truth.setdefault(field.zone, {})[field.name] = field.piece.label
    return truth


def mat_page_of(image: Image) -> int:
    """The page of a mat in a photograph, from 1."""
    wanted = Markers(SIDE, {str(number): (0.0, 0.0) for number in range(CORNERS[0], 50)})
    found = find_markers(image, wanted)
    if len(found) < len(CORNERS) + 2:
        found = find_markers(image, wanted, quick=False)
    corners = {number: found[str(number)].mean(axis=0) for number in CORNERS if str(number) in found}
    signs = [number for number in range(44, 50) if str(number) in found]
    if len(signs) != 2 or len(corners) < 2:
        raise SheetError("The picture does not show a whole teaching mat; all its six markers must be seen.")
    # The marker nearer to the top edge is the first of the pair, in any rotation of the mat.
    top = [corners[number] for number in CORNERS[:2] if number in corners]
    bottom = [corners[number] for number in CORNERS[2:] if number in corners]
    if not top or not bottom:
        raise SheetError("The picture shows only one edge of the teaching mat; all its six markers must be seen.")
    upwards = sum(top) / len(top) - sum(bottom) / len(bottom)
    upper, lower = sorted(signs, key=lambda number: -float(found[str(number)].mean(axis=0) @ upwards))
    return PAGE_PAIRS.index((upper, lower)) + 1


def _pieces(labels_with_sizes: LabelsWithSizes) -> list[MatPiece]:
    if isinstance(labels_with_sizes, Mapping):
        pieces = [MatPiece(label, size) for label, size in labels_with_sizes.items()]
    else:
        pieces = list(labels_with_sizes)
    sizes: dict[str, Point] = {}
    for piece in pieces:
        if min(piece.size) <= 0:
            raise SheetError(f"{piece.label!r} has no size, so it needs no field.")
        if sizes.setdefault(_family(piece), piece.size) != piece.size:
            both = f"{_by(sizes[_family(piece)])} and {_by(piece.size)} mm"
            raise SheetError(f"The pieces of the family {piece.family!r} differ in size: {both}.")
    return pieces


def _family(piece: MatPiece) -> str:
    return piece.family or f"pieces {_by(piece.size)}"


def _page(labels_with_sizes: LabelsWithSizes, page: int, paper: str) -> tuple[Field, ...]:
    pages = mat_pages(labels_with_sizes, paper)
    if not 1 <= page <= len(pages):
        raise SheetError(f"There is no page {page}; these mats have {len(pages)}.")
    return pages[page - 1]


def _centred(fields: list[Field], width: float) -> Iterable[Field]:
    """Centre each row of fields on the paper."""
    # Fields of a row share their top edge, not their centre.
    rows: dict[float, list[Field]] = {}
    for field in fields:
        rows.setdefault(round(field.centre[1] - field.piece.size[1] / 2, 3), []).append(field)
    for row in rows.values():
        left = row[0].centre[0] - row[0].piece.size[0] / 2 - GAP
        right = row[-1].centre[0] + row[-1].piece.size[0] / 2 + GAP
        shift = (width - left - right) / 2
        for field in row:
            yield msgspec.structs.replace(field, centre=(field.centre[0] + shift, field.centre[1]))


def _marker_centres(page: int, size: tuple[float, float]) -> dict[int, Point]:
    half = EDGE + SIDE / 2
    width, height = size
    places = [(half, half), (width - half, half), (width - half, height - half), (half, height - half)]
    upper, lower = PAGE_PAIRS[page - 1]
    beside = width - half - SIDE - BETWEEN
    return dict(zip(CORNERS, places, strict=True)) | {upper: (beside, half), lower: (beside, height - half)}


def _markers(page: Page, number: int) -> None:
    for marker, (x, y) in _marker_centres(number, (page.width, page.height)).items():
        draw_marker(page, DICTIONARY, marker, x - SIDE / 2, y - SIDE / 2, SIDE)


def _draw_field(page: Page, field: Field) -> None:
    """Draw four light corners, or a ring for round pieces, with the name below. Nothing may look like a piece."""
    wide, tall = field.piece.size[0] + 2 * GAP, field.piece.size[1] + 2 * GAP
    x, y = field.centre[0] - wide / 2, field.centre[1] - tall / 2
    if field.piece.round:
        page.circle(*field.centre, min(wide, tall) / 2 - 0.6, 0.25, 0.72, dash=1.2)
    else:
        reach = min(4.0, wide / 4, tall / 4)
        for corner_x, across in ((x, reach), (x + wide, -reach)):
            for corner_y, along in ((y, reach), (y + tall, -reach)):
                page.line(
                    (corner_x + across, corner_y),
                    (corner_x, corner_y),
                    (corner_x, corner_y + along),
                    width=0.3,
                    colour=0.72,
                )
    text, points = fitting(field.piece.says or field.piece.label, wide, 9, 4.5)
    page.text(field.centre[0], y + tall + 4.5, text, points, "centre", colour=0.2)


def _wrapped(text: str, width: float, size: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _by(size: Point) -> str:
    return f"{size[0]:g} × {size[1]:g}"
