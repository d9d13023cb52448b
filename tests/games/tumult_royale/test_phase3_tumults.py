"""Phase 3, tumults: where the people rise, whom they blame, and what it costs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import MIDDLE, Atone, TurnUp
from companion.games.tumult_royale.state import State
from companion.kernel.rules import Breach, Note, broken

from .raid_table import one_tile_down
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    after_raid,
    breach,
    broken_rules,
    note,
    played,
    table,
    told_rules,
)

CONTENT = ("marble3", "tool3")
"""What must be left for a tumult over bread alone, up to a demand of 3."""


def bread_tumult(*castles: tuple[str, ...], mercy: tuple[int, ...] = (), ranks: tuple[int, ...] = ()) -> State:
    """The people want 3 of each good and have no bread; castles by seat, blue is king unless `ranks` says not."""
    state = table(max(2, len(castles)), ranks or None)
    merciful = tuple(seat in mercy for seat in range(state.players))
    return after_raid(state, dict(enumerate(castles)), CONTENT, 3, mercy=merciful)


# The rulebook's example


def the_books_example() -> State:
    """Disc 4. The Duchess (blue, mercy): 5 bread, 4 tools; the Prince (yellow): 4 bread, 4 tools.

    The people keep 2 bread, 4 marble and 3 tools. Purple is king, grey is earl; they robbed less.
    """
    castles = {
        BLUE: ["bread1", "bread1", "bread3", "tool1", "tool3"],
        YELLOW: ["bread2", "bread2", "tool1", "tool3"],
        PURPLE: ["bread3", "marble3"],
        GREY: ["tool3", "marble2"],
    }
    left = ["bread2", "marble1", "marble3", "tool1", "tool2"]
    return after_raid(table(4, ranks=(2, 3, 1, 4)), castles, left, 4, mercy=(True, False, False, False))


BREAD_OF_THE_DUCHESS = Atone(BLUE, "bread", ("bread1", "bread3"), 3)
TOOLS_OF_THE_PRINCE = Atone(YELLOW, "tool", ("tool3",), 3)


def test_example_bread_and_tools_bring_a_tumult_but_marble_does_not() -> None:
    assert the_books_example().demand == (4, 4, 4)
    assert the_books_example().tumults == ("bread", "tool")


def test_example_the_duchess_has_mercy_and_is_the_greediest_for_bread_all_the_same() -> None:
    assert GAME.tell(the_books_example(), BREAD_OF_THE_DUCHESS) == (
        Note("tumult.mercy", {"seat": "blue", "good": "bread", "took": 4}),
        Note("tumult.greediest", {"seat": "blue", "good": "bread", "took": 4}),
        Note("tumult.rank-tie", {"seat": "blue", "rivals": ("yellow",)}),
        Note("tumult.followers", {"seat": "blue", "followers": 3}),
        Note(
            "tumult.keeps-smallest",
            {"seat": "blue", "good": "bread", "gave": ("bread1", "bread3"), "kept": ("bread1",)},
        ),
    )


def test_example_the_duchess_loses_3_followers_and_two_bread_tiles() -> None:
    state = GAME.play(the_books_example(), BREAD_OF_THE_DUCHESS)
    assert (state.followers, state.supply) == ((12, 15, 15, 15), 48)
    assert state.castles[BLUE] == ("bread1", "tool1", "tool3")
    assert state.middle == ("bread1", "bread2", "bread3", "marble1", "marble3", "tool1", "tool2")
    assert (state.phase, state.tumults) == ("tumults", ("tool",))


def test_example_two_twos_and_a_one_leave_the_duchess_the_one() -> None:
    state = the_books_example()
    duchess = ("bread1", "bread2", "bread2", "tool1", "tool3")
    state = replace(state, castles=(duchess, ("bread1", "bread3", "tool2", "tool2"), *state.castles[2:]))
    state = GAME.play(state, Atone(BLUE, "bread", ("bread2", "bread2"), 3))
    assert state.castles[BLUE] == ("bread1", "tool1", "tool3")


def test_example_the_prince_stands_nearer_to_the_people_than_the_duchess() -> None:
    move = Atone(YELLOW, "bread", ("bread2",), 3)
    refusal = broken("tumult.rank-tie", good="bread", seat="yellow", took=4, blamed="blue", most=4, counts="bread4")
    assert GAME.check(the_books_example(), move) == (refusal,)


def test_example_for_tools_mercy_saves_the_duchess_and_the_prince_is_the_greediest() -> None:
    assert GAME.tell(the_books_example(), TOOLS_OF_THE_PRINCE) == (
        Note("tumult.mercy", {"seat": "blue", "good": "tool", "took": 3}),
        Note("tumult.greediest", {"seat": "yellow", "good": "tool", "took": 4}),
        Note("tumult.followers", {"seat": "yellow", "followers": 3}),
        Note("tumult.keeps-smallest", {"seat": "yellow", "good": "tool", "gave": ("tool3",), "kept": ("tool1",)}),
    )


def test_example_the_prince_loses_3_followers_and_one_tool_tile() -> None:
    state = played(the_books_example(), BREAD_OF_THE_DUCHESS, TOOLS_OF_THE_PRINCE)
    assert (state.followers, state.supply) == ((12, 12, 15, 15), 51)
    assert state.castles[YELLOW] == ("bread2", "bread2", "tool1")
    assert state.punished == (True, True, False, False)
    assert (state.tumults, state.phase != "tumults") == ((), True)


def test_example_the_duchess_is_not_blamed_for_tools() -> None:
    move = Atone(BLUE, "tool", ("tool3",), 3)
    refusal = broken("tumult.greediest", good="tool", seat="blue", took=3, blamed="yellow", most=4, counts="tool4")
    assert GAME.check(the_books_example(), move) == (refusal,)


def test_example_there_is_no_marble_tumult_to_suffer() -> None:
    move = Atone(PURPLE, "marble", (), 3)
    assert GAME.check(the_books_example(), move) == (broken("tumult.content", seat="purple", good="marble"),)


# Where the people rise


@pytest.mark.parametrize(("last", "left"), [("bread2", 3), ("bread3", 4)])
def test_tumult_content__as_much_as_asked_or_more_is_enough(last: str, left: int) -> None:
    state = one_tile_down(table(2), {}, ["bread1", "marble3", "tool3"], demand=3)
    assert note(state, TurnUp(MIDDLE, last), "tumult.content").facts == {
        "good": "bread",
        "left": left,
        "demand": 3,
    }
    assert GAME.play(state, TurnUp(MIDDLE, last)).phase != "tumults"


def test_tumult_content__what_was_robbed_is_not_left_to_the_people() -> None:
    assert bread_tumult(("bread3", "bread3")).tumults == ("bread",)


def test_tumult_content__a_good_that_brought_no_tumult_costs_nothing() -> None:
    state = bread_tumult(("bread3", "marble3", "marble2"))
    assert GAME.check(state, Atone(BLUE, "marble", ("marble3",), 3)) == (
        broken("tumult.content", seat="blue", good="marble"),
    )
    assert GAME.check(state, Atone(BLUE, "bread", (), 3)) == ()


def test_tumult_content__a_tumult_is_suffered_once() -> None:
    state = after_raid(table(2), {BLUE: ["bread1"]}, ["marble3"], 3)
    state = GAME.play(state, Atone(BLUE, "bread", (), 3))
    assert broken_rules(state, Atone(BLUE, "bread", (), 3)) == {"tumult.content"}


def test_tumult_breaks_out__one_too_few_is_too_few() -> None:
    state = one_tile_down(table(2), {}, ["bread1", "marble3", "tool3"], demand=3)
    facts = {"good": "bread", "left": 2, "demand": 3}
    assert note(state, TurnUp(MIDDLE, "bread1"), "tumult.breaks-out").facts == facts
    after = GAME.play(state, TurnUp(MIDDLE, "bread1"))
    assert (after.phase, after.tumults) == ("tumults", ("bread",))


def test_tumult_breaks_out__each_good_is_counted_for_itself() -> None:
    state = one_tile_down(table(2), {}, ["bread3", "marble1"], demand=2)
    assert GAME.tell(state, TurnUp(MIDDLE, "tool1"))[1:5] == (
        Note("tumult.content", {"good": "bread", "left": 3, "demand": 2}),
        Note("tumult.breaks-out", {"good": "marble", "left": 1, "demand": 2}),
        Note("tumult.breaks-out", {"good": "tool", "left": 1, "demand": 2}),
        Note("tumult.up-to-three", {"tumults": 2}),
    )


def test_tumult_up_to_three__nothing_is_left_of_any_good() -> None:
    state = replace(one_tile_down(table(2), {BLUE: ["bread3"]}, []), demand=(2, 2, 3))
    assert note(state, TurnUp(MIDDLE, "tool2"), "tumult.up-to-three").facts == {"tumults": 3}
    assert GAME.play(state, TurnUp(MIDDLE, "tool2")).tumults == ("bread", "marble", "tool")


def test_tumult_up_to_three__one_player_may_suffer_all_of_them() -> None:
    state = after_raid(table(2), {BLUE: ["bread3", "marble1", "marble2", "tool2"]}, [], 2)
    sorry = (Atone(BLUE, "bread", (), 3), Atone(BLUE, "marble", ("marble2",), 3), Atone(BLUE, "tool", (), 3))
    after = played(state, *sorry)
    assert (after.followers, after.supply) == ((21, 30), 54)
    assert after.middle == ("marble2",)


def test_tumult_up_to_three__they_may_be_suffered_in_any_order() -> None:
    assert played(the_books_example(), TOOLS_OF_THE_PRINCE, BREAD_OF_THE_DUCHESS) == played(
        the_books_example(), BREAD_OF_THE_DUCHESS, TOOLS_OF_THE_PRINCE
    )


def test_tumult_up_to_three__a_satisfied_people_lets_the_statues_go_up() -> None:
    state = one_tile_down(table(2), {BLUE: ["bread2", "marble2"]}, ["bread3", "marble3"], demand=3)
    assert note(state, TurnUp(MIDDLE, "tool3"), "tumult.up-to-three").facts == {"tumults": 0}
    assert GAME.play(state, TurnUp(MIDDLE, "tool3")).phase == "placing"


# The greediest


def test_tumult_greediest__most_goods_not_most_tiles() -> None:
    state = bread_tumult(("bread1", "bread1"), ("bread3",))
    move = Atone(YELLOW, "bread", (), 3)
    assert note(state, move, "tumult.greediest").facts == {"seat": "yellow", "good": "bread", "took": 3}
    assert "tumult.rank-tie" not in told_rules(state, move)
    assert list(GAME.moves(state)) == [move]


def test_tumult_greediest__a_seat_that_took_less_is_not_blamed() -> None:
    state = bread_tumult(("bread1", "bread1"), ("bread3",))
    refusal = broken("tumult.greediest", good="bread", seat="blue", took=2, blamed="yellow", most=3, counts="bread3")
    assert GAME.check(state, Atone(BLUE, "bread", ("bread1",), 3)) == (refusal,)
    assert GAME.check(state, Atone(YELLOW, "bread", (), 3)) == ()


def test_tumult_greediest__only_the_good_of_the_tumult_counts() -> None:
    state = bread_tumult(("bread1", "marble3", "tool3"), ("bread2",))
    assert broken_rules(state, Atone(YELLOW, "bread", (), 3)) == set()


def test_tumult_rank_tie__the_higher_rank_is_the_greedier() -> None:
    state = bread_tumult(("bread2",), ("bread2",), ("bread1",), ("bread2",), ranks=(3, 2, 1, 4))
    move = Atone(YELLOW, "bread", (), 3)
    assert note(state, move, "tumult.rank-tie").facts == {"seat": "yellow", "rivals": ("blue", "grey")}
    assert GAME.play(state, move).followers == (15, 12, 15, 15)


def test_tumult_rank_tie__the_lower_rank_is_spared() -> None:
    state = bread_tumult(("bread2",), ("bread2",), ranks=(2, 1))
    refusal = broken("tumult.rank-tie", good="bread", seat="blue", took=2, blamed="yellow", most=2, counts="bread2")
    assert GAME.check(state, Atone(BLUE, "bread", (), 3)) == (refusal,)


def test_tumult_rank_tie__a_king_who_took_less_is_not_the_greediest() -> None:
    state = bread_tumult(("bread1",), ("bread2",))
    assert broken_rules(state, Atone(YELLOW, "bread", (), 3)) == set()


def test_tumult_mercy__one_of_each_good_does_not_count() -> None:
    state = bread_tumult(("bread3",), ("bread2", "bread1"), mercy=(BLUE,))
    move = Atone(YELLOW, "bread", ("bread2",), 3)
    assert note(state, move, "tumult.mercy").facts == {"seat": "blue", "good": "bread", "took": 2}
    assert note(state, move, "tumult.greediest").facts == {"seat": "yellow", "good": "bread", "took": 3}
    assert GAME.play(state, move).castles == (("bread3",), ("bread1",))


def test_tumult_mercy__without_it_the_king_would_have_been_blamed() -> None:
    state = bread_tumult(("bread3",), ("bread2", "bread1"))
    assert "tumult.mercy" not in told_rules(state, Atone(BLUE, "bread", (), 3))
    assert broken_rules(state, Atone(YELLOW, "bread", ("bread2",), 3)) == {"tumult.rank-tie"}


def test_tumult_mercy__two_players_may_both_have_it() -> None:
    state = bread_tumult(("bread2",), ("bread2",), ("bread1",), mercy=(BLUE, YELLOW))
    told = [found.facts for found in GAME.tell(state, Atone(BLUE, "bread", (), 3)) if found.rule == "tumult.mercy"]
    assert told == [
        {"seat": "blue", "good": "bread", "took": 1},
        {"seat": "yellow", "good": "bread", "took": 1},
    ]


def test_tumult_mercy__who_took_nothing_has_nothing_to_take_off() -> None:
    state = bread_tumult((), ("bread1",), mercy=(BLUE,))
    move = Atone(YELLOW, "bread", (), 3)
    assert "tumult.mercy" not in told_rules(state, move)
    assert breach(state, Atone(BLUE, "bread", (), 3), "tumult.greediest").facts["took"] == 0


def test_tumult_mercy__it_does_not_save_a_tile_from_who_is_greediest_anyway() -> None:
    state = bread_tumult(("bread1", "bread3"), ("bread1",), mercy=(BLUE,))
    assert GAME.play(state, Atone(BLUE, "bread", ("bread3",), 3)).castles[BLUE] == ("bread1",)


# What it costs


def test_tumult_followers__three_go_to_the_supply() -> None:
    state = bread_tumult(("bread2",), ("bread1",))
    move = Atone(BLUE, "bread", (), 3)
    assert note(state, move, "tumult.followers").facts == {"seat": "blue", "followers": 3}
    after = GAME.play(state, move)
    assert (after.followers, after.supply) == ((27, 30), 48)


@pytest.mark.parametrize("gave", [0, 2, 4])
def test_tumult_followers__not_two_and_not_four(gave: int) -> None:
    state = bread_tumult(("bread2",), ("bread1",))
    assert GAME.check(state, Atone(BLUE, "bread", (), gave)) == (
        broken("tumult.followers", seat="blue", gave=gave, due=3, short=0),
    )
    assert GAME.check(state, Atone(BLUE, "bread", (), 3)) == ()


def test_tumult_keeps_smallest__all_other_tiles_of_the_good_go_back_face_up() -> None:
    state = bread_tumult(("bread1", "bread2", "bread3", "tool3"))
    move = Atone(BLUE, "bread", ("bread2", "bread3"), 3)
    facts = {"seat": "blue", "good": "bread", "gave": ("bread2", "bread3"), "kept": ("bread1",)}
    assert note(state, move, "tumult.keeps-smallest").facts == facts
    after = GAME.play(state, move)
    assert after.castles[BLUE] == ("bread1", "tool3")
    assert after.middle == ("bread2", "bread3", "marble3", "tool3")


@pytest.mark.parametrize(
    "gave", [("bread1", "bread3"), ("bread3",), ("bread1", "bread2", "bread3"), (), ("bread2", "bread3", "tool3")]
)
def test_tumult_keeps_smallest__no_other_tiles_go_back(gave: tuple[str, ...]) -> None:
    state = bread_tumult(("bread1", "bread2", "bread3", "tool3"))
    refusal = broken("tumult.keeps-smallest", seat="blue", good="bread", gave=gave, due=("bread2", "bread3"))
    assert GAME.check(state, Atone(BLUE, "bread", gave, 3)) == (refusal,)
    assert GAME.check(state, Atone(BLUE, "bread", ("bread2", "bread3"), 3)) == ()


def test_tumult_keeps_smallest__it_does_not_matter_which_tile_is_handed_over_first() -> None:
    state = bread_tumult(("bread1", "bread2", "bread3"))
    assert GAME.play(state, Atone(BLUE, "bread", ("bread3", "bread2"), 3)).castles[BLUE] == ("bread1",)


def test_tumult_keeps_smallest__of_two_equal_tiles_one_stays() -> None:
    state = bread_tumult(("bread2", "bread2"))
    assert GAME.play(state, Atone(BLUE, "bread", ("bread2",), 3)).castles[BLUE] == ("bread2",)


def test_tumult_keeps_smallest__too_few_followers_and_tiles_are_two_reasons() -> None:
    state = bread_tumult(("bread1", "bread2"))
    assert broken_rules(state, Atone(BLUE, "bread", (), 2)) == {"tumult.followers", "tumult.keeps-smallest"}


def test_example_a_single_tile_is_kept_even_if_it_shows_3() -> None:
    state = bread_tumult(("bread3",))
    after = GAME.play(state, Atone(BLUE, "bread", (), 3))
    assert (after.castles[BLUE], after.followers) == (("bread3",), (27, 30))


def test_tumult_keeps_only_tile__it_is_told() -> None:
    state = bread_tumult(("bread3", "tool1"))
    move = Atone(BLUE, "bread", (), 3)
    facts = {"seat": "blue", "good": "bread", "kept": ("bread3",)}
    assert note(state, move, "tumult.keeps-only-tile").facts == facts
    assert "tumult.keeps-smallest" not in told_rules(state, move)


def test_tumult_keeps_only_tile__giving_it_back_is_not_asked_for() -> None:
    state = bread_tumult(("bread3",))
    refusal = broken("tumult.keeps-smallest", seat="blue", good="bread", gave=("bread3",), due=())
    assert GAME.check(state, Atone(BLUE, "bread", ("bread3",), 3)) == (refusal,)


# Nothing robbed and yet greedy


def nothing_robbed() -> State:
    """The book's two: blue has mercy and 1 bread, yellow is king without bread; 2 of the 3 bread are left."""
    left = ["bread2", *CONTENT]
    return after_raid(table(2, ranks=(2, 1)), {BLUE: ["bread1"]}, left, 3, mercy=(True, False))


