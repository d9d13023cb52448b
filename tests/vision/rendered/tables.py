"""Tables for these tests: the real Tumult Royale table with everything on it, and a small one of every zone kind."""

from __future__ import annotations

import tomllib
from pathlib import Path

import companion.games.tumult_royale as tumult_royale
from companion.games.tumult_royale.box import KINDS, TILES
from companion.kernel.views import Cells, Marks, Pieces, Pointing, View
from vision import layout as layouts

TUMULT = layouts.load(Path(tumult_royale.__file__).with_name("layout.toml"))
COLOURS = ("blue", "yellow", "purple", "grey")


def tumult_view() -> View:
    """Every label that Tumult Royale can show, somewhere on the table."""
    land = {f"{'ABCDEFGHIJKL'[n % 12]}{n // 12 + 1}": (*KINDS, "back")[n % 6] for n in range(72)}
    statues = dict.fromkeys(land) | {"B2": "blue", "E3": "yellow x2", "K5": "purple x3", "H1": "grey"}
    chronicle = {str(n): None for n in range(1, 11)} | {"1": "grey", "2": "blue x2"}
    return View(
        {
            "land": Cells(dict(land)),
            "statues": Cells(statues),
            "chronicle": Cells(chronicle),
            "disc": Pointing(4),
            "middle": Pieces({**dict.fromkeys(TILES, 2), "back": 4}),
            "supply": Pieces({"follower": 38}),
            "cards": Cells({colour: f"rank{rank}" for rank, colour in enumerate(COLOURS, 1)}),
            "mercy": Cells(dict(zip(COLOURS, ("mercy", "no_mercy", "mercy", "no_mercy"), strict=True))),
            **{f"castle {colour}": Pieces({"bread1": 2, "tool3": 1, "back": 3}) for colour in COLOURS},
            **{f"followers {colour}": Pieces({"follower": 13}) for colour in COLOURS},
            **{f"rack {colour}": Pieces({colour: 23}) for colour in COLOURS},
        }
    )


SMALL = layouts.from_data(
    tomllib.loads("""
name = "Small"
area = { width = 600, height = 340 }
markers = { side = 40, at = { 0 = [30, 30], 1 = [570, 30], 2 = [570, 310], 3 = [30, 310] } }

[pieces]
letter = { size = [19, 20], height = 4 }
pawn = { size = [16, 16], height = 22 }
disc = { size = [15, 15], height = 5, round = true }

[zones]
words = { kind = "grid", rect = [70, 20, 200, 150], columns = 6, rows = 6, holds = "letter", turns = false }
men = { kind = "slots", size = [36, 36], at = { a = [250, 60], b = [300, 60], c = [350, 60] }, holds = "pawn" }
dice = { kind = "dice", rect = [400, 20, 530, 150] }
score = { kind = "track", size = [24, 24], at = { 3 = [178, 300], 5 = [230, 300], 11 = [386, 300] }, holds = "disc" }
odds = { kind = "tray", rect = [70, 170, 300, 280] }

[zones.mood]
kind = "dial"
centre = [420, 220]
radius = 50
sectors = [
  { value = 1, start = 300, end = 60 },
  { value = 2, start = 60, end = 180 },
  { value = 3, start = 180, end = 300 },
]
"""),
    "the small table",
)


def small_view() -> View:
    return View(
        {
            "words": Cells({"A1": "Q", "B1": None, "F6": "Ä"}),
            "men": Cells({"a": "blue_pawn", "b": "red_house", "c": None}),
            "dice": Pieces({"red 5": 1, "white 3": 2}),
            "score": Marks({"blue": 3, "yellow": 3, "red": 11}),
            "odds": Pieces({"sheep": 2, "something nobody has drawn": 1}),
            "mood": Pointing(1),
        }
    )
