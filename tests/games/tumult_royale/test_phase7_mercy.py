"""Phase 7, mercy, and the preparation of the next round."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Crown, Mix, Move, Pass, Ready, SetAside, Spin, TurnMercy
from companion.games.tumult_royale.state import State

from .statue_table import coronation
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    breach,
    broken_rules,
    note,
    out_of_order,
    played,
    table,
    told_rules,
)


def crowned(*placed: int, mercy: tuple[bool, ...] | None = None, **facts: Any) -> State:
    """Blue has just been crowned in round 2; so many statues are up, his new one among them."""
    before = (placed[BLUE] - 1, *placed[1:])
    cards = mercy or (False,) * len(placed)
    return played(coronation(2, len(placed), placed=before, mercy=cards, **facts), Crown(BLUE, 5, 1))


def test_mercy_fewest__the_seat_with_the_fewest_statues_turns_its_card() -> None:
    state = crowned(6, 5, 3, 4)
    assert (state.phase, list(GAME.moves(state))) == ("mercy", [TurnMercy(PURPLE)])
    assert note(state, TurnMercy(PURPLE), "mercy.fewest").facts == {"seat": "purple", "statues": 3}
    after = played(state, TurnMercy(PURPLE))
    assert (after.mercy, after.phase) == ((False, False, True, False), "mixing")


def test_mercy_fewest__several_with_the_fewest_all_have_mercy() -> None:
    state = crowned(6, 3, 4, 3)
    state = played(state, TurnMercy(GREY))
    assert state.phase == "mercy"
    assert played(state, TurnMercy(YELLOW)).mercy == (False, True, False, True)


def test_mercy_fewest__who_stays_last_keeps_the_card_as_it_is() -> None:
    state = crowned(6, 5, 3, 4, mercy=(False, False, True, False))
    assert (state.phase, state.mercy) == ("mixing", (False, False, True, False))


def test_mercy_fewest__the_last_does_not_turn_mercy_away() -> None:
    state = crowned(6, 3, 3, 4, mercy=(False, False, True, False))
    assert broken_rules(state, TurnMercy(PURPLE)) == {"mercy.fewest"}
    facts = {"seat": "purple", "statues": 3, "fewest": 3}
    assert breach(state, TurnMercy(PURPLE), "mercy.fewest").facts == facts
    assert broken_rules(state, TurnMercy(YELLOW)) == set()


def test_mercy_fewest__the_statue_of_the_coronation_counts() -> None:
    state = crowned(4, 3, 3, 3)
    assert {move.seat for move in GAME.moves(state)} == {YELLOW, PURPLE, GREY}


def test_mercy_others__a_seat_that_is_no_longer_last_turns_its_card_back() -> None:
    state = crowned(6, 5, 3, 4, mercy=(False, True, True, False))
    assert list(GAME.moves(state)) == [TurnMercy(YELLOW)]
    assert note(state, TurnMercy(YELLOW), "mercy.others").facts == {"seat": "yellow", "statues": 5}
    assert played(state, TurnMercy(YELLOW)).mercy == (False, False, True, False)


def test_mercy_others__with_more_statues_there_is_no_mercy() -> None:
    state = crowned(6, 5, 3, 4)
    assert broken_rules(state, TurnMercy(GREY)) == {"mercy.others"}
    facts = {"seat": "grey", "statues": 4, "fewest": 3}
    assert breach(state, TurnMercy(GREY), "mercy.others").facts == facts
    assert broken_rules(state, TurnMercy(PURPLE)) == set()


def test_mercy_others__mercy_goes_from_one_to_the_other() -> None:
    state = crowned(6, 5, 3, 4, mercy=(True, False, False, False))
    state = played(state, TurnMercy(BLUE))
    assert state.phase == "mercy"
    assert played(state, TurnMercy(PURPLE)).mercy == (False, False, True, False)


def test_mercy_all_equal__no_seat_has_mercy() -> None:
    before = coronation(2, placed=(4, 5, 5, 5))
    assert note(before, Crown(BLUE, 5, 1), "mercy.all-equal").facts == {"statues": 5}
    after = played(before, Crown(BLUE, 5, 1))
    assert (after.phase, after.mercy) == ("mixing", (False,) * 4)


def test_mercy_all_equal__the_card_of_the_last_is_turned_back_too() -> None:
    state = crowned(5, 5, 5, 5, mercy=(True, False, False, False))
    assert list(GAME.moves(state)) == [TurnMercy(BLUE)]
    assert broken_rules(state, TurnMercy(GREY)) == {"mercy.all-equal"}
    facts = {"seat": "grey", "statues": 5, "fewest": 5}
    assert breach(state, TurnMercy(GREY), "mercy.all-equal").facts == facts
    assert played(state, TurnMercy(BLUE)).mercy == (False,) * 4


def test_mercy_all_equal__one_statue_more_is_not_equal() -> None:
    before = coronation(2, placed=(5, 5, 5, 5))
    assert "mercy.all-equal" not in told_rules(before, Crown(BLUE, 5, 1))


@pytest.mark.parametrize(("players", "tiles"), [(2, 21), (3, 30), (4, 39)])
def test_next_all_tiles_back__those_set_aside_too(players: int, tiles: int) -> None:
    state = crowned(*[5] * players)
    assert note(state, Mix(), "next.all-tiles-back").facts == {"tiles": tiles}
    assert played(state, Mix()).hidden_middle == tiles


def test_next_all_tiles_back__face_down_and_off_every_castle() -> None:
    lying = {"middle": ("bread1", "tool2"), "castles": (("marble3",), (), (), ("tool1",)), "hidden_middle": 0}
    state = crowned(5, 5, 5, 5, **lying)
    after = played(state, Mix())
    assert (after.middle, after.castles, after.hidden_castles) == ((), ((),) * 4, (0,) * 4)


def test_next_all_tiles_back__the_next_round_begins_with_the_mood() -> None:
    state = crowned(5, 5, 5, 5, demand=(4, 4, 4), punished=(True, False, False, False))
    after = played(state, Mix())
    assert (state.round, after.round, after.phase) == (2, 3, "mood")
    assert (after.demand, after.last_demand) == ((0, 0, 0), (4, 4, 4))
    assert after.punished == (False,) * 4
    assert note(state, Mix(), "round.phases").facts == {"round": 3}


def test_next_all_tiles_back__ranks_followers_statues_and_mercy_stay() -> None:
    state = played(crowned(6, 5, 3, 4), TurnMercy(PURPLE))
    after = played(state, Mix())
    assert (after.ranks, after.followers, after.supply) == (state.ranks, state.followers, state.supply)
    assert (after.placed, after.mercy, after.chronicle) == (state.placed, state.mercy, state.chronicle)


def second_round() -> State:
    return played(crowned(5, 5, 5, 5, aside=(True,) * 4, ready=(True,) * 4), Mix())


def test_next_set_aside_again__everybody_takes_three_tiles_out() -> None:
    state = second_round()
    assert state.aside == (False,) * 4
    assert "next.set-aside-again" in told_rules(state, SetAside(YELLOW))
    after = played(state, *(SetAside(seat) for seat in range(4)))
    assert (after.hidden_middle, after.aside) == (39 - 12, (True,) * 4)


def test_next_set_aside_again__before_the_spin_or_after_it() -> None:
    state = second_round()
    assert broken_rules(state, SetAside(BLUE)) == set()
    assert broken_rules(played(state, Spin(BLUE, (3,))), SetAside(BLUE)) == set()


def test_next_set_aside_again__everybody_says_ready_anew() -> None:
    state = second_round()
    assert state.ready == (False,) * 4
    assert broken_rules(state, Ready(BLUE)) == {"raid.aside-first"}


def test_next_set_aside_again__the_first_round_has_no_again() -> None:
    assert "next.set-aside-again" not in told_rules(table(), SetAside(BLUE))


@pytest.mark.parametrize(
    "move", [Mix(), Crown(BLUE, 5, 1), SetAside(BLUE), Pass(BLUE)], ids=lambda move: type(move).__name__
)
def test_the_next_round_waits_for_the_mercy_cards(move: Move) -> None:
    state = crowned(6, 5, 3, 4)
    assert out_of_order(state, move) == (type(move).__name__, "mercy")


def test_once_the_cards_are_right_none_is_turned() -> None:
    state = crowned(5, 5, 5, 5)
    assert out_of_order(state, TurnMercy(BLUE)) == ("TurnMercy", "mixing")
