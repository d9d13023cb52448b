"""What was seen against what should be seen: unknown is no evidence, in either direction."""

from __future__ import annotations

import msgspec
import pytest

from companion.kernel.messages import Command, Found, Reading, Signal, Update, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, agrees, differences


@pytest.mark.parametrize(
    ("seen", "expected", "fits"),
    [
        (Cells({"A1": "blue"}), Cells({"A1": "blue"}), True),
        (Cells({"A1": None}), Cells({"A1": "blue"}), False),
        (Cells({"A1": UNKNOWN}), Cells({"A1": "blue"}), True),
        (Cells({}), Cells({"A1": "blue"}), True),
        (Pieces({"bread1": 2}), Pieces({"bread1": 2}), True),
        (Pieces({"bread1": 2, "back": 0}), Pieces({"bread1": 2}), True),
        (Pieces({"bread1": 2}), Pieces({"bread1": 2, "back": 1}), False),
        (Marks({"red": 4}), Marks({"red": 4, "green": 1}), True),
        (Marks({"red": 5}), Marks({"red": 4}), False),
        (Pointing(3), Pointing(3), True),
        (Pointing(3), Pointing(4), False),
        (Pointing(3), Pointing(None), True),
        (Cells({}), Pieces({}), False),
    ],
)
def test_what_was_seen_fits_what_was_expected(seen: Contents, expected: Contents, fits: bool) -> None:
    assert agrees(seen, expected) is fits


def test_pieces_that_are_not_there_have_no_count_however_they_were_told() -> None:
    assert Pieces({"nut": 3, "pit": 0}) == Pieces({"nut": 3})
    assert msgspec.json.decode(b'{"type":"pieces","count":{"pit":0}}', type=Contents) == Pieces({})
    assert msgspec.structs.replace(Pieces({"nut": 3}), count={"nut": 0}).count == {}


def test_only_zones_that_were_seen_can_differ() -> None:
    expected = View({"disc": Pointing(3), "middle": Pieces({"back": 4})})
    assert differences(View({}), expected) == {}
    assert differences(View({"disc": Pointing(5)}), expected) == {"disc": (Pointing(5), Pointing(3))}


def test_every_message_survives_json() -> None:
    zone = ZoneReading("tray", Pieces({"bread2": 1}), 0.98, (Found("bread2", 12.5, 40.0, 90.0, 0.98),))
    for message in (
        Reading({"middle": zone, "disc": ZoneReading("dial", None)}, at=12.5, frame=3),
        View({"map": Cells({"A1": None, "B1": "blue x2"}), "track": Marks({"red": 4})}),
        Signal("press", "seat blue", 3.25, seat=0),
        Command("c-1", "move", 1, {"type": "Pass"}),
        Update(7, "moved", {"n": 12}),
    ):
        assert msgspec.json.decode(msgspec.json.encode(message), type=type(message)) == message
