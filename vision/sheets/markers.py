"""The sheets with a table's markers, and the ChArUco sheet for the lens."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.layout import Area, Layout, Markers, Point
from vision.plane.lens import DICTIONARY, MARKER_MM, SQUARE_MM, SQUARES, board
from vision.sheets.paper import (
    MARGIN,
    RULER_MM,
    Language,
    SheetError,
    bits,
    draw_marker,
    draw_ruler,
    paper_size,
    save,
    say,
)
from vision.sheets.pdf import Page, fitting

TOP: Final = 25.0


def charuco_sheet(path: Path, paper: str = "A4", language: Language = "de") -> None:
    """Print the sheet for the lens in actual size on one page."""
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


HEAD: Final = 20.0
FOOT: Final = 27.0
DRAWING: Final = 84.0
CAPTION: Final = 9.0
LEAST_QUIET: Final = 6.0
APART: Final = 6.0

INK: Final = (0.13, 0.16, 0.22)
SOFT: Final = 0.45
ZONE: Final = (0.88, 0.91, 0.95)
WOOD: Final = (0.985, 0.97, 0.945)


def marker_sheet(layout: Layout, path: Path, paper: str = "A4", language: Language = "de") -> int:
    """Print the layout's markers in actual size. Returns the number of pages."""
    if layout.markers is None or not layout.markers.at:
        raise SheetError(f"The layout {layout.name!r} names no markers to print.")
    size = paper_size(paper)
    pages = _laid_out(layout.markers, size, paper)
    title = say("markers.title", language, name=layout.name)
    drawn = []
    for number, places in enumerate(pages, 1):
        page = Page(*size)
        _head(page, title, say("page", language, page=number, pages=len(pages)))
        if number == 1:
            _drawing(page, layout, layout.markers, language)
        for name, (x, y) in places.items():
            _cut_out(page, layout, layout.markers, name, x, y, language)
        draw_ruler(page, (size[0] - RULER_MM) / 2, size[1] - 14, language)
        drawn.append(page)
    save(path, drawn, title)
    return len(drawn)


def _quiet(markers: Markers) -> float:
    """The width of the white border: more than a module, so that the outline is visible on a dark table."""
    modules = len(bits(markers.dictionary, int(next(iter(markers.at)))))
    return max(LEAST_QUIET, 1.2 * markers.side / modules)


