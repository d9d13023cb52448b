"""Phase 2: Bewegen."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.components import UNREACHABLE, space_names, steps_to_spaces
from companion.games.viscounts.moves import Decline, Rearrange, Travel
from companion.games.viscounts.state import State

from .table import (
    BLUE,
    BOX,
    RED,
    TRADING_POST,
    YELLOW,
    breach,
    has,
    inner,
    kinds,
    listed,
    note,
    owns,
    replace,
    rules,
    space,
    table,
    told,
    with_row,
    with_slots,
    with_viscount,
)


def moving(card: str, start: int, **facts: int) -> State:
    """Red has played a card and is to move from a space."""
    state = with_viscount(replace(table(), phase="moving", played=card), start)
    return has(state, **facts)


def reached(state: State) -> set[str]:
    return {space_names(BOX)[move.space] for move in listed(state, Travel)}


def test_example_the_abbot_moves_two_by_the_outer_or_the_inner_path() -> None:
    """From the left outer space: to both left spaces of the next segment, or in and out again."""
    assert reached(moving("abbot", space(3))) == {"5", "inner 5-6", "4"}


def test_move_steps__as_far_as_the_card_is_worth_and_no_less() -> None:
    assert reached(moving("trader", space(3))) == {"4", "inner 3-4"}
    assert reached(moving("trader", space(4))) == {"5"}
    assert reached(moving("trader", inner(1))) == {"4", "inner 5-6"}
    after = GAME.play(moving("trader", space(3)), Travel(RED, space(4)))
    assert after.viscounts[RED] == space(4)
    assert after.phase == "action"
    assert told(moving("trader", space(3)), Travel(RED, space(4))) == ["move.steps"]


def test_move_steps__whoever_stops_too_early_is_told_so_whatever_silver_they_have() -> None:
    """The journeyman asks for two spaces, and from 4 the way to 5 is one; all the way round it is eight."""
    poor, rich = moving("journeyman", space(4)), moving("journeyman", space(4), silver=9)
    facts = breach(poor, Travel(RED, space(5)), "move.steps").facts
    assert facts == {"seat": "red", "space": "5", "steps": 2, "price": 6, "silver": 0}
    assert rules(rich, Travel(RED, space(5))) == []
    assert rules(rich, Travel(RED, space(5), (0, 0, 0, 6, 0, 0, 0, 0))) == ["move.steps", "effect.exact"]
    assert rules(moving("journeyman", space(3)), Travel(RED, space(4))) == []  # in and out again


def test_move_silver__each_further_space_costs_one() -> None:
    state = moving("trader", space(3), silver=2)
    assert reached(state) == {"4", "inner 3-4", "5", "inner 5-6", "6", "inner 7-8"}
    after = GAME.play(state, Travel(RED, space(6)))
    assert owns(after) == {}
    assert note(state, Travel(RED, space(6)), "move.silver").facts["price"] == 2
    facts = breach(state, Travel(RED, space(8)), "move.silver").facts
    assert (facts["price"], facts["silver"]) == (3, 2)


def test_move_arrows__nobody_goes_back_but_all_the_way_round() -> None:
    order = (0, 1, 2, 3, 4)
    assert steps_to_spaces(order, space(3), 1)[space(3)] == 7
    assert steps_to_spaces(order, space(3), 1)[space(2)] == 6
    assert steps_to_spaces(order, space(3), 11)[space(4)] == 11
    assert min(steps_to_spaces(order, inner(1), 1)) >= 1
    assert UNREACHABLE not in steps_to_spaces(order, inner(1), 3)
    assert rules(moving("trader", space(3)), Travel(RED, 99)) == ["move.arrows"]


def test_move_arrows__the_way_follows_the_segments_as_they_lie() -> None:
    state = replace(moving("trader", space(4)), order=(0, 1, 4, 2, 3))
    assert reached(state) == {"9"}


def test_move_step__the_first_trading_post_gives_one_space_for_free() -> None:
    state = with_slots(moving("trader", space(3)), RED, (TRADING_POST, 0))
    assert reached(state) == {"4", "inner 3-4", "5", "inner 5-6"}
    assert "move.step" in told(state, Travel(RED, space(5)))
    assert "move.step" not in told(state, Travel(RED, space(4)))


def test_move_meet__whoever_is_met_may_rearrange() -> None:
    state = with_row(with_viscount(moving("trader", space(3)), space(4), BLUE), "abbot", "squire", "thief", seat=BLUE)
    assert note(state, Travel(RED, space(4)), "move.meet").facts == {"seat": "red", "other": "blue"}
    met = GAME.play(state, Travel(RED, space(4)))
    assert GAME.actor(met) == BLUE
    assert kinds(met) == {"Rearrange", "Decline"}
    done = GAME.play(met, Rearrange(BLUE, ("thief", "squire", "abbot")))
    assert GAME.actor(done) == RED
    assert done.phase == "action"


def test_move_meet__all_who_stand_there_one_after_the_other() -> None:
    state = moving("trader", space(3))
    for seat in (YELLOW, BLUE):
        state = with_row(with_viscount(state, space(4), seat), "abbot", "squire", "thief", seat=seat)
    met = GAME.play(state, Travel(RED, space(4)))
    assert GAME.actor(met) == BLUE
    assert GAME.actor(GAME.play(met, Decline(BLUE))) == YELLOW
    passed = GAME.play(state, Travel(RED, inner(1)))
    assert GAME.actor(passed) == RED


def test_move_meet__nobody_is_met_on_the_way() -> None:
    state = with_row(with_viscount(moving("abbot", space(3)), space(4), BLUE), "abbot", "squire", "thief", seat=BLUE)
    assert GAME.actor(GAME.play(state, Travel(RED, space(5)))) == RED
