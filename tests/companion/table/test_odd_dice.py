"""A die that cannot be read: people are told why and where, and there is no accusation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.kernel.messages import Found, Odd, Reading, Update, ZoneReading
from companion.kernel.views import UNKNOWN
from tests.games.tiletum.table import ARCHITECT, acting

from .evening import KINDS, Evening, none, one, tiletum

WHEEL = "wheel merchant"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = tiletum(acting(ARCHITECT, 1), tmp_path)
    evening.shows(evening.state)
    yield evening
    evening.table.close()


def shows_odd(evening: Evening, odd: Odd) -> list[Update]:
    """Send a Reading of the right table with an unreadable die in one section."""
    evening.clock += 1.0
    view = evening.table.game.view(evening.state)
    zones = {name: ZoneReading(KINDS[type(contents)], contents) for name, contents in view.zones.items()}
    zones[WHEEL] = ZoneReading("dice", None, 0.0, (Found(UNKNOWN, 870.0, 290.0, 0.0, 0.0, odd),))
    return evening.take(Reading(zones, evening.clock))


SAID: dict[Odd, tuple[str, str]] = {
    "edge": (
        "Ein Würfel scheint auf der Kante zu stehen, bei «Händler».",
        "A die seems to be standing on its edge, at “merchant”.",
    ),
    "stacked": (
        "Ein Würfel scheint auf einem anderen zu liegen oder auf der Kante zu stehen, bei «Händler».",
        "A die seems to be lying on another one or standing on its edge, at “merchant”.",
    ),
    "outside": (
        "Ein Würfel liegt neben allen Feldern. Am nächsten ist: Würfel bei «Händler».",
        "A die is outside every place. The nearest one: the dice at “merchant”.",
    ),
}


@pytest.mark.parametrize("odd", SAID)
def test_it_is_said_once_what_is_odd_and_at_which_section(evening: Evening, odd: Odd) -> None:
    none(shows_odd(evening, odd), "hint")
    hint = one(evening.waits(4), "hint")
    assert (hint["says"]["de"], hint["says"]["en"]) == SAID[odd]
    assert hint["zones"] == [WHEEL]
    none(shows_odd(evening, odd) + evening.waits(20), "hint", "verdict", "lost", "settled")


def test_it_is_over_when_the_die_lies_flat(evening: Evening) -> None:
    shows_odd(evening, "edge")
    one(evening.waits(4), "hint")
    one(evening.shows(evening.state), "settled")
    assert not evening.table.troubled
