"""Set-up: what lies where with two, three and four players; cards, first statues, phases."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    MIDDLE,
    Atone,
    DealCard,
    FirstStatue,
    ForgetSpin,
    LayDown,
    LayOut,
    Look,
    Mix,
    Move,
    PutBack,
    Ready,
    Rob,
    SetAside,
    ShowBoard,
    ShowField,
    Spin,
    StartRaid,
    Stop,
    TurnUp,
)
from companion.games.tumult_royale.state import BY_FIELD, HIDDEN, UNNAMED
from companion.kernel.game import BadSetup
from companion.kernel.rules import Breach, IllegalMove, Note, Seat, broken

from .raid_table import all_aside, at, next_round, one_tile_down, raiding, reasons
from .table import (
    BLUE,
    BOX,
    GREY,
    PURPLE,
    YELLOW,
    breach,
    broken_rules,
    dealt,
    landscaped,
    note,
    opened,
    out_of_order,
    played,
    table,
    told_rules,
)

# Who plays


@pytest.mark.parametrize("colours", [["blue"], ["blue", "yellow", "purple", "grey", "red"], []])
def test_setup_players__one_is_too_few_and_five_are_too_many(colours: list[str]) -> None:
    with pytest.raises(BadSetup, match=rf"2 to 4 players, not {len(colours)}\."):
        GAME.setup(BOX, tuple(map(Seat, colours)))


@pytest.mark.parametrize("seat", [4, -1])
def test_setup_players__there_is_no_fifth_seat(seat: int) -> None:
    state = all_aside(table(4))
    assert GAME.check(state, Ready(seat)) == (broken("setup.players", seat=seat + 1, players=4),)
    assert GAME.check(state, Ready(GREY)) == ()


@pytest.mark.parametrize(
    ("phase", "move"),
    [
        ("cards", DealCard(2, 1)),
        ("first_statues", FirstStatue(2, 0)),
        ("mood", Spin(2, (3,))),
        ("mood", SetAside(2)),
        ("mood", StartRaid(2)),
        ("raid", Look(2)),
        ("raid", Rob(2)),
        ("raid", PutBack(2)),
        ("stopped", LayDown(2, True)),
        ("gambling", Spin(2, (3,), "bread")),
        ("tumults", Atone(2, "bread", (), 3)),
    ],
)
def test_setup_players__from_an_empty_place_comes_no_act(phase: str, move: Move) -> None:
    assert GAME.check(at(phase), move) == (broken("setup.players", seat=3, players=2),)


def test_two_seats_cannot_both_be_blue() -> None:
    with pytest.raises(BadSetup, match="both play blue"):
        GAME.setup(BOX, (Seat("blue"), Seat("yellow"), Seat("blue")))


def test_a_colour_that_is_not_in_the_box_cannot_be_played() -> None:
    with pytest.raises(BadSetup, match=r"colour green; choose from blue, yellow, purple, grey"):
        GAME.setup(BOX, (Seat("blue"), Seat("green")))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"dice": True}, "dice"),
        ({"gamblers": "sometimes"}, "gamblers"),
        ({"second_look": 2}, "second_look"),
        ({"rank_ties": "by age"}, "rank_ties"),
        ({"oldest": 4}, "seats 0 to 3, not 4"),
        ({"oldest": -1}, "seats 0 to 3, not -1"),
    ],
)
def test_an_option_that_cannot_be_played_is_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(BadSetup, match=named):
        opened(4, **options)


def test_the_last_seat_may_be_the_oldest() -> None:
    assert opened(4, oldest=3).options.oldest == GREY


# What lies on the table


@pytest.mark.parametrize(("players", "tiles"), [(2, 21), (3, 30), (4, 39)])
def test_setup_goods_tiles__fewer_players_take_out_the_bordered_tiles(players: int, tiles: int) -> None:
    state = opened(players)
    assert state.hidden_middle == tiles
    assert note(state, LayOut(), "setup.goods-tiles").facts == {"tiles": tiles, "players": players}


@pytest.mark.parametrize(
    ("players", "borders"), [(2, ["plain"]), (3, ["plain", "grey"]), (4, ["plain", "grey", "black"])]
)
def test_setup_goods_tiles__a_tile_with_a_border_cannot_turn_up_without_its_players(
    players: int, borders: list[str]
) -> None:
    threes = sum(getattr(BOX.goods, border)["bread"][2] for border in borders)
    but_one = one_tile_down(table(players), {}, ["bread3"] * (threes - 1))
    all_up = one_tile_down(table(players), {}, ["bread3"] * threes)
    assert GAME.check(but_one, TurnUp(MIDDLE, "bread3")) == ()
    refusal = broken("setup.goods-tiles", tile="bread3", tiles=0, players=players)
    assert GAME.check(all_up, TurnUp(MIDDLE, "bread3")) == (refusal,)


def test_setup_goods_tiles__tiles_on_a_castle_count_as_face_up_too() -> None:
    threes = BOX.goods.plain["bread"][2]
    state = one_tile_down(table(2), {BLUE: ["bread3"] * threes})
    assert broken_rules(state, TurnUp(MIDDLE, "bread3")) == {"setup.goods-tiles"}


def test_setup_statues__everybody_starts_with_25_on_the_castle_board() -> None:
    state = opened(3)
    assert state.placed == (0, 0, 0)
    assert note(state, LayOut(), "setup.statues").facts == {"statues": 25}


def test_setup_no_mercy__no_seat_starts_with_the_peoples_mercy() -> None:
    assert opened(4).mercy == (False, False, False, False)
    assert "setup.no-mercy" in told_rules(opened(4), LayOut())


def test_setup_no_mercy__nor_has_any_seat_in_the_first_round() -> None:
    state = raiding(4)
    assert state.round == 1
    assert state.mercy == (False, False, False, False)


@pytest.mark.parametrize(("players", "each"), [(2, 30), (3, 20), (4, 15)])
def test_setup_followers__the_fewer_players_the_more_followers(players: int, each: int) -> None:
    state = opened(players)
    assert state.followers == (each,) * players
    assert note(state, LayOut(), "setup.followers").facts == {"followers": each, "players": players}


def test_setup_goods_face_down__all_tiles_lie_face_down_in_the_middle() -> None:
    state = opened(4)
    assert (state.middle, state.castles, state.hidden_castles) == ((), ((), (), (), ()), (0, 0, 0, 0))
    assert "setup.goods-face-down" in told_rules(state, LayOut())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_supply__forty_five_followers_are_left_over(players: int) -> None:
    state = opened(players)
    assert state.supply == 45
    assert note(state, LayOut(), "setup.supply").facts == {"supply": 45}


@pytest.mark.parametrize(("players", "boards"), [(2, 4), (3, 6), (4, 8)])
def test_setup_frame__it_grows_with_the_players(players: int, boards: int) -> None:
    state = opened(players)
    assert len(state.boards) == boards
    assert len(state.land) == boards * 9
    assert note(state, LayOut(), "setup.frame").facts == {"boards": boards}


@pytest.mark.parametrize(("players", "half", "spare"), [(2, 2, 6), (3, 3, 4), (4, 4, 2)])
def test_setup_boards__half_lie_face_up_and_the_rest_stays_in_the_box(players: int, half: int, spare: int) -> None:
    state = opened(players)
    assert (state.boards.count(UNNAMED), state.boards.count(HIDDEN)) == (half, half)
    assert (state.land.count(UNNAMED), state.land.count(HIDDEN)) == (half * 9, half * 9)
    assert note(state, LayOut(), "setup.boards").facts == {"up": half, "spare": spare}


def test_setup_boards__with_four_players_the_four_in_the_middle_lie_face_up() -> None:
    state = opened(4)
    face_up = [state.place_name(place) for place, board in enumerate(state.boards) if board == UNNAMED]
    assert face_up == ["B1", "C1", "B2", "C2"]


def test_setup_boards__a_board_the_box_does_not_know_is_refused_by_name() -> None:
    state = dealt(4)
    place = state.boards.index(UNNAMED)
    assert broken_rules(state, ShowBoard(place, "unicorn", 0)) == {"setup.boards"}
    assert breach(state, ShowBoard(place, "unicorn", 0), "setup.boards").facts["board"] == "unicorn"
    assert GAME.check(state, ShowBoard(place, "heron", 0)) == ()


@pytest.mark.parametrize("turn", [-1, 4])
def test_setup_boards__a_board_has_only_four_ways_to_lie(turn: int) -> None:
    state = dealt(4)
    place = state.boards.index(UNNAMED)
    assert GAME.check(state, ShowBoard(place, "heron", turn))
    assert GAME.check(state, ShowBoard(place, "heron", 3)) == ()


def test_setup_boards__the_breach_does_not_call_a_known_board_unknown() -> None:
    state = dealt(4)
    said = reasons(state, ShowBoard(state.boards.index(UNNAMED), "heron", 4), "en")
    assert said
    assert "The box knows no board «heron»." not in said


def test_setup_boards__a_board_unknown_to_the_box_is_told_field_by_field() -> None:
    state = dealt(2)
    place = state.boards.index(UNNAMED)
    fields = state.place_fields(place)
    state = played(state, *(ShowField(field, "meadow") for field in fields))
    assert state.boards[place] == BY_FIELD
    assert [state.land[field] for field in fields] == ["meadow"] * 9


# The nobility cards and the king


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_cards__there_are_as_many_as_players(players: int) -> None:
    state = opened(players)
    assert note(state, LayOut(), "setup.cards").facts == {"cards": players}
    assert sorted(dealt(players).ranks) == list(range(1, players + 1))


@pytest.mark.parametrize("rank", [4, 0])
def test_setup_cards__three_players_have_no_earl(rank: int) -> None:
    state = GAME.play(opened(3), LayOut())
    assert GAME.check(state, DealCard(BLUE, rank)) == (broken("setup.cards", rank=rank, cards=3),)
    assert GAME.check(state, DealCard(BLUE, 3)) == ()


def test_setup_cards__two_players_are_king_and_duke_only() -> None:
    state = GAME.play(opened(2), LayOut())
    assert GAME.check(state, DealCard(BLUE, 3)) == (broken("setup.cards", rank=3, cards=2),)
    assert GAME.check(state, DealCard(BLUE, 2)) == ()


def test_setup_cards_dealt__the_oldest_draws_first_then_clockwise() -> None:
    state = GAME.play(opened(4, oldest=PURPLE), LayOut())
    order = [(PURPLE, 4), (GREY, 2), (BLUE, 1), (YELLOW, 3)]
    state = played(state, *(DealCard(seat, rank) for seat, rank in order))
    assert state.ranks == (1, 3, 4, 2)


def test_setup_cards_dealt__each_card_is_told() -> None:
    state = GAME.play(opened(4), LayOut())
    assert GAME.tell(state, DealCard(BLUE, 2)) == (Note("setup.cards-dealt", {"seat": "blue", "rank": "rank2"}),)


def test_setup_cards_dealt__no_seat_draws_before_the_oldest() -> None:
    state = GAME.play(opened(3, oldest=YELLOW), LayOut())
    assert GAME.check(state, DealCard(BLUE, 1)) == (broken("setup.cards-dealt", seat="blue", next="yellow"),)
    assert GAME.check(state, DealCard(YELLOW, 1)) == ()


def test_setup_cards_dealt__no_seat_draws_twice() -> None:
    state = played(opened(3), LayOut(), DealCard(BLUE, 1))
    assert GAME.check(state, DealCard(BLUE, 2)) == (broken("setup.cards-dealt", seat="blue", next="yellow"),)


def test_setup_one_card_each__a_card_that_was_drawn_cannot_be_drawn_again() -> None:
    state = played(opened(3), LayOut(), DealCard(BLUE, 1))
    taken = broken("setup.one-card-each", seat="yellow", rank="rank1", owner="blue")
    assert GAME.check(state, DealCard(YELLOW, 1)) == (taken,)
    assert GAME.check(state, DealCard(YELLOW, 2)) == ()


def test_setup_cards_dealt__one_reason_is_given_once() -> None:
    state = played(opened(3), LayOut(), DealCard(BLUE, 1))
    assert len(reasons(state, DealCard(PURPLE, 1), "en")) == len(set(reasons(state, DealCard(PURPLE, 1), "en")))


def test_setup_king__the_highest_rank_gets_timer_and_disc() -> None:
    state = played(opened(3), LayOut(), DealCard(BLUE, 2), DealCard(YELLOW, 1))
    assert note(state, DealCard(PURPLE, 3), "setup.king").facts == {"seat": "yellow", "seconds": 20}
    assert GAME.play(state, DealCard(PURPLE, 3)).king == YELLOW


def test_setup_king__the_king_is_known_only_when_all_cards_are_drawn() -> None:
    state = GAME.play(opened(3), LayOut())
    assert "setup.king" not in told_rules(state, DealCard(BLUE, 1))


# The first statue


def test_first_order__the_earl_begins_and_the_king_is_last() -> None:
    state = landscaped(4, ranks=(1, 4, 2, 3))
    order = []
    while state.phase == "first_statues":
        move = next(GAME.moves(state))
        assert isinstance(move, FirstStatue)
        assert "first.order" in told_rules(state, move)
        order.append(move.seat)
        state = GAME.play(state, move)
    assert order == [YELLOW, GREY, PURPLE, BLUE]
    assert state.placed == (1, 1, 1, 1)


def test_first_order__the_king_does_not_go_first() -> None:
    state = landscaped(4)
    meadow = state.land.index("meadow")
    assert GAME.actor(state) == GREY
    assert GAME.check(state, FirstStatue(BLUE, meadow)) == (broken("first.order", seat="blue", next="grey"),)
    assert GAME.check(state, FirstStatue(GREY, meadow)) == ()


def test_first_order__no_seat_sets_two_first_statues() -> None:
    state = landscaped(4)
    first, second = [field for field, kind in enumerate(state.land) if kind == "meadow"][:2]
    state = GAME.play(state, FirstStatue(GREY, first))
    assert GAME.check(state, FirstStatue(GREY, second)) == (broken("first.order", seat="grey", next="purple"),)


def test_first_meadow__a_statue_stands_on_a_meadow() -> None:
    state = landscaped(4)
    meadow = state.land.index("meadow")
    move = FirstStatue(GREY, meadow)
    assert note(state, move, "first.meadow").facts == {"seat": "grey", "field": state.field_name(meadow)}
    after = GAME.play(state, move)
    assert (after.owner[meadow], after.standing[meadow]) == (GREY, 1)
    assert after.placed == (0, 0, 0, 1)


@pytest.mark.parametrize("kind", ["forest", "mountain", "village", "castle"])
def test_first_meadow__no_other_land_will_do(kind: str) -> None:
    state = landscaped(4)
    there = state.land.index(kind)
    refusal = broken("first.meadow", seat="grey", field=state.field_name(there), kind=f"a {kind}")
    assert GAME.check(state, FirstStatue(GREY, there)) == (refusal,)


def test_first_meadow__a_taken_meadow_is_not_free() -> None:
    state = landscaped(4)
    meadow = state.land.index("meadow")
    state = GAME.play(state, FirstStatue(GREY, meadow))
    refusal = broken("placing.free-field", seat="purple", field=state.field_name(meadow), owner="grey")
    assert GAME.check(state, FirstStatue(PURPLE, meadow)) == (refusal,)


def test_first_meadow__a_board_face_down_takes_no_statue() -> None:
    state = landscaped(4)
    hidden = state.land.index(HIDDEN)
    refusal = broken("placing.face-up", seat="grey", field=state.field_name(hidden))
    assert GAME.check(state, FirstStatue(GREY, hidden)) == (refusal,)


def test_first_meadow__there_is_no_land_outside_the_frame() -> None:
    state = landscaped(4)
    before_the_first = state.land.index("meadow") - len(state.land)
    assert GAME.check(state, FirstStatue(GREY, before_the_first)) == (
        broken("placing.face-up", seat="grey", field="?"),
    )
    assert GAME.check(state, FirstStatue(GREY, 72)) == (broken("placing.face-up", seat="grey", field="?"),)


def test_first_meadow__without_any_meadow_another_free_field_will_do() -> None:
    state = landscaped(4)
    no_meadows = replace(state, land=tuple("forest" if kind == "meadow" else kind for kind in state.land))
    forest = no_meadows.land.index("forest")
    assert GAME.check(no_meadows, FirstStatue(GREY, forest)) == ()


# The round


def test_round_phases__the_first_round_begins_with_the_last_first_statue() -> None:
    state = landscaped(2)
    first, second = [field for field, kind in enumerate(state.land) if kind == "meadow"][:2]
    state = GAME.play(state, FirstStatue(YELLOW, first))
    assert note(state, FirstStatue(BLUE, second), "round.phases").facts == {"round": 1}
    after = GAME.play(state, FirstStatue(BLUE, second))
    assert (after.phase, after.round) == ("mood", 1)


def test_round_phases__a_round_goes_through_all_seven_in_order() -> None:
    state = raiding(2, ranks=(2, 1))
    phases = ["mood", state.phase]
    state = played(state, Rob(BLUE), Rob(BLUE), Stop(), TurnUp(BLUE, "bread2"), TurnUp(BLUE, "marble2"))
    while state.round == 1:
        if state.phase != phases[-1]:
            phases.append(state.phase)
        state = GAME.play(state, next(GAME.moves(state)))
    assert phases == [
        *("mood", "raid", "turning_up", "tumults", "placing"),
        *("ranks", "coronation", "mercy", "mixing"),
    ]
    assert (state.phase, state.round) == ("mood", 2)


def test_round_phases__mixing_the_tiles_begins_the_next_round() -> None:
    state = replace(raiding(3), phase="mixing")
    assert note(state, Mix(), "round.phases").facts == {"round": 2}
    assert (next_round(state).round, next_round(state).hidden_middle) == (2, 30)


@pytest.mark.parametrize(
    ("now", "move"),
    [
        ("laying_out", DealCard(BLUE, 1)),
        ("laying_out", Spin(BLUE, (3,))),
        ("cards", LayOut()),
        ("cards", FirstStatue(YELLOW, 0)),
        ("boards", DealCard(BLUE, 1)),
        ("boards", FirstStatue(YELLOW, 0)),
        ("first_statues", ShowBoard(0, "swan", 0)),
        ("first_statues", Spin(BLUE, (3,))),
        ("mood", FirstStatue(BLUE, 0)),
        ("mood", Rob(BLUE)),
        ("mood", Look(BLUE)),
        ("mood", PutBack(BLUE)),
        ("mood", Stop()),
        ("mood", ForgetSpin("bread")),
        ("raid", Spin(BLUE, (3,))),
        ("raid", SetAside(BLUE)),
        ("raid", Ready(BLUE)),
        ("raid", StartRaid(BLUE)),
        ("raid", LayDown(BLUE, True)),
        ("raid", TurnUp(MIDDLE, "bread1")),
        ("stopped", TurnUp(MIDDLE, "bread1")),
        ("stopped", Stop()),
        ("turning_up", Stop()),
        ("turning_up", Spin(BLUE, (3,))),
        ("turning_up", Atone(BLUE, "bread", (), 3)),
        ("gambling", TurnUp(MIDDLE, "bread1")),
        ("gambling", Atone(BLUE, "bread", (), 3)),
        ("tumults", Rob(BLUE)),
        ("tumults", Spin(BLUE, (3,))),
        ("tumults", Mix()),
        ("placing", Atone(BLUE, "bread", (), 3)),
        ("over", Spin(BLUE, (3,))),
        ("over", Mix()),
    ],
)
def test_round_phases__an_act_out_of_its_phase_is_refused(now: str, move: Move) -> None:
    assert out_of_order(at(now), move) == (type(move).__name__, now)


@pytest.mark.parametrize(
    ("phase", "ways_on"),
    [
        ("laying_out", 1),  # lay out
        ("cards", 2),  # king or duke
        ("boards", 45),  # ten boards turned four ways, or the first field's five kinds
        ("mood", 10),  # four areas and four lines of the disc; two set tiles aside
        ("raid", 8),  # two may rob or look; at the stop neither, one, the other or both may hold a tile
        ("stopped", 2),  # keep or put back
        ("turning_up", 9),  # three goods, 1 to 3 of each
        ("gambling", 9),  # the disc, or forget it
        ("tumults", 3),
        ("over", 0),
    ],
)
def test_round_phases__each_phase_offers_its_own_legal_acts(phase: str, ways_on: int) -> None:
    state = at(phase)
    offered = list(GAME.moves(state))
    assert len(set(offered)) == len(offered) == ways_on
    assert [move for move in offered if GAME.check(state, move)] == []


def test_an_illegal_act_is_not_carried_out() -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.play(raiding(2), Spin(BLUE, (3,)))
    facts = {"act": "Spin", "seat": "blue", "now": "raid", "next": "everybody"}
    assert refused.value.breaches == (Breach("round.phases", facts),)
    assert refused.value.move == Spin(BLUE, (3,))
