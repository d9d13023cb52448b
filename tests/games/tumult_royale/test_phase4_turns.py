"""Phase 4, placing statues: whose turn it is, further placing rounds, and what is left at the end of the phase."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    Atone,
    Crown,
    Exchange,
    GiveBack,
    Mix,
    Move,
    Pass,
    TakeConsolation,
    TurnMercy,
    Uncover,
)
from companion.games.tumult_royale.state import State
from companion.kernel.rules import IllegalMove

from .statue_table import coronation, counting, put, sculptor
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    after_raid,
    breach,
    broken_rules,
    dealt,
    note,
    out_of_order,
    placing,
    played,
    table,
    told_rules,
)

FOR_A_FAR_MEADOW = ("bread2", "marble2")


def everybody_can_build(**options: str) -> State:
    """All four can afford a meadow anywhere, twice."""
    return placing(table(**options), dict.fromkeys(range(4), FOR_A_FAR_MEADOW * 2))


def test_placing_order__the_king_begins_and_the_ranks_follow() -> None:
    state = placing(table(ranks=(3, 1, 4, 2)), dict.fromkeys(range(4), FOR_A_FAR_MEADOW))
    assert GAME.actor(state) == YELLOW
    assert GAME.actor(played(state, Pass(YELLOW))) == GREY
    assert GAME.actor(played(state, Pass(YELLOW), Pass(GREY))) == BLUE
    assert GAME.actor(played(state, Pass(YELLOW), Pass(GREY), Pass(BLUE))) == PURPLE


def test_placing_order__the_duke_does_not_build_before_the_king() -> None:
    state = everybody_can_build()
    early = put(state, "I4", "bread2 marble2", seat=YELLOW)
    assert broken_rules(state, early) == {"placing.order"}
    assert breach(state, early, "placing.order").facts == {"seat": "yellow", "next": "blue"}
    assert broken_rules(played(state, Pass(BLUE)), early) == set()


def test_placing_order__no_seat_passes_before_the_king() -> None:
    state = everybody_can_build()
    assert broken_rules(state, Pass(GREY)) == {"placing.order"}
    assert breach(state, Pass(GREY), "placing.order").facts == {"seat": "grey", "next": "blue"}


def test_placing_order__each_turn_builds_on_one_field_only() -> None:
    state = everybody_can_build()
    state = played(state, put(state, "I4", "bread2 marble2"))
    assert GAME.actor(state) == YELLOW
    assert broken_rules(state, put(state, "H5", "bread2 marble2")) == {"placing.order"}


def test_placing_must_pass__a_seat_that_cannot_pay_is_passed_over() -> None:
    state = placing(table(first={BLUE: "H3"}), {BLUE: ("bread1", "marble1"), PURPLE: FOR_A_FAR_MEADOW})
    move = put(state, "I3", "bread1 marble1")
    assert note(state, move, "placing.must-pass").facts == {"seat": "yellow"}
    assert GAME.actor(played(state, move)) == PURPLE


def test_placing_must_pass__it_is_said_once_and_not_in_every_placing_round() -> None:
    state = sculptor("bread1 bread1 marble1 marble1", on="H5")
    first = put(state, "H6", "bread1 marble1")
    passed_over = [n.facts["seat"] for n in GAME.tell(state, first) if n.rule == "placing.must-pass"]
    assert passed_over == ["yellow", "purple", "grey"]
    state = played(state, first)
    assert "placing.must-pass" not in told_rules(state, put(state, "G5", "bread1 marble1"))


def test_placing_must_pass__if_no_seat_can_pay_no_seat_has_a_turn() -> None:
    state = placing(table(), {BLUE: ("bread3",), YELLOW: ("tool3",)})
    assert state.phase == "consolation"
    assert broken_rules(state, Pass(BLUE)) == {"round.phases"}


def test_placing_further_rounds__the_king_begins_a_second_one() -> None:
    state = placing(
        table(first={BLUE: "H3"}),
        {BLUE: ("bread1", "bread1", "marble1", "marble1"), YELLOW: FOR_A_FAR_MEADOW},
    )
    state = played(state, put(state, "I3", "bread1 marble1"))
    last_of_the_first = put(state, "D3", "bread2 marble2", seat=YELLOW)
    assert note(state, last_of_the_first, "placing.further-rounds").facts == {"round": 2}
    state = played(state, last_of_the_first)
    assert GAME.actor(state) == BLUE
    assert broken_rules(state, put(state, "I4", "bread1 marble1")) == set()


def test_placing_further_rounds__they_go_on_while_a_seat_can_pay() -> None:
    state = sculptor("bread1 bread1 bread1 marble1 marble1 marble1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble1"))
    assert (state.phase, state.placing_round, GAME.actor(state)) == ("placing", 2, BLUE)
    state = played(state, put(state, "G5", "bread1 marble1"))
    assert (state.phase, state.placing_round, GAME.actor(state)) == ("placing", 3, BLUE)
    assert played(state, put(state, "F5", "bread1 marble1")).phase == "consolation"


def test_placing_further_rounds__the_lowest_rank_may_be_the_only_one_left() -> None:
    state = placing(table(), {BLUE: FOR_A_FAR_MEADOW, GREY: FOR_A_FAR_MEADOW * 2})
    state = played(state, put(state, "I4", "bread2 marble2"), put(state, "H5", "bread2 marble2", seat=GREY))
    assert (state.placing_round, GAME.actor(state)) == (2, GREY)


def test_placing_further_rounds__each_one_is_announced_once() -> None:
    state = everybody_can_build()
    state = played(state, put(state, "I4", "bread2 marble2"), Pass(YELLOW), Pass(PURPLE))
    assert "placing.further-rounds" in told_rules(state, Pass(GREY))
    state = played(state, Pass(GREY))
    assert "placing.further-rounds" not in told_rules(state, Pass(BLUE))


def test_placing_further_rounds__when_all_pass_the_phase_is_over() -> None:
    state = played(everybody_can_build(), Pass(BLUE), Pass(YELLOW), Pass(PURPLE))
    assert state.phase == "placing"
    assert played(state, Pass(GREY)).phase == "coronation"


def test_placing_pass__the_turn_goes_to_the_next_rank() -> None:
    state = everybody_can_build()
    after = played(state, Pass(BLUE))
    assert note(state, Pass(BLUE), "placing.pass").facts == {"seat": "blue"}
    assert GAME.actor(after) == YELLOW
    assert (after.castles, after.followers, after.placed) == (state.castles, state.followers, state.placed)


def king_passes_once(passing: str) -> State:
    """The king passed, the duke built; a second placing round is due for the seats that are still in."""
    state = everybody_can_build(passing=passing)
    state = played(state, Pass(BLUE), put(state, "I4", "bread2 marble2", seat=YELLOW))
    return played(state, Pass(PURPLE), Pass(GREY))


def test_placing_pass__a_king_who_passed_may_build_in_the_next_placing_round() -> None:
    state = king_passes_once("may_return")
    assert (state.placing_round, GAME.actor(state)) == (2, BLUE)
    assert broken_rules(state, put(state, "H5", "bread2 marble2")) == set()


def test_placing_pass__where_a_pass_is_final_the_king_is_out() -> None:
    state = king_passes_once("out")
    assert (state.placing_round, GAME.actor(state)) == (2, YELLOW)
    assert broken_rules(state, put(state, "H5", "bread2 marble2")) == {"placing.order"}


def test_placing_pass__a_final_pass_counts_for_one_round_of_the_game() -> None:
    state = played(king_passes_once("out"), Pass(YELLOW))
    assert state.phase == "coronation"
    assert GAME.actor(placing(state, {BLUE: FOR_A_FAR_MEADOW})) == BLUE


def test_placing_expiry__tiles_that_pay_for_nothing_go_back_without_followers() -> None:
    state = sculptor("bread1 bread3 marble1 tool3")
    state = played(state, put(state, "I3", "bread1 marble1"))
    assert state.phase == "consolation"
    back = played(state, GiveBack(BLUE))
    assert back.castles[BLUE] == ()
    assert back.middle == tuple(sorted((*state.middle, "bread3", "tool3")))
    assert (back.followers, back.supply) == (state.followers, state.supply)
    facts = {"seat": "blue", "tiles": ("bread3", "tool3")}
    assert note(state, GiveBack(BLUE), "placing.expiry").facts == facts


def test_placing_expiry__tiles_do_not_go_back_while_they_can_still_pay() -> None:
    state = sculptor("bread1 marble1 tool3")
    assert breach(state, GiveBack(BLUE), "placing.expiry").facts == {"seat": "blue", "tiles": 3}


def test_placing_expiry__what_pays_for_nothing_may_go_back_while_others_still_build() -> None:
    state = placing(table(first={BLUE: "H3"}), {BLUE: ("bread1", "marble1"), YELLOW: ("tool1", "tool2")})
    assert broken_rules(state, GiveBack(YELLOW)) == set()
    back = played(state, GiveBack(YELLOW))
    assert (back.phase, GAME.actor(back), back.castles[YELLOW]) == ("placing", BLUE, ())
    back = played(back, put(back, "I3", "bread1 marble1"))
    assert back.to_console == (YELLOW, PURPLE, GREY)


def test_placing_expiry__where_a_pass_is_final_the_tiles_go_back_with_it() -> None:
    state = played(everybody_can_build(passing="out"), Pass(BLUE))
    assert (GAME.actor(state), broken_rules(state, GiveBack(BLUE))) == (YELLOW, set())
    state = played(everybody_can_build(passing="may_return"), Pass(BLUE))
    assert broken_rules(state, GiveBack(BLUE)) == {"placing.expiry"}


def test_placing_expiry__an_empty_castle_has_nothing_to_give_back() -> None:
    state = placing(table(), {YELLOW: ("tool3",)})
    assert broken_rules(state, GiveBack(BLUE)) == {"placing.expiry"}
    assert broken_rules(state, GiveBack(YELLOW)) == set()


def test_placing_expiry__tiles_may_go_back_until_all_are_mixed() -> None:
    state = coronation(1, castles=((), ("tool3",), (), ()), placed=(1, 2, 2, 2))
    assert broken_rules(state, GiveBack(YELLOW)) == set()
    state = played(state, Crown(BLUE, 5, 1))
    assert (state.phase, broken_rules(state, GiveBack(YELLOW))) == ("mixing", set())
    assert broken_rules(played(state, Mix()), GiveBack(YELLOW)) == {"round.phases"}


def test_placing_expiry__tiles_may_go_back_while_the_king_turns_up_a_board() -> None:
    state = coronation(3, castles=((), ("tool3",), (), ()))
    state = played(state, Crown(BLUE, 5, 1))
    assert broken_rules(state, GiveBack(YELLOW)) == set()
    state = played(state, Uncover(BLUE, state.boards.index("")))
    assert broken_rules(state, GiveBack(YELLOW)) == set()


def test_placing_consolation__who_could_build_nothing_takes_two_followers() -> None:
    state = placing(table(), {BLUE: ("bread3",)})
    after = played(state, TakeConsolation(BLUE, 2))
    assert (state.followers[BLUE], after.followers[BLUE]) == (15, 17)
    assert (state.supply, after.supply) == (45, 43)
    facts = {"seat": "blue", "followers": 2}
    assert note(state, TakeConsolation(BLUE, 2), "placing.consolation").facts == facts


def test_placing_consolation__the_ranks_wait_until_all_are_consoled() -> None:
    state = sculptor("bread1 marble1")
    state = played(state, put(state, "I3", "bread1 marble1"))
    assert state.to_console == (YELLOW, PURPLE, GREY)
    state = played(state, TakeConsolation(GREY, 2), TakeConsolation(YELLOW, 2))
    assert (state.phase, state.to_console) == ("consolation", (PURPLE,))
    assert played(state, TakeConsolation(PURPLE, 2)).phase == "ranks"


@pytest.mark.parametrize("took", [0, 1, 3])
def test_placing_consolation__two_and_no_other_number(took: int) -> None:
    state = placing(table(), {})
    assert broken_rules(state, TakeConsolation(BLUE, took)) == {"placing.consolation"}
    facts = {"seat": "blue", "due": 2, "took": took}
    assert breach(state, TakeConsolation(BLUE, took), "placing.consolation").facts == facts


def test_placing_consolation__no_seat_is_consoled_twice() -> None:
    state = played(placing(table(), {}), TakeConsolation(BLUE, 2))
    facts = {"seat": "blue", "due": 0, "took": 2}
    assert breach(state, TakeConsolation(BLUE, 2), "placing.consolation").facts == facts


def test_placing_consolation__who_built_needs_no_consolation() -> None:
    state = sculptor("bread1 marble1")
    state = played(state, put(state, "I3", "bread1 marble1"))
    assert broken_rules(state, TakeConsolation(BLUE, 2)) == {"placing.consolation"}
    assert breach(state, TakeConsolation(BLUE, 2), "placing.consolation").facts["due"] == 0
    assert broken_rules(state, TakeConsolation(YELLOW, 2)) == set()


def test_placing_consolation__passing_on_purpose_earns_none() -> None:
    state = played(sculptor("bread1 marble1"), Pass(BLUE))
    assert state.to_console == (YELLOW, PURPLE, GREY)
    assert broken_rules(state, TakeConsolation(BLUE, 2)) == {"placing.consolation"}


def bread_tumult() -> State:
    """The people have no bread left; yellow robbed the most, and no seat can build."""
    return after_raid(table(), {YELLOW: ("bread3",)}, ("marble2", "tool2"))


def test_placing_no_consolation__a_seat_that_suffered_a_tumult_gets_none() -> None:
    state = bread_tumult()
    atone = Atone(YELLOW, "bread", (), 3)
    assert note(state, atone, "placing.no-consolation").facts == {"seat": "yellow"}
    state = played(state, atone)
    assert state.to_console == (BLUE, PURPLE, GREY)
    assert broken_rules(state, TakeConsolation(YELLOW, 2)) == {"placing.no-consolation"}
    assert breach(state, TakeConsolation(YELLOW, 2), "placing.no-consolation").facts["seat"] == "yellow"
    assert broken_rules(state, TakeConsolation(GREY, 2)) == set()


def test_placing_no_consolation__a_punished_builder_is_not_told_so() -> None:
    state = after_raid(table(first={YELLOW: "H3"}), {YELLOW: ("bread1", "marble1")}, ("marble2", "tool2"))
    atone = Atone(YELLOW, "bread", (), 3)
    assert "placing.no-consolation" not in told_rules(state, atone)
    state = played(state, atone)
    last = put(state, "I3", "bread1 marble1", seat=YELLOW)
    assert "placing.no-consolation" not in told_rules(state, last)
    assert played(state, last).to_console == (BLUE, PURPLE, GREY)


# Out of place


@pytest.mark.parametrize(
    "early",
    [TakeConsolation(BLUE, 2), Exchange(BLUE, 1), Crown(BLUE, 5, 1), Uncover(BLUE, 0), TurnMercy(BLUE), Mix()],
    ids=lambda move: type(move).__name__,
)
def test_while_statues_are_placed_no_later_phase_begins(early: Move) -> None:
    state = sculptor("bread1 marble1")
    assert out_of_order(state, early) == (type(early).__name__, "placing")


@pytest.mark.parametrize(
    "elsewhere",
    [
        dealt,
        table,
        lambda: placing(table(), {}),
        lambda: counting((2, 1, 3, 4), (20, 10, 9, 8)),
        lambda: coronation(1),
    ],
    ids=["boards", "mood", "consolation", "ranks", "coronation"],
)
def test_statues_are_placed_in_their_phase_only(elsewhere: Callable[[], State]) -> None:
    state = elsewhere()
    statue = put(state, "I3", "bread1 marble1")
    assert out_of_order(state, statue) == ("Place", state.phase)
    assert out_of_order(state, Pass(BLUE)) == ("Pass", state.phase)


def test_an_empty_seat_builds_nothing() -> None:
    state = sculptor("bread1 marble1")
    assert broken_rules(state, put(state, "I3", "bread1 marble1", seat=4)) == {"setup.players"}


def test_an_illegal_placement_is_not_played() -> None:
    state = sculptor("bread1 marble1")
    with pytest.raises(IllegalMove) as refused:
        GAME.play(state, put(state, "G4", "bread1 marble1"))
    assert "placing.adjacent" in {found.rule for found in refused.value.breaches}
