"""The camera cannot read a piece that chance turned up: people are asked after a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.council_of_four.moves import BuyPermit, TurnUp
from companion.kernel.rules import Seat
from companion.kernel.views import UNKNOWN, Cells, Marks, View
from tests.games.council_of_four.table import COUNCIL, laid_out, lots

from .evening import Evening, changed, kinds, none, one

GAME = games.load("council_of_four")
SEATS = (Seat("red", "Ada"), Seat("yellow"), Seat("green"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """The camera has seen that red bought a permit; another one is to be turned up."""
    evening = Evening.begin(GAME, tmp_path, SEATS)
    for move in (next(GAME.moves(evening.state)), *lots(laid_out(3)), BuyPermit(0, 0, COUNCIL)):
        evening.tells(move)
    evening.shows(evening.state)
    yield evening
    evening.holds()
    evening.table.close()


def unknown(evening: Evening, cell: str = "coast 1") -> View:
    def at(contents: Any) -> Cells:
        return Cells({**contents.at, cell: UNKNOWN})

    return changed(GAME.view(evening.state), permits=at)


def test_it_is_asked_once_what_lies_there(evening: Evening) -> None:
    told = evening.shows(unknown(evening))
    none(told + evening.waits(5), "hint")
    told = evening.waits(8)
    hint = one(told, "hint")
    assert hint["says"]["de"] == "Was da liegt, erkenne ich nicht: Platz «Küste 1»."
    assert hint["chosen"] == ["TurnUp", "place=0"]
    none(evening.shows(unknown(evening), seconds=5.0) + evening.waits(30), "hint", "settled", "verdict", "lost")
    assert evening.table.troubled


def test_it_is_over_when_the_place_is_empty_again(evening: Evening) -> None:
    evening.shows(unknown(evening))
    evening.waits(20)
    assert "settled" in kinds(evening.shows(evening.state))
    assert not evening.table.troubled


def test_it_is_over_when_somebody_has_said_what_it_is(evening: Evening) -> None:
    evening.shows(unknown(evening))
    evening.waits(20)
    assert "settled" in kinds(evening.tells(TurnUp(0, "C")))
    evening.shows(unknown(evening), seconds=5.0)
    none(evening.waits(30), "hint")


def test_whoever_says_that_all_is_fine_is_left_alone(evening: Evening) -> None:
    evening.shows(unknown(evening))
    evening.waits(20)
    evening.asks("dismiss")
    none(evening.shows(unknown(evening), seconds=5.0) + evening.waits(30), "hint")


def test_nobody_is_asked_about_a_place_where_nothing_is_due(evening: Evening) -> None:
    evening.shows(unknown(evening, "hills 1"))
    none(evening.waits(30), "hint")


def test_a_zone_that_nobody_watches_is_nobodys_business(evening: Evening) -> None:
    evening.asks("ignore", zone="permits")
    evening.shows(unknown(evening))
    none(evening.waits(30), "hint")


def test_it_is_asked_also_while_people_go_on(evening: Evening) -> None:
    """Later moves cannot be explained before people name the piece, and cause no accusation meanwhile."""
    evening.shows(unknown(evening))
    told = []
    for field in range(3, 12):
        moved = changed(unknown(evening), points=lambda now, field=field: Marks({**now.field, "green": field}))
        told += evening.shows(moved, seconds=1.5)
    none(told, "verdict", "lost")
    assert one(told, "hint")["chosen"] == ["TurnUp", "place=0"]
