"""Phase 6, coronation, and what the king's chronicle does: new boards and double fields."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    Crown,
    Exchange,
    Mix,
    Move,
    Pass,
    SetAside,
    ShowBoard,
    ShowField,
    Spin,
    StartRaid,
    TurnMercy,
    Uncover,
)
from companion.games.tumult_royale.state import HIDDEN, UNNAMED, State

from .statue_table import coronation, counting, put, sculptor, with_followers
from .table import (
    BLUE,
    GREY,
    PURPLE,
    YELLOW,
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

A1, B1, C1, D1, A2, B2, C2, D2 = range(8)
"""The places of the frame for four players; A1, D1, A2 and D2 start hidden."""


def test_crown_new_king__the_holder_of_the_kings_card_is_crowned() -> None:
    state = played(counting(ranks=(1, 2, 3, 4), followers=(15, 20, 15, 15)), Exchange(YELLOW, 1))
    assert GAME.actor(state) == YELLOW
    assert played(state, Crown(YELLOW, 5, 1)).chronicle == (YELLOW,)
    assert note(state, Crown(YELLOW, 5, 1), "crown.new-king").facts == {"king": "yellow"}


def test_crown_new_king__no_other_seat_is_crowned() -> None:
    state = coronation(1)
    assert broken_rules(state, Crown(YELLOW, 5, 1)) == {"crown.new-king"}
    facts = {"seat": "yellow", "king": "blue"}
    assert breach(state, Crown(YELLOW, 5, 1), "crown.new-king").facts == facts
    assert broken_rules(state, Crown(BLUE, 5, 1)) == set()


def test_crown_new_king__a_king_who_kept_the_card_is_crowned_again() -> None:
    state = coronation(2, ranks=(2, 1, 3, 4))
    assert state.chronicle == (YELLOW,)
    assert played(state, Crown(YELLOW, 5, 1)).chronicle == (YELLOW, YELLOW)


def test_crown_followers__five_go_back_to_the_supply() -> None:
    state = with_followers(coronation(1), 19, 15, 15, 15)
    after = played(state, Crown(BLUE, 5, 1))
    assert after.followers == (14, 15, 15, 15)
    assert (state.supply, after.supply) == (41, 46)
    assert note(state, Crown(BLUE, 5, 1), "crown.followers").facts == {"seat": "blue", "followers": 5}


@pytest.mark.parametrize("gave", [0, 4, 6])
def test_crown_followers__five_and_no_other_number(gave: int) -> None:
    state = coronation(1)
    assert broken_rules(state, Crown(BLUE, gave, 1)) == {"crown.followers"}
    assert breach(state, Crown(BLUE, gave, 1), "crown.followers").facts == {
        "seat": "blue",
        "gave": gave,
        "due": 5,
        "short": 0,
    }


def test_crown_statue__one_goes_on_the_next_free_field() -> None:
    state = coronation(4, placed=(3, 6, 2, 2))
    after = played(state, Crown(BLUE, 5, 1))
    assert after.chronicle == (YELLOW, YELLOW, YELLOW, BLUE)
    assert after.placed == (4, 6, 2, 2)
    facts = {"king": "blue", "statues": 1, "field": 4}
    assert note(state, Crown(BLUE, 5, 1), "crown.statue").facts == facts


@pytest.mark.parametrize("number", [0, 2])
def test_crown_statue__a_single_field_takes_exactly_one(number: int) -> None:
    state = coronation(5)
    assert broken_rules(state, Crown(BLUE, 5, number)) == {"crown.statue"}
    assert breach(state, Crown(BLUE, 5, number), "crown.statue").facts == {"seat": "blue", "put": number, "due": 1}
    assert broken_rules(state, Crown(BLUE, 5, 1)) == set()


def test_crown_statue__a_wrong_number_and_a_wrong_price_are_both_named() -> None:
    assert broken_rules(coronation(1), Crown(BLUE, 3, 2)) == {"crown.followers", "crown.statue"}


def test_crown_double_field__from_the_sixth_round_on_two_statues_go_up() -> None:
    state = coronation(6, placed=(8, 9, 8, 8))
    after = played(state, Crown(BLUE, 5, 2))
    assert after.placed == (10, 9, 8, 8)
    facts = {"king": "blue", "statues": 2, "field": 6}
    assert note(state, Crown(BLUE, 5, 2), "crown.double-field").facts == facts
    assert "crown.statue" not in told_rules(state, Crown(BLUE, 5, 2))


@pytest.mark.parametrize("number", [1, 3])
def test_crown_double_field__it_takes_exactly_two(number: int) -> None:
    state = coronation(6, placed=(8, 9, 8, 8))
    assert broken_rules(state, Crown(BLUE, 5, number)) == {"crown.double-field"}
    assert breach(state, Crown(BLUE, 5, number), "crown.double-field").facts == {
        "seat": "blue",
        "put": number,
        "due": 2,
    }
    assert broken_rules(state, Crown(BLUE, 5, 2)) == set()


def test_crown_double_field__a_king_with_one_statue_left_puts_up_that_one() -> None:
    state = coronation(7, placed=(24, 20, 20, 20))
    assert breach(state, Crown(BLUE, 5, 2), "crown.double-field").facts == {"seat": "blue", "put": 2, "due": 1}
    after = played(state, Crown(BLUE, 5, 1))
    assert (after.placed[BLUE], after.phase, after.winner) == (25, "over", BLUE)


def test_crown_double_field__a_last_single_statue_is_shown_as_one() -> None:
    state = played(coronation(7, placed=(24, 20, 20, 20)), Crown(BLUE, 5, 1))
    assert GAME.view(state).zones["chronicle"].at["7"] == "blue"


def next_round_after_crowning_yellow() -> State:
    """Blue was king in round 1; yellow took the crown, and round 2 begins."""
    state = counting(ranks=(1, 2, 3, 4), followers=(15, 20, 15, 15))
    state = played(state, Exchange(YELLOW, 1), Crown(YELLOW, 5, 1))
    return played(state, *(TurnMercy(seat) for seat in (BLUE, PURPLE, GREY)), Mix())


def test_crown_timer_and_disc__the_new_king_spins_and_starts_the_raid() -> None:
    state = next_round_after_crowning_yellow()
    assert broken_rules(state, Spin(BLUE, (3,))) == {"mood.king-spins"}
    assert broken_rules(state, Spin(YELLOW, (3,))) == set()
    assert "raid.king-starts" in broken_rules(state, StartRaid(BLUE))
    assert "raid.king-starts" not in broken_rules(state, StartRaid(YELLOW))


def test_crown_timer_and_disc__they_are_handed_over_at_the_coronation() -> None:
    state = played(counting(ranks=(1, 2, 3, 4), followers=(15, 20, 15, 15)), Exchange(YELLOW, 1))
    assert note(state, Crown(YELLOW, 5, 1), "crown.timer-and-disc").facts == {"king": "yellow"}


# The king's chronicle


@pytest.mark.parametrize(("players", "boards"), [(2, 1), (3, 1), (4, 2)])
def test_chronicle_third__the_king_turns_up_new_boards(players: int, boards: int) -> None:
    state = coronation(3, players)
    after = played(state, Crown(BLUE, 5, 1))
    assert (after.phase, after.to_uncover) == ("uncovering", boards)
    assert note(state, Crown(BLUE, 5, 1), "chronicle.third").facts == {"king": "blue", "boards": boards}


def test_chronicle_third__with_four_players_two_boards_stay_hidden() -> None:
    state = played(coronation(3), Crown(BLUE, 5, 1))
    state = played(state, Uncover(BLUE, A1), ShowBoard(A1, "marten", 0))
    assert (state.phase, state.to_uncover) == ("uncovering", 1)
    state = played(state, Uncover(BLUE, D2), ShowBoard(D2, "stork", 0))
    assert (state.phase, state.boards.count(HIDDEN)) == ("mercy", 2)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_chronicle_third__other_single_fields_turn_up_nothing(number: int) -> None:
    state = coronation(number)
    after = played(state, Crown(BLUE, 5, 1))
    assert (after.phase, after.boards) == ("mercy", state.boards)
    assert told_rules(state, Crown(BLUE, 5, 1)).isdisjoint({"chronicle.third", "chronicle.fifth"})


def before_the_fifth_field(players: int = 4) -> State:
    """Round 5; the third field's boards were turned up in round 3."""
    state = played(coronation(3, players), Crown(BLUE, 5, 1))
    names = iter(("marten", "stork"))
    while state.phase == "uncovering":
        place = state.boards.index(HIDDEN)
        state = played(state, Uncover(BLUE, place), ShowBoard(place, next(names), 0))
    return coronation(5, players, boards=state.boards, land=state.land)