def _laid_out(markers: Markers, size: tuple[float, float], paper: str) -> list[dict[str, Point]]:
    """The top left corners of the markers on each page, filled row by row; the first page has room for the drawing."""
    wide = markers.side + 2 * _quiet(markers)
    tall = wide + CAPTION
    across = int((size[0] - 2 * MARGIN + APART) // (wide + APART))
    if not across or tall > size[1] - HEAD - FOOT:
        larger = "" if paper.upper() == "A3" else " Choose A3, or smaller markers."
        raise SheetError(f"Markers of {markers.side:g} mm do not fit on {paper}.{larger}")
    pages: list[dict[str, Point]] = [{}]
    row, column, top = 0, 0, HEAD + DRAWING
    for name in sorted(markers.at, key=int):
        if column == across:
            row, column = row + 1, 0
        if top + row * (tall + APART) + tall > size[1] - FOOT:
            pages.append({})
            row, column, top = 0, 0, HEAD
        row_width = across * (wide + APART) - APART
        left = (size[0] - row_width) / 2 + column * (wide + APART)
        pages[-1][name] = left, top + row * (tall + APART)
        column += 1
    return pages


def _head(page: Page, title: str, number: str) -> None:
    fitted, points = fitting(title, page.width - 2 * MARGIN - 35, 17, 9, bold=True)
    page.text(MARGIN, 15, fitted, points, bold=True, colour=INK)
    page.text(page.width - MARGIN, 15, number, 8, "right", colour=SOFT)


def _drawing(page: Page, layout: Layout, markers: Markers, language: Language) -> None:
    """Draw the table from above with its zones and markers, and short instructions."""
    points = [(0.0, 0.0), (layout.area.width, layout.area.height), *markers.at.values()]
    left, right = min(x for x, _ in points) - markers.side, max(x for x, _ in points) + markers.side
    top, bottom = min(y for _, y in points) - markers.side, max(y for _, y in points) + markers.side
    room_wide, room_tall = page.width - 2 * MARGIN, DRAWING - 30
    scale = min(room_wide / (right - left), room_tall / (bottom - top))
    x0 = (page.width - (right - left) * scale) / 2 - left * scale
    y0 = HEAD + 2 - top * scale

    def on_page(point: Point) -> Point:
        return x0 + point[0] * scale, y0 + point[1] * scale

    wide, tall = layout.area.width * scale, layout.area.height * scale
    page.rect(*on_page((0, 0)), wide, tall, fill=WOOD)
    for name, zone in layout.zones.items():
        box = zone.area()
        page.polygon([on_page(corner) for corner in box.corners()], fill=ZONE)
        text, size = fitting(name, box.size[0] * scale - 1, 6, 3.5)
        x, y = on_page(box.centre)
        page.text(x, y + 0.8, text, size, "centre", colour=SOFT)
    page.frame(*on_page((0, 0)), wide, tall, 0.35, INK)
    for name, (x, y) in markers.at.items():
        half = markers.side / 2
        corner = on_page((x - half, y - half))
        side = markers.side * scale
        page.rect(corner[0] - side / 6, corner[1] - side / 6, side * 4 / 3, side * 4 / 3, fill=1.0)
        page.rect(*corner, side, side, fill=INK)
        page.text(
            corner[0] + side / 2, corner[1] + side / 2 + 1.1, name, max(5.0, min(9.0, side * 1.4)), "centre", True, 1.0
        )
    middle = on_page((layout.area.width / 2, 0))
    page.text(middle[0], middle[1] - 1.5, say("table.top", language), 7, "centre", colour=SOFT)
    foot = on_page((layout.area.width / 2, layout.area.height))
    measure = say("table.size", language, width=f"{layout.area.width:g}", height=f"{layout.area.height:g}")
    page.text(foot[0], foot[1] + 4, measure, 7, "centre", colour=SOFT)
    for line, key in enumerate(("print", "cut", "lay", "measured")):
        page.text(MARGIN, HEAD + DRAWING - 19 + 4.6 * line, say(f"markers.{key}", language), 9, colour=INK)


def _cut_out(page: Page, layout: Layout, markers: Markers, name: str, x: float, y: float, language: Language) -> None:
    """Draw a marker with its white border, its number, its place, and ticks that point to its centre."""
    quiet, side = _quiet(markers), markers.side
    wide = side + 2 * quiet
    tall = wide + CAPTION
    page.frame(x, y, wide, tall, 0.2, 0.55, dash=1.6)
    draw_marker(page, markers.dictionary, int(name), x + quiet, y + quiet, side)
    middle_x, middle_y = x + wide / 2, y + wide / 2
    page.polygon([(middle_x - 1.6, y + 3.0), (middle_x + 1.6, y + 3.0), (middle_x, y + 0.8)], fill=SOFT)
    page.line((middle_x, y + tall), (middle_x, y + tall - 1.2), width=0.2, colour=SOFT)
    for tick in (x, x + wide - 1.8):
        page.line((tick, middle_y), (tick + 1.8, middle_y), width=0.2, colour=SOFT)
    where = f"{name} · {say(f'place.{_place(layout.area, markers.at[name])}', language)}"
    text, size = fitting(where, wide - 3, 10, 5, bold=True)
    page.text(middle_x, y + wide + 2.2, text, size, "centre", bold=True, colour=INK)
    text, size = fitting(_measured(layout.area, markers.at[name], language), wide - 3, 7.5, 4)
    page.text(middle_x, y + wide + 6.2, text, size, "centre", colour=SOFT)


def _place(area: Area, point: Point) -> str:
    down = "top" if point[1] < area.height / 3 else "bottom" if point[1] > area.height * 2 / 3 else "middle"
    across = "left" if point[0] < area.width / 3 else "right" if point[0] > area.width * 2 / 3 else "middle"
    return f"{down}.{across}"


def _measured(area: Area, point: Point, language: Language) -> str:
    """The distances from the nearer edges to the marker's centre, in words."""
    across = _from_edges(point[0], area.width, "left", "right", language)
    return f"{across}, {_from_edges(point[1], area.height, 'top', 'bottom', language)}"


def _from_edges(at: float, length: float, first: str, last: str, language: Language) -> str:
    if at < 0:
        return say(f"beyond.{first}", language, mm=f"{-at:g}")
    if at > length:
        return say(f"beyond.{last}", language, mm=f"{at - length:g}")
    if at <= length / 2:
        return say(f"from.{first}", language, mm=f"{at:g}")
    return say(f"from.{last}", language, mm=f"{length - at:g}")
