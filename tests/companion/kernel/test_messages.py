"""The messages between the packages."""

from __future__ import annotations

import msgspec

from companion.kernel.messages import Command, Found, Reading, Signal, Update, ZoneReading
from companion.kernel.views import Cells, Marks, Pieces, View


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