@pytest.mark.parametrize(("players", "boards"), [(2, 1), (3, 2), (4, 2)])
def test_chronicle_fifth__the_king_turns_up_all_that_are_left(players: int, boards: int) -> None:
    state = before_the_fifth_field(players)
    after = played(state, Crown(BLUE, 5, 1))
    assert (after.phase, after.to_uncover) == ("uncovering", boards)
    assert note(state, Crown(BLUE, 5, 1), "chronicle.fifth").facts == {"king": "blue", "boards": boards}


def test_chronicle_fifth__afterwards_no_board_is_hidden() -> None:
    state = played(before_the_fifth_field(), Crown(BLUE, 5, 1))
    first, last = (place for place, board in enumerate(state.boards) if board == HIDDEN)
    state = played(state, Uncover(BLUE, last), ShowBoard(last, "hare", 0))
    assert state.phase == "uncovering"
    state = played(state, Uncover(BLUE, first), ShowBoard(first, "falcon", 0))
    assert (state.phase, state.boards.count(HIDDEN)) == ("mercy", 0)


def at_the_third_field() -> State:
    return played(coronation(3), Crown(BLUE, 5, 1))


def test_chronicle_towards_king__a_board_that_is_turned_up_falls_towards_the_king() -> None:
    state = at_the_third_field()
    assert note(state, Uncover(BLUE, D1), "chronicle.towards-king").facts == {"king": "blue"}


