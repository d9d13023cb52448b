"""A small PDF writer: rectangles, lines, polygons and Helvetica, in millimetres from the top left.

It has only what the sheets need. Everything is drawn as vectors, so that the edges of markers are as sharp as the
printer allows, and the file asks the viewer not to scale it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

Colour = float | tuple[float, float, float]
"""A grey from 0 (black) to 1 (white), or red, green and blue."""

Align = Literal["left", "centre", "right"]

POINT: Final = 25.4 / 72
"""A typographic point in millimetres."""

_ASCII_WIDTHS: Final = (
    [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278]
    + [556] * 10
    + [278, 278, 584, 584, 584, 556, 1015]
    + [667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611]
    + [722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333]
    + [556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278]
    + [556, 500, 722, 500, 500, 500, 334, 260, 334, 584]
)
_OTHER_WIDTHS: Final = {
    **dict.fromkeys("äàáâë", 556),
    **dict.fromkeys("öòóôüùúûèéêñ–€°", 556),
    "Ä": 667,
    "Ö": 778,
    "Ü": 722,
    "ß": 611,
    "ç": 500,
    "×": 584,
    "·": 278,
    **dict.fromkeys("—…", 1000),
    **dict.fromkeys("„“”", 333),
}
_BOLD_IS_WIDER: Final = 1.06


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a line of Helvetica in millimetres; `size` is in points."""
    units = sum(
        _ASCII_WIDTHS[ord(letter) - 32] if " " <= letter <= "~" else _OTHER_WIDTHS.get(letter, 556) for letter in text
    )
    return units / 1000 * size * POINT * (_BOLD_IS_WIDER if bold else 1.0)


def fitting(text: str, width: float, size: float, smallest: float = 5.0, bold: bool = False) -> tuple[str, float]:
    """The line and the largest size, not above `size`, that fit a width. If even the smallest does not, the line is cut
    and ends with …"""
    while size > smallest and text_width(text, size, bold) > width:
        size -= 0.5
    while len(text) > 1 and text_width(text, size, bold) > width:
        text = text.removesuffix("…")[:-1] + "…"
    return text, size


class Page:
    """One page. Later marks lie over earlier ones."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._marks: list[str] = []

    def rects(self, rects: Iterable[tuple[float, float, float, float]], fill: Colour = 0.0) -> None:
        """Filled rectangles (x, y, width, height) as one shape: between neighbours no hairline shows."""
        shape = " ".join(f"{_numbers(rect)} re" for rect in rects)
        if shape:
            self._marks.append(f"{_colour(fill, 'rg')} {shape} f")

    def rect(self, x: float, y: float, width: float, height: float, fill: Colour = 0.0) -> None:
        self.rects([(x, y, width, height)], fill)

    def outline(
        self, points: Sequence[tuple[float, float]], width: float = 0.2, colour: Colour = 0.0, dash: float = 0.0
    ) -> None:
        """A closed line through points."""
        self._path(points, "s", width, colour, dash)

    def frame(
        self, x: float, y: float, wide: float, tall: float, width: float = 0.2, colour: Colour = 0.0, dash: float = 0.0
    ) -> None:
        self.outline([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)], width, colour, dash)

    def line(self, *points: tuple[float, float], width: float = 0.2, colour: Colour = 0.0, dash: float = 0.0) -> None:
        """An open line through points."""
        self._path(points, "S", width, colour, dash)

    def polygon(self, points: Sequence[tuple[float, float]], fill: Colour = 0.0) -> None:
        self._marks.append(f"{_colour(fill, 'rg')} {_through(points)} f")

    def circle(
        self, x: float, y: float, radius: float, width: float = 0.2, colour: Colour = 0.0, dash: float = 0.0
    ) -> None:
        # Four cubic curves with this handle are a circle to a quarter of a thousandth.
        bend = radius * 0.5523
        curves = [
            (x + radius, y + bend, x + bend, y + radius, x, y + radius),
            (x - bend, y + radius, x - radius, y + bend, x - radius, y),
            (x - radius, y - bend, x - bend, y - radius, x, y - radius),
            (x + bend, y - radius, x + radius, y - bend, x + radius, y),
        ]
        path = f"{_numbers((x + radius, y))} m " + " ".join(f"{_numbers(curve)} c" for curve in curves)
        self._marks.append(f"{_pen(width, colour, dash)} {path} s")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 9.0,
        align: Align = "left",
        bold: bool = False,
        colour: Colour = 0.0,
    ) -> None:
        """A line of text on a baseline; `size` in points."""
        wide = text_width(text, size, bold)
        left = x - {"left": 0.0, "centre": wide / 2, "right": wide}[align]
        # On the page y goes down, so letters have to be flipped.
        place = f"1 0 0 -1 {_numbers((left, y))} Tm"
        font = f"/{'Bold' if bold else 'Plain'} {size * POINT:.4f} Tf"
        self._marks.append(f"{_colour(colour, 'rg')} BT {font} {place} ({_escaped(text)}) Tj ET")

    def content(self) -> bytes:
        down = f"{1 / POINT:.6f} 0 0 {-1 / POINT:.6f} 0 {self.height / POINT:.4f} cm"
        return "\n".join([down, *self._marks]).encode("cp1252", "replace")

    def _path(self, points: Sequence[tuple[float, float]], end: str, width: float, colour: Colour, dash: float) -> None:
        self._marks.append(f"{_pen(width, colour, dash)} {_through(points)} {end}")


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as a PDF file."""
    fonts = "<< /Plain 3 0 R /Bold 4 0 R >>"
    first = 6
    objects: list[bytes | str] = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{first + 2 * n} 0 R' for n in range(len(pages)))}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({_escaped(title)}) /Producer (Table Companion) >>".encode("cp1252", "replace"),
    ]
    for number, page in enumerate(pages):
        content = page.content()
        box = f"[0 0 {page.width / POINT:.4f} {page.height / POINT:.4f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources << /Font {fonts} >> "
            f"/Contents {first + 2 * number + 1} 0 R >>"
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _assembled([part if isinstance(part, bytes) else part.encode("ascii") for part in objects])


def write(path: Path, pages: Sequence[Page], title: str) -> None:
    """Write the pages to a file."""
    path.write_bytes(pdf(pages, title))


def _assembled(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in values)


def _through(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_numbers(point)} {'l' if index else 'm'}" for index, point in enumerate(points))


def _colour(colour: Colour, operator: Literal["rg", "RG"]) -> str:
    channels = colour if isinstance(colour, tuple) else (colour, colour, colour)
    return f"{_numbers(channels)} {operator}"


def _pen(width: float, colour: Colour, dash: float) -> str:
    pattern = f"[{_numbers((dash,))}] 0 d" if dash else "[] 0 d"
    return f"{_colour(colour, 'RG')} {_numbers((width,))} w {pattern}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").replace("\n", " ").replace("\r", " ")
