"""Vorbereitungsphase: dice from the bag, sorted round the wheel; and corruption at the start player's turns."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import EndTurn, Gather, PutDie, Reveal, TakeDie
from companion.games.tiletum.state import dice_missing, in_bag, section_for, section_value

from .table import (
    ACTIONS,
    ARCHITECT,
    CONTRACT,
    GREEN,
    GUEST,
    HIDDEN,
    JOKER,
    MERCHANT,
    ORANGE,
    PURPLE,
    RED,
    acting,
    breach,
    broken_rules,
    fresh,
    note,
    notes,
    on_track,
    played,
    ready,
    replace,
    rolled,
    told_rules,
)


@pytest.mark.parametrize(("players", "dice"), [(2, 8), (3, 11), (4, 14)])
def test_roll_dice__so_many_for_so_many_players(players: int, dice: int) -> None:
    state = ready(players)
    assert dice_missing(state) == dice
    while dice_missing(state) > 1:
        state = GAME.play(state, next(move for move in GAME.moves(state) if isinstance(move, PutDie)))
    last = next(move for move in GAME.moves(state) if isinstance(move, PutDie))
    assert note(state, last, "roll.dice").facts == {"dice": dice, "players": players}
    assert played(state, last).phase == "turn"


def test_example_a_three_goes_to_the_section_with_the_three() -> None:
    state = ready()
    assert section_for(state, 3) == GUEST
    assert broken_rules(state, PutDie(GUEST, "blue", 3)) == set()


def test_roll_sorted__by_value_round_the_wheel() -> None:
    state = ready()
    assert [section_for(state, value) for value in range(1, 7)] == [0, 1, 2, 3, 4, 5]
    assert [section_value(replace(state, turned=1), action) for action in range(6)] == [6, 1, 2, 3, 4, 5]
    facts = {"die": "die blue", "value": 4, "section": "contract"}
    assert breach(state, PutDie(JOKER, "blue", 4), "roll.sorted").facts == facts
    assert note(state, PutDie(CONTRACT, "blue", 4), "roll.sorted").facts == facts
    assert broken_rules(state, PutDie(9, "blue", 4)) == {"roll.sorted"}


def test_roll_bag__one_die_of_each_colour_for_every_player() -> None:
    state = played(ready(2), PutDie(ARCHITECT, "blue", 1), PutDie(ARCHITECT, "blue", 1))
    assert "blue" not in in_bag(state)
    assert breach(state, PutDie(MERCHANT, "blue", 2), "roll.bag").facts == {"die": "die blue"}
    assert broken_rules(state, PutDie(MERCHANT, "green", 2)) == {"roll.bag"}
    assert note(state, PutDie(MERCHANT, "pink", 2), "roll.bag").facts == {"die": "die pink", "value": 2}


def test_corruption_reveal__once_in_every_turn_of_the_start_player() -> None:
    state = fresh()
    assert note(state, Reveal(2, 1), "corruption.reveal").facts == {"seat": "red", "value": 1}
    after = played(state, Reveal(2, 1))
    assert breach(after, Reveal(1, 1), "corruption.reveal").facts == {"seat": "red"}
    turn = played(after, TakeDie(RED, "yellow", 1), Gather(RED, "gold"))
    assert broken_rules(played(replace(turn, section_tiles=("",) * 6), EndTurn(RED)), Reveal(1, 1)) == {
        "corruption.reveal"
    }


def test_corruption_reveal__again_in_the_next_lap() -> None:
    state = replace(acting(ARCHITECT, 0), turn=PURPLE, section_tiles=("",) * 6)
    assert any(isinstance(move, Reveal) for move in GAME.moves(played(state, EndTurn(PURPLE))))


def test_corruption_rightmost__from_right_to_left() -> None:
    state = fresh()
    assert breach(state, Reveal(0, 1), "corruption.rightmost").facts == {"place": 3}
    assert played(state, Reveal(2, 1)).corruption == (HIDDEN, HIDDEN, 1)
    assert note(state, Reveal(2, 1), "corruption.rightmost").facts == {"place": 3}


def test_corruption_markers__no_value_more_often_than_there_are_markers() -> None:
    state = replace(fresh(), corruption=(HIDDEN, 2, 2), lap=2)
    assert breach(state, Reveal(0, 2), "corruption.markers").facts == {"value": 2}
    assert broken_rules(state, Reveal(0, 1)) == set()


def test_corruption_first__before_the_start_player_takes_a_die() -> None:
    assert breach(fresh(), TakeDie(RED, "yellow", 1), "corruption.first").facts == {"seat": "red"}
    assert not any(isinstance(move, TakeDie) for move in GAME.moves(fresh()))


def test_corruption_back__everybody_goes_back() -> None:
    state = on_track(fresh(), 5, 3, 3, 0)
    assert note(state, Reveal(2, 2), "corruption.back").facts == {"steps": 2}
    after = played(state, Reveal(2, 2))
    assert after.crown == (3, 1, 1, -2)
    assert "corruption.back" not in told_rules(state, Reveal(2, 0))


def test_corruption_back__a_stack_that_is_moved_keeps_its_order() -> None:
    state = on_track(fresh(), 3, 3, 3, 1, stacked=(ORANGE, RED, PURPLE, GREEN))
    after = played(state, Reveal(2, 1))
    assert [seat for seat in after.stacked if after.crown[seat] == 2] == [ORANGE, RED, GREEN]


def test_corruption_left_end__further_steps_are_ignored() -> None:
    state = on_track(fresh(), -3, -4, 0, 0)
    assert notes(state, Reveal(2, 2), "corruption.left-end") == [{"seat": "red"}, {"seat": "green"}]
    after = played(state, Reveal(2, 2))
    assert after.crown == (-4, -4, -2, -2)


def test_corruption_left_end__whoever_was_there_first_lies_below() -> None:
    state = on_track(fresh(), -3, -4, 0, 0, stacked=(RED, GREEN, ORANGE, PURPLE))
    after = played(state, Reveal(2, 2))
    assert [seat for seat in after.stacked if after.crown[seat] == -4] == [GREEN, RED]


def test_the_wheel_and_the_actions_are_those_of_the_box() -> None:
    assert [section_for(rolled(ready()), value) for value in (1, 6)] == [0, 5]
    assert ACTIONS[JOKER] == "joker"
