"""The pen of the documentation's drawings: a few marks of SVG, in colours that are told apart without seeing colour."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK, PAPER, SOFT, PALE = "#1b1f24", "#ffffff", "#59626d", "#e8ebef"
# Okabe and Ito's colours: people who see red and green alike still see these as different.
BLUE, ORANGE, GREEN, ROSE, SKY = "#0072b2", "#d55e00", "#007f5f", "#a3447d", "#56b4e9"
SEAT_PAINT = {"blue": "#4f8fd9", "yellow": "#f7d038", "purple": "#9a62c7", "grey": "#b8bec6"}

Point = tuple[float, float]


def page(width: int, height: int, title: str, description: str, parts: Iterable[str]) -> str:
    """A whole drawing on its own white paper, so that it looks the same on a dark page."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="Arial, Helvetica, sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            box(0, 0, width, height, PAPER, PAPER, 12),
            *parts,
            "</svg>",
            "",
        ]
    )


def group(name: str, title: str, parts: Iterable[str]) -> str:
    """Marks that belong together; a browser shows the title where the mouse rests."""
    return "\n".join([f'<g id="{escape(name)}"><title>{escape(title)}</title>', *parts, "</g>"])


def text(at: Point, words: str, anchor: str = "start", size: int = 16, colour: str = INK, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def lines(at: Point, words: Iterable[str], pitch: float = 22, colour: str = INK) -> list[str]:
    return [text((at[0], at[1] + row * pitch), line, colour=colour) for row, line in enumerate(words)]


def wire(*points: Point, colour: str = INK, width: float = 3, dashed: bool = False) -> str:
    way = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = ' stroke-dasharray="7 6"' if dashed else ""
    return (
        f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linejoin="round" stroke-linecap="round"{dashes}/>'
    )


def shape(*points: Point, fill: str, edge: str = INK, width: float = 2) -> str:
    way = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polygon points="{way}" fill="{fill}" stroke="{edge}" stroke-width="{width:g}" stroke-linejoin="round"/>'


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str = PAPER,
    edge: str = INK,
    round_by: float = 4,
    dashed: bool = False,
) -> str:
    dashes = ' stroke-dasharray="7 6"' if dashed else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_by:g}" fill="{fill}" '
        f'stroke="{edge}" stroke-width="2"{dashes}/>'
    )


def disc(at: Point, radius: float, fill: str = PAPER, edge: str = INK, width: float = 2, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="7 6"' if dashed else ""
    return (
        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" '
        f'stroke-width="{width:g}"{dashes}/>'
    )
