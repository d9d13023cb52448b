"""The end of the game: the double fields, the 0, the 25th statue, and the score sheet that says who won and why."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    Crown,
    Exchange,
    Mix,
    Move,
    Pass,
    Spin,
    TakeConsolation,
    TurnMercy,
)
from companion.games.tumult_royale.state import UNNAMED, State
from companion.kernel.rules import Note, changed

from .statue_table import coronation, put, sculptor
from .table import (
    BLUE,
    BOX,
    GREY,
    PURPLE,
    YELLOW,
    broken_rules,
    field,
    note,
    out_of_order,
    placing,
    played,
    table,
    told_rules,
)

ALLOWED = [(int(number), limit) for number, limit in BOX.chronicle.ends_above.items() if number != "10"]
"""How far first and last may be apart, by round; of these the book's text names only the 5 of round 7."""


def round_seven(blue: int, yellow: int, purple: int) -> State:
    """Blue is about to put two statues on the double field above the 5; the numbers are those before."""
    return coronation(7, players=3, placed=(blue, yellow, purple))


def test_end_goes_on__a_difference_of_exactly_five_is_not_too_much() -> None:
    state = round_seven(blue=19, yellow=19, purple=16)
    assert note(state, Crown(BLUE, 5, 2), "end.goes-on").facts == {"difference": 5, "limit": 5}
    after = played(state, Crown(BLUE, 5, 2))
    assert (after.phase, after.winner, after.placed) == ("mercy", -1, (21, 19, 16))


def test_end_goes_on__single_fields_end_nothing() -> None:
    state = coronation(4, placed=(20, 1, 1, 1))
    assert played(state, Crown(BLUE, 5, 1)).phase == "mercy"
    assert "end.goes-on" not in told_rules(state, Crown(BLUE, 5, 1))


@pytest.mark.parametrize(("number", "limit"), ALLOWED)
def test_end_goes_on__each_double_field_has_its_own_number(number: int, limit: int) -> None:
    state = coronation(number, placed=(8 + limit, 10, 10, 10))
    told = note(state, Crown(BLUE, 5, 2), "end.goes-on")
    assert told.facts == {"difference": limit, "limit": limit}
    assert played(state, Crown(BLUE, 5, 2)).phase == "mercy"


@pytest.mark.parametrize(("number", "limit"), ALLOWED)
def test_end_difference__one_more_than_the_number_ends_the_game(number: int, limit: int) -> None:
    state = coronation(number, placed=(9 + limit, 10, 10, 10))
    told = note(state, Crown(BLUE, 5, 2), "end.difference")
    assert told.facts == {"difference": limit + 1, "limit": limit}
    after = played(state, Crown(BLUE, 5, 2))
    assert (after.phase, after.winner) == ("over", BLUE)


@pytest.mark.parametrize("late", [Spin(BLUE, (3,)), Mix(), Crown(BLUE, 5, 2)], ids=lambda move: type(move).__name__)
def test_end_over__nothing_counts_any_more(late: Move) -> None:
    after = played(coronation(6, placed=(23, 10, 10, 10)), Crown(BLUE, 5, 2))
    assert (after.phase, broken_rules(after, late)) == ("over", {"end.over"})


def test_end_difference__the_leader_need_not_be_the_king() -> None:
    state = round_seven(blue=10, yellow=19, purple=13)
    after = played(state, Crown(BLUE, 5, 2))
    assert (after.phase, after.winner) == ("over", YELLOW)
    assert note(state, Crown(BLUE, 5, 2), "end.difference").facts == {"difference": 7, "limit": 5}


def test_end_difference__the_round_is_not_played_to_its_end() -> None:
    after = played(round_seven(blue=19, yellow=19, purple=15), Crown(BLUE, 5, 2))
    assert (list(GAME.moves(after)), GAME.actor(after)) == ([], None)
    assert out_of_order(after, TurnMercy(PURPLE)) == ("TurnMercy", "over")


def test_end_last_field__above_the_zero_the_game_ends_in_any_case() -> None:
    state = coronation(10, placed=(16, 18, 18, 18))
    assert note(state, Crown(BLUE, 5, 2), "end.last-field").facts == {"difference": 0}
    assert told_rules(state, Crown(BLUE, 5, 2)).isdisjoint({"end.goes-on", "end.difference"})
    assert played(state, Crown(BLUE, 5, 2)).phase == "over"


def test_end_last_field__most_statues_win_there_too() -> None:
    after = played(coronation(10, placed=(15, 18, 19, 18)), Crown(BLUE, 5, 2))
    assert (after.phase, after.winner, len(after.chronicle)) == ("over", PURPLE, 10)


def test_end_last_field__the_ninth_round_is_not_the_last() -> None:
    after = played(coronation(9, placed=(16, 18, 18, 18)), Crown(BLUE, 5, 2))
    assert after.phase == "mixing"