def test_chronicle_hidden_board__the_king_chooses_any_of_them() -> None:
    state = at_the_third_field()
    assert list(GAME.moves(state)) == [Uncover(BLUE, place) for place in (A1, D1, A2, D2)]
    assert note(state, Uncover(BLUE, D1), "chronicle.hidden-board").facts == {"king": "blue", "place": "D1"}


def test_chronicle_hidden_board__a_board_that_lies_open_is_not_turned() -> None:
    state = at_the_third_field()
    assert broken_rules(state, Uncover(BLUE, B1)) == {"chronicle.hidden-board"}
    assert breach(state, Uncover(BLUE, B1), "chronicle.hidden-board").facts == {"place": "B1"}
    assert broken_rules(state, Uncover(BLUE, A1)) == set()


@pytest.mark.parametrize("beyond", [-1, 8])
def test_chronicle_hidden_board__there_is_no_place_beyond_the_frame(beyond: int) -> None:
    assert broken_rules(at_the_third_field(), Uncover(BLUE, beyond)) == {"chronicle.hidden-board"}


def test_chronicle_hidden_board__only_the_king_turns_boards_up() -> None:
    state = at_the_third_field()
    assert broken_rules(state, Uncover(YELLOW, A1)) == {"crown.new-king"}
    facts = {"seat": "yellow", "king": "blue"}
    assert breach(state, Uncover(YELLOW, A1), "crown.new-king").facts == facts


def test_chronicle_hidden_board__it_is_unknown_until_it_lies_open() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    assert (state.phase, state.boards[D1]) == ("boards", UNNAMED)
    assert {state.land[field] for field in state.place_fields(D1)} == {UNNAMED}
    assert {state.land[field] for field in state.place_fields(A1)} == {HIDDEN}


def test_chronicle_board_shown__it_lies_as_the_king_turned_it() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    told = note(state, ShowBoard(D1, "stork", 1), "chronicle.board-shown")
    turned_by_a_quarter = (
        *("meadow", "forest", "village"),
        *("forest", "mountain", "meadow"),
        *("castle", "meadow", "meadow"),
    )
    assert told.facts == {"place": "D1", "fields": turned_by_a_quarter}
    after = played(state, ShowBoard(D1, "stork", 1))
    assert tuple(after.land[field] for field in after.place_fields(D1)) == turned_by_a_quarter


def test_chronicle_board_shown__another_place_is_not_the_one_just_turned() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    assert broken_rules(state, ShowBoard(A1, "stork", 0)) == {"chronicle.board-shown"}
    facts = {"place": "A1", "next": "D1"}
    assert breach(state, ShowBoard(A1, "stork", 0), "chronicle.board-shown").facts == facts


def test_chronicle_board_shown__no_board_lies_there_twice() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    assert state.boards[B1] == "heron"
    assert broken_rules(state, ShowBoard(D1, "heron", 0)) == {"setup.boards"}
    assert breach(state, ShowBoard(D1, "heron", 0), "setup.boards").facts == {"board": "heron", "known": 1}
    assert broken_rules(state, ShowBoard(D1, "stork", 0)) == set()


