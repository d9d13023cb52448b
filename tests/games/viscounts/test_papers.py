"""Schuldscheine und Urkunden: gained, flipped, and what comes of it."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.box import Effect
from companion.games.viscounts.moves import Destroy, Discard, Flip, TakeGood
from companion.games.viscounts.rulebook.effects import apply
from companion.kernel.rules import RuleLog

from .table import (
    BLUE,
    RED,
    has,
    kinds,
    listed,
    owns,
    papers,
    played,
    replace,
    rules,
    table,
    told,
    with_due,
    with_row,
)


def test_debt_gain__it_lies_unpaid_and_leaves_the_pile() -> None:
    log = RuleLog()
    state = apply(table(poverty=15), RED, Effect(debt=2), log)
    assert state.debts[RED] == (2, 0)
    assert state.poverty == 13
    assert [one.rule for one in log.notes] == ["debt.gain"]


def test_deed_gain__it_is_acquired_and_leaves_the_pile() -> None:
    log = RuleLog()
    state = apply(table(prosperity=16), BLUE, Effect(deed=3), log)
    assert state.deeds[BLUE] == (3, 0)
    assert state.prosperity == 13
    assert [one.rule for one in log.notes] == ["deed.gain"]


def test_debt_flip__it_brings_a_resource_of_choice() -> None:
    state = papers(with_due(table(), "flip"), debts=(1, 0))
    assert rules(papers(state, debts=(0, 2), deeds=(1, 0)), Flip(RED, "debt")) == ["debt.flip"]
    after = GAME.play(state, Flip(RED, "debt"))
    assert after.debts[RED] == (0, 1)
    assert listed(after, TakeGood) == [TakeGood(RED, good) for good in ("ink", "gold", "stone")]
    assert owns(GAME.play(after, TakeGood(RED, "gold"))) == {"gold": 1}


def test_deed_flip__it_is_approved() -> None:
    state = papers(with_due(table(), "flip"), deeds=(2, 1), debts=(1, 0))
    after = GAME.play(state, Flip(RED, "deed"))
    assert after.deeds[RED] == (1, 2)
    assert after.due == ()
    assert rules(papers(state, debts=(1, 0)), Flip(RED, "deed")) == ["deed.flip"]


def test_symbol_flip__a_symbol_may_be_for_one_kind_only() -> None:
    both = papers(table(), debts=(1, 0), deeds=(1, 0))
    assert listed(with_due(both, "flip_debt"), Flip) == [Flip(RED, "debt")]
    assert rules(with_due(both, "flip_debt"), Flip(RED, "deed")) == ["symbol.flip"]
    assert rules(with_due(both, "flip_deed"), Flip(RED, "debt")) == ["symbol.flip"]
    assert len(listed(with_due(both, "flip"), Flip)) == 2


def test_action_free__nothing_is_paid_for_what_an_effect_flips() -> None:
    state = has(papers(with_due(table(), "flip"), deeds=(1, 0)), ink=2)
    assert rules(state, Flip(RED, "deed", (2, 0, 0, 0))) == ["action.free"]


def test_debt_collector__a_debt_that_is_paid_is_rewarded() -> None:
    state = with_row(papers(with_due(table(), "flip"), debts=(1, 0)), "debt collector 3", "trader", "trader")
    assert "debt.collector" in told(state, Flip(RED, "debt"))
    after = GAME.play(state, Flip(RED, "debt"))
    assert owns(after) == {"silver": 1}
    assert after.virtue[RED] == 6


def test_debt_collector__another_one_flips_a_deed_for_every_debt() -> None:
    state = with_row(
        papers(with_due(table(), "flip"), debts=(1, 0), deeds=(1, 0)), "debt collector 1", "trader", "trader"
    )
    after = GAME.play(state, Flip(RED, "debt"))
    assert kinds(after) == {"TakeGood", "Flip"}
    assert played(after, Flip(RED, "deed"), TakeGood(RED, "ink")).deeds[RED] == (0, 1)


def test_ruling_every_debt_counts_for_a_townsfolk_who_waits_for_debts() -> None:
    state = with_row(table(), "racketeer 1", "trader", "trader")
    state = apply(state, RED, Effect(debt=2), RuleLog())
    assert kinds(state) == {"Discard", "Destroy", "Decline", "DrawUp"}
    state = GAME.play(state, Discard(RED, "hand", "abbot"))
    assert kinds(state) == {"Discard", "Destroy", "Decline", "DrawUp"}
    assert GAME.play(state, Destroy(RED, "hand", "thief")).due == ()


def test_end_poverty__the_last_debt_on_the_card_brings_the_end_near() -> None:
    log = RuleLog()
    state = apply(replace(table(poverty=1), round=4), RED, Effect(debt=2), log)
    assert state.poverty == 0
    assert state.last_round == 5
    assert "end.poverty" in [one.rule for one in log.notes]
    again = apply(replace(state, round=5), RED, Effect(debt=1), RuleLog())
    assert (again.debts[RED], again.last_round) == ((3, 0), 5)


def test_end_prosperity__the_last_deed_on_the_card_brings_the_end_near() -> None:
    log = RuleLog()
    state = apply(replace(table(prosperity=2), round=4), RED, Effect(deed=2), log)
    assert (state.prosperity, state.last_round) == (0, 5)
    assert "end.prosperity" in [one.rule for one in log.notes]
    both = apply(replace(state, poverty=1, round=5), BLUE, Effect(debt=1), RuleLog())
    assert (both.poverty, both.last_round) == (0, 5)
