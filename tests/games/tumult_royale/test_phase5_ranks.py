"""Phase 5, ranks: nobility cards change hands, king first, by the number of followers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Exchange, TakeConsolation
from companion.games.tumult_royale.state import State

from .statue_table import coronation, counting, put, sculptor
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
    breach,
    broken_rules,
    note,
    out_of_order,
    placing,
    played,
    table,
    told_rules,
)


def the_books_example() -> State:
    """Blue is Duke with 25 followers, yellow Prince with 23, purple King with 21, grey Earl with 21."""
    return counting(ranks=(2, 3, 1, 4), followers=(25, 23, 21, 21))


def test_ranks_king_first__the_crown_is_settled_before_the_duke() -> None:
    state = the_books_example()
    too_early = Exchange(YELLOW, 2)
    assert broken_rules(state, too_early) == {"ranks.king-first"}
    facts = {"seat": "yellow", "has": 23, "due": "blue", "most": 25, "rank": "rank1", "held": 0}
    assert breach(state, too_early, "ranks.king-first").facts == facts
    assert broken_rules(played(state, Exchange(BLUE, 1)), too_early) == set()


def test_ranks_king_first__the_last_swap_says_who_wears_the_crown() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1))
    assert note(state, Exchange(YELLOW, 2), "ranks.king-first").facts == {"king": "blue"}
    assert "ranks.king-first" not in told_rules(the_books_example(), Exchange(BLUE, 1))


def test_ranks_king_first__there_is_no_fifth_rank() -> None:
    state = the_books_example()
    assert broken_rules(state, Exchange(BLUE, 5)) == {"ranks.king-first", "setup.cards"}
    assert breach(state, Exchange(BLUE, 5), "setup.cards").facts == {"rank": 5, "cards": 4}


def test_ranks_most_followers__the_crown_goes_to_the_most_followers() -> None:
    state = the_books_example()
    assert GAME.actor(state) == BLUE
    told = note(state, Exchange(BLUE, 1), "ranks.most-followers")
    assert told.facts == {"seat": "blue", "followers": 25, "rank": "rank1"}
    assert played(state, Exchange(BLUE, 1)).king == BLUE


def test_ranks_most_followers__fewer_followers_take_no_crown() -> None:
    state = the_books_example()
    assert broken_rules(state, Exchange(YELLOW, 1)) == {"ranks.most-followers"}
    facts = {"seat": "yellow", "has": 23, "due": "blue", "most": 25, "rank": "rank1", "held": 0}
    assert breach(state, Exchange(YELLOW, 1), "ranks.most-followers").facts == facts


def test_ranks_most_followers__a_crown_that_is_settled_is_not_promised_for_later() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1))
    assert broken_rules(state, Exchange(GREY, 1)) == {"ranks.most-followers"}
    facts = {"seat": "grey", "has": 21, "due": "blue", "most": 25, "rank": "rank1", "held": 0}
    assert breach(state, Exchange(GREY, 1), "ranks.most-followers").facts == facts


def test_ranks_most_followers__the_swap_is_the_same_from_either_side() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1))
    assert GAME.check(state, Exchange(BLUE, 4)) == GAME.check(state, Exchange(GREY, 1))


def test_ranks_most_followers__who_keeps_the_most_keeps_the_card() -> None:
    state = counting(ranks=(1, 2, 3, 4), followers=(20, 19, 18, 17))
    assert (state.phase, state.ranks) == ("coronation", (1, 2, 3, 4))
    assert broken_rules(state, Exchange(YELLOW, 1)) == {"round.phases"}


def test_ranks_most_followers__from_earl_to_king_in_one_round() -> None:
    state = played(counting(ranks=(1, 2, 3, 4), followers=(10, 12, 14, 16)), Exchange(GREY, 1))
    assert state.ranks == (4, 2, 3, 1)
    state = played(state, Exchange(PURPLE, 2))
    assert (state.ranks, state.phase) == ((4, 3, 2, 1), "coronation")


def test_ranks_most_followers__two_players_have_two_ranks() -> None:
    state = counting(ranks=(1, 2), followers=(28, 31))
    assert played(state, Exchange(YELLOW, 1)).ranks == (2, 1)
    assert breach(state, Exchange(YELLOW, 3), "setup.cards").facts == {"rank": 3, "cards": 2}


def test_ranks_most_followers__followers_are_counted_after_overpaying_and_consolation() -> None:
    state = placing(table(first={YELLOW: "H3"}), {YELLOW: ("bread3", "marble3")})
    state = played(state, put(state, "I3", "bread3 marble3", followers=4, seat=YELLOW))
    state = played(state, *(TakeConsolation(seat, 2) for seat in (BLUE, PURPLE, GREY)))
    assert state.followers == (17, 19, 17, 17)
    assert list(GAME.moves(state)) == [Exchange(YELLOW, 1)]


def test_ranks_exchange__the_former_king_gets_the_new_kings_old_card() -> None:
    state = the_books_example()
    told = note(state, Exchange(BLUE, 1), "ranks.exchange")
    assert told.facts == {"seat": "blue", "holder": "purple", "rank": "rank1"}
    assert state.ranks == (2, 3, 1, 4)
    assert played(state, Exchange(BLUE, 1)).ranks == (1, 3, 2, 4)


def test_ranks_exchange__no_follower_moves_with_a_card() -> None:
    state = the_books_example()
    after = played(state, Exchange(BLUE, 1))
    assert (after.followers, after.supply) == (state.followers, state.supply)


def test_ranks_ties__a_king_keeps_the_crown_against_an_equal() -> None:
    state = counting(ranks=(2, 3, 1, 4), followers=(25, 23, 25, 21))
    assert state.king == PURPLE
    assert (state.phase, state.ranks) == ("coronation", (2, 3, 1, 4))


def test_ranks_ties__the_higher_rank_of_two_rivals_becomes_king() -> None:
    state = counting(ranks=(1, 2, 3, 4), followers=(10, 15, 20, 20))
    assert broken_rules(state, Exchange(GREY, 1)) == {"ranks.ties"}
    facts = {"seat": "grey", "has": 20, "due": "purple", "most": 20, "rank": "rank1", "held": 0}
    assert breach(state, Exchange(GREY, 1), "ranks.ties").facts == facts
    assert broken_rules(state, Exchange(PURPLE, 1)) == set()


def test_ranks_ties__a_crown_that_a_tie_has_settled_is_not_taken_afterwards() -> None:
    state = counting(ranks=(1, 2, 3, 4), followers=(20, 20, 16, 18))
    assert list(GAME.moves(state)) == [Exchange(GREY, 3)]
    facts = {"seat": "yellow", "has": 20, "due": "blue", "most": 20, "rank": "rank1", "held": 0}
    assert breach(state, Exchange(YELLOW, 1), "ranks.ties").facts == facts
    assert broken_rules(state, Exchange(BLUE, 1)) == {"ranks.king-first"}


def test_ranks_ties__a_tie_that_counted_is_told() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1))
    assert "ranks.ties" in told_rules(state, Exchange(YELLOW, 2))
    no_tie = counting(ranks=(2, 1, 3, 4), followers=(25, 23, 21, 20))
    assert "ranks.ties" not in told_rules(no_tie, Exchange(BLUE, 1))


def fallen_king(rank_ties: str) -> State:
    """Purple, the Prince, took the crown; blue, king before, now holds his card and ties with yellow, the Duke."""
    state = counting(ranks=(1, 2, 3, 4), followers=(12, 12, 20, 5), rank_ties=rank_ties)
    return played(state, Exchange(PURPLE, 1))


def test_ranks_ties__the_rank_before_the_phase_makes_the_fallen_king_duke() -> None:
    state = fallen_king("before_phase")
    assert (state.ranks, state.phase) == ((3, 2, 1, 4), "ranks")
    assert broken_rules(state, Exchange(BLUE, 2)) == set()
    assert played(state, Exchange(BLUE, 2)).ranks == (2, 3, 1, 4)


def test_ranks_ties__by_the_card_held_now_the_duke_stays_duke() -> None:
    state = fallen_king("card_held")
    assert (state.ranks, state.phase) == ((3, 2, 1, 4), "coronation")


@pytest.mark.parametrize("rank_ties", ["before_phase", "card_held"])
def test_ranks_ties__both_readings_agree_with_the_books_example(rank_ties: str) -> None:
    state = counting(ranks=(2, 3, 1, 4), followers=(25, 23, 21, 21), rank_ties=rank_ties)
    state = played(state, Exchange(BLUE, 1), Exchange(YELLOW, 2))
    assert (state.ranks, state.phase) == ((1, 2, 3, 4), "coronation")


def test_ranks_visible__everybodys_followers_are_told_before_the_swap() -> None:
    state = sculptor("bread2 marble3")
    state = played(state, put(state, "I3", "bread2 marble3", followers=3))
    state = played(state, TakeConsolation(YELLOW, 2), TakeConsolation(PURPLE, 2))
    told = [one.facts for one in GAME.tell(state, TakeConsolation(GREY, 2)) if one.rule == "ranks.visible"]
    shown = zip(("blue", "yellow", "purple", "grey"), (18, 17, 17, 17), strict=True)
    assert told == [{"seat": seat, "followers": followers} for seat, followers in shown]


def test_ranks_visible__the_table_shows_every_seats_followers() -> None:
    zones = GAME.view(the_books_example()).zones
    shown = [zones[f"followers {colour}"].count["follower"] for colour in ("blue", "yellow", "purple", "grey")]
    assert shown == [25, 23, 21, 21]


def test_example_ranks_a_blue_swaps_the_dukes_card_for_the_crown() -> None:
    state = the_books_example()
    assert list(GAME.moves(state)) == [Exchange(BLUE, 1)]
    after = played(state, Exchange(BLUE, 1))
    assert (after.ranks[BLUE], after.ranks[PURPLE]) == (1, 2)
    assert (after.ranks[YELLOW], after.ranks[GREY]) == (3, 4)


def test_example_ranks_a_with_equal_followers_purple_would_have_stayed_king() -> None:
    state = counting(ranks=(2, 3, 1, 4), followers=(25, 23, 25, 21))
    assert state.king == PURPLE


def test_example_ranks_b_yellow_swaps_the_princes_card_for_the_dukes() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1))
    assert list(GAME.moves(state)) == [Exchange(YELLOW, 2)]
    after = played(state, Exchange(YELLOW, 2))
    assert (after.ranks[YELLOW], after.ranks[PURPLE]) == (2, 3)
    assert (after.ranks[BLUE], after.ranks[GREY]) == (1, 4)


def test_example_ranks_c_purple_stays_prince_because_of_the_tie() -> None:
    state = played(the_books_example(), Exchange(BLUE, 1), Exchange(YELLOW, 2))
    assert state.followers[PURPLE] == state.followers[GREY] == 21
    assert (state.ranks, state.phase) == ((1, 2, 3, 4), "coronation")


@pytest.mark.parametrize(
    "elsewhere",
    [table, lambda: sculptor("bread1 marble1"), lambda: coronation(1)],
    ids=["mood", "placing", "coronation"],
)
def test_no_card_changes_hands_before_or_after_its_phase(elsewhere: Callable[[], State]) -> None:
    state = elsewhere()
    assert out_of_order(state, Exchange(YELLOW, 1)) == ("Exchange", state.phase)


seats = st.integers(2, 4)
hands = seats.flatmap(lambda n: st.tuples(st.permutations(range(1, n + 1)), st.tuples(*[st.integers(0, 8)] * n)))


def settled(state: State) -> State:
    """The ranks once all cards were swapped, with one swap less than there are players at most."""
    for _ in range(state.players - 1):
        if state.phase == "ranks":
            (only_swap,) = GAME.moves(state)
            state = GAME.play(state, only_swap)
    assert state.phase == "coronation"
    return state


@given(hands)
def test_ranks_end_by_followers_and_then_by_the_rank_before(hand: tuple[list[int], tuple[int, ...]]) -> None:
    ranks, followers = hand
    after = settled(counting(ranks, followers))
    order = sorted(range(len(ranks)), key=lambda seat: (-followers[seat], ranks[seat]))
    assert [after.ranks[seat] for seat in order] == sorted(ranks)


@given(hands)
def test_by_the_card_held_too_no_seat_ranks_above_more_followers(
    hand: tuple[list[int], tuple[int, ...]],
) -> None:
    ranks, followers = hand
    after = settled(counting(ranks, followers, rank_ties="card_held"))
    seats_by_rank = sorted(range(len(ranks)), key=after.ranks.__getitem__)
    assert [followers[seat] for seat in seats_by_rank] == sorted(followers, reverse=True)
