"""Spielende: the last round, and every point with its reason."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import DrawUp
from companion.games.viscounts.state import NO_SEAT, State
from companion.kernel.catalogue import Speaker

from .table import (
    BLUE,
    GREEN,
    GUILDHALL,
    RED,
    TRADING_POST,
    WORKSHOP,
    YELLOW,
    changed,
    has,
    papers,
    replace,
    table,
    told,
    with_row,
    with_slots,
    with_workers,
)


def over(players: int = 3, **facts: object) -> State:
    """The end, with nothing that counts; poverty and prosperity are not in sight."""
    return replace(table(players, poverty=3, prosperity=3), phase="over", **facts)


def line(state: State, label: str, seat: int = RED) -> int:
    return sum(one.points for one in GAME.score(state).seats[seat].lines if one.label == label)


def because(state: State) -> list[str]:
    return [note.rule for note in GAME.score(state).because]


def ending(seat: int, round_: int, last: int) -> State:
    state = with_row(table(), "abbot", "squire", "labourer", seat=seat)
    return replace(state, phase="hiring", turn=seat, round=round_, last_round=last)


def test_end_last__one_whole_round_follows() -> None:
    state = ending(YELLOW, 4, 5)
    assert "end.last" in told(state, DrawUp(YELLOW))
    after = GAME.play(state, DrawUp(YELLOW))
    assert (after.phase, after.round, after.turn) == ("playing", 5, RED)


def test_end_rounds__everybody_has_had_as_many_turns() -> None:
    state = ending(YELLOW, 5, 5)
    assert "end.rounds" in told(state, DrawUp(YELLOW))
    after = GAME.play(state, DrawUp(YELLOW))
    assert GAME.actor(after) is None
    assert list(GAME.moves(after)) == []
    assert GAME.actor(GAME.play(ending(BLUE, 5, 5), DrawUp(BLUE))) == YELLOW


def test_end_buildings__by_kind_and_number() -> None:
    state = with_slots(
        over(), RED, (TRADING_POST, 1), (GUILDHALL, 0), (GUILDHALL, 2), *((WORKSHOP, s) for s in range(3))
    )
    assert line(state, "buildings") == 4 + 13 + 9
    for kind, points in ((TRADING_POST, 15), (GUILDHALL, 21), (WORKSHOP, 9)):
        assert line(with_slots(over(), RED, *((kind, slot) for slot in range(3))), "buildings") == points


def reason(state: State, label: str, seat: int = RED) -> str:
    """Why there are points for something, in English."""
    found = next(one for one in GAME.score(state).seats[seat].lines if one.label == label)
    return Speaker(GAME.catalogue, "en").applied(found.because) or ""


def test_end_buildings__it_is_said_what_each_kind_is_worth() -> None:
    state = with_slots(over(), RED, (TRADING_POST, 1), (GUILDHALL, 0), (GUILDHALL, 2), (WORKSHOP, 0))
    assert (
        reason(state, "buildings") == "Trading posts: 1 (4 points), guildhalls: 2 (13 points), workshops: 1 (2 points)."
    )


def test_end_most_deeds__it_is_said_which_place_is_held_and_how_many_share_it() -> None:
    state = over(4, poverty=0)
    for seat, number in enumerate((3, 1, 1, 0)):
        state = papers(state, seat, deeds=(0, number))
    assert [reason(state, "poverty", seat) for seat in range(4)] == [
        "Poverty: place 1 with 3 approved deeds.",
        "Poverty: place 2 with 1 approved deed, shared by 2 players.",
        "Poverty: place 2 with 1 approved deed, shared by 2 players.",
        "Poverty: no place, for no deed is approved.",
    ]


def test_in_the_middle_of_a_game_each_point_has_its_reason_as_well() -> None:
    state = papers(with_workers(table(), 1, 0, 2), RED, debts=(1, 0), deeds=(1, 0))
    sheet = GAME.score(state)
    assert (sheet.winners, sheet.seats[RED].total) == ((), 2 - 2 + 1)
    assert reason(state, "castle_workers").startswith("Workers: 2 in the first ring (1 point each)")


def test_end_workers__by_ring() -> None:
    state = with_workers(with_workers(over(top=(3, 0, 0)), 1, 0, 2), 2, 4, 1)
    assert line(state, "castle_workers") == 2 + 2 + 9


def with_scripts(*names: str, players: int = 3) -> State:
    state = over(players)
    return replace(state, manuscripts=changed(state.manuscripts, RED, tuple(sorted(names))))


@pytest.mark.parametrize(
    ("names", "points"),
    [
        ((), 0),
        (("black 3 flip",), 1),
        (("black 3 flip", "black 4 ink"), 2),
        (("black 3 flip", "blue 3 hire"), 4),
        (("black 3 flip", "blue 3 hire", "grey 3 any"), 9),
        (("black 3 flip", "blue 3 hire", "grey 3 any", "yellow 3 any"), 16),
        (("black 3 flip", "blue 3 hire", "grey 3 any", "yellow 3 any", "black 4 ink", "blue 3 silver"), 20),
    ],
)
def test_end_sets__the_more_ribbons_the_better(names: tuple[str, ...], points: int) -> None:
    assert line(with_scripts(*names), "manuscript_sets") == points


def test_end_sets__it_is_said_how_large_each_is() -> None:
    state = with_scripts("black 3 flip", "blue 3 hire", "grey 3 any", "black 4 ink")
    assert reason(state, "manuscript_sets") == "2 sets of manuscripts; different ribbons in them: 3, 1."
    assert reason(with_scripts(), "manuscript_sets") == "No set of manuscripts."


def test_example_three_different_ribbons_are_nine_points() -> None:
    assert line(with_scripts("black 3 flip", "blue 3 hire", "grey 3 any"), "manuscript_sets") == 9


def test_end_manuscripts__they_count_what_one_has() -> None:
    def counted(name: str, state: State) -> int:
        return line(replace(state, manuscripts=changed(state.manuscripts, RED, (name,))), "manuscripts")

    assert counted("grey 6 building", with_slots(over(), RED, (WORKSHOP, 0), (WORKSHOP, 2))) == 2
    assert counted("black 6 approved", papers(over(), deeds=(0, 4))) == 4
    assert counted("yellow 6 paid", papers(over(), debts=(0, 3))) == 3
    assert counted("grey 5 good", has(over(), ink=2, gold=1, stone=2, silver=9)) == 2
    assert counted("yellow 6 worker", with_workers(over(top=(1, 0, 0)), 1, 0, 2)) == 1
    assert line(with_scripts("black 3 flip", "black 6 manuscript", "black 4 ink"), "manuscripts") == 1


def test_end_manuscripts__symbols_on_all_own_cards_and_of_buildings_and_criminals_are_no_jokers() -> None:
    state = over()
    mine = changed(state.hidden, RED, ("abbot", "squire", "thief", "enforcer"))
    state = replace(state, hidden=mine, manuscripts=changed(state.manuscripts, RED, ("yellow 5 noble",)))
    assert line(state, "manuscripts") == 3
    assert line(with_slots(state, RED, (GUILDHALL, 1)), "manuscripts") == 4


def test_end_manuscripts__abilities_on_a_board_are_of_no_use_any_more() -> None:
    """A traveller makes clerics of merchants only while a player copies."""
    state = with_row(with_scripts("black 5 cleric"), "traveller", "lender", "financer")
    state = replace(state, hidden=changed(state.hidden, RED, ("abbot",)))
    assert line(state, "manuscripts") == 1


def test_ruling_symbols_of_clerics_cards_count_at_the_end_but_for_a_house_rule() -> None:
    state = over(bonus=(NO_SEAT, RED, NO_SEAT, NO_SEAT))
    state = replace(
        state,
        hidden=changed(state.hidden, RED, ("abbot", "squire", "thief")),
        manuscripts=changed(state.manuscripts, RED, ("yellow 5 noble",)),
    )
    assert line(state, "manuscripts") == 2
    assert line(replace(state, options=replace(state.options, bonus_symbols=False)), "manuscripts") == 1


def test_end_leader__five_points() -> None:
    assert line(over(leader=RED), "castle_leader") == 5
    assert line(over(leader=BLUE), "castle_leader") == 0


def test_end_bonus__three_points_each() -> None:
    assert line(over(bonus=(RED, BLUE, RED, NO_SEAT)), "cleric_cards") == 6


def test_end_debts__two_points_less_for_each() -> None:
    assert line(papers(over(), debts=(3, 1)), "debts") == -6


def test_end_deeds__one_point_each() -> None:
    assert line(papers(over(), deeds=(4, 0)), "deeds") == 4


def test_end_approved__three_points_each() -> None:
    assert line(papers(over(), deeds=(4, 2)), "approved_deeds") == 6


def poverty(*approved: int) -> list[int]:
    state = over(len(approved), poverty=0)
    for seat, number in enumerate(approved):
        state = papers(state, seat, deeds=(0, number))
    return [line(state, "poverty", seat) for seat in range(len(approved))]


def test_end_most_deeds__twelve_eight_and_four() -> None:
    assert poverty(3, 2, 5, 1) == [8, 4, 12, 0]
    assert poverty(0, 2, 0, 0) == [0, 12, 0, 0]


def test_example_two_tied_for_the_first_place_get_ten_each() -> None:
    assert poverty(3, 3, 1, 0) == [10, 10, 4, 0]


def test_example_three_tied_for_the_second_place_get_four_each() -> None:
    assert poverty(3, 1, 1, 1) == [12, 4, 4, 4]


def test_ruling_shared_places_are_rounded_down() -> None:
    assert poverty(2, 2, 2) == [8, 8, 8]
    assert poverty(3, 3, 3, 3) == [6, 6, 6, 6]


def test_end_most_debts__prosperity_counts_paid_debts() -> None:
    state = over(3, prosperity=0)
    for seat, number in enumerate((1, 0, 4)):
        state = papers(state, seat, debts=(0, number))
    assert [line(state, "prosperity", seat) for seat in range(3)] == [8, 0, 12]
    assert line(state, "poverty") == 0


def test_end_divided__both_cards_count() -> None:
    state = papers(over(3, poverty=0, prosperity=0), debts=(0, 1), deeds=(0, 1))
    assert (line(state, "poverty"), line(state, "prosperity")) == (12, 12)
    assert "end.divided" in because(state)


def test_end_winner__most_points() -> None:
    state = papers(over(), BLUE, deeds=(1, 0))
    assert GAME.score(state).winner == BLUE
    assert GAME.score(state).because[0].facts == {"seat": "blue", "points": 1}
    assert GAME.score(table()).winner is None


def test_end_tie__then_resources_and_silver() -> None:
    state = has(has(over(), YELLOW, silver=2, ink=1), BLUE, silver=2)
    assert GAME.score(state).winner == YELLOW
    assert "end.tie" in because(state)
    assert "end.shared" not in because(state)


def test_end_shared__then_they_share() -> None:
    state = has(has(over(), RED, silver=2), BLUE, ink=2)
    sheet = GAME.score(state)
    assert (sheet.winner, sheet.winners) == (None, (RED, BLUE))
    assert [(why.rule, why.facts) for why in sheet.because] == [
        ("end.shared", {"seats": ("red", "blue"), "points": 0, "goods": 2})
    ]
    assert GAME.expects(state).key == "over_shared"


def test_example_one_hundred_and_nine_points() -> None:
    """The book's scoring example. It prints the unpaid debt without its minus; only with it the sum is 109."""
    state = over(4, poverty=0, leader=RED, bonus=(NO_SEAT, NO_SEAT, RED, NO_SEAT))
    state = with_slots(
        state, RED, (TRADING_POST, 0), (GUILDHALL, 0), (GUILDHALL, 1), *((WORKSHOP, s) for s in range(3))
    )
    state = with_workers(with_workers(replace(state, top=(3, 0, 0, 0)), 1, 0, 2), 1, 2, 2)
    state = with_workers(with_workers(state, 2, 0, 2), 2, 1, 1)
    scripts = (
        "grey 6 building", "yellow 5 noble", "blue 6 criminal", "yellow 6 paid", "black 3 flip", "grey 3 any",
        "blue 3 hire", "grey 3 flip",
    )  # fmt: skip
    state = replace(
        state,
        manuscripts=changed(state.manuscripts, RED, scripts),
        hidden=changed(state.hidden, RED, ("antagonist", "enforcer", "squire", "thief", "tinker 1")),
        discards=changed(state.discards, RED, ("scoundrel 1",)),
    )
    state = papers(state, debts=(1, 3), deeds=(4, 2))
    state = papers(papers(state, BLUE, deeds=(0, 4)), YELLOW, deeds=(0, 3))
    assert line(papers(state, GREEN, deeds=(0, 1)), "poverty") == 4
    labels = ("buildings", "castle_workers", "manuscript_sets", "manuscripts", "castle_leader", "cleric_cards")
    assert [line(state, label) for label in labels] == [26, 19, 26, 18, 5, 3]
    papers_ = ("debts", "deeds", "approved_deeds", "poverty")
    assert [line(state, label) for label in papers_] == [-2, 4, 6, 4]
    assert GAME.score(state).seats[RED].total == 109
