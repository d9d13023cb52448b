"""Tables compared in tests of the simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.kernel.views import UNKNOWN, Cells, View, differences


def unlike(lying: View, should: View, but: Sequence[str] = ()) -> dict[str, Any]:
    """The places in which a whole table differs from a State; cells unknown to the State may show anything."""
    zones = dict(should.zones)
    for zone, contents in should.zones.items():
        if isinstance(contents, Cells):
            zones[zone] = Cells({cell: label for cell, label in contents.at.items() if label != UNKNOWN})
    assert lying.zones.keys() == should.zones.keys()
    return {zone: how for zone, how in differences(lying, View(zones)).items() if zone not in but}