def test_example_the_king_pays_when_nobody_was_greedy() -> None:
    state = nothing_robbed()
    assert state.tumults == ("bread",)
    assert GAME.tell(state, Atone(YELLOW, "bread", (), 3))[:3] == (
        Note("tumult.mercy", {"seat": "blue", "good": "bread", "took": 0}),
        Note("whatif.nobody-greedy", {"king": "yellow", "good": "bread"}),
        Note("tumult.followers", {"seat": "yellow", "followers": 3}),
    )
    after = GAME.play(state, Atone(YELLOW, "bread", (), 3))
    assert (after.followers, after.supply, after.castles[BLUE]) == ((30, 27), 48, ("bread1",))


def test_whatif_nobody_greedy__mercy_takes_off_the_only_loaf() -> None:
    facts = {"good": "bread", "seat": "blue", "took": 0, "blamed": "yellow", "most": 0}
    refusal = Breach("whatif.nobody-greedy", facts)
    assert GAME.check(nothing_robbed(), Atone(BLUE, "bread", (), 3)) == (refusal,)
    assert GAME.check(nothing_robbed(), Atone(YELLOW, "bread", (), 3)) == ()


def test_whatif_nobody_greedy__without_mercy_one_loaf_is_greedy_enough() -> None:
    state = replace(nothing_robbed(), mercy=(False, False))
    assert "whatif.nobody-greedy" not in told_rules(state, Atone(BLUE, "bread", (), 3))
    assert GAME.play(state, Atone(BLUE, "bread", (), 3)).followers == (27, 30)


def test_whatif_nobody_greedy__all_bread_was_set_aside_and_the_king_is_blamed() -> None:
    state = bread_tumult((), (), (), ranks=(3, 2, 1))
    move = Atone(PURPLE, "bread", (), 3)
    assert note(state, move, "whatif.nobody-greedy").facts == {"king": "purple", "good": "bread"}
    assert told_rules(state, move).isdisjoint({"tumult.greediest", "tumult.rank-tie", "tumult.keeps-only-tile"})
    assert GAME.play(state, move).followers == (20, 20, 17)


def test_whatif_nobody_greedy__a_merciful_king_keeps_the_only_loaf() -> None:
    state = bread_tumult(("bread1",), (), mercy=(BLUE,))
    after = GAME.play(state, Atone(BLUE, "bread", (), 3))
    assert (after.castles[BLUE], after.followers) == (("bread1",), (27, 30))
