"""The referee in The Council of Four: what is seen, what is hidden, what is half done, and what is forbidden."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import Bonus
from companion.games.council_of_four.moves import (
    Build,
    BuildWithKing,
    BuyAction,
    BuyPermit,
    CopyToken,
    DrawNeutral,
    Elect,
    EndTurn,
    Hire,
    Move,
    Send,
    Swap,
    Sweep,
    TakeBonus,
    TurnUp,
)
from companion.games.council_of_four.state import Choice, State, stack
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import changed
from companion.kernel.views import Cells, Pieces, View
from companion.referee import Explained, Illegal, Referee, Takeback, Unfinished
from companion.text.sentences import say_step

from .table import (
    COAST,
    HILLS,
    KINGS,
    RED,
    YELLOW,
    city,
    laid_out,
    lots,
    played,
    replace,
    table,
    with_emporiums,
    with_permits,
)

REFEREE: Referee[Any, Any] = Referee(GAME)
FOUR = ("black", "pink", "purple", "white")


def rich() -> State:
    return table(facts={"gold": (20, 20, 20, 20), "assistants": (9, 9, 9, 9)})


def after(state: State, *moves: Move) -> View:
    return GAME.view(played(state, *moves))


def without(view: View, *zones: str) -> View:
    return View({name: contents for name, contents in view.zones.items() if name not in zones})


def test_all_that_chance_laid_out_is_told_at_one_look() -> None:
    state = GAME.setup(GAME.load_box(), table(2).seats)
    found = REFEREE.judge(state, GAME.view(table(2)))
    assert isinstance(found, Explained)
    assert played(state, *found.moves) == table(2)


OTHER = {0: 1, 1: 1, 2: 1}
"""All neutral emporiums of the second unused colour."""


def with_colours(unused: dict[int, int]) -> State:
    """A table for two; by region, which of the unused colours its neutral emporiums have."""
    moves = [
        replace(move, unused=unused[move.region]) if isinstance(move, DrawNeutral) else move
        for move in lots(laid_out(2))
    ]
    return played(laid_out(2), *moves)


@pytest.mark.parametrize("unused", [OTHER, {0: 0, 1: 1, 2: 0}])
def test_neutral_emporiums_of_either_unused_colour_are_taken_as_they_stand(unused: dict[int, int]) -> None:
    """Red and yellow play, so that green and blue emporiums may be put out: seen while the table is laid out, taken
    over, joined, and in the middle of the game."""
    state = with_colours(unused)
    seen = GAME.view(state)
    assert seen != GAME.view(table(2))
    found = REFEREE.judge(GAME.setup(GAME.load_box(), state.seats), seen)
    assert isinstance(found, Explained)
    assert played(GAME.setup(GAME.load_box(), state.seats), *found.moves) == state
    adopted = GAME.state_from_view(table(2), seen)
    assert (adopted.emporiums, GAME.view(adopted)) == (state.emporiums, seen)
    assert {moment.emporiums for moment in GAME.states_matching(GAME.setup(GAME.load_box(), state.seats), seen)} == {
        state.emporiums
    }
    move = Elect(RED, COAST, "orange")
    assert REFEREE.judge(state, after(state, move)) == Explained((move,))


def test_a_permit_bought_before_the_set_up_was_seen_lay_open() -> None:
    state = GAME.setup(GAME.load_box(), table().seats)
    begun = played(table(), BuyPermit(RED, 1, FOUR), TurnUp(1, "AB"))
    found = REFEREE.judge(state, GAME.view(begun))
    assert isinstance(found, Explained)
    assert played(state, *found.moves) == begun


@pytest.mark.parametrize(
    "moves",
    [
        (Elect(RED, COAST, "orange"),),
        (Send(RED, KINGS, "light_blue"),),
        (BuyPermit(RED, 0, FOUR),),
        (BuyPermit(RED, 3, ("joker", "white")), TurnUp(3, "HI")),
        (BuildWithKing(RED, city("A"), FOUR),),
        (Hire(RED), Elect(RED, COAST, "orange"), EndTurn(RED), Elect(YELLOW, COAST, "light_blue")),
        (BuyAction(RED), Elect(RED, COAST, "orange"), Elect(RED, KINGS, "orange")),
    ],
)
def test_what_people_do_between_two_looks_is_found(moves: tuple[Move, ...]) -> None:
    found = REFEREE.judge(rich(), after(rich(), *moves))
    assert isinstance(found, Explained)
    assert played(rich(), *found.moves) == played(rich(), *moves)


def test_a_permit_that_was_turned_up_and_acquired_in_one_go_was_never_seen_on_offer() -> None:
    state = replace(rich(), main=2)
    moves = (BuyPermit(RED, 3, ("white",)), TurnUp(3, "HI"), BuyPermit(RED, 3, ("white",)))
    found = REFEREE.judge(state, after(state, *moves))
    assert isinstance(found, Explained)
    assert played(state, *found.moves) == played(state, *moves)


def test_a_permit_built_with_before_it_was_seen_is_known_by_the_emporium_and_its_bonus() -> None:
    state = replace(played(rich(), BuyPermit(RED, 3, ("white",))), main=2)
    moves = (TurnUp(3, "HI"), BuyPermit(RED, 3, ("white",)), Build(RED, "HI", city("H")))
    found = REFEREE.judge(state, after(state, *moves))
    assert found == Explained(moves)


def missing() -> State:
    """Red has bought a permit of the hills, and none is turned up for it yet."""
    return played(rich(), BuyPermit(RED, 3, ("white",)))


UNSEEN_SWAP = Swap(RED, HILLS, unseen=True)


@pytest.mark.parametrize("turned_up", [(), (TurnUp(2, "H"),), (TurnUp(2, "H"), TurnUp(3, "J"))])
@pytest.mark.parametrize("bought", [(), (BuyPermit(RED, 3, ("white",)),)])
def test_a_permit_turned_up_and_swapped_at_once_was_never_seen(
    bought: tuple[Move, ...], turned_up: tuple[Move, ...]
) -> None:
    state = rich() if bought else missing()
    seen = after(state, *bought, TurnUp(3, "HI"), Swap(RED, HILLS), *turned_up)
    assert REFEREE.judge(state, seen) == Explained((*bought, UNSEEN_SWAP, *turned_up))


def test_a_swap_of_unseen_permits_may_be_paid_slowly_and_costs_what_any_swap_does() -> None:
    swapped = GAME.play_unchecked(missing(), replace(UNSEEN_SWAP, off=(0, 0, 1, 0)))
    assert swapped is not None
    found = REFEREE.judge(missing(), GAME.view(swapped))
    assert isinstance(found, Illegal)
    assert found.half_done
    assert {breach.rule for one in found.tries for breach in one.breaches} == {"quick.exact"}


@pytest.mark.parametrize("again", [(), (TurnUp(2, "H"), TurnUp(3, "J"))])
def test_two_permits_turned_up_and_swapped_again_leave_an_assistant_who_may_be_on_another_way(
    again: tuple[Move, ...],
) -> None:
    """Red has swapped; Yellow swaps what was turned up then, before it is seen."""
    state = played(rich(), Elect(RED, COAST, "orange"), Swap(RED, HILLS))
    swap = Swap(YELLOW, HILLS)
    seen = after(state, TurnUp(2, "HI"), TurnUp(3, "I"), EndTurn(RED), swap, *again)
    found = REFEREE.judge(state, seen)
    assert isinstance(found, Explained)
    assert found.moves == (EndTurn(RED), replace(swap, unseen=True), *again)
    assert found.half_done


@pytest.mark.parametrize(
    ("left", "turned_up"), [((), (TurnUp(2, "F"), TurnUp(3, "G"))), (("H",), (TurnUp(2, "H"), TurnUp(3, "G")))]
)
def test_what_was_swapped_comes_again_from_a_stack_without_enough_others(
    left: tuple[str, ...], turned_up: tuple[Move, ...]
) -> None:
    hidden = tuple(permit for permit in stack(rich(), HILLS) if permit not in left)
    state = replace(rich(), used=changed(rich().used, YELLOW, hidden))
    moves = (Swap(RED, HILLS), *turned_up)
    found = REFEREE.judge(state, after(state, *moves))
    assert isinstance(found, Explained)
    assert found.moves == moves


def test_assistants_that_came_do_not_hide_those_that_bought_an_action() -> None:
    state = replace(with_emporiums(rich(), RED, "H"), king=city("H"))
    moves = (BuyAction(RED), BuildWithKing(RED, city("I"), FOUR))
    found = REFEREE.judge(state, after(state, *moves))
    assert isinstance(found, Explained)
    assert played(state, *found.moves) == played(state, *moves)


def test_cards_put_away_at_once_are_told_by_the_gold_alone__if_none_are_laid_down_yet() -> None:
    moves = (BuyPermit(RED, 1, ("joker", "pink")), Sweep())
    found = REFEREE.judge(rich(), after(rich(), *moves))
    assert found == Explained((BuyPermit(RED, 1, ("joker", "unseen")), Sweep()), half_done=True)
    assert played(rich(), *found.moves) == played(rich(), *moves)


def test_a_permit_bought_and_built_with_at_once_lies_face_down_already() -> None:
    state = replace(rich(), main=2)
    permit = state.offers[0]
    moves = (BuyPermit(RED, 0, FOUR), TurnUp(0, "AB"), Build(RED, permit, city(permit[0])))
    found = REFEREE.judge(state, after(state, *moves))
    assert isinstance(found, Explained)
    assert played(state, *found.moves) == played(state, *moves)


def test_a_slow_purchase_is_not_yet_one_with_unseen_cards() -> None:
    """The permit lies in front of Red, and neither cards nor gold have moved: that may come."""
    state = rich()
    bought = after(state, BuyPermit(RED, 1, ("joker", "pink")))
    late = {name: GAME.view(state).zones[name] for name in ("bribe", "gold")}
    found = REFEREE.judge(state, View({**bought.zones, **late}))
    assert isinstance(found, Unfinished) or (isinstance(found, Explained) and found.half_done)


def test_a_permit_over_the_cards_of_the_last_bribe_is_not_yet_another_bribe_with_the_same() -> None:
    state = replace(rich(), bribe=FOUR)
    bought = BuyPermit(RED, 0, FOUR)
    assert REFEREE.judge(state, after(state, bought)) == Explained((bought,), half_done=True)
    other = replace(rich(), bribe=("orange",))
    assert REFEREE.judge(other, after(other, bought)) == Explained((bought,))


def test_the_next_one_who_is_slow_is_not_out_of_turn() -> None:
    """Red is done without a sign; Yellow has taken the permit and an assistant, and pays in a moment."""
    state = played(rich(), Elect(RED, COAST, "orange"))
    slow = played(state, EndTurn(RED))
    move = next(move for move in GAME.moves(slow) if isinstance(move, BuyPermit) and len(move.cards) == 3)
    late = {name: GAME.view(state).zones[name] for name in ("bribe", "gold", "points")}
    found = REFEREE.judge(state, View({**after(slow, move).zones, **late}))
    assert isinstance(found, Unfinished) or (isinstance(found, Illegal | Explained) and found.half_done)


def test_a_permit_taken_while_the_last_bribe_still_lies_there_is_one_without_a_bribe() -> None:
    state = replace(rich(), bribe=("black", "orange"))
    taken = GAME.play_unchecked(state, BuyPermit(RED, 0, ()))
    assert taken is not None
    found = REFEREE.judge(state, GAME.view(taken))
    assert isinstance(found, Illegal)
    assert {breach.rule for one in found.tries for breach in one.breaches} == {"bribe.cards"}


def test_no_seat_can_build_an_eleventh_emporium() -> None:
    """There are ten of each colour: a second one in a city is imagined only while one is left."""
    ten = with_emporiums(rich(), RED, "ABCDEFGHIJ")
    state = replace(ten, permits=changed(ten.permits, RED, ("A",)))
    assert GAME.check(state, Build(RED, "A", city("A")))
    assert GAME.play_unchecked(state, Build(RED, "A", city("A"))) is None


def test_the_hand_of_the_next_one_takes_nothing_back() -> None:
    """A permit that was just turned up is lifted by the next player, whose turn has begun without a sign."""
    taken = played(rich(), BuyPermit(RED, 0, FOUR))
    state = played(taken, TurnUp(0, "AB"))
    lifted = Cells({**_cells(state, "permits"), "coast 1": None})
    seen = without(View({**GAME.view(state).zones, "permits": lifted}), "permits yellow")
    found = REFEREE.judge(state, seen, [taken], [TurnUp(0, "AB")])
    assert isinstance(found, Explained)
    assert found.half_done


def test_an_assistant_on_his_way_is_not_another_choice_on_the_nobility_track() -> None:
    """Red chose two assistants, and sends one of them now: he could have chosen a token with one instead."""
    two, one = (
        next(token for token, facts in rich().box.tokens.items() if facts.bonus == Bonus(assistants=number))
        for number in (2, 1)
    )
    tokens = changed(changed(rich().tokens, city("A"), two), city("B"), one)
    due = replace(with_emporiums(rich(), RED, "AB"), tokens=tokens, choices=(Choice("II", "token"),))
    chosen = played(due, CopyToken(RED, city("A")))
    sent = after(chosen, Send(RED, COAST, "orange"))
    late = {name: GAME.view(chosen).zones[name] for name in ("council coast", "pool")}
    found = REFEREE.judge(chosen, View({**sent.zones, **late}), [due], [CopyToken(RED, city("A"))])
    assert found == Takeback(1, (CopyToken(RED, city("B")),), half_done=True)


def test_a_reward_that_is_a_part_of_another_may_be_taken_slowly() -> None:
    tokens = {token: kind.bonus for token, kind in rich().box.tokens.items()}
    few = next(token for token, bonus in tokens.items() if bonus == Bonus(assistants=1))
    many = next(token for token, bonus in tokens.items() if bonus.assistants == 1 and bonus.gold)
    state = with_emporiums(table(), RED, "AB")
    state = replace(state, choices=(Choice("II", "token"),), tokens=(few, many, *state.tokens[2:]))
    chosen = CopyToken(RED, city("A"))
    assert REFEREE.judge(state, after(state, chosen)) == Explained((chosen,), half_done=True)
    other = CopyToken(RED, city("B"))
    assert REFEREE.judge(state, after(state, other)) == Explained((other,))


def test_a_reward_whose_rest_comes_after_the_next_move_is_the_larger_one() -> None:
    """A card was drawn, as it seemed, when Red sent an assistant: what comes after that is no mistake."""
    due = replace(with_emporiums(table(), RED, "AB"), choices=(Choice("II", "token"),))
    due = replace(due, tokens=("cards1", "assistants1_gold1", *due.tokens[2:]))
    taken, sent = CopyToken(RED, city("A")), Send(RED, COAST, "orange")
    believed = [due, played(due, taken), played(due, taken, sent)]
    other = CopyToken(RED, city("B"))
    found = REFEREE.judge(believed[-1], after(due, other, sent), believed[:-1], [taken, sent])
    assert found == Takeback(2, (other, sent))


def test_the_last_open_permit_of_a_region_swapped_for_nothing() -> None:
    state = replace(rich(), offers=changed(rich().offers, 0, ""))
    state = replace(state, used=changed(state.used, YELLOW, stack(state, 0)))
    move = Swap(RED, 0, off=(0, 0, 1, 0))
    swapped = GAME.play_unchecked(state, move)
    assert swapped is not None
    found = REFEREE.judge(state, GAME.view(swapped))
    assert isinstance(found, Illegal)
    assert [one.move for one in found.tries] == [move]


def test_seen_cards_stay_the_same_when_a_later_payment_is_too_small() -> None:
    """Two gold less for the assistant would be two more for the bribe, with unseen cards."""
    moves = (BuildWithKing(RED, city("B"), FOUR[:3]), Sweep())
    line = [state := rich()]
    for move in moves:
        line.append(state := played(state, move))
    cheap = Hire(RED, off=(2, 0, 0, 0))
    hired = GAME.play_unchecked(state, cheap)
    assert hired is not None
    found = REFEREE.judge(state, GAME.view(hired), line[:-1], moves)
    assert isinstance(found, Illegal)
    assert [one.move for one in found.tries] == [cheap]


def test_cards_without_a_permit_are_half_a_move() -> None:
    state = rich()
    laid = View({**GAME.view(state).zones, "bribe": Pieces({f"card {card}": 1 for card in FOUR})})
    found = REFEREE.judge(state, laid)
    assert isinstance(found, Unfinished)
    assert isinstance(found.moves[0], BuyPermit | BuildWithKing)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (Elect(RED, COAST, "orange", off=(-1, 0, 0, 0)), "elect.gold"),
        (Elect(RED, COAST, "orange", enters=3, falls=0), "elect.push"),
        (BuyPermit(RED, 0, ("black", "orange")), "bribe.colours"),
        (BuyPermit(RED, 0, ("black", "black")), "bribe.once"),
        (BuyPermit(RED, 0, ("black", "joker"), off=(1, 0, 0, 0)), "bribe.joker-gold"),
        (BuildWithKing(RED, city("A"), FOUR, king=city("B")), "king.builds-there"),
        (BuildWithKing(RED, city("F"), FOUR, off=(2, 0, 0, 0)), "king.roads"),
        (Elect(YELLOW, COAST, "orange"), "turn.order"),
        (TakeBonus(RED, "coast"), "bonus.set"),
    ],
)
def test_what_is_forbidden_is_named_by_its_rule(move: Any, rule: str) -> None:
    state = rich() if move.seat == RED else replace(rich(), gold=changed(rich().gold, YELLOW, 5))
    imagined = GAME.play_unchecked(state, move)
    assert imagined is not None
    found = REFEREE.judge(state, GAME.view(imagined))
    assert isinstance(found, Illegal)
    assert rule in {breach.rule for one in found.tries for breach in one.breaches}
    assert found.moves == ()


@pytest.mark.parametrize("points", [5, 30])
def test_points_of_a_bonus_tile_that_were_moved_on_the_track_at_once(points: int) -> None:
    state = with_permits(with_emporiums(rich(), RED, "BCDE"), RED, "A")
    imagined = GAME.play_unchecked(state, Build(RED, "A", city("A"), off=(0, points, 0, 0)))
    assert imagined is not None
    found = REFEREE.judge(state, GAME.view(imagined))
    assert isinstance(found, Illegal)
    assert [breach.rule for one in found.tries for breach in one.breaches] == ["bonus.at-end"]


def test_a_councillor_that_was_slid_in_wrongly_is_put_right_in_one_step() -> None:
    imagined = GAME.play_unchecked(rich(), Elect(RED, COAST, "orange", enters=3, falls=0))
    assert imagined is not None
    found = REFEREE.judge(rich(), GAME.view(imagined))
    assert isinstance(found, Illegal)
    assert [step.act for step in found.put_right] == ["arrange"]
    assert say_step(Speaker(GAME.catalogue, "de"), found.put_right[0]) == (
        "Konzil der Küste, von links nach rechts. Richtig ist: weiße Konziliar-Figur, schwarze Konziliar-Figur, "
        "lila Konziliar-Figur, rosa Konziliar-Figur."
    )
    assert say_step(Speaker(GAME.catalogue, "en"), found.put_right[0]) == (
        "The council of the coast, from left to right. It should show: white councillor, black councillor, "
        "purple councillor, pink councillor."
    )


def test_what_is_left_to_do_of_an_election_is_one_step() -> None:
    elected = played(rich(), Elect(RED, COAST, "orange"))
    steps = REFEREE.left_to_do(GAME.view(rich()), elected)
    assert [step.act for step in steps] == ["arrange"]


def _cells(state: State, zone: str) -> dict[str, str | None]:
    contents = GAME.view(state).zones[zone]
    assert isinstance(contents, Cells)
    return contents.at
