"""The flat table: table top, printed mats of the zones and ArUco markers, in one picture seen from straight above.

The table tops are planks, green felt, a checked cloth and a white mat, each made from noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np

from vision.layout import (
    Box,
    Dial,
    Dice,
    Grid,
    Layout,
    Markers,
    Pool,
    Slots,
    Track,
    Tray,
    Zone,
)

from .paint import (
    CREAM,
    INK,
    WOOD,
    Canvas,
    Colour,
    Field,
    Image,
    Point,
    grain,
    lit,
    mixed,
    oval,
    rgb,
    rounded,
    seed_of,
    textured,
    turned,
)
from .solids import Floats

PIXELS_PER_MM: Final = 2.25
MARGIN: Final = 260.0
"""Millimetres of table around the area; beyond them the table top is mirrored."""
QUIET: Final = 0.18
"""The white border of a printed marker, as a share of its side."""

_SHIFT: Final = 4
_PAPER: Final = rgb(238, 237, 232)
_SECTORS: Final = (rgb(228, 192, 92), rgb(198, 84, 70), rgb(108, 160, 178), rgb(128, 168, 92), rgb(170, 128, 176))


class FlatTable(msgspec.Struct, frozen=True, eq=False):
    """The table from above. Table millimetre (0, 0) lies MARGIN from the picture's edges."""

    image: Image

    @staticmethod
    def pixels(points: Sequence[Point] | Floats) -> Floats:
        """Where table points are in the picture, the middle of its first pixel being (0, 0)."""
        return (np.asarray(points, np.float64) + MARGIN) * PIXELS_PER_MM - 0.5


def flat_table(layout: Layout, top: str, mats: bool) -> FlatTable:
    """The empty table; drawn once and remembered."""
    return _flat_table(msgspec.json.encode(layout), top, mats)


@lru_cache(maxsize=4)
def _flat_table(encoded: bytes, top: str, mats: bool) -> FlatTable:
    layout = msgspec.json.decode(encoded, type=Layout)
    width = round((layout.area.width + 2 * MARGIN) * PIXELS_PER_MM)
    height = round((layout.area.height + 2 * MARGIN) * PIXELS_PER_MM)
    image = table_top(top, width, height, PIXELS_PER_MM).copy()
    boards: set[Box] = set()
    if mats:
        _draw(image, layout)
    for name, zone in layout.zones.items():
        if mats and (area := zone.area()) not in boards:
            boards.add(area)
            for box, print_ in _prints(name, zone):
                _lay(image, box, print_, isinstance(zone, Dial))
    if layout.markers:
        _print_markers(image, layout.markers)
    return FlatTable(image)


def _draw(image: Image, layout: Layout) -> None:
    """Boards, lines and words, under the mats of the zones."""
    scale = 1 << _SHIFT
    for drawing in layout.drawing:
        paint = WOOD.get(drawing.paint, WOOD["natural"])
        for left, top, right, bottom in drawing.rects:
            size = right - left, bottom - top
            sheet = Canvas(*size, PIXELS_PER_MM, mixed(paint, CREAM, 0.55)).finished()
            _lay(
                image, Box((left + size[0] / 2, top + size[1] / 2), size), textured(sheet, 4.0, seed_of(drawing.paint))
            )
        for line in drawing.lines:
            ends = FlatTable.pixels([layout.zones[name].area().centre for name in line]) * scale
            thick = max(1, round(drawing.size * PIXELS_PER_MM))
            cv2.polylines(image, [np.round(ends).astype(np.int32)], False, paint, thick, cv2.LINE_AA, _SHIFT)
        for word, where in drawing.words.items():
            _write(image, word, where, drawing.size, paint)


def _write(image: Image, word: str, where: Point, height: float, colour: Colour) -> None:
    """A word about a point; letters the font does not have are left out."""
    font, plain = cv2.FONT_HERSHEY_TRIPLEX, word.encode("ascii", "ignore").decode()
    (_, tall), _ = cv2.getTextSize("H", font, 1.0, 1)
    size = height * PIXELS_PER_MM / tall
    (wide, tall), _ = cv2.getTextSize(plain, font, size, 1)
    ((x, y),) = FlatTable.pixels([where])
    cv2.putText(image, plain, (round(x - wide / 2), round(y + tall / 2)), font, size, colour, 1, cv2.LINE_AA)


