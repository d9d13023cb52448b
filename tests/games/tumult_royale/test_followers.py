"""Relief: followers run out in the supply, or a player has too few to give."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Atone, Crown, TakeConsolation
from companion.games.tumult_royale.rulebook.followers import give, receive
from companion.games.tumult_royale.state import State
from companion.kernel.rules import RuleLog

from .statue_table import coronation, put, sculptor, with_followers
from .table import (
    BLUE,
    BOX,
    YELLOW,
    after_raid,
    note,
    placing,
    played,
    table,
    told_rules,
)


def overpaying(*followers: int, tiles: str = "bread2 marble3") -> State:
    """Blue is about to overpay a meadow; the followers lie like this."""
    return with_followers(sculptor(tiles), *followers)


def test_whatif_supply_empty__everybody_gives_five_before_the_payout() -> None:
    state = overpaying(26, 26, 26, 26)
    move = put(state, "I3", "bread2 marble3", followers=3)
    assert note(state, move, "whatif.supply-empty").facts == {"each": 5, "supply": 1, "given": 20}
    after = played(state, move)
    assert after.followers == (24, 21, 21, 21)
    assert (state.supply, after.supply) == (1, 18)


def test_whatif_supply_empty__a_supply_that_just_suffices_is_not_filled() -> None:
    state = overpaying(26, 26, 25, 25)
    move = put(state, "I3", "bread2 marble3", followers=3)
    assert "whatif.supply-empty" not in told_rules(state, move)
    assert (played(state, move).followers, played(state, move).supply) == ((29, 26, 25, 25), 0)


def test_whatif_supply_empty__a_seat_with_fewer_than_five_gives_all() -> None:
    state = overpaying(60, 41, 3, 0)
    move = put(state, "I3", "bread2 marble3", followers=3)
    assert note(state, move, "whatif.supply-empty").facts == {"each": 5, "supply": 1, "given": 13}
    assert played(state, move).followers == (58, 36, 0, 0)


def test_whatif_supply_empty__it_is_filled_again_when_once_is_not_enough() -> None:
    state = overpaying(105, 0, 0, 0, tiles="bread3 marble3 tool3")
    move = put(state, "H4", "bread3 marble3 tool3", followers=6)
    given = [told.facts["supply"] for told in GAME.tell(state, move) if told.rule == "whatif.supply-empty"]
    assert given == [0, 5]
    assert (played(state, move).followers[BLUE], played(state, move).supply) == (105 - 10 + 6, 4)


def test_whatif_supply_empty__the_consolation_fills_it_too() -> None:
    state = with_followers(placing(table(players=2), {}), 52, 52)
    after = played(state, TakeConsolation(YELLOW, 2))
    assert (after.followers, after.supply) == ((47, 49), 9)


def test_whatif_supply_empty__it_is_told_before_the_payout() -> None:
    state = overpaying(26, 26, 26, 26)
    told = [n.rule for n in GAME.tell(state, put(state, "I3", "bread2 marble3", followers=3))]
    assert told.index("whatif.supply-empty") < told.index("placing.overpaid")


def test_whatif_cannot_give__everybody_takes_five_before_the_king_pays() -> None:
    state = with_followers(coronation(1), 4, 3, 3, 2)
    facts = {"seat": "blue", "has": 4, "due": 5, "each": 5}
    assert note(state, Crown(BLUE, 5, 1), "whatif.cannot-give").facts == facts
    after = played(state, Crown(BLUE, 5, 1))
    assert after.followers == (4, 8, 8, 7)
    assert (state.supply, after.supply) == (93, 78)


def test_whatif_cannot_give__it_is_told_before_the_payment() -> None:
    state = with_followers(coronation(1), 4, 3, 3, 2)
    told = [n.rule for n in GAME.tell(state, Crown(BLUE, 5, 1))]
    assert told.index("whatif.cannot-give") < told.index("crown.followers")


def test_whatif_cannot_give__exactly_five_are_enough_for_a_king() -> None:
    state = with_followers(coronation(1), 5, 3, 3, 2)
    assert "whatif.cannot-give" not in told_rules(state, Crown(BLUE, 5, 1))
    assert played(state, Crown(BLUE, 5, 1)).followers == (0, 3, 3, 2)


def blamed_with(*followers: int) -> State:
    """The people rise for bread, and yellow, who robbed it, has to give three followers."""
    state = with_followers(table(), *followers)
    return after_raid(state, {YELLOW: ("bread3",)}, ("marble2", "tool2"))


def test_whatif_cannot_give__a_tumult_is_paid_after_the_relief() -> None:
    state = blamed_with(20, 2, 20, 20)
    atone = Atone(YELLOW, "bread", (), 3)
    facts = {"seat": "yellow", "has": 2, "due": 3, "each": 5}
    assert note(state, atone, "whatif.cannot-give").facts == facts
    after = played(state, atone)
    assert (after.followers, after.supply) == ((25, 4, 25, 25), 26)


def test_whatif_cannot_give__three_are_enough_for_a_tumult() -> None:
    state = blamed_with(20, 3, 20, 20)
    assert "whatif.cannot-give" not in told_rules(state, Atone(YELLOW, "bread", (), 3))
    assert played(state, Atone(YELLOW, "bread", (), 3)).followers == (20, 0, 20, 20)


def test_whatif_cannot_give__a_small_supply_gives_everybody_the_same() -> None:
    state = blamed_with(32, 1, 31, 32)
    atone = Atone(YELLOW, "bread", (), 3)
    assert (state.supply, note(state, atone, "whatif.cannot-give").facts["each"]) == (9, 2)
    after = played(state, atone)
    assert (after.followers, after.supply) == ((34, 0, 33, 34), 4)


def test_whatif_cannot_give__with_no_relief_to_be_had_one_gives_what_one_has() -> None:
    state = blamed_with(35, 1, 35, 34)
    after = played(state, Atone(YELLOW, "bread", (), 3))
    assert (after.followers, after.supply) == ((35, 0, 35, 34), 1)


def test_whatif_cannot_give__who_could_only_give_one_is_not_said_to_have_given_three() -> None:
    state = blamed_with(35, 1, 35, 34)
    told = note(state, Atone(YELLOW, "bread", (), 3), "tumult.followers")
    assert told.facts == {"seat": "yellow", "followers": 1}


shares = st.integers(2, 4).flatmap(lambda players: st.tuples(*[st.integers(0, 105 // players)] * players))


@pytest.mark.parametrize(("carried", "rule"), [(give, "crown.followers"), (receive, "placing.overpaid")])
@given(followers=shares, number=st.integers(0, 6))
def test_no_follower_is_ever_made_or_lost(
    carried: Callable[..., State], rule: str, followers: tuple[int, ...], number: int
) -> None:
    state = with_followers(table(len(followers)), *followers)
    after = carried(state, BLUE, number, rule, RuleLog())
    assert sum(after.followers) + after.supply == BOX.followers.total
    assert min(*after.followers, after.supply) >= 0