def test_end_most_statues__the_winner_is_told() -> None:
    state = coronation(10, placed=(15, 18, 19, 18))
    assert note(state, Crown(BLUE, 5, 2), "end.most-statues").facts == {"seat": "purple", "statues": 19}
    assert "end.rank-tie" not in told_rules(state, Crown(BLUE, 5, 2))


def test_end_most_statues__statues_count_and_followers_do_not() -> None:
    state = coronation(10, placed=(15, 18, 19, 18), followers=(30, 30, 0, 10))
    assert played(state, Crown(BLUE, 5, 2)).winner == PURPLE


def test_end_rank_tie__the_higher_rank_wins() -> None:
    state = coronation(10, ranks=(1, 4, 3, 2), placed=(15, 19, 19, 18))
    assert played(state, Crown(BLUE, 5, 2)).winner == PURPLE
    facts = {"seat": "purple", "statues": 19}
    assert note(state, Crown(BLUE, 5, 2), "end.rank-tie").facts == facts


def test_end_rank_tie__the_king_wins_every_tie() -> None:
    assert played(coronation(10, placed=(17, 19, 19, 19)), Crown(BLUE, 5, 2)).winner == BLUE


def test_end_rank_tie__it_decides_after_a_difference_too() -> None:
    state = coronation(8, ranks=(1, 4, 3, 2), placed=(10, 19, 10, 19))
    assert played(state, Crown(BLUE, 5, 2)).winner == GREY


def last_but_one(tiles: str = "bread1 marble1", left: int = 1) -> State:
    """Blue has almost no statues left, and it is his turn to place."""
    return sculptor(tiles, facts={"placed": (25 - left, 20, 20, 20)})


def test_end_last_statue__the_25th_ends_the_game_in_the_middle_of_placing() -> None:
    state = placing(
        table(first={BLUE: "H3"}),
        {BLUE: ("bread1", "marble1"), YELLOW: ("bread3", "marble3")},
        placed=(24, 24, 20, 20),
    )
    move = put(state, "I3", "bread1 marble1")
    assert note(state, move, "end.last-statue").facts == {"seat": "blue", "statues": 25}
    after = played(state, move)
    assert (after.phase, after.winner, GAME.actor(after)) == ("over", BLUE, None)


@pytest.mark.parametrize(
    "late",
    [Pass(YELLOW), TakeConsolation(YELLOW, 2), Crown(BLUE, 5, 1), Mix()],
    ids=lambda move: type(move).__name__,
)
def test_end_last_statue__the_round_is_not_played_to_its_end(late: Move) -> None:
    state = last_but_one()
    after = played(state, put(state, "I3", "bread1 marble1"))
    assert out_of_order(after, late) == (type(late).__name__, "over")


def test_end_last_statue__three_on_a_castle_may_be_the_23rd_to_25th() -> None:
    state = last_but_one("marble2 tool3", left=3)
    after = played(state, put(state, "H2", "marble2 tool3", statues=3))
    assert (after.placed[BLUE], after.phase, after.winner) == (25, "over", BLUE)


def test_end_last_statue__the_24th_ends_nothing() -> None:
    state = last_but_one(left=2)
    after = played(state, put(state, "I3", "bread1 marble1"))
    assert (after.placed[BLUE], after.phase) == (24, "consolation")


def test_end_last_statue__followers_for_overpaying_are_still_taken() -> None:
    state = last_but_one("bread2 marble2")
    after = played(state, put(state, "I3", "bread2 marble2", followers=2))
    assert (after.phase, after.followers[BLUE]) == ("over", 17)


def test_end_last_statue__it_may_stand_on_a_single_field_of_the_chronicle() -> None:
    state = coronation(3, placed=(24, 20, 20, 20))
    assert note(state, Crown(BLUE, 5, 1), "end.last-statue").facts == {"seat": "blue", "statues": 25}
    after = played(state, Crown(BLUE, 5, 1))
    assert (after.phase, after.winner, after.to_uncover) == ("over", BLUE, 0)


def test_end_last_statue__on_a_double_field_no_difference_is_counted() -> None:
    state = coronation(7, placed=(23, 24, 24, 24))
    told = told_rules(state, Crown(BLUE, 5, 2))
    assert "end.last-statue" in told
    assert told.isdisjoint({"end.goes-on", "end.difference", "end.most-statues"})
    assert played(state, Crown(BLUE, 5, 2)).winner == BLUE


def after_the_first_coronation() -> State:
    """Blue built a castle and a meadow beside his first statue; yellow, consoled, was crowned."""
    state = sculptor("bread1 marble1 marble2 tool3")
    state = played(state, put(state, "H2", "marble2 tool3", statues=3), put(state, "I3", "bread1 marble1"))
    state = played(state, *(TakeConsolation(seat, 2) for seat in (YELLOW, PURPLE, GREY)))
    state = played(state, Exchange(YELLOW, 1), Exchange(PURPLE, 2), Exchange(GREY, 3))
    return played(state, Crown(YELLOW, 5, 1))