def _lay(image: Image, box: Box, print_: Image, is_round: bool = False) -> None:
    """Lay a print on the table, with a faint shadow along its edge."""
    corners = FlatTable.pixels(box.corners()).astype(np.float32)
    height, width = print_.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    left, top = np.floor(corners.min(0)).astype(int) - 12
    right, bottom = np.ceil(corners.max(0)).astype(int) + 12
    local = corners - np.array([left, top], np.float32)
    size = int(right - left), int(bottom - top)
    mask = np.zeros((size[1], size[0]), np.uint8)
    (x, y), (across, along) = local.mean(0), (local[2] - local[0]) / 2
    edge = oval(float(x), float(y), float(across), float(along), steps=72) if is_round else local
    cv2.fillConvexPoly(mask, np.round(np.asarray(edge) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    place = image[top:bottom, left:right]
    shadow = cv2.GaussianBlur(mask, (0, 0), 3.5).astype(np.float32) / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    transform = cv2.getPerspectiveTransform(source, local)
    warped = cv2.warpPerspective(print_, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    place[:] = np.round(place * (1 - 0.45 * shadow[..., None]) * (1 - alpha) + warped * alpha).astype(np.uint8)


def _print_markers(image: Image, markers: Markers) -> None:
    name = markers.dictionary.removeprefix("DICT_").upper()
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{name}"))
    cells = dictionary.markerSize + 2
    cell = max(1, round(markers.side * PIXELS_PER_MM * 2 / cells))
    for number, centre in markers.at.items():
        code = cv2.aruco.generateImageMarker(dictionary, int(number), cells * cell)
        border = round(QUIET * cells * cell)
        sheet = cv2.copyMakeBorder(code, border, border, border, border, cv2.BORDER_CONSTANT, value=(255,))
        ink = np.asarray(np.where(sheet[..., None] > 127, _PAPER, rgb(30, 29, 30)), np.uint8)
        side = markers.side * sheet.shape[0] / (cells * cell)
        _lay(image, Box(centre, (side, side)), ink)


def _prints(name: str, zone: Zone) -> Iterator[tuple[Box, Image]]:
    """The prints of one zone, a little larger than its area; places far apart get one each."""
    if isinstance(zone, Slots | Track) and _scattered(zone):
        for place in zone.places():
            single = msgspec.structs.replace(zone, at={place: zone.at[place]})
            yield from _prints(f"{name} {place}", single)
        return
    alone = isinstance(zone, Track) and len(zone.at) == 1
    edge = 0.0 if isinstance(zone, Dial) or alone else 3.0 if isinstance(zone, Grid | Track) else 1.0
    yield zone.area().grown(edge), _mat(name, zone, edge)


def _scattered(zone: Slots | Track) -> bool:
    whole = zone.area().size
    return len(zone.at) > 1 and whole[0] * whole[1] > 2 * len(zone.at) * zone.size[0] * zone.size[1]


def _mat(name: str, zone: Zone, edge: float) -> Image:
    area = zone.area()
    colour = next((paint for word, paint in WOOD.items() if word in name.split()), None)
    canvas = Canvas(area.size[0] + 2 * edge, area.size[1] + 2 * edge, PIXELS_PER_MM, CREAM)
    match zone:
        case Grid():
            _board(canvas, zone, edge)
        case Slots():
            _slots(canvas, zone, edge)
        case Track():
            _track(canvas, zone, edge)
        case Dial():
            _dial(canvas, zone)
        case Dice():
            _dice_tray(canvas)
        case Pool() if zone.cloth:
            _cloth(canvas, WOOD.get(zone.cloth, WOOD["natural"]))
        case Pool():
            _pool(canvas, colour or _cloth_of(name))
        case Tray():
            _courtyard(canvas, colour or _cloth_of(name))
    return textured(canvas.finished(), 3.5, seed_of(name), 2.5)


def _cloth_of(name: str) -> Colour:
    cloths = (rgb(150, 120, 80), rgb(110, 130, 110), rgb(140, 110, 120), rgb(120, 126, 140))
    return cloths[seed_of(name) % len(cloths)]


def _frame(canvas: Canvas, colour: Colour) -> None:
    canvas.frame(1.6, 1.6, canvas.width - 1.6, canvas.height - 1.6, colour, 0.7)


def _courtyard(canvas: Canvas, colour: Colour) -> None:
    """Paving for loose tiles, in the colour of whose it is."""
    ground = mixed(colour, rgb(214, 200, 172), 0.78)
    canvas.rectangle(0, 0, canvas.width, canvas.height, ground)
    joint = lit(ground, 0.95)
    for row in range(int(canvas.height / 14) + 1):
        canvas.line([(0, row * 14), (canvas.width, row * 14)], joint, 0.5)
        for column in range(int(canvas.width / 28) + 2):
            x = column * 28 - (14 if row % 2 else 0)
            canvas.line([(x, row * 14), (x, row * 14 + 14)], joint, 0.5)
    wall = mixed(colour, ground, 0.3)
    canvas.frame(0, 0, canvas.width, canvas.height, wall, 6.0)
    for x in range(4, int(canvas.width), 8):
        for side in (3.0, canvas.height - 3.0):
            canvas.rectangle(x - 2, side - 1.4, x + 2, side + 1.4, lit(wall, 1.15))
    for y in range(12, int(canvas.height) - 8, 8):
        for side in (3.0, canvas.width - 3.0):
            canvas.rectangle(side - 1.4, y - 2, side + 1.4, y + 2, lit(wall, 1.15))
    for tower in rounded(canvas.width / 2, canvas.height / 2, canvas.width - 14, canvas.height - 14, 0):
        canvas.circle(*tower, 7.0, lit(wall, 0.85), lit(wall, 0.55), 0.8)
        canvas.circle(*tower, 4.4, lit(wall, 1.1), lit(wall, 0.7), 0.6)


def _pool(canvas: Canvas, colour: Colour) -> None:
    ground = mixed(colour, rgb(226, 214, 188), 0.8)
    canvas.rectangle(0, 0, canvas.width, canvas.height, ground)
    for x in range(0, int(canvas.width + canvas.height), 7):
        canvas.line([(x, 0), (x - canvas.height, canvas.height)], lit(ground, 0.975), 0.6)
    _frame(canvas, mixed(colour, ground, 0.3))


def _cloth(canvas: Canvas, colour: Colour) -> None:
    canvas.rectangle(0, 0, canvas.width, canvas.height, colour)
    _frame(canvas, lit(colour, 0.8))


def _dice_tray(canvas: Canvas) -> None:
    canvas.rectangle(0, 0, canvas.width, canvas.height, rgb(34, 82, 66))
    _frame(canvas, rgb(196, 164, 88))
    radius = min(canvas.width, canvas.height) * 0.3
    canvas.circle(canvas.width / 2, canvas.height / 2, radius, rgb(34, 82, 66), rgb(60, 104, 84), 0.6)


def _board(canvas: Canvas, zone: Grid, edge: float) -> None:
    canvas.rectangle(0, 0, canvas.width, canvas.height, rgb(112, 84, 56))
    whole = canvas.width - 2 * edge, canvas.height - 2 * edge
    wide, tall = whole[0] / zone.columns, whole[1] / zone.rows
    ground = rgb(190, 196, 158)
    for row in range(zone.rows):
        for column in range(zone.columns):
            left, top = edge + column * wide, edge + row * tall
            canvas.rectangle(left + 0.5, top + 0.5, left + wide - 0.5, top + tall - 0.5, ground, 1.0)
            canvas.circle(left + wide / 2, top + tall / 2, min(wide, tall) * 0.08, lit(ground, 0.93))


def _slots(canvas: Canvas, zone: Slots, edge: float) -> None:
    canvas.rectangle(0, 0, canvas.width, canvas.height, rgb(206, 186, 148))
    _frame(canvas, rgb(130, 98, 62))
    left, top = zone.area().at(0, 0)
    for name, place in zone.places().items():
        x, y = place.centre[0] - left + edge, place.centre[1] - top + edge
        outline = turned(rounded(0, 0, place.size[0] * 0.94, place.size[1] * 0.94, 2.0), x, y, zone.angle)
        canvas.polygon(outline, rgb(222, 206, 172), rgb(150, 122, 84), 0.6)
        canvas.text(name[:4], x, y + place.size[1] * 0.36, min(4.0, place.size[1] * 0.14), rgb(140, 112, 76))


def _track(canvas: Canvas, zone: Track, edge: float) -> None:
    canvas.rectangle(0, 0, canvas.width, canvas.height, rgb(206, 196, 168))
    left, top = zone.area().at(0, 0)
    for number, (name, place) in enumerate(zone.places().items()):
        x, y = place.centre[0] - left + edge, place.centre[1] - top + edge
        ground = rgb(168, 190, 206) if number % 5 == 0 else rgb(232, 224, 200)
        canvas.polygon(turned(rounded(0, 0, *place.size, 0), x, y, zone.angle), ground, INK, 0.4)
        canvas.text(name[:4], x, y, min(place.size) * 0.32, rgb(90, 76, 60))


def _dial(canvas: Canvas, zone: Dial) -> None:
    middle = canvas.width / 2
    canvas.rectangle(0, 0, canvas.width, canvas.height, rgb(120, 88, 54))
    canvas.circle(middle, middle, middle * 0.97, rgb(74, 56, 40))
    for number, sector in enumerate(zone.sectors):
        sweep = (sector.end - sector.start) % 360 or 360.0
        rim = [_on_dial(middle, middle * 0.9, sector.start + sweep * step / 24) for step in range(25)]
        canvas.polygon([(middle, middle), *rim], _SECTORS[number % len(_SECTORS)], INK, middle * 0.02)
        x, y = _on_dial(middle, middle * 0.6, sector.start + sweep / 2)
        canvas.circle(x, y, middle * 0.2, mixed(_SECTORS[number % len(_SECTORS)], CREAM, 0.65), INK, middle * 0.015)
        canvas.text(str(sector.value), x, y, middle * 0.22, INK, 0.2)
    canvas.polygon(oval(middle, middle, middle * 0.12, middle * 0.12), rgb(60, 48, 40))


def _on_dial(middle: float, reach: float, degrees: float) -> Point:
    turn = math.radians(degrees)
    return middle + reach * math.sin(turn), middle - reach * math.cos(turn)


def table_top(kind: str, width: int, height: int, pixels_per_mm: float) -> Image:
    """A piece of table top of that many pixels."""
    return _TOPS[kind](width, height, pixels_per_mm)


def _coloured(shade: Field, dark: Colour, light: Colour) -> Image:
    """Shades from 0 to 1 as colours between two."""
    steps = np.linspace(0, 1, 256)[:, None]
    table = np.asarray(dark) + (np.asarray(light) - np.asarray(dark)) * steps
    index = np.asarray(np.clip(shade, 0, 1) * 255, np.uint8)
    palette = np.asarray(np.round(table), np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(cv2.merge([index, index, index]), palette), np.uint8)


def _wood_top(width: int, height: int, ppm: float) -> Image:
    plank = round(130 * ppm)
    rows = np.arange(height, dtype=np.float32)[:, None]
    bend = grain(width, height, 420 * ppm, 60 * ppm, 1)
    rings = np.sin(rows / (3.4 * ppm) + bend * 2.6 + grain(width, height, 160 * ppm, 24 * ppm, 2) * 1.4)
    fibre = grain(width, height, 40 * ppm, 0.7 * ppm, 3)
    shade = 0.5 + 0.13 * rings + 0.1 * fibre
    tones = np.random.default_rng(4).uniform(-0.14, 0.14, height // plank + 1).astype(np.float32)
    shade = shade + tones[(np.arange(height) // plank)][:, None]
    seam = np.abs((np.arange(height) % plank) - plank / 2) > plank / 2 - 0.7 * ppm
    shade[seam] *= 0.45
    return _coloured(np.asarray(shade, np.float32), rgb(92, 58, 34), rgb(188, 136, 86))


def _felt_top(width: int, height: int, ppm: float) -> Image:
    fluff, wear = grain(width, height, 0.6 * ppm, 0.6 * ppm, 5), grain(width, height, 90 * ppm, 90 * ppm, 6)
    shade = 0.5 + 0.16 * fluff + 0.1 * wear
    return _coloured(np.asarray(shade, np.float32), rgb(22, 62, 44), rgb(52, 108, 78))


def _cloth_top(width: int, height: int, ppm: float) -> Image:
    """Checks of two crossing sets of stripes."""
    pitch = 44 * ppm
    across = (np.arange(width) % pitch < pitch / 2).astype(np.float32)
    down = (np.arange(height) % pitch < pitch / 2).astype(np.float32)
    shade = 1.0 - 0.46 * (across[None, :] + down[:, None])
    weave = grain(width, height, 0.8 * ppm, 0.8 * ppm, 7) * 0.035
    folds = grain(width, height, 300 * ppm, 200 * ppm, 8) * 0.03
    return _coloured(np.asarray(shade + weave + folds, np.float32), rgb(134, 38, 42), rgb(234, 228, 216))


def _white_top(width: int, height: int, ppm: float) -> Image:
    paper, stains = grain(width, height, 1.2 * ppm, 1.2 * ppm, 9), grain(width, height, 240 * ppm, 240 * ppm, 10)
    shade = 0.7 + 0.1 * paper + 0.12 * stains
    return _coloured(np.asarray(shade, np.float32), rgb(204, 202, 198), rgb(232, 231, 228))


_TOPS: Final[dict[str, Callable[[int, int, float], Image]]] = {
    "wood": _wood_top, "felt": _felt_top, "cloth": _cloth_top, "white": _white_top,
}  # fmt: skip
