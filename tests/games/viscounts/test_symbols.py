"""Kurzübersicht der Symbole: what is left."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import Choose, Flip, Slide, TakeGood

from .table import RED, due, kinds, owns, papers, played, replace, rules, table, told, with_row


def test_symbol_any__ink_gold_or_stone_but_no_silver() -> None:
    state = due(table(), "any", 2)
    assert rules(state, TakeGood(RED, "silver")) == ["symbol.any"]
    assert "symbol.any" in told(state, TakeGood(RED, "ink"))
    assert owns(played(state, TakeGood(RED, "ink"), TakeGood(RED, "stone"))) == {"ink": 1, "stone": 1}


def test_guntram_leaves_a_choice_between_two_whole_effects() -> None:
    state = papers(replace(with_row(table(), "abbot", "squire", "guntram"), phase="sliding"), debts=(0, 0))
    state = GAME.play(state, Slide(RED))
    assert kinds(state) == {"Choose"}
    after = GAME.play(state, Choose(RED, 0))
    assert after.debts[RED] == (1, 0)
    assert kinds(after) == {"PlayCard"}  # there is no deed to flip
    other = GAME.play(papers(state, debts=(1, 0)), Choose(RED, 1))
    assert other.deeds[RED] == (1, 0)
    assert GAME.play(other, Flip(RED, "debt")).debts[RED] == (0, 1)