def test_end_statues_on_land__each_counts_one_by_where_it_stands() -> None:
    sheet = GAME.score(after_the_first_coronation())
    meadow, castle = sheet.seats[BLUE].lines
    assert (meadow.label, meadow.points) == ("meadow", 2)
    assert meadow.because == Note("end.statues-on-land", {"kind": "meadow", "fields": ("H3", "I3"), "statues": 2})
    assert (castle.label, castle.points, castle.because.facts["fields"]) == ("castle", 3, ("H2",))
    assert sheet.seats[BLUE].total == 5


def test_end_statues_on_land__the_sheet_names_no_winner_while_the_game_runs() -> None:
    sheet = GAME.score(after_the_first_coronation())
    assert (sheet.winner, sheet.because) == (None, ())


def test_end_statues_on_chronicle__each_counts_one() -> None:
    yellow = GAME.score(after_the_first_coronation()).seats[YELLOW]
    land, chronicle = yellow.lines
    assert (land.points, chronicle.label, chronicle.points) == (1, "chronicle", 1)
    assert chronicle.because == Note("end.statues-on-chronicle", {"rounds": ("1",), "statues": 1})
    assert yellow.total == 2


def test_end_statues_on_chronicle__a_double_field_counts_two() -> None:
    kings = (YELLOW, BLUE, BLUE, YELLOW, BLUE, YELLOW)
    state = played(coronation(7, chronicle=kings, placed=(4, 5, 1, 1)), Crown(BLUE, 5, 2))
    _, line = GAME.score(state).seats[BLUE].lines
    assert line.points == 5
    assert line.because.facts == {"rounds": ("2", "3", "5", "7"), "statues": 5}


def test_end_statues_on_chronicle__a_last_single_statue_on_a_double_field_counts_one() -> None:
    state = played(coronation(7, placed=(24, 20, 20, 20)), Crown(BLUE, 5, 1))
    line = next(line for line in GAME.score(state).seats[BLUE].lines if line.label == "chronicle")
    assert (line.points, line.because.facts) == (1, {"rounds": ("7",), "statues": 1})


def test_end_statues_elsewhere__a_statue_on_a_board_that_nobody_named_counts_as_well() -> None:
    state = after_the_first_coronation()
    castle = field(state, "H2")
    state = replace(state, land=changed(state.land, castle, UNNAMED))
    meadow, elsewhere = GAME.score(state).seats[BLUE].lines
    assert (meadow.points, elsewhere.label, elsewhere.points) == (2, "elsewhere", 3)
    assert elsewhere.because == Note("end.statues-elsewhere", {"statues": 3})
    assert GAME.score(state).seats[BLUE].total == state.placed[BLUE] == 5


def test_the_score_sheet_says_how_the_winner_was_found() -> None:
    by_tie = played(coronation(10, ranks=(1, 4, 3, 2), placed=(15, 19, 19, 18)), Crown(BLUE, 5, 2))
    sheet = GAME.score(by_tie)
    assert sheet.winner == PURPLE
    assert [told.rule for told in sheet.because] == ["end.most-statues", "end.rank-tie"]
    at_once = GAME.score(played(coronation(3, placed=(24, 20, 20, 20)), Crown(BLUE, 5, 1)))
    assert at_once.because == (Note("end.last-statue", {"seat": "blue", "statues": 25}),)


def test_example_in_round_7_a_difference_of_six_ends_the_game_and_blue_wins() -> None:
    state = round_seven(blue=19, yellow=19, purple=15)
    after = played(state, Crown(BLUE, 5, 2))
    assert after.placed == (21, 19, 15)
    assert note(state, Crown(BLUE, 5, 2), "end.difference").facts == {"difference": 6, "limit": 5}
    assert note(state, Crown(BLUE, 5, 2), "end.most-statues").facts == {"seat": "blue", "statues": 21}
    assert (after.phase, GAME.score(after).winner) == ("over", BLUE)


def test_example_in_round_7_a_difference_of_five_plays_another_round() -> None:
    after = played(round_seven(blue=19, yellow=19, purple=16), Crown(BLUE, 5, 2))
    after = played(after, TurnMercy(PURPLE), Mix())
    assert (after.round, after.phase) == (8, "mood")
    assert broken_rules(after, Crown(BLUE, 5, 2)) == {"round.phases"}


def test_example_two_statues_above_the_0_end_the_game_in_any_case() -> None:
    after = played(coronation(10, placed=(16, 18, 18, 18)), Crown(BLUE, 5, 2))
    assert (after.placed, after.phase, after.winner) == ((18, 18, 18, 18), "over", BLUE)
