"""A move that may be half of another is not accepted at once, but when a later move or a person confirms it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import BuyPermit, EndTurn, Send, Sweep, TurnUp
from companion.games.council_of_four.state import State
from companion.kernel.views import View
from companion.table.decisions import UNHURRIED
from tests.games.council_of_four.table import COAST, RED, replace, table

from .evening import CouncilFrom, Evening, after, none

CARDS = ("black", "pink", "purple")
BOUGHT = BuyPermit(RED, 0, CARDS)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Cards equal to those that red lays down now are still there from the last bribe."""
    start: State = replace(table(2), bribe=CARDS)
    evening = Evening.begin(CouncilFrom(start), tmp_path, start.seats)
    evening.shows(start)
    return evening


def test_just_such_cards_as_lay_there_may_still_be_the_old_ones(evening: Evening) -> None:
    bought = after(evening, BOUGHT)
    none(evening.shows(bought), "moved")
    none(evening.waits(UNHURRIED - 5), "moved")
    evening.waits(10)
    assert evening.state == bought


def test_other_cards_that_come_later_are_what_was_paid(evening: Evening) -> None:
    paid = BuyPermit(RED, 0, ("black", "joker", "pink"))
    evening.shows(after(evening, BOUGHT))
    done = after(evening, paid)
    evening.shows(done)
    assert evening.state == done


def test_whoever_takes_the_hand_away_has_not_gone_on_by_that(tmp_path: Path) -> None:
    """The assistants that the permit brings seem to be under the hand; then they are still to be taken, and were not
    given back for another action."""
    start = table(2)
    slow = Evening.begin(CouncilFrom(start), tmp_path, start.seats)
    slow.shows(start)
    done = after(slow, BuyPermit(RED, 5, ("black", "joker", "pink", "purple")))
    assert done.gold == start.gold
    assert done.assistants[RED] - start.assistants[RED] == start.box.prices.main_action
    permits = {name: GAME.view(done).zones[name] for name in ("permits", "permits red")}
    taken = View({**GAME.view(start).zones, **permits})
    none(slow.shows(taken, covered=("supply", "assistants red")), "moved")
    none(slow.shows(taken, covered=("bribe",)), "moved")
    slow.shows(done)
    assert slow.state == done


def test_who_goes_on_has_paid(evening: Evening) -> None:
    done = after(evening, BOUGHT, TurnUp(0, "AB"), Send(RED, COAST, "orange"))
    evening.shows(after(evening, BOUGHT))
    evening.shows(done)
    assert evening.state == done


def test_who_presses_has_paid_though_the_cards_are_gone_since(evening: Evening) -> None:
    swept = after(evening, BOUGHT, Sweep())
    evening.shows(after(evening, BOUGHT))
    none(evening.shows(swept), "moved")
    evening.presses(RED)
    assert evening.state == GAME.play(swept, EndTurn(RED))
