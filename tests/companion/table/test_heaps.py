"""A heap that the camera cannot count: people are asked to spread it, and there is no accusation meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.decisions import HALF_DONE
from companion.table.observations import UNCOUNTED
from tests.nine_beds import Plant

from .evening import Evening, after, beds, none, one, unchecked

BLUE, YELLOW = 0, 1
A1, B1, C1, C3 = 0, 1, 2, 8
SHED = "shed blue"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    yield evening
    evening.table.close()


def test_people_are_asked_once_to_spread_it(evening: Evening) -> None:
    none(evening.shows(evening.state, unsure=[SHED]) + evening.waits(UNCOUNTED - 1), "hint")
    hint = one(evening.waits(2), "hint")
    assert hint["says"] == {
        "de": "Das kann ich nicht zählen: Schuppen von Anna. Legt die Teile bitte etwas auseinander.",
        "en": "I can’t count this: Anna's shed. Please spread the pieces out a little.",
    }
    assert hint["zones"] == hint["spread"] == [SHED]
    none(evening.shows(evening.state, unsure=[SHED]) + evening.waits(60), "hint", "verdict", "lost", "settled")
    one(evening.shows(evening.state), "settled")
    assert not evening.table.troubled


def test_nobody_is_asked_while_a_hand_is_over_it_or_nothing_is_to_be_counted(evening: Evening) -> None:
    none(evening.shows(evening.state, covered=[SHED]) + evening.waits(60), "hint")
    none(evening.shows(evening.state, unsure=["compost"]) + evening.waits(60), "hint")


def test_a_heap_that_nobody_watches_is_not_spoken_of(evening: Evening) -> None:
    evening.asks("ignore", zone=SHED)
    none(evening.shows(evening.state, unsure=[SHED]) + evening.waits(60), "hint")


def test_who_says_that_all_is_well_is_not_asked_again(evening: Evening) -> None:
    evening.shows(evening.state, unsure=[SHED])
    one(evening.waits(UNCOUNTED + 1), "hint")
    evening.asks("dismiss")
    none(evening.shows(evening.state, unsure=[SHED]) + evening.waits(60), "hint")


def test_play_goes_on_beside_it(evening: Evening) -> None:
    evening.shows(evening.state, unsure=["compost", "shed yellow"])
    one(evening.waits(UNCOUNTED + 1), "hint")
    planted = after(evening, Plant(BLUE, B1))
    told = evening.shows(planted, unsure=["shed yellow"])
    one(told, "moved")
    assert evening.state == planted


def test_a_doubt_says_which_heap_would_settle_it(evening: Evening) -> None:
    wrong = unchecked(evening, Plant(BLUE, C1))
    told = []
    for _ in range(round(HALF_DONE)):
        told += evening.shows(wrong, unsure=["shed yellow"])
    hint = one(told, "hint")
    assert hint["says"]["en"] == (
        "Is that right? Nothing of Anna's grows beside C1. "
        "I can’t count this: Yellow's shed. Please spread the pieces out a little."
    )
    assert hint["spread"] == ["shed yellow"]
    # It is counted, and what was doubted is certain.
    told = [update for _ in range(4) for update in evening.shows(wrong)]
    assert one(told, "verdict")["breaches"]
