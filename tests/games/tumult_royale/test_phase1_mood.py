"""Phase 1, the people's mood: the king's spin, the gamblers' three spins, and a spin that was forgotten."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import MIDDLE, ForgetSpin, SetAside, Spin, StartRaid, TurnUp
from companion.games.tumult_royale.state import State
from companion.kernel.rules import broken

from .raid_table import (
    all_aside,
    all_ready,
    at,
    next_round,
    one_tile_down,
    raiding,
)
from .table import (
    BLUE,
    YELLOW,
    after_raid,
    broken_rules,
    note,
    out_of_order,
    played,
    table,
    told_rules,
)

# The king spins


def test_mood_king_spins__the_arrow_comes_to_rest_on_4() -> None:
    state = table(4, ranks=(2, 1, 3, 4))
    assert note(state, Spin(YELLOW, (4,)), "mood.king-spins").facts == {"seat": "yellow", "number": 4}
    assert GAME.play(state, Spin(YELLOW, (4,))).demand == (4, 4, 4)


def test_mood_king_spins__no_other_seat_touches_the_disc() -> None:
    state = table(4, ranks=(2, 1, 3, 4))
    assert GAME.check(state, Spin(BLUE, (4,))) == (broken("mood.king-spins", seat="blue", king="yellow"),)
    assert GAME.check(state, Spin(YELLOW, (4,))) == ()


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_mood_disc__it_shows_2_to_5(number: int) -> None:
    assert GAME.check(table(4), Spin(BLUE, (number,))) == ()


@pytest.mark.parametrize("number", [0, 1, 6])
def test_mood_disc__no_other_number_is_on_it(number: int) -> None:
    refusal = broken("mood.disc", areas=(str(number),), disc=("2", "3", "4", "5"))
    assert GAME.check(table(4), Spin(BLUE, (number,))) == (refusal,)


@pytest.mark.parametrize("areas", [(2, 4), (3, 5), (3, 3), (2, 3, 4), ()])
def test_mood_disc__the_arrow_rests_only_between_neighbours(areas: tuple[int, ...]) -> None:
    assert broken_rules(table(4), Spin(BLUE, areas)) == {"mood.disc"}


def test_mood_disc__gamblers_spin_the_same_disc() -> None:
    refusal = broken("mood.disc", areas=("6",), disc=("2", "3", "4", "5"))
    assert GAME.check(at("gambling"), Spin(BLUE, (6,), "bread")) == (refusal,)


def test_example_the_disc_shows_3_and_the_people_want_3_of_each() -> None:
    state = table(4)
    assert note(state, Spin(BLUE, (3,)), "mood.each-good").facts == {"number": 3}
    assert GAME.play(state, Spin(BLUE, (3,))).demand == (3, 3, 3)
    assert after_raid(state, {}, ["bread3", "marble3", "tool3"], 3).tumults == ()
    assert after_raid(state, {}, ["bread2", "marble2", "tool2"], 3).tumults == ("bread", "marble", "tool")


def test_mood_each_good__one_spin_counts_for_all_goods() -> None:
    state = table(4)
    assert note(state, Spin(BLUE, (5,)), "mood.each-good").facts == {"number": 5}
    assert GAME.play(state, Spin(BLUE, (5,))).demand == (5, 5, 5)


def test_mood_each_good__the_king_does_not_spin_for_bread_alone() -> None:
    refusal = broken("mood.each-good", seat="blue", good="all_goods")
    assert GAME.check(table(4), Spin(BLUE, (5,), "bread")) == (refusal,)
    assert GAME.check(table(4), Spin(BLUE, (5,))) == ()


def test_mood_one_spin__a_second_try_is_refused() -> None:
    state = GAME.play(table(4), Spin(BLUE, (5,)))
    assert GAME.check(state, Spin(BLUE, (2,))) == (broken("mood.one-spin", seat="blue", number=5),)


def test_mood_one_spin__each_round_has_its_own() -> None:
    state = next_round(raiding(4, demand=5))
    assert state.demand == (0, 0, 0)
    assert GAME.play(state, Spin(BLUE, (2,))).demand == (2, 2, 2)


def test_mood_one_spin__the_tiles_may_be_set_aside_before_or_after_it() -> None:
    spin, aside = Spin(BLUE, (4,)), (SetAside(BLUE), SetAside(YELLOW))
    assert played(table(2), spin, *aside) == played(table(2), *aside, spin)


@pytest.mark.parametrize(("line", "smaller"), [((2, 3), 2), ((3, 4), 3), ((4, 5), 4), ((2, 5), 2)])
def test_mood_on_the_line__the_smaller_number_counts(line: tuple[int, ...], smaller: int) -> None:
    state = table(4)
    facts = {"number": smaller, "other": max(line)}
    assert note(state, Spin(BLUE, line), "mood.on-the-line").facts == facts
    assert GAME.play(state, Spin(BLUE, line)).demand == (smaller, smaller, smaller)


def test_mood_on_the_line__within_an_area_there_is_nothing_to_decide() -> None:
    assert "mood.on-the-line" not in told_rules(table(4), Spin(BLUE, (3,)))


def test_mood_on_the_line__gamblers_get_the_smaller_number_too() -> None:
    assert GAME.play(at("gambling"), Spin(BLUE, (4, 5), "bread")).demand == (4, 0, 0)


# The gamblers' variant


def gambling(**facts: tuple[int, int, int]) -> State:
    """Two gamblers after the raid: 2 bread, 3 marble and 4 tools are left; blue, the king, robbed 3 tools."""
    left = ["bread2", "marble1", "marble2", "tool1"]
    state = one_tile_down(raiding(2, gamblers=True), {BLUE: ["tool3"]}, left)
    return replace(GAME.play(state, TurnUp(MIDDLE, "tool3")), **facts)


def test_example_the_gamblers_people_are_content_with_2_bread_and_3_marble_but_want_5_tools() -> None:
    spins = (Spin(BLUE, (2,), "bread"), Spin(BLUE, (3,), "marble"), Spin(BLUE, (5,), "tool"))
    state = played(gambling(), *spins)
    assert state.demand == (2, 3, 5)
    assert state.tumults == ("tool",)


def test_gamble_after_raid__before_the_raid_the_disc_rests() -> None:
    assert GAME.check(table(2, gamblers=True), Spin(BLUE, (3,))) == (broken("gamble.after-raid", seat="blue"),)
    assert GAME.check(table(2, gamblers=False), Spin(BLUE, (3,))) == ()


def test_gamble_after_raid__no_spin_is_forgotten_when_the_raid_begins() -> None:
    state = all_ready(table(2, gamblers=True))
    assert "whatif.forgotten-first-spin" not in told_rules(state, StartRaid(BLUE))
    assert GAME.play(state, StartRaid(BLUE)).demand == (0, 0, 0)


def test_gamble_after_raid__when_the_last_tile_is_turned_up_the_king_spins() -> None:
    state = one_tile_down(raiding(2, gamblers=True), {})
    assert "gamble.after-raid" in told_rules(state, TurnUp(MIDDLE, "bread1"))
    after = GAME.play(state, TurnUp(MIDDLE, "bread1"))
    assert after.phase == "gambling"
    assert set(after.tumults) == set()


def test_gamble_after_raid__others_go_straight_on_to_the_tumults() -> None:
    state = one_tile_down(raiding(2, gamblers=False), {})
    assert "gamble.after-raid" not in told_rules(state, TurnUp(MIDDLE, "bread1"))
    assert GAME.play(state, TurnUp(MIDDLE, "bread1")).phase == "tumults"


def test_gamble_after_raid__the_king_spins_here_too() -> None:
    refusal = broken("mood.king-spins", seat="yellow", king="blue")
    assert GAME.check(gambling(), Spin(YELLOW, (3,), "bread")) == (refusal,)


def test_gamble_each_good__bread_then_marble_then_tools() -> None:
    state = gambling()
    assert note(state, Spin(BLUE, (2,), "bread"), "gamble.each-good").facts == {"good": "bread", "number": 2}
    state = GAME.play(state, Spin(BLUE, (2,), "bread"))
    assert state.demand == (2, 0, 0)
    state = GAME.play(state, Spin(BLUE, (4,), "marble"))
    assert (state.demand, state.phase) == ((2, 4, 0), "gambling")
    state = GAME.play(state, Spin(BLUE, (5,), "tool"))
    assert (state.demand, state.phase) == ((2, 4, 5), "tumults")


@pytest.mark.parametrize("good", ["marble", "tool", "", "gold"])
def test_gamble_each_good__bread_comes_first(good: str) -> None:
    assert GAME.check(gambling(), Spin(BLUE, (2,), good)) == (broken("gamble.each-good", seat="blue", good="bread"),)
    assert GAME.check(gambling(), Spin(BLUE, (2,), "bread")) == ()


def test_gamble_each_good__the_king_does_not_spin_twice_for_bread() -> None:
    state = GAME.play(gambling(), Spin(BLUE, (5,), "bread"))
    assert GAME.check(state, Spin(BLUE, (2,), "bread")) == (broken("gamble.each-good", seat="blue", good="marble"),)


def test_gamble_each_good__a_spin_cannot_be_forgotten_before_its_time() -> None:
    assert GAME.check(gambling(), ForgetSpin("marble")) == (broken("gamble.each-good", good="bread"),)
    assert GAME.check(gambling(), ForgetSpin("bread")) == ()


# The spin that was forgotten


def test_whatif_forgotten_spin__the_number_of_the_round_before_counts() -> None:
    state = all_ready(next_round(raiding(4, demand=4)))
    assert note(state, StartRaid(BLUE), "whatif.forgotten-spin").facts == {"number": 4}
    assert GAME.play(state, StartRaid(BLUE)).demand == (4, 4, 4)


def test_whatif_forgotten_spin__a_number_can_be_remembered_for_many_rounds() -> None:
    second = GAME.play(all_ready(next_round(raiding(4, demand=5))), StartRaid(BLUE))
    third = GAME.play(all_ready(next_round(second)), StartRaid(BLUE))
    assert third.demand == (5, 5, 5)


def test_whatif_forgotten_spin__who_has_spun_forgot_nothing() -> None:
    state = GAME.play(all_ready(next_round(raiding(4, demand=4))), Spin(BLUE, (2,)))
    assert "whatif.forgotten-spin" not in told_rules(state, StartRaid(BLUE))
    assert GAME.play(state, StartRaid(BLUE)).demand == (2, 2, 2)


def test_whatif_forgotten_spin__once_the_raid_has_begun_it_is_too_late() -> None:
    state = GAME.play(all_ready(next_round(raiding(4, demand=4))), StartRaid(BLUE))
    assert broken_rules(state, Spin(BLUE, (2,))) == {"round.phases"}


@pytest.mark.parametrize(("good", "number"), [("bread", 2), ("marble", 3), ("tool", 5)])
def test_whatif_forgotten_spin__gamblers_fall_back_on_the_same_good(good: str, number: int) -> None:
    spun = {"bread": (0, 0, 0), "marble": (4, 0, 0), "tool": (4, 4, 0)}
    state = gambling(demand=spun[good], last_demand=(2, 3, 5))
    demand = GAME.play(state, ForgetSpin(good)).demand
    assert dict(zip(spun, demand, strict=True))[good] == number


@pytest.mark.parametrize(("good", "number"), [("bread", 2), ("marble", 3), ("tool", 5)])
def test_whatif_forgotten_spin__gamblers_are_told_the_number_of_that_good(good: str, number: int) -> None:
    spun = {"bread": (0, 0, 0), "marble": (4, 0, 0), "tool": (4, 4, 0)}
    state = gambling(demand=spun[good], last_demand=(2, 3, 5))
    assert note(state, ForgetSpin(good), "whatif.forgotten-spin").facts["number"] == number


def test_whatif_forgotten_spin__gamblers_remember_the_round_before() -> None:
    state = next_round(replace(gambling(), demand=(2, 3, 5)))
    assert (state.demand, state.last_demand) == ((0, 0, 0), (2, 3, 5))


def test_whatif_forgotten_first_spin__in_the_first_round_it_is_3() -> None:
    state = all_ready(table(4))
    assert note(state, StartRaid(BLUE), "whatif.forgotten-first-spin").facts == {"number": 3}
    assert GAME.play(state, StartRaid(BLUE)).demand == (3, 3, 3)


def test_whatif_forgotten_first_spin__the_3_counts_for_the_next_round_as_well() -> None:
    state = all_ready(next_round(raiding(4, demand=None)))
    assert note(state, StartRaid(BLUE), "whatif.forgotten-spin").facts == {"number": 3}
    assert GAME.play(state, StartRaid(BLUE)).demand == (3, 3, 3)


def test_whatif_forgotten_first_spin__gamblers_take_3_for_that_good_only() -> None:
    state = GAME.play(gambling(), Spin(BLUE, (5,), "bread"))
    assert note(state, ForgetSpin("marble"), "whatif.forgotten-first-spin").facts == {"number": 3}
    assert GAME.play(state, ForgetSpin("marble")).demand == (5, 3, 0)


def test_whatif_forgotten_first_spin__only_gamblers_forget_after_the_raid() -> None:
    state = all_aside(table(4))
    assert out_of_order(state, ForgetSpin("bread")) == ("ForgetSpin", "mood")
