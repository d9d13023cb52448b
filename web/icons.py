"""Draws the dashboard's icons: four seats around a table, each with its own colour and shape.

`python -m web.icons` writes them to `web/static/icons`. One description gives both the SVG and the PNGs, which older
phones want for their home screens; nothing but the standard library is needed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import Final

Point = tuple[float, float]
Shape = tuple[str, tuple[Point, ...]]
"""A colour and a polygon, on a field from -100 to 100."""

FOLDER: Final = Path(__file__).parent / "static" / "icons"
SIZES: Final = (180, 192, 512)
SAMPLES: Final = 3
"""Points looked at along each side of a pixel."""


def _round(x: float, y: float, radius: float, points: int = 72) -> tuple[Point, ...]:
    return tuple((x + radius * sin(2 * pi * i / points), y - radius * cos(2 * pi * i / points)) for i in range(points))


SHAPES: Final[tuple[Shape, ...]] = (
    ("#0d6556", ((-100, -100), (100, -100), (100, 100), (-100, 100))),
    ("#f6f4ef", _round(0, 0, 33)),
    ("#2b68c8", _round(0, -55, 19)),
    ("#f3c22f", ((55, -21), (76, 16), (34, 16))),
    ("#c39ae0", ((0, 33), (22, 55), (0, 77), (-22, 55))),
    ("#c9d0d3", ((-72, -17), (-38, -17), (-38, 17), (-72, 17))),
    ("#0d6556", _round(0, 0, 12)),
)


def svg(shapes: Sequence[Shape]) -> str:
    drawn = "".join(f'<path fill="{colour}" d="{_path(corners)}"/>' for colour, corners in shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-100 -100 200 200">{drawn}</svg>\n'


def _path(corners: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "z"


def png(shapes: Sequence[Shape], size: int) -> bytes:
    """Every pixel is the mean of the points looked at in it."""
    fine = size * SAMPLES
    lines = [_line(shapes, fine, row) for row in range(fine)]
    rows = b"".join(b"\0" + _squeezed(lines[top : top + SAMPLES], size) for top in range(0, fine, SAMPLES))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _line(shapes: Sequence[Shape], fine: int, row: int) -> list[tuple[int, int, int]]:
    """One line of points: each polygon covers what lies between its edges."""
    y = (row + 0.5) * 200 / fine - 100
    line = [(255, 255, 255)] * fine
    for colour, corners in shapes:
        ink = (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))
        edges = sorted(_crossings(corners, y))
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            first, last = round((left + 100) * fine / 200), round((right + 100) * fine / 200)
            line[max(first, 0) : min(last, fine)] = [ink] * (min(last, fine) - max(first, 0))
    return line


def _crossings(corners: Sequence[Point], y: float) -> list[float]:
    found = []
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 <= y) != (y2 <= y):
            found.append(x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return found


def _squeezed(lines: Sequence[Sequence[tuple[int, int, int]]], size: int) -> bytes:
    each = SAMPLES * SAMPLES
    pixels = bytearray()
    for pixel in range(size):
        points = [point for line in lines for point in line[pixel * SAMPLES : (pixel + 1) * SAMPLES]]
        pixels += bytes(sum(point[part] for point in points) // each for part in range(3))
    return bytes(pixels)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "icon.svg").write_text(svg(SHAPES), encoding="utf-8")
    for size in SIZES:
        (folder / f"icon-{size}.png").write_bytes(png(SHAPES, size))


if __name__ == "__main__":
    main()
