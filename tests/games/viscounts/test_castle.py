"""Arbeiter einsetzen: climbing, pushing, the leader of the castle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    Choose,
    Climb,
    Decline,
    Destroy,
    Discard,
    Employ,
    Hire,
    Move,
    Push,
    Shift,
    TakeGood,
)
from companion.games.viscounts.rulebook.payment import strength
from companion.games.viscounts.state import NO_SEAT, State, workers_in_castle, workers_left
from tests.work import calls

from .table import (
    BLUE,
    GUILDHALL,
    RED,
    TRADING_POST,
    breach,
    has,
    inner,
    kinds,
    listed,
    marker_fields,
    note,
    owns,
    papers,
    played,
    replace,
    rules,
    table,
    told,
    with_due,
    with_row,
    with_slots,
    with_tops_told,
    with_viscount,
    with_workers,
    workers,
)

INK_AND_STONE, FLIP, GOLD_OR_MOVE, HIRE_OR_DESTROY, VIRTUES = range(5)


def placing(segment: int = 0, **goods: int) -> State:
    """Red stands inside before a section, with one noble symbol."""
    return has(with_row(with_viscount(table(), inner(segment)), "squire", "lender", "trader"), **goods)


def test_workers_nobles__one_three_five_or_eight_symbols() -> None:
    state = placing(gold=7)
    assert {(move.number, move.pays[1]) for move in listed(state, Employ)} == {(1, 0), (2, 2), (3, 4), (4, 7)}
    after = GAME.play(state, Employ(RED, 2, 0, (0, 2, 0, 0)))
    assert workers(after, 1) == [2, 0, 0, 0, 0]
    assert workers_left(after, RED) == 18
    facts = breach(placing(gold=1), Employ(RED, 2, 0, (0, 2, 0, 0)), "workers.nobles").facts
    assert facts == {"seat": "red", "needs": 3, "has": 1, "number": 2, "missing": 2, "good": "gold", "left": 1}
    assert "workers.nobles" in told(state, Employ(RED, 1, 0))


def test_workers_most__one_to_four() -> None:
    assert breach(placing(gold=9), Employ(RED, 5, 0), "workers.most").facts == {"seat": "red", "number": 4}
    assert rules(placing(gold=9), Employ(RED, 0, 0)) == ["workers.most"]


def test_workers_left__only_those_in_stock() -> None:
    state = with_workers(with_workers(placing(gold=9), 2, 3, 2), 1, 4, 2)
    state = replace(state, top=(15, 0, 0))
    assert workers_left(state, RED) == 1
    assert {move.number for move in listed(state, Employ)} == {1}
    assert breach(state, Employ(RED, 2, 0, (0, 2, 0, 0)), "workers.left").facts["workers"] == 1


def test_workers_beside__into_the_section_before_the_viscount() -> None:
    assert {move.section for move in listed(placing(3), Employ)} == {3}
    assert {move.section for move in listed(replace(placing(3), castle=2), Employ)} == {0}
    assert rules(placing(3), Employ(RED, 1, 2)) == ["workers.beside"]


def test_workers_climb__one_goes_in_and_two_go_aside() -> None:
    state = GAME.play(placing(gold=4), Employ(RED, 3, 0, (0, 4, 0, 0)))
    assert kinds(state) == {"Climb"}
    after = GAME.play(state, Climb(RED, 1, 0))
    assert workers(after, 1) == [0, 1, 0, 0, 1]
    assert workers(after, 2) == [1, 0, 0, 0, 0]
    assert after.due == ()
    assert rules(state, Climb(RED, 1, 1)) == ["workers.climb"]
    assert rules(state, Climb(RED, 3, 0)) == ["workers.climb"]
    assert "workers.climb" in told(state, Climb(RED, 1, 0))


def climbing(section: int) -> State:
    return with_due(with_workers(table(), 1, section, 3), "castle")


def test_workers_reward__each_section_has_its_own() -> None:
    assert owns(GAME.play(climbing(INK_AND_STONE), Climb(RED, 1, INK_AND_STONE))) == {"ink": 1, "stone": 1}
    assert kinds(GAME.play(papers(climbing(FLIP), deeds=(1, 0)), Climb(RED, 1, FLIP))) == {"Flip"}
    assert kinds(GAME.play(climbing(GOLD_OR_MOVE), Climb(RED, 1, GOLD_OR_MOVE))) >= {"Choose", "Shift", "Decline"}
    assert marker_fields(GAME.play(climbing(VIRTUES), Climb(RED, 1, VIRTUES))) == (1, 5)
    assert "workers.reward" in told(climbing(VIRTUES), Climb(RED, 1, VIRTUES))


def test_example_three_workers_climb_for_a_free_hire_or_a_destroyed_card() -> None:
    state = GAME.play(climbing(HIRE_OR_DESTROY), Climb(RED, 1, HIRE_OR_DESTROY))
    assert kinds(state) == {"Hire", "Destroy", "Decline", "DrawUp"}
    assert with_tops_told(GAME.play(state, Hire(RED, 3))).due == ()
    assert GAME.play(state, Destroy(RED, "hand", "thief")).due == ()


def test_effect_either__one_of_two_effects_is_chosen_by_doing_it() -> None:
    state = GAME.play(climbing(GOLD_OR_MOVE), Climb(RED, 1, GOLD_OR_MOVE))
    assert "effect.either" in told(state, Choose(RED, 0))
    assert owns(GAME.play(state, Choose(RED, 0))) == {"gold": 1}
    assert rules(state, Choose(RED, 1)) == ["effect.due"]
    moved = GAME.play(state, Shift(RED, 1, 2))
    assert workers(moved, 1) == [0, 0, 1, 1, 0]


def test_workers_choice__of_several_sections_in_any_order() -> None:
    state = with_due(with_workers(with_workers(table(), 1, 0, 3), 1, 2, 3), "castle")
    assert listed(state, Climb) == [Climb(RED, 1, 0), Climb(RED, 1, 2)]
    assert "workers.choice" in told(state, Climb(RED, 1, 2))


def test_workers_third__of_three_in_the_second_ring_one_climbs_to_the_top() -> None:
    state = with_due(with_workers(table(), 2, 3, 3), "castle")
    assert listed(state, Climb) == [Climb(RED, 2, 3)]
    after = GAME.play(state, Climb(RED, 2, 3))
    assert (workers(after, 2), after.top) == ([0, 0, 0, 2, 0], (1, 0, 0))
    assert kinds(after) == {"TakeGood"}
    assert rules(state, Climb(RED, 2, 1)) == ["workers.third"]


def test_workers_order__first_ring_then_second_then_pushing() -> None:
    state = with_due(with_workers(with_workers(table(), 1, 0, 3, 2), 2, 3, 3), "castle")
    assert rules(state, Climb(RED, 2, 3)) == ["workers.order"]
    assert rules(state, Push(RED, 1, 0, BLUE)) == ["workers.order"]


def test_workers_absent__only_who_stands_there_is_pushed_off() -> None:
    state = with_due(with_workers(table(), 1, 0, 2, 2), "castle")
    assert rules(state, Push(RED, 1, 0, 2)) == ["workers.absent"]


def test_workers_active__after_another_player_has_climbed_the_turn_goes_on() -> None:
    state = with_due(with_workers(table(), 1, 0, 0, 3), "castle", seat=BLUE)
    assert note(state, Climb(BLUE, 1, 0), "workers.active").facts == {"seat": "blue", "next": "red"}
    assert "workers.active" not in told(with_due(with_workers(table(), 1, 0, 3), "castle"), Climb(RED, 1, 0))


def test_workers_push__more_than_three_is_too_many() -> None:
    state = with_due(with_workers(table(), 1, 0, 2, 2), "castle")
    assert listed(state, Push) == [Push(RED, 1, 0, RED), Push(RED, 1, 0, BLUE)]
    assert breach(state, Push(RED, 1, 1, BLUE), "workers.push").facts == {"seat": "red", "most": 3, "number": 0}
    after = GAME.play(state, Push(RED, 1, 0, RED))
    assert (owns(after), workers(after, 1)) == ({"silver": 2}, [1, 0, 0, 0, 0])
    assert after.due == ()


def test_ruling_three_of_one_and_one_of_another_are_too_many_as_well() -> None:
    state = with_due(with_workers(table(), 2, 0, 1, 3), "castle")
    assert {move.owner for move in listed(state, Push)} == {RED, BLUE}
    assert GAME.play(state, Push(RED, 2, 0, BLUE)).rings[1][0] == (1, 2, 0)


def test_workers_pushed__the_owner_is_paid() -> None:
    first = with_due(with_workers(table(), 1, 0, 2, 2), "castle")
    assert owns(GAME.play(first, Push(RED, 1, 0, BLUE)), BLUE) == {"silver": 2}
    assert note(first, Push(RED, 1, 0, BLUE), "workers.pushed").facts == {"seat": "blue", "ring": 1}
    second = with_due(with_workers(table(), 2, 0, 2, 2), "castle")
    after = GAME.play(second, Push(RED, 2, 0, BLUE))
    assert marker_fields(after, BLUE) == (1, 6)
    assert GAME.actor(after) == BLUE
    assert owns(GAME.play(after, TakeGood(BLUE, "ink")), BLUE) == {"ink": 1}


def test_workers_leader__the_first_at_the_top_and_then_who_has_more() -> None:
    state = with_due(with_workers(table(), 2, 3, 3), "castle")
    assert state.leader == NO_SEAT
    assert "workers.leader" in told(state, Climb(RED, 2, 3))
    assert GAME.play(state, Climb(RED, 2, 3)).leader == RED
    equal = replace(state, leader=BLUE, top=(0, 1, 0))
    assert GAME.play(equal, Climb(RED, 2, 3)).leader == BLUE
    more = replace(state, leader=BLUE, top=(1, 1, 0))
    assert GAME.play(more, Climb(RED, 2, 3)).leader == RED


def test_example_eight_nobles_make_a_long_cascade() -> None:
    """The book's example: four workers for five symbols and three gold, three climbs in the first ring, two to the top,
    the leader's card changes hands, two of blue's workers are pushed off, and the overseer lets a card be discarded."""
    state = with_row(with_viscount(table(), inner(0)), "thief", "overseer 1", "benefactor")
    state = has(with_slots(state, RED, (GUILDHALL, 1), (TRADING_POST, 2)), gold=3)
    state = with_workers(with_workers(state, 1, 0, 1), 1, 4, 2)
    state = with_workers(with_workers(state, 1, 1, 0, 2, 1), 2, 0, 2)
    state = replace(state, top=(0, 1, 0), leader=BLUE)
    assert strength(state, RED, "workers") == 5
    state = GAME.play(state, Employ(RED, 4, 0, (0, 3, 0, 0)))
    assert workers(state, 1)[0] == 5
    state = GAME.play(state, Climb(RED, 1, 0))
    assert owns(state) == {"ink": 1, "stone": 1}
    state = GAME.play(state, Climb(RED, 1, 4))
    assert marker_fields(state) == (1, 5)
    state = GAME.play(state, Climb(RED, 1, 0))
    assert owns(state) == {"ink": 2, "stone": 2}
    assert workers(state, 2) == [4, 0, 0, 0, 1]
    state = played(state, Climb(RED, 2, 0), TakeGood(RED, "gold"), Climb(RED, 2, 0), TakeGood(RED, "gold"))
    assert (state.top, state.leader) == ((2, 1, 0), RED)
    assert sum(state.rings[0][1]) == 5
    state = played(state, Push(RED, 1, 1, BLUE), Push(RED, 1, 1, BLUE))
    assert owns(state, BLUE) == {"silver": 4}
    assert kinds(state) == {"Discard", "Destroy", "Decline", "DrawUp"}
    assert GAME.play(state, Discard(RED, "hand", "abbot")).phase == "hiring"


def test_ruling_all_three_workers_move_before_a_castle_move_may_change_anything() -> None:
    state = GAME.play(climbing(GOLD_OR_MOVE), Climb(RED, 1, GOLD_OR_MOVE))
    assert workers(state, 1) == [0, 1, 0, 1, 0]
    assert {move.section for move in listed(state, Shift)} == {1, 3}


def test_ruling_a_castle_move_may_take_a_worker_out_of_a_section_that_waits_to_climb() -> None:
    state = with_due(with_workers(with_workers(table(), 1, 2, 3), 1, 4, 3), "castle")
    state = GAME.play(state, Climb(RED, 1, 2))
    state = GAME.play(state, Shift(RED, 4, 0))
    assert not listed(state, Climb)
    assert workers(state, 1) == [1, 1, 0, 1, 2]


def test_ruling_whoever_moved_a_worker_pushes_even_out_of_turn() -> None:
    state = with_due(with_workers(with_workers(table(), 1, 0, 2, 1), 1, 1, 0, 1), "move", seat=BLUE)
    state = GAME.play(state, Shift(BLUE, 1, 0))
    assert GAME.actor(state) == BLUE
    assert listed(state, Push) == [Push(BLUE, 1, 0, RED), Push(BLUE, 1, 0, BLUE)]


# Symbols of the castle


def test_symbol_move__a_worker_of_the_first_ring_goes_to_the_next_section() -> None:
    state = with_due(with_workers(table(), 1, 0, 1), "move")
    assert listed(state, Shift) == [Shift(RED, 0, 1), Shift(RED, 0, 4)]
    assert "symbol.move" in told(state, Shift(RED, 0, 4))
    assert rules(state, Shift(RED, 2, 3)) == ["symbol.move"]
    assert GAME.check(state, Decline(RED)) == ()


def test_symbol_neighbour__no_further_than_that() -> None:
    state = with_due(with_workers(table(), 1, 0, 1), "move")
    assert rules(state, Shift(RED, 0, 2)) == ["symbol.neighbour"]
    assert rules(state, Shift(RED, 0, 0)) == ["symbol.neighbour"]


def test_symbol_workers__workers_for_nothing_in_any_section() -> None:
    state = with_due(table(), "workers", 3)
    assert listed(state, Employ) == [Employ(RED, 3, section) for section in range(5)]
    assert rules(state, Employ(RED, 2, 0)) == ["symbol.workers"]
    assert "symbol.workers" in told(state, Employ(RED, 3, 1))
    assert kinds(GAME.play(state, Employ(RED, 3, 1))) == {"Climb"}


@pytest.mark.parametrize("castles", [500, pytest.param(10_000, marks=pytest.mark.proof)])
def test_all_castles_come_to_rest_and_a_step_of_the_longest_costs_no_more_than_one_of_a_short_one(castles: int) -> None:
    """A step is listing, checking and playing."""
    dice, start = Random("castles"), table(4)
    chains = [list(_to_rest(dice, with_due(_castle(dice, start), "castle"))) for _ in range(castles)]
    longest, short = max(chains, key=len), min((chain for chain in chains if len(chain) > 2), key=len)
    assert 12 < len(longest) < 100
    dear, cheap = (calls(partial(_step_by_step, chain)) / len(chain) for chain in (longest, short))
    assert dear < 3 * cheap
    assert max(calls(partial(_step_by_step, [step])) for step in longest) < 2_000


def test_a_worker_climbs_only_so_often_in_any_castle() -> None:
    """Each climb takes a worker up or each push one out: so every chain ends, for any choices."""
    dice, start = Random("ends"), table(4)
    for _ in range(300):
        for state, move in _to_rest(dice, with_due(_castle(dice, start), "castle")):
            if isinstance(move, Climb | Push):
                assert _height(GAME.play(state, move)) > _height(state)


def _height(state: State) -> int:
    """What grows with every climb and every push: three for a worker out, two on top, one in the second ring."""
    seats = range(state.players)
    above = sum(sum(section) for section in state.rings[1])
    return 3 * sum(workers_left(state, seat) for seat in seats) + 2 * sum(state.top) + above


def _to_rest(dice: Random, state: State) -> Iterator[tuple[State, Move]]:
    offer = state.offer
    while state.due:
        move = dice.choice(list(GAME.moves(state)))
        yield state, move
        state = replace(GAME.play(state, move), offer=offer)


def _step_by_step(steps: list[tuple[State, Move]]) -> None:
    for state, move in steps:
        assert move in list(GAME.moves(state))
        GAME.play(state, move)


def _castle(dice: Random, start: State) -> State:
    """A castle in which a worker has to climb or is pushed out."""
    state = _drawn(dice, start)
    while not any(max(section) >= 3 or sum(section) > 3 for ring in state.rings for section in ring):
        state = _drawn(dice, start)
    return state


def _drawn(dice: Random, state: State) -> State:
    left = [20] * 4
    for ring in (1, 2):
        for section in range(5):
            numbers = [
                min(left[seat], dice.choice((0, 0, 1, 2, 3, 5) if seat == RED else (0, 0, 1, 2))) for seat in range(4)
            ]
            left = [had - number for had, number in zip(left, numbers, strict=True)]
            state = with_workers(state, ring, section, *numbers)
    return state


def test_nobody_loses_a_worker() -> None:
    state = with_due(with_workers(with_workers(table(), 1, 0, 5), 1, 1, 2, 2), "castle")
    dice = Random(1)
    while state.due:
        state = GAME.play(state, dice.choice(list(GAME.moves(state))))
        assert workers_in_castle(state, RED) + workers_left(state, RED) == 20
