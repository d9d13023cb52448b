"""The goods tiles: loaves of bread, blocks of marble and tools, one to three of them on a card."""

from __future__ import annotations

from typing import Final

from .paint import CREAM, INK, Canvas, Point, lit, rgb, turned

GOODS: Final = ("bread", "marble", "tool")

_PLACES: Final[dict[int, tuple[tuple[float, float, float], ...]]] = {
    1: ((0.5, 0.5, -32.0),),
    2: ((0.33, 0.34, -24.0), (0.67, 0.66, -24.0)),
    3: ((0.32, 0.33, -20.0), (0.69, 0.40, 24.0), (0.44, 0.71, 8.0)),
}
_SIZE: Final = {1: 0.60, 2: 0.42, 3: 0.36}
_GROUND: Final = {"bread": rgb(243, 226, 186), "marble": rgb(226, 230, 228), "tool": rgb(232, 222, 200)}
_FRAME: Final = {"bread": rgb(176, 112, 48), "marble": rgb(98, 122, 150), "tool": rgb(112, 92, 76)}


def tile(canvas: Canvas, good: str, number: int) -> None:
    """A goods tile that fills the canvas."""
    side = min(canvas.width, canvas.height)
    edge = side * 0.045
    canvas.rectangle(0, 0, canvas.width, canvas.height, CREAM)
    canvas.rectangle(edge, edge, canvas.width - edge, canvas.height - edge, _GROUND[good], side * 0.06)
    line = edge * 1.5
    canvas.frame(line, line, canvas.width - line, canvas.height - line, _FRAME[good], edge * 0.7)
    for x, y, angle in _PLACES[number]:
        symbol(canvas, good, x * canvas.width, y * canvas.height, _SIZE[number] * side, angle)


def symbol(canvas: Canvas, good: str, x: float, y: float, size: float, angle: float) -> None:
    {"bread": _bread, "marble": _marble, "tool": _tool}[good](canvas, x, y, size, angle)


def _bread(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    crust, crumb = rgb(186, 110, 44), rgb(222, 158, 84)
    canvas.ellipse(x + size * 0.03, y + size * 0.05, size * 0.56, size * 0.33, angle, rgb(190, 170, 132))
    canvas.ellipse(x, y, size * 0.56, size * 0.32, angle, crust, INK, size * 0.035)
    canvas.ellipse(x - size * 0.02, y - size * 0.05, size * 0.46, size * 0.21, angle, crumb)
    for along in (-0.26, 0.0, 0.26):
        cut: list[Point] = [(along - 0.07, -0.17), (along + 0.07, 0.15)]
        canvas.line(turned(cut, x, y, angle, size), rgb(248, 218, 160), size * 0.075)
        canvas.line(turned([(px + 0.03, py) for px, py in cut], x, y, angle, size), lit(crust, 0.75), size * 0.025)


def _marble(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    """A sawn block, seen from a corner."""
    top: list[Point] = [(0, -0.46), (0.46, -0.22), (0, 0.03), (-0.46, -0.22)]
    left: list[Point] = [(-0.46, -0.22), (0, 0.03), (0, 0.5), (-0.46, 0.24)]
    right: list[Point] = [(0.46, -0.22), (0, 0.03), (0, 0.5), (0.46, 0.24)]
    line = size * 0.035
    for side, colour in ((top, rgb(250, 251, 250)), (left, rgb(196, 208, 218)), (right, rgb(148, 166, 186))):
        canvas.polygon(turned(side, x, y, angle, size), colour, rgb(60, 74, 96), line)
    for vein in (
        [(-0.22, -0.3), (-0.02, -0.22), (0.14, -0.3)],
        [(-0.38, 0.0), (-0.22, 0.14), (-0.14, 0.36)],
        [(0.1, 0.12), (0.24, 0.06), (0.32, 0.22)],
    ):
        canvas.line(turned(vein, x, y, angle, size), rgb(118, 136, 158), size * 0.03)


def _tool(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    """A mason's hammer."""
    handle: list[Point] = [(-0.06, -0.2), (0.06, -0.2), (0.08, 0.55), (-0.08, 0.55)]
    head: list[Point] = [(-0.36, -0.42), (0.22, -0.42), (0.42, -0.3), (0.22, -0.16), (-0.36, -0.16)]
    shine: list[Point] = [(-0.32, -0.38), (0.2, -0.38), (0.3, -0.32), (-0.32, -0.32)]
    line = size * 0.035
    canvas.polygon(turned(handle, x, y, angle + 40, size), rgb(160, 104, 56), INK, line)
    canvas.line(turned([(0.0, 0.0), (0.01, 0.5)], x, y, angle + 40, size), rgb(196, 142, 86), size * 0.04)
    canvas.polygon(turned(head, x, y, angle + 40, size), rgb(84, 92, 104), INK, line)
    canvas.polygon(turned(shine, x, y, angle + 40, size), rgb(150, 160, 172))
