"""Aktionsphase: turns in order, a die in each, three times for everybody."""

from __future__ import annotations

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import BuyGood, EndTurn, Gather, TakeDie, TakeTile
from companion.kernel.messages import Signal

from .table import (
    ARCHITECT,
    GREEN,
    MERCHANT,
    PURPLE,
    RED,
    acting,
    breach,
    broken_rules,
    note,
    played,
    replace,
    table,
    told_rules,
    with_warehouse,
)


def test_turn_order__by_the_order_of_play() -> None:
    state = acting(ARCHITECT, 0, leave_tile=True)
    assert note(state, EndTurn(RED), "turn.order").facts == {"seat": "green", "round": 1, "turn": 1}
    assert played(replace(state, order=(RED, PURPLE, GREEN, 2)), EndTurn(RED)).turn == PURPLE


def test_turn_order__nobody_acts_in_the_turn_of_somebody_else() -> None:
    facts = {"seat": "green", "next": "red"}
    assert breach(table(), TakeDie(GREEN, "yellow", 1), "turn.order").facts == facts
    assert broken_rules(table(), EndTurn(PURPLE)) == {"turn.order"}


def test_turn_order__nobody_is_blamed_for_what_their_neighbour_left_undone() -> None:
    state = acting(MERCHANT, 0, leave_tile=False)
    tile = {"seat": "red", "tile": "merchant2"}
    assert breach(state, TakeDie(GREEN, "yellow", 1), "tile.must").facts == tile
    assert broken_rules(state, TakeDie(GREEN, "yellow", 1)) == {"tile.must"}
    assert broken_rules(replace(state, owed=1), TakeDie(GREEN, "yellow", 1)) == {"bonus.choice", "tile.must"}
    assert broken_rules(state, TakeDie(PURPLE, "yellow", 1)) == {"turn.order"}
    assert broken_rules(state, BuyGood(GREEN, "iron")) == {"turn.order"}


def test_turn_die__no_turn_without_one() -> None:
    assert breach(table(), EndTurn(RED), "turn.die").facts == {"seat": "red"}
    taken = played(table(), TakeDie(RED, "yellow", 1))
    assert broken_rules(taken, EndTurn(RED)) == {"turn.die"}
    assert broken_rules(table(), Gather(RED, "gold")) == {"turn.die"}
    assert broken_rules(table(), TakeTile(RED, ARCHITECT)) == {"turn.die"}


def test_turn_three__then_the_kings_phase_begins() -> None:
    state = replace(acting(ARCHITECT, 0, leave_tile=True), turn=PURPLE, lap=2)
    assert note(state, EndTurn(PURPLE), "turn.three").facts == {"round": 1, "turns": 3}
    assert played(state, EndTurn(PURPLE)).phase == "favour"


def test_points_lost__what_is_left_is_lost() -> None:
    state = acting(ARCHITECT, 3, leave_tile=True)
    assert note(state, EndTurn(RED), "points.lost").facts == {"seat": "red", "points": 3}
    assert sum(played(state, EndTurn(RED)).ap) == 0
    assert "points.lost" not in told_rules(acting(ARCHITECT, 0, leave_tile=True), EndTurn(RED))


def test_tile_must__by_a_house_rule_whoever_has_room_takes_the_tile() -> None:
    state = acting(MERCHANT, 0, leave_tile=False)
    assert breach(state, EndTurn(RED), "tile.must").facts == {"seat": "red", "tile": "merchant2"}
    assert broken_rules(played(state, TakeTile(RED, MERCHANT)), EndTurn(RED)) == set()
    full = with_warehouse(state, RED, "again", "any2", "points3", "recolour")
    assert broken_rules(full, EndTurn(RED)) == set()


def test_tile_must__it_may_be_left() -> None:
    assert broken_rules(acting(MERCHANT, 0), EndTurn(RED)) == set()


def test_a_press_in_ones_turn_ends_it_when_it_can_end() -> None:
    press = Signal("press", "seat red", 0.0, seat=RED)
    assert GAME.signalled(table(), press) == ()
    state = acting(ARCHITECT, 0, leave_tile=True)
    assert GAME.signalled(state, press) == (EndTurn(RED),)
    assert GAME.signalled(state, Signal("press", "seat green", 0.0, seat=GREEN)) == ()
    assert GAME.signalled(state, Signal("timer", "timer", 0.0)) == ()
