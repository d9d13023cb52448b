"""Wrong acts in Viscounts, and the rules that they visibly break."""

from __future__ import annotations

from random import Random

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import Discard, Trade
from companion.games.viscounts.simulation.mistakes import mistakes
from companion.games.viscounts.state import State
from companion.simulation.people import Act
from tests.games.viscounts.table import RED, papers, space, table, with_row, with_viscount

DUE, NOTHING = frozenset({"effect.due"}), frozenset({"effect.nothing"})


class World:
    """A table of which only the last positions are known."""

    def __init__(self, *recent: State) -> None:
        self._recent = recent

    def recent(self) -> tuple[State, ...]:
        return self._recent

    def under_townsfolk(self) -> dict[str, str]:
        return {}

    under_manuscripts = under_townsfolk


def discarding(state: State, world: World) -> Act:
    """A player discards a card for nothing."""
    wrong = next(one for one in mistakes(state, Random(3), None, world) if one.kind == "discarded for nothing")
    assert isinstance(wrong.move, Discard)
    return Act("wrong", (wrong.move,), (), state, wrong.rules, or_rules=wrong.or_rules)


def test_after_a_trade_that_left_no_trace_a_card_is_discarded_too_early_or_for_nothing() -> None:
    """Red has traded four symbols for turning over a debt, and has not turned it over."""
    before = papers(with_row(with_viscount(table(), space(6)), "lender", "journeyman", "abbot"), debts=(1, 0))
    traded = GAME.play(before, Trade(RED, 1))
    assert GAME.view(traded) == GAME.view(before)
    act = discarding(traded, World(before))
    assert act.breaks(DUE)
    assert act.breaks(NOTHING)
    assert not act.breaks(DUE | NOTHING)


def test_where_everything_shows_only_one_reason_is_right() -> None:
    early = with_row(with_viscount(table(), space(6)), "lender", "journeyman", "abbot")
    traded = GAME.play(papers(early, debts=(1, 0)), Trade(RED, 1))
    act = discarding(traded, World(early))
    assert act.breaks(DUE)
    assert not act.breaks(NOTHING)
