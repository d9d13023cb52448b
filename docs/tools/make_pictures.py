"""Draws the pictures of the documentation from what the commands really print and read.

    python docs/tools/make_pictures.py [PHOTOGRAPHS]

With a folder of dice photographs, what was found in some of them is drawn too: the dice alone, for the photographs are
other people's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random

import cv2

from companion import games
from companion.simulation.selfplay import open_table, playing
from vision import layout as layouts
from vision.accuracy import tables
from vision.kit.teaching_tables import everything
from vision.rendered import Hand, Light, TableTop, any_camera, picture, scene_of

HERE = Path(__file__).parents[1]
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
    read_a_table(HERE / "read.jpg", light="warm", table_top="wood", seed=5)
    read_a_table(HERE / "read-hand.jpg", light="one_sided", table_top="felt", seed=8, hand=True)
    if len(sys.argv) > 1:
        photographs = sorted(Path(sys.argv[1]).glob("*.jpg"))[::7]
        (HERE / "dice.svg").write_text(found_dice(photographs), encoding="utf-8")


def read_a_table(out: Path, light: Light, table_top: TableTop, seed: int, hand: bool = False) -> None:
    """Teach a kit from one rendered picture and read another, through the command line alone."""
    rng = Random(seed)
    file = games.load("tumult_royale").box_file.with_name("layout.toml")
    layout = layouts.load(file)
    rig = tables.Rig(any_camera(rng, layout), table_top)
    (lesson,) = everything(layout)
    scene, image = tables.shot(layout, lesson, rig, "even", rng)
    truth = {n: t for n, t in tables.truth_of(layout, scene, lesson).items() if layout.zones[n].kind != "dial"}
    game = games.load("tumult_royale")
    state, world = open_table(game, 4, "keen", f"pictures/{seed}", {})
    placing = [after for _, _, after in playing(game, state, world) if after.phase == "placing"]
    shown = scene_of(layout, game.view(rng.choice(placing)), rng, table_top=table_top)
    hands = [Hand("bottom", (520.0, 420.0))] if hand else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cv2.imwrite(str(folder / "lesson.png"), image)
        cv2.imwrite(str(folder / "table.png"), picture(layout, shown, rig.camera, light, rng, hands=hands))
        (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
        common = ["--layout", str(file), "--kit", str(folder / "kit")]
        printed("teach", str(folder / "lesson.png"), "--truth", str(folder / "truth.json"), *common)
        printed("read", str(folder / "table.png"), "--overlay", str(folder / "read.png"), *common)
        drawn = cv2.imread(str(folder / "read.png"))
        assert drawn is not None
        cv2.imwrite(str(out), drawn, [cv2.IMWRITE_JPEG_QUALITY, 80])


def found_dice(photographs: list[Path]) -> str:
    """The dice found in each photograph, where and how large they were found."""
    parts, left = [], 0.0
    for photograph in photographs:
        found = json.loads("".join(printed("dice", str(photograph), "--json")))["dice"]
        image = cv2.imread(str(photograph))
        assert image is not None
        scale = 300 / image.shape[0]
        parts.append(f'<rect x="{left:.0f}" width="{image.shape[1] * scale:.0f}" height="300" fill="#eceff1"/>')
        for die in found:
            side, x, y = die["size"] * scale * 0.8, left + die["x"] * scale, die["y"] * scale
            parts.append(
                f'<rect x="{x - side / 2:.0f}" y="{y - side / 2:.0f}" width="{side:.0f}" height="{side:.0f}" '
                f'rx="{side / 6:.0f}" fill="#fff" stroke="#0d47a1" stroke-width="2"/>'
                f'<text x="{x:.0f}" y="{y:.0f}" font-size="{max(11, side * 0.5):.0f}" text-anchor="middle" '
                f'dominant-baseline="central" font-family="sans-serif">{die["value"]}</text>'
            )
        left += image.shape[1] * scale + 12
    size = f'viewBox="0 0 {left:.0f} 300" width="{left:.0f}" height="300"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


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
