"""Draws the pictures of the documentation from what the commands really print: `python docs/make_pictures.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
CHAR, LINE, MARGIN = 8.4, 17, 14
# The few colours of xterm's 256 that the companion's terminal output uses.
XTERM = {
    16: "#000000",
    25: "#005faf",
    39: "#00afff",
    71: "#5faf5f",
    91: "#8700af",
    114: "#87d787",
    145: "#afafaf",
    149: "#afd75f",
    170: "#d75fd7",
    203: "#ff5f5f",
    215: "#ffaf5f",
    220: "#ffd700",
    231: "#ffffff",
    245: "#8a8a8a",
    250: "#bcbcbc",
}


def main() -> None:
    told = printed("show", "tumult_royale", "--players", "3", "--language", "en")
    (HERE / "show.svg").write_text(svg(one_round(told)), encoding="utf-8")


def printed(*arguments: str) -> list[str]:
    environment = {**os.environ, "FORCE_COLOR": "1"}
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def one_round(lines: list[str]) -> list[str]:
    """From the heading of round 8 to the seats drawn at its end."""
    start = next(number for number, line in enumerate(lines) if "Round 8" in line)
    end = next(number for number, line in enumerate(lines) if "Round 9" in line)
    return lines[start : end - 1]


def svg(lines: list[str]) -> str:
    width = MARGIN * 2 + CHAR * max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines)
    height = MARGIN * 2 + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        f'<rect width="{width:.0f}" height="{height}" rx="10" fill="#16181d"/>',
    ]
    for row, line in enumerate(lines):
        parts += drawn(line, MARGIN + LINE * row)
    return "\n".join([*parts, "</svg>", ""])


def drawn(line: str, top: float) -> Iterator[str]:
    """One line of text, each stretch of one colour where its first character stands."""
    column, codes = 0, ""
    for piece in re.split(r"(\x1b\[[\d;]*m)", line):
        if piece.startswith("\x1b"):
            codes = piece[2:-1]
            continue
        if piece:
            yield from stretch(piece, codes, MARGIN + CHAR * column, top)
        column += len(piece)


def stretch(text: str, codes: str, left: float, top: float) -> Iterator[str]:
    ink = re.search(r"38;5;(\d+)", codes)
    paper = re.search(r"48;5;(\d+)", codes)
    if paper:
        fill = XTERM[int(paper[1])]
        yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{CHAR * len(text):.1f}" height="{LINE}" fill="{fill}"/>'
    style = f'fill="{XTERM[int(ink[1])] if ink else "#e4e6eb"}"'
    if re.search(r"(^|;)2($|;)", codes) and not ink:
        style += ' opacity="0.5"'
    if re.search(r"(^|;)1($|;)", codes):
        style += ' font-weight="bold"'
    if text.strip():
        length = f'textLength="{CHAR * len(text):.1f}" lengthAdjust="spacingAndGlyphs"'
        where = f'x="{left:.1f}" y="{top + LINE - 4.5:.1f}"'
        yield f'<text {where} {style} {length} xml:space="preserve">{escape(text)}</text>'


if __name__ == "__main__":
    main()
