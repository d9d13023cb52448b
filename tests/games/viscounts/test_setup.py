"""Spielaufbau: what is laid out, and the draft in reverse order."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.components import sides
from companion.games.viscounts.moves import (
    Build,
    Destroy,
    Hire,
    LayOut,
    OfferCard,
    OfferHero,
    PutSegment,
    Slide,
    TakeGood,
    TakePair,
    TurnCastle,
    TurnUp,
    TurnUpManuscript,
)
from companion.games.viscounts.state import NOT_LAID, NOWHERE, UNSEEN, State, section_at, workers_left
from companion.kernel.game import BadSetup
from companion.kernel.rules import Seat

from .table import (
    BLUE,
    BOX,
    RED,
    SCRIPTS,
    TOWNSFOLK,
    TRADING_POST,
    YELLOW,
    after_draft,
    breach,
    kinds,
    laid_out,
    listed,
    lots,
    marker_fields,
    note,
    opened,
    owns,
    played,
    ready,
    replace,
    rules,
    space,
    table,
    told,
    with_tops_told,
)


def test_setup_players__viscounts_is_for_one_to_four() -> None:
    for number in (0, 5):
        with pytest.raises(BadSetup):
            GAME.setup(BOX, tuple(Seat(f"{colour}") for colour in (*BOX.colours, "pink")[:number]), {})
    with pytest.raises(BadSetup, match="both play red"):
        GAME.setup(BOX, (Seat("red"), Seat("red")), {})
    with pytest.raises(BadSetup, match="first"):
        opened(3, first=3)
    with pytest.raises(BadSetup, match="options"):
        opened(3, gaps="sometimes")
    assert rules(table(), Slide(7)) == ["setup.players"]


def test_setup_pieces__everybody_begins_with_buildings_workers_cards_and_two_markers() -> None:
    state = opened()
    assert told(state, LayOut()) == ["setup.pieces"]
    assert [workers_left(state, seat) for seat in range(3)] == [20, 20, 20]
    assert state.hidden[RED] == tuple(sorted(BOX.starters))
    assert marker_fields(state) == (1, 7)
    assert state.built == (0, 0, 0)


def test_setup_board__five_segments_lie_in_any_order() -> None:
    state = played(laid_out(), PutSegment(1, 3), PutSegment(2, 1))
    assert state.order == (0, 3, 1, NOWHERE, NOWHERE)
    assert note(laid_out(), PutSegment(1, 3), "setup.board").facts == {"place": 2, "segment": "7-8"}
    assert rules(state, PutSegment(3, 1)) == ["setup.once"]
    assert rules(state, PutSegment(1, 2)) == ["setup.place"]


def test_setup_board__few_players_use_the_side_with_four_plots() -> None:
    assert {len(side.plots) for side in sides(BOX, 2)} == {4}
    assert {len(side.plots) for side in sides(BOX, 3)} == {5}


def test_setup_castle__it_is_turned_in_any_way() -> None:
    state = replace(played(ready(), *()), castle=3)
    assert [section_at(state, segment) for segment in range(5)] == [3, 4, 0, 1, 2]
    assert told(laid_out(), TurnCastle(2)) == ["setup.castle"]
    assert rules(ready(), TurnCastle(2)) == ["turn.phases"]
    assert rules(played(laid_out(), TurnCastle(1)), TurnCastle(2)) == ["setup.place"]


def test_setup_townsfolk__a_pile_lies_on_every_segment() -> None:
    state = ready()
    assert state.offer == TOWNSFOLK
    assert told(laid_out(), TurnUp(0, "mason")) == ["setup.townsfolk"]


def test_setup_manuscripts__a_pile_lies_on_every_segment() -> None:
    assert ready().scripts == SCRIPTS
    assert told(laid_out(), TurnUpManuscript(0, SCRIPTS[0])) == ["setup.manuscripts"]


def test_setup_manuscripts__which_have_grey_backs_is_only_checked_where_somebody_has_confirmed_it() -> None:
    unsure = TurnUpManuscript(0, "blue 6 criminal")
    assert rules(laid_out(), unsure) == []
    sure = replace(laid_out(), box=GAME.load_box({"start.grey": list(SCRIPTS)}))
    assert rules(sure, unsure) == ["setup.once"]


def test_setup_once__nothing_lies_in_two_places() -> None:
    state = played(
        laid_out(), TurnUp(0, "mason"), TurnUpManuscript(0, SCRIPTS[0]), OfferCard(0, 4), OfferHero(0, "ada")
    )
    assert rules(state, TurnUp(1, "mason")) == ["setup.once"]
    assert rules(state, TurnUp(1, "atlas")) == ["setup.once"]
    assert rules(state, TurnUpManuscript(1, SCRIPTS[0])) == ["setup.once"]
    assert rules(state, OfferCard(1, 4)) == ["setup.once"]
    assert rules(state, OfferHero(1, "ada")) == ["setup.once"]


def test_setup_place__only_where_something_is_missing() -> None:
    state = played(
        laid_out(), TurnUp(0, "mason"), TurnUpManuscript(0, SCRIPTS[0]), OfferCard(0, 4), OfferHero(0, "ada")
    )
    assert rules(state, TurnUp(0, "friar")) == ["setup.place"]
    assert rules(state, TurnUpManuscript(0, SCRIPTS[1])) == ["setup.place"]
    assert rules(state, OfferCard(0, 5)) == ["setup.place"]
    assert rules(state, OfferHero(9, "emma")) == ["setup.place"]


def test_setup_pairs__one_more_than_there_are_players() -> None:
    for players in (2, 3, 4):
        state = laid_out(players)
        assert len(state.cards) == len(state.heroes) == players + 1
    assert told(laid_out(), OfferCard(0, 4)) == ["setup.pairs"]
    assert told(laid_out(), OfferHero(0, "ada")) == ["setup.pairs"]


def test_setup_draft__the_last_player_chooses_first() -> None:
    state = ready(3, first=1)
    assert state.phase == "draft"
    assert GAME.actor(state) == RED
    state = GAME.play(state, TakePair(RED, 0))
    assert state.viscounts[RED] == space(1)
    assert owns(state) == {"stone": 1, "ink": 2, "silver": 8}
    assert (state.deeds[RED], state.debts[RED], marker_fields(state)) == ((2, 0), (1, 0), (1, 6))
    assert "ada" in state.hidden[RED]
    assert GAME.actor(state) == YELLOW
    assert rules(state, TakePair(YELLOW, 0)) == ["setup.draft"]
    state = GAME.play(state, TakePair(YELLOW, 2))
    assert GAME.actor(state) == BLUE


def test_setup_draft__a_card_may_leave_a_choice() -> None:
    state = GAME.play(ready(), TakePair(YELLOW, 1))
    assert state.deeds[YELLOW] == (3, 0)
    assert kinds(state) == {"TakeGood", "Flip"}
    state = played(state, *(next(iter(GAME.moves(state))) for _ in range(1)))
    assert GAME.actor(state) == YELLOW


def test_setup_draft__card_nine_destroys_any_own_card() -> None:
    state = GAME.play(ready(), TakePair(YELLOW, 3))
    options = {move.card for move in listed(state, Destroy)}
    assert options == set(state.hidden[YELLOW])
    after = GAME.play(state, Destroy(YELLOW, "hand", "thief"))
    assert "thief" not in after.hidden[YELLOW]
    assert owns(after, YELLOW)["silver"] == 6


def with_card(number: int) -> State:
    moves = [move if not isinstance(move, OfferCard) or move.place else OfferCard(0, number) for move in lots()]
    return played(laid_out(), *moves)


def test_setup_here__card_eight_builds_beside_the_own_viscount() -> None:
    state = GAME.play(with_card(8), TakePair(YELLOW, 0))
    assert "setup.here" in told(with_card(8), TakePair(YELLOW, 0))
    state = GAME.play(state, TakeGood(YELLOW, "ink"))
    there = {(move.segment, move.plot) for move in listed(state, Build)}
    assert there == {(3, 3), (3, 4)}
    assert rules(state, Build(YELLOW, TRADING_POST, 0, 0, 0)) == ["setup.here"]
    state = GAME.play(state, Build(YELLOW, TRADING_POST, 0, 3, 4))
    assert owns(state, YELLOW) == {"ink": 1, "silver": 1, "gold": 1}


def test_setup_draft__whoever_is_hired_then_is_mixed_with_the_other_cards() -> None:
    state = GAME.play(with_card(3), TakePair(YELLOW, 0))
    state = GAME.play(state, Hire(YELLOW, 3))
    assert "princess" in state.hidden[YELLOW]
    assert state.offer[3] == UNSEEN
    assert GAME.actor(with_tops_told(state)) == BLUE


def test_setup_papers__as_many_debts_and_deeds_as_the_number_of_players_says() -> None:
    for players, debts, deeds in ((2, 12, 12), (3, 15, 16), (4, 18, 20)):
        state = after_draft(players)
        assert (state.poverty, state.prosperity) == (debts, deeds)


def test_setup_papers__what_the_draft_brought_does_not_come_from_them() -> None:
    state = GAME.play(ready(), TakePair(YELLOW, 0))
    assert state.poverty == state.prosperity == NOT_LAID
    last = ready(2)
    last = GAME.play(last, TakePair(BLUE, 2))
    assert {"setup.papers", "setup.hands"} <= set(told(last, TakePair(RED, 0)))


def test_setup_hands__everybody_draws_three_cards() -> None:
    state = after_draft()
    assert state.hands == (3, 3, 3)
    assert [len(mine) for mine in state.hidden] == [9, 9, 9]
    assert state.turn == RED
    assert state.phase == "playing"


def test_turn_phases__nobody_takes_a_turn_during_the_set_up() -> None:
    assert breach(laid_out(), Slide(RED), "turn.phases").facts == {"act": "Slide", "now": "now lots"}
    assert rules(opened(), TurnUp(0, "mason")) == ["turn.phases"]
    assert rules(table(), LayOut()) == ["turn.phases"]
    assert rules(replace(table(), phase="over"), Slide(RED)) == ["turn.phases"]
