"""Kurzübersicht der Symbole: what is left."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.box import Effect
from companion.games.viscounts.moves import (
    Choose,
    Decline,
    Destroy,
    Discard,
    Flip,
    Move,
    Rearrange,
    Slide,
    TakeGood,
)
from companion.games.viscounts.rulebook.effects import apply
from companion.games.viscounts.state import State
from companion.kernel.rules import RuleLog

from .table import (
    RED,
    kinds,
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


def test_symbol_any__ink_gold_or_stone_but_no_silver() -> None:
    state = with_due(table(), "any", 2)
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


def two_choices() -> State:
    """Destroy or discard, and rearrange or discard."""
    state = replace(with_row(table(), "woodcutter 2", "merovech", "labourer"), phase="hiring")
    for effect in (Effect(destroy=1), Effect(rearrange=1)):
        either = Effect(either=(effect, Effect(discard=1)))
        state = apply(state, RED, either, RuleLog())
    return replace(state, due=(tuple(due for group in state.due for due in group),))


DISCARD = Discard(RED, "hand", "trader")
DESTROY = Destroy(RED, "hand", "abbot")
REARRANGE = Rearrange(RED, ("merovech", "woodcutter 2", "labourer"))


@pytest.mark.parametrize(
    "acts",
    [(DISCARD, DESTROY), (DISCARD, REARRANGE), (DESTROY, DISCARD), (REARRANGE, DISCARD), (Decline(RED), DESTROY),
     (Decline(RED), REARRANGE)],
)  # fmt: skip
def test_effect_either__nobody_says_which_of_two_choices_was_made(acts: tuple[Move, Move]) -> None:
    state = two_choices()
    state = replace(state, hidden=(("abbot", "trader"), *state.hidden[1:]), hands=(2, *state.hands[1:]))
    assert played(state, *acts).due == ()


def test_effect_either__each_is_made_once() -> None:
    state = two_choices()
    state = replace(state, hidden=(("abbot", "squire"), *state.hidden[1:]), hands=(2, *state.hands[1:]))
    assert rules(played(state, DESTROY), Destroy(RED, "hand", "squire")) == ["effect.nothing"]