def test_chronicle_board_shown__a_board_the_box_does_not_know_is_told_field_by_field() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    fields = state.place_fields(D1)
    too_early = ShowField(fields[1], "meadow")
    assert breach(state, too_early, "chronicle.board-shown").facts == {"place": "K1", "next": "J1"}
    state = played(state, *(ShowField(each, "castle") for each in fields[:8]))
    told = note(state, ShowField(fields[8], "meadow"), "chronicle.board-shown")
    assert told.facts == {"place": "D1", "fields": ("castle",) * 8 + ("meadow",)}
    assert played(state, ShowField(fields[8], "meadow")).phase == "uncovering"


def test_chronicle_new_fields__the_next_round_builds_on_them() -> None:
    state = coronation(3, first={BLUE: "I3"})
    this_round = placing(state, {BLUE: ("bread1", "marble1")})
    beside = put(state, "J3", "bread1 marble1")
    assert broken_rules(this_round, beside) == {"placing.face-up"}
    state = played(state, Crown(BLUE, 5, 1), Uncover(BLUE, D1), ShowBoard(D1, "stork", 0))
    next_round = placing(state, {BLUE: ("bread1", "marble1")})
    assert broken_rules(next_round, beside) == set()


def test_chronicle_new_fields__no_seat_builds_on_them_before_the_next_round() -> None:
    state = played(at_the_third_field(), Uncover(BLUE, D1))
    assert "chronicle.new-fields" in told_rules(state, ShowBoard(D1, "stork", 0))
    state = played(state, ShowBoard(D1, "stork", 0))
    assert broken_rules(state, put(state, "J3", "bread1 marble1")) == {"round.phases"}


def test_chronicle_new_fields__the_boards_of_the_setup_are_not_new() -> None:
    state = dealt()
    assert "chronicle.new-fields" not in told_rules(state, ShowBoard(B1, "heron", 0))


def test_example_in_round_2_blue_is_crowned_and_puts_up_one_statue() -> None:
    state = coronation(2, placed=(3, 4, 3, 3))
    after = played(state, Crown(BLUE, 5, 1))
    assert after.chronicle == (YELLOW, BLUE)
    assert after.placed == (4, 4, 3, 3)
    assert breach(state, Crown(BLUE, 5, 2), "crown.statue").facts == {"seat": "blue", "put": 2, "due": 1}


def test_example_in_round_3_of_three_players_yellow_turns_up_one_board() -> None:
    state = coronation(3, players=3, ranks=(2, 1, 3), placed=(4, 4, 4))
    after = played(state, Crown(YELLOW, 5, 1))
    assert (after.placed, after.chronicle[2]) == ((4, 5, 4), YELLOW)
    hidden = after.boards.count(HIDDEN)
    place = after.boards.index(HIDDEN)
    after = played(after, Uncover(YELLOW, place), ShowBoard(place, "stork", 0))
    assert (hidden, after.boards.count(HIDDEN)) == (3, 2)
    assert after.phase == "mercy"


# Out of place


@pytest.mark.parametrize(
    "move",
    [Pass(BLUE), Exchange(BLUE, 1), Uncover(BLUE, A1), TurnMercy(YELLOW), Mix(), SetAside(BLUE)],
    ids=lambda move: type(move).__name__,
)
def test_before_the_crown_is_paid_nothing_else_happens(move: Move) -> None:
    assert out_of_order(coronation(3), move) == (type(move).__name__, "coronation")


@pytest.mark.parametrize(
    "elsewhere",
    [
        table,
        lambda: sculptor("bread1 marble1"),
        at_the_third_field,
        lambda: played(coronation(1), Crown(BLUE, 5, 1)),
    ],
    ids=["mood", "placing", "uncovering", "mercy"],
)
def test_a_king_is_crowned_once_and_only_after_the_ranks(elsewhere: Callable[[], State]) -> None:
    state = elsewhere()
    assert out_of_order(state, Crown(BLUE, 5, 1)) == ("Crown", state.phase)


def test_boards_are_turned_up_only_when_the_chronicle_says_so() -> None:
    state = played(coronation(2), Crown(BLUE, 5, 1))
    assert out_of_order(state, Uncover(BLUE, A1)) == ("Uncover", "mercy")


def test_after_the_last_board_due_the_king_turns_up_no_other() -> None:
    state = played(coronation(3, players=2), Crown(BLUE, 5, 1))
    place = state.boards.index(HIDDEN)
    state = played(state, Uncover(BLUE, place), ShowBoard(place, "stork", 0))
    assert broken_rules(state, Uncover(BLUE, state.boards.index(HIDDEN))) == {"round.phases"}
