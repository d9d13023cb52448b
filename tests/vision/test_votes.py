"""Votes of several looks at one zone: the majority is reported, and without a majority nothing."""

from __future__ import annotations

import pytest

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces
from vision.layout import Zone, from_data
from vision.votes import agreed

LAYOUT = from_data(
    {
        "name": "two zones",
        "area": {"width": 640, "height": 400},
        "markers": {"side": 50, "at": {"0": [36, 36], "1": [604, 36], "2": [604, 364], "3": [36, 364]}},
        "pieces": {"tile": {"size": [38, 38], "height": 2}},
        "zones": {
            "board": {"kind": "grid", "rect": [80, 90, 206, 216], "columns": 3, "rows": 3, "holds": "tile"},
            "yard": {"kind": "tray", "rect": [340, 80, 500, 190], "holds": "tile"},
        },
    },
    "test",
)
GRID, TRAY = LAYOUT.zones["board"], LAYOUT.zones["yard"]


def cells(confidence: float = 0.9, **at: str | None) -> ZoneReading:
    centres = {name: place.centre for name, place in GRID.places().items()}  # type: ignore[union-attr]
    found = tuple(
        Found(label, centres[name][0], centres[name][1], 0.0, confidence)
        for name, label in at.items()
        if label not in (None, UNKNOWN)
    )
    return ZoneReading("grid", Cells(at), confidence, found)


def pieces(confidence: float = 0.9, **count: int) -> ZoneReading:
    return ZoneReading("tray", Pieces(count), confidence)


def marks(confidence: float = 0.9, **field: int) -> ZoneReading:
    return ZoneReading("track", Marks(field), confidence)


NOTHING = ZoneReading("grid", None, 0.0)


@pytest.mark.parametrize(
    ("zone", "votes", "said"),
    [
        (GRID, [cells(A1="x", B2=None), cells(A1="x", B2=None)], Cells({"A1": "x", "B2": None})),
        (GRID, [cells(A1="x", B2=None), cells(A1="y", B2=None)], Cells({"A1": UNKNOWN, "B2": None})),
        (GRID, [cells(A1="x"), cells(A1=UNKNOWN), cells(A1="x")], Cells({"A1": "x"})),
        (GRID, [cells(A1="x"), cells(A1="y"), NOTHING], None),
        (GRID, [cells(A1="x", B2="y"), cells(A1="x", B2="z"), NOTHING], Cells({"A1": "x", "B2": UNKNOWN})),
        (GRID, [cells(A1="x"), NOTHING, NOTHING], None),
        (TRAY, [pieces(x=1), pieces(x=2), pieces(x=1)], Pieces({"x": 1})),
        (TRAY, [pieces(x=1), pieces(x=2), pieces(x=3)], None),
        (TRAY, [marks(red=1, blue=4), marks(red=1, blue=5), marks(red=2, blue=6)], Marks({"red": 1})),
        (TRAY, [marks(red=1), marks(), marks()], Marks({})),
    ],
)
def test_the_majority_is_told_and_where_there_is_none_nothing(
    zone: Zone, votes: list[ZoneReading], said: Contents | None
) -> None:
    assert agreed(zone, votes).contents == said


def test_the_least_sure_of_those_who_agree_is_as_sure_as_all_and_the_surest_shows_the_pieces() -> None:
    votes = [cells(0.6, A1="x"), cells(0.95, A1="y"), cells(0.8, A1="x")]
    told = agreed(GRID, votes)
    assert told.confidence == 0.6
    assert told.found == votes[2].found
    split = [cells(0.9, A1="x", B2="p"), cells(0.8, A1="y", B2="p"), cells(0.7, A1="z", B2="p")]
    assert [piece.label for piece in agreed(GRID, split).found] == ["p"], "an outvoted piece is not shown"


def test_what_keeps_a_zone_from_being_read_is_told_if_most_pictures_show_it() -> None:
    def odd(*places: tuple[float, float]) -> ZoneReading:
        return ZoneReading("dice", None, 0.0, tuple(Found(UNKNOWN, x, y, odd="edge") for x, y in places))

    told = agreed(TRAY, [odd((350, 90)), odd((351, 92), (480, 180)), odd((350, 91))])
    assert told.contents is None
    assert told.found == (Found(UNKNOWN, 350, 91, odd="edge"),)
    assert agreed(TRAY, [odd((350, 90)), pieces(x=1), pieces(x=1)]).found == ()
