"""The referee at the table of Tiletum: what is seen, what is hidden, what is half done, and what is forbidden."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    Advance,
    BuyGood,
    DropFavour,
    EndTurn,
    Fulfil,
    Gather,
    HoldFair,
    JoinCathedral,
    Lodge,
    Move,
    OfferContract,
    OfferGuest,
    PlaceCrest,
    PutDie,
    PutHouse,
    PutPillar,
    PutTile,
    Reveal,
    ScoreCrown,
    SetOrder,
    Slide,
    Swap,
    SweepGuests,
    TakeContract,
    TakeDie,
    TakeFavour,
    TakeFromCity,
    TakeGood,
    TakeGuest,
    TakeTile,
    TidyUp,
    TurnDie,
    UseHelper,
    Walk,
)
from companion.games.tiletum.referee.moves_in_progress import changeable_zones
from companion.games.tiletum.state import NO_POINTS, WILD, State, contract_stack, guest_stack
from companion.kernel.rules import changed
from companion.kernel.views import Marks, View
from companion.referee import (
    Explained,
    Illegal,
    Open,
    Referee,
    Settled,
    Takeback,
    Unfinished,
)

from .table import (
    ARCHITECT,
    CONTRACT,
    CROWN,
    GREEN,
    GUEST,
    JOKER,
    MERCHANT,
    RED,
    acting,
    city,
    deviation,
    fresh,
    has,
    on_track,
    opened,
    played,
    ready,
    replace,
    rolled,
    table,
    with_figures,
    with_fulfilled,
    with_pillars,
    with_rooms,
    with_warehouse,
)

REFEREE: Referee[Any, Any] = Referee(GAME)


def joined(name: str, *seats: int) -> tuple[tuple[int, ...], ...]:
    """These seats took part in one cathedral."""
    return tuple(seats if number == city(name) else () for number in range(len(table().joined)))


PARIS = city("Paris")


def after(state: State, *moves: Move) -> View:
    return GAME.view(played(state, *moves))


def without(view: View, *zones: str) -> View:
    return View({name: contents for name, contents in view.zones.items() if name not in zones})


def explained(state: State, view: View) -> State:
    """The state to which what was seen leads."""
    found = REFEREE.judge(state, view)
    assert isinstance(found, Explained), found
    return played(state, *found.moves)


def test_all_that_chance_laid_out_is_told_at_one_look() -> None:
    assert explained(opened(3), GAME.view(ready(3))) == ready(3)


def test_all_dice_are_told_at_one_look() -> None:
    assert explained(ready(), GAME.view(rolled(ready()))) == rolled(ready())


def at_contract() -> State:
    return acting(CONTRACT, 3, leave_tile=True)


def crest(food: int) -> State:
    """Red can lay a crest on a building, and has no action points."""
    return has(with_warehouse(acting(JOKER, 0), RED, "crest lily"), RED, food=food)


CASES: list[tuple[State, tuple[Move, ...]]] = [
    (fresh(), (Reveal(2, 2),)),
    (fresh(), (Reveal(2, 1), TakeDie(RED, "blue", 3))),
    (table(), (TakeDie(RED, "blue", 3), Gather(RED, "iron"))),
    (has(table(), RED, gold=5), (TakeDie(RED, "blue", 3), TurnDie(RED, 4), Gather(RED, "iron"))),
    (table(), (TakeDie(RED, "yellow", 1), Gather(RED, "gold"), TakeTile(RED, ARCHITECT))),
    (table(), (TakeDie(RED, "yellow", 1), TakeTile(RED, ARCHITECT))),
    (acting(MERCHANT, 5), (Walk(RED, "merchant", PARIS), PutHouse(RED, PARIS, 1))),
    (
        acting(ARCHITECT, 5),
        (
            Walk(RED, "architect", PARIS),
            PutPillar(RED, PARIS),
            TakeFromCity(RED, PARIS, "architect"),
            Walk(RED, "architect", city("Bordeaux")),
        ),
    ),
    (acting(GUEST, 4), (TakeGuest(RED, 2), OfferGuest(2, "friar architectstep2"))),
    (acting(GUEST, 4), (TakeGuest(RED, 2), Lodge(RED, "captain merchantstep2", 0, 2))),
    (acting(GUEST, 4), (SweepGuests(RED),)),
    (at_contract(), (TakeContract(RED, 2), EndTurn(RED), OfferContract(0, "iron5"))),
    (at_contract(), (Swap(RED, "wool", ("iron", "food")),)),
    (acting(CROWN, 2), (Advance(RED, 2),)),
    (has(table(), RED, gold=4), (BuyGood(RED, "stone"), BuyGood(RED, "iron"))),
    (has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2), (Fulfil(RED, "wool2 iron1"),)),
    (has(with_warehouse(table(), RED, "crest lily"), RED, food=2), (PlaceCrest(RED, "crest lily", 5),)),
    (has(with_pillars(table(), RED, "Paris"), RED, stone=4), (JoinCathedral(RED, PARIS),)),
    (with_warehouse(table(), RED, "points3"), (UseHelper(RED, "points3"),)),
    (
        has(with_warehouse(at_contract(), RED, "iron2"), RED, gold=3, iron=1, stone=4),
        (Swap(RED, "stone", ("iron", "iron")), Fulfil(RED, "iron2")),
    ),
    (
        has(with_pillars(table(), RED, "Paris"), RED, gold=2, stone=2),
        (BuyGood(RED, "stone"), JoinCathedral(RED, PARIS)),
    ),
    (on_track(table(facts={"phase": "favour"}), 0, 4, 0, 0), (TakeFavour(GREEN), ScoreCrown(), SetOrder(), HoldFair())),
    (table(facts={"phase": "tidying"}), (TidyUp(), PutDie(MERCHANT, "blue", 1))),
    (
        replace(table(facts={"phase": "tidying", "favours": ("",)})),
        (TidyUp(), PutTile("favour 1", "again")),
    ),
    (
        table(facts={"phase": "tidying", "favours": ("",), "section_tiles": ("",) * 6}),
        (PutTile("guest", "guest2"), PutTile("joker", "raise2"), PutTile("favour 1", "again")),
    ),
]


CASES += [
    # What crest fields, guests and places for houses give for no action points.
    (crest(6), (PlaceCrest(RED, "crest lily", 0), PutHouse(RED, city("Verona"), 1))),
    (crest(6), (PlaceCrest(RED, "crest lily", 1), PutPillar(RED, city("Wien")))),
    (crest(5), (PlaceCrest(RED, "crest lily", 2), Walk(RED, "merchant", city("Firenze")))),
    (crest(4), (PlaceCrest(RED, "crest lily", 3), Walk(RED, "architect", city("Firenze")))),
    (
        with_warehouse(acting(GUEST, 3), RED, "captain merchantstep1 house1"),
        (
            Lodge(RED, "captain merchantstep1 house1", 0, 1),
            Walk(RED, "merchant", PARIS),
            PutHouse(RED, PARIS, 1),
        ),
    ),
    (
        with_rooms(with_figures(acting(MERCHANT, 1), RED, merchant="Genova"), RED, 2, "abbot gold5"),
        (PutHouse(RED, city("Genova"), 0, 2),),
    ),
    (
        has(with_warehouse(table(), RED, "same3 iron1"), RED, gold=4, wool=3, iron=1),
        (Fulfil(RED, "same3 iron1", "wool"),),
    ),
    (
        has(with_warehouse(table(), RED, "same3 iron1"), RED, gold=4, wool=3, iron=1),
        (Fulfil(RED, "same3 iron1", "gold"),),
    ),
]


@pytest.mark.parametrize(("state", "moves"), CASES, ids=lambda case: "")
def test_what_people_do_between_two_looks_is_found(state: State, moves: tuple[Move, ...]) -> None:
    assert GAME.view(explained(state, after(state, *moves))) == after(state, *moves)


def test_nothing_done_is_nothing_to_explain() -> None:
    assert isinstance(REFEREE.judge(table(), GAME.view(table())), Settled)


def test_a_hidden_wheel_does_not_hide_which_die_was_taken() -> None:
    moves = (TakeDie(RED, "dark_grey", 4), Gather(RED, "stone"))
    assert explained(table(), without(after(table(), *moves), "wheel contract")) == played(table(), *moves)


def test_a_die_in_the_hand_is_half_a_move() -> None:
    state = table()
    lifted = View({**GAME.view(state).zones, "wheel crown": after(state, TakeDie(RED, "blue", 5)).zones["wheel crown"]})
    found = REFEREE.judge(state, lifted)
    assert isinstance(found, Unfinished)
    assert found.moves == (TakeDie(RED, "blue", 5),)


FORBIDDEN: list[tuple[State, Any, str]] = [
    (ready(), PutDie(JOKER, "blue", 3), "roll.sorted"),
    (fresh(), Reveal(0, 1), "corruption.rightmost"),
    (table(), TakeDie(GREEN, "blue", 5), "turn.order"),
    (acting(MERCHANT, 1), TakeDie(RED, "blue", 5), "die.one"),
    (played(table(), TakeDie(RED, "blue", 5)), Gather(RED, "iron", deviation(iron=1)), "die.goods"),
    (played(table(), TakeDie(RED, "blue", 5)), Gather(RED, "wool"), "die.colour"),
    (acting(MERCHANT, 1), TakeTile(RED, JOKER), "tile.other"),
    (acting(MERCHANT, 1), Walk(RED, "merchant", city("Bordeaux")), "points.spend"),
    (acting(MERCHANT, 1), PutHouse(RED, PARIS, 0), "walk.stands"),
    (
        with_figures(acting(ARCHITECT, 1), RED, architect="Venezia"),
        PutPillar(RED, city("Venezia")),
        "architect.cathedral",
    ),
    (acting(CROWN, 1), Advance(RED, 3), "points.spend"),
    (
        has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2),
        Fulfil(RED, "wool2 iron1", off=deviation(wool=1)),
        "bonus.paid",
    ),
    (has(table(), RED, stone=4), JoinCathedral(RED, PARIS), "cathedral.pillar"),
    (on_track(table(facts={"phase": "favour"}), 0, 4, 0, 0), TakeFavour(RED), "king.leader"),
    (table(), TakeGood(RED, "iron"), "bonus.owed"),
    (has(acting(MERCHANT, 1), RED, gold=6), TurnDie(RED, 4), "die.before"),
    (fresh(), TakeDie(RED, "blue", 3), "corruption.first"),
    (
        has(replace(with_pillars(table(), RED, "Paris"), joined=joined("Paris", RED)), RED, stone=4),
        JoinCathedral(RED, PARIS),
        "cathedral.once",
    ),
    (
        replace(acting(CONTRACT, 1, leave_tile=False), contracts=("", *table().contracts[1:])),
        OfferContract(0, "iron5"),
        "contract.end",
    ),
    (table(), Walk(GREEN, "architect", PARIS), "turn.order"),
    (with_warehouse(acting(GUEST, 1), RED, *["crest lily"] * 4), TakeGuest(RED, 0), "warehouse.room"),
    (on_track(table(facts={"phase": "king"}), 5, 4, 0, 0), ScoreCrown((0, 1)), "king.plus"),
    (table(facts={"phase": "fair", "points": (9, 9, 9, 9)}), HoldFair((-1,)), "fair.points"),
]


@pytest.mark.parametrize(("state", "move", "rule"), FORBIDDEN, ids=[rule for _, _, rule in FORBIDDEN])
def test_what_is_forbidden_is_named_by_its_rule(state: State, move: Any, rule: str) -> None:
    imagined = GAME.play_unchecked(state, move)
    assert imagined is not None
    found = REFEREE.judge(state, GAME.view(imagined))
    assert isinstance(found, Illegal), found
    assert rule in {breach.rule for one in found.tries for breach in one.breaches}


def test_whoever_counts_track_and_fair_at_once_has_counted_nothing_wrong() -> None:
    """Also on a minus field of the track, which costs points at the fair as well."""
    state = on_track(table(2, facts={"phase": "king", "points": (9, 9)}), -2, 0)
    state = replace(state, fairs=("crown", *state.fairs[1:3], "houses"))
    both = {"red": 9 - 2 + 3 - 2, "green": 9 + 3}
    assert played(state, ScoreCrown(), SetOrder(), HoldFair()).points == tuple(both.values())
    found = REFEREE.judge(state, View({**GAME.view(state).zones, "points": Marks(both)}))
    assert not isinstance(found, Illegal), found


def test_a_marker_that_nobody_can_make_out_hides_no_walk_out_of_turn() -> None:
    seen = dict(GAME.view(played_wrongly(table(), Walk(GREEN, "architect", PARIS))).zones)
    points = seen["points"]
    assert isinstance(points, Marks)
    seen["points"] = Marks({colour: field for colour, field in points.field.items() if colour != "purple"})
    found = REFEREE.judge(table(), View(seen))
    assert isinstance(found, Illegal), found
    assert found.tries[0].move == Walk(GREEN, "architect", PARIS)


def played_wrongly(state: State, move: Move) -> State:
    imagined = GAME.play_unchecked(state, move)
    assert imagined is not None
    return imagined


# What comes and goes between two looks


def test_gold_that_a_helper_brings_does_not_hide_what_was_bought_for_it() -> None:
    state = has(with_warehouse(table(), RED, "gold2 points2"), RED, gold=2)
    bought = played(state, UseHelper(RED, "gold2 points2"), BuyGood(RED, "wool"))
    assert bought.goods[RED][0] == state.goods[RED][0]
    assert explained(state, GAME.view(bought)) == bought


def test_goods_of_another_colour_are_found_though_they_were_paid_at_once() -> None:
    state = with_warehouse(played(table(), TakeDie(RED, "pink", 5)), RED, "recolour")
    state = has(with_pillars(state, RED, "Paris"), RED, stone=0)
    price = state.box.costs[state.costs[PARIS]].stone
    done = played(state, UseHelper(RED, "recolour"), Gather(RED, "stone"), JoinCathedral(RED, PARIS))
    assert price <= 5
    assert explained(state, GAME.view(done)) == done


def test_contracts_were_fulfilled_in_the_order_in_which_they_lie() -> None:
    state = has(with_warehouse(table(), RED, "iron4", "wool3 iron2"), RED, iron=7, wool=3)
    both = played(state, Fulfil(RED, "wool3 iron2"), Fulfil(RED, "iron4"))
    assert explained(state, GAME.view(both)) == both


def test_a_seventh_contract_is_found_though_it_lies_on_no_field() -> None:
    six = ("iron4", "wool3", "iron3", "wool2 iron2", "same4", "wool3 iron2")
    state = replace(acting(CONTRACT, 3, seventh_contract=True), contracts=("", "wool2 iron1", "iron5", "wool5", ""))
    state = has(with_fulfilled(state, RED, *six), RED, wool=2, iron=1)
    done = played(state, TakeContract(RED, 1), Fulfil(RED, "wool2 iron1"))
    assert explained(state, GAME.view(done)) == done


def test_a_guest_may_be_turned_up_and_taken_between_two_looks() -> None:
    state = acting(GUEST, 4)
    taken = played(state, TakeGuest(RED, 2), OfferGuest(2, "friar architectstep2"), TakeGuest(RED, 2))
    assert GAME.view(explained(state, GAME.view(taken))) == GAME.view(taken)


def test_a_contract_may_be_turned_up_and_taken_between_two_looks() -> None:
    state = at_contract()
    state = replace(state, contracts=("", *state.contracts[1:]), filling=True)
    taken = played(state, OfferContract(0, contract_stack(state)[0]), TakeContract(RED, 0))
    assert explained(state, GAME.view(taken)) == taken


def test_whoever_begins_a_turn_is_not_accused_of_a_tile_that_the_last_one_left() -> None:
    state = acting(MERCHANT, 0, leave_tile=False)
    begun = GAME.play_unchecked(state, TakeDie(GREEN, "yellow", 1))
    assert begun is not None
    found = REFEREE.judge(state, GAME.view(begun))
    assert isinstance(found, Illegal), found
    assert [(one.rule, one.facts["seat"]) for one in found.tries[0].breaches] == [("tile.must", "red")]
    put_right = played(state, TakeTile(RED, MERCHANT), EndTurn(RED), TakeDie(GREEN, "yellow", 1))
    assert explained(state, GAME.view(put_right)) == put_right


def test_a_swap_that_was_taken_back_for_another_may_look_like_two_more() -> None:
    before = replace(has(acting(CONTRACT, 5), RED, iron=1, food=1), swapped=True)
    swap = Swap(RED, "iron", ("gold",))
    another = played(before, Swap(RED, "food", ("stone",)))
    found = REFEREE.judge(played(before, swap), GAME.view(another), [before], [swap])
    assert isinstance(found, Open), found
    two, back = found.options
    assert isinstance(two, Explained)
    assert len(two.moves) == 2
    assert back == Takeback(1, (Swap(RED, "food", ("stone",)),))


def test_nobody_is_asked_in_which_order_a_helper_was_used() -> None:
    state = with_warehouse(acting(MERCHANT, 2), RED, "joker1")
    state = replace(state, section_tiles=("", "joker1", "", "", "", ""))
    done = played(state, TakeTile(RED, MERCHANT), UseHelper(RED, "joker1"), Walk(RED, "merchant", PARIS))
    assert explained(state, GAME.view(done)) == done


def test_a_swap_put_back_after_another_move_may_be_taken_back_alone() -> None:
    """Both were seen in one look, so the last one is unknown. Gold for food and wool for gold leads there, too."""
    start = has(replace(acting(CONTRACT, 3), ap=(2, 0, 0, 3, 0, 0, 0)), RED, food=1)
    swap, walk = Swap(RED, "food", ("gold", "wool")), Walk(RED, "architect", city("Köln"))
    swapped = played(start, swap)
    both, walked = played(swapped, walk), played(start, walk)
    found = REFEREE.judge(both, GAME.view(walked), [start, swapped], [swap, walk])
    assert isinstance(found, Open), found
    assert Takeback(2, (walk,)) in found.options


def test_one_of_two_goods_may_be_put_back_though_it_was_believed_to_come_first() -> None:
    """One iron may also be what the die brings; it is what was taken besides the wool."""
    start = replace(table(), stage="die_taken", section=ARCHITECT, dice=((("blue", 1),), (), (), ()), owed=2)
    wool, iron = TakeGood(RED, "wool"), TakeGood(RED, "iron")
    one, both = played(start, wool), played(start, wool, iron)
    left = GAME.view(played(start, iron))
    assert left == GAME.view(played(start, Gather(RED, "iron")))
    assert REFEREE.judge(both, left, [start, one], [wool, iron]) == Takeback(2, (iron,))


def test_goods_of_ones_choice_are_not_taken_for_a_swap() -> None:
    state = replace(acting(JOKER, 3), owed=2)
    chosen = played(state, TakeGood(RED, "stone"), TakeGood(RED, "iron"))
    assert explained(state, GAME.view(chosen)) == chosen


def test_gold_of_ones_choice_may_be_paid_at_once() -> None:
    state = replace(has(acting(ARCHITECT, 3), RED, gold=1), owed=1)
    bought = played(state, TakeGood(RED, "gold"), BuyGood(RED, "iron"))
    assert explained(state, GAME.view(bought)) == bought


def test_at_the_end_of_the_kings_track_corruption_comes_before_the_steps_of_a_helper() -> None:
    state = with_warehouse(fresh(), RED, "crown2")
    last = state.box.crown.last
    state = replace(state, crown=(last, last, 5, 5))
    steps = played(state, Reveal(2, 2), UseHelper(RED, "crown2"))
    assert steps.crown[RED] > last - 2
    assert explained(state, GAME.view(steps)) == steps


def test_a_figure_that_goes_back_has_taken_its_walk_back() -> None:
    state = acting(ARCHITECT, 3)
    walk = Walk(RED, "architect", city("London"))
    assert REFEREE.judge(played(state, walk), GAME.view(state), [state], [walk]) == Takeback(1)


def test_one_helper_in_the_hand_is_not_one_of_two_that_were_used() -> None:
    """Which building's guests come again shows only when their bonuses are taken."""
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 0, "friar architectstep2")
    state = with_rooms(with_rooms(state, RED, 1, "captain merchantstep2"), RED, 2, "abbot gold5")
    lifted = View(
        {**GAME.view(state).zones, "warehouse red": after(state, UseHelper(RED, "again", 0)).zones["warehouse red"]}
    )
    found = REFEREE.judge(state, lifted)
    assert isinstance(found, Open)
    assert all(option.half_done for option in found.options)


def test_gold_that_the_die_brings_was_not_brought_by_guests_who_come_again() -> None:
    """Red took five gold for the die, let guests come again who bring action points, and bought iron."""
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 0, "friar architectstep2")
    state = with_rooms(state, RED, 2, "abbot gold5")
    state = replace(state, stage="die_taken", dice=changed(state.dice, RED, (("yellow", 5),)))
    again = [UseHelper(RED, "again", building) for building in (0, 2)]
    unseen = played(state, Gather(RED, "gold"), again[0], BuyGood(RED, "iron"))
    assert explained(state, GAME.view(unseen)) == unseen
    both = played(state, Gather(RED, "gold"), again[1], BuyGood(RED, "iron"))
    earlier = [state, played(state, Gather(RED, "gold")), played(state, Gather(RED, "gold"), again[0])]
    made = [Gather(RED, "gold"), again[0], BuyGood(RED, "iron")]
    assert REFEREE.judge(unseen, GAME.view(both), earlier, made) == Takeback(2, (again[1], made[2]))


def test_the_next_die_is_taken_before_the_contracts_have_slid() -> None:
    state = played(at_contract(), TakeContract(RED, 2))
    taken = played(state, EndTurn(RED), TakeDie(GREEN, "blue", 5))
    assert explained(state, GAME.view(taken)) == taken
    assert explained(taken, after(taken, Slide())) == played(taken, Slide())


def test_nobody_is_asked_whether_guests_were_put_back_on_their_stack() -> None:
    state = played(acting(GUEST, 4), SweepGuests(RED))
    offers: tuple[Move, ...] = tuple(OfferGuest(place, guest) for place, guest in enumerate(guest_stack(state)[:5]))
    line = [played(state, *offers[:number]) for number in range(5)]
    full = played(state, *offers)
    assert REFEREE.judge(full, after(full, SweepGuests(RED)), line, offers) == Explained((SweepGuests(RED),))


def doubted(state: State, view: View) -> tuple[Move, ...]:
    """The moves that explain a look, if they may only be the half of something else."""
    found = REFEREE.judge(state, view)
    assert isinstance(found, Explained), found
    assert found.half_done
    return found.moves


def test_guests_that_bring_nothing_that_shows_may_be_others_whose_bonus_is_still_hidden() -> None:
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 0, "abbot crown2", "abbot gold5")
    state = with_rooms(state, RED, 1, "captain merchantstep2")
    put_away = after(state, UseHelper(RED, "again", 0)).zones["warehouse red"]
    seen = without(View({**GAME.view(state).zones, "warehouse red": put_away}), "crown")
    assert doubted(state, seen) == (UseHelper(RED, "again", 1),)


def test_a_tile_that_left_the_kings_track_may_be_in_the_hand() -> None:
    state = on_track(table(facts={"phase": "favour"}), 0, 4, 0, 0)
    assert doubted(state, after(state, DropFavour(GREEN))) == (DropFavour(GREEN),)


def test_steps_may_come_from_a_tile_that_is_put_away_after_them() -> None:
    state, two = acting(CROWN, 3), Advance(RED, 2)
    assert REFEREE.judge(state, after(state, two)) == Explained((two,))
    state = with_warehouse(state, RED, "crown2")
    assert doubted(state, after(state, two)) == (two,)


def test_a_good_that_comes_first_may_be_the_bonus_of_a_house() -> None:
    state = with_rooms(acting(MERCHANT, 1), RED, 0, "banker iron2")
    state = replace(with_figures(state, RED, merchant="Genova"), owed=1)
    assert doubted(state, after(state, TakeGood(RED, "iron"))) == (TakeGood(RED, "iron"),)
    assert REFEREE.judge(state, after(state, TakeGood(RED, "food"))) == Explained((TakeGood(RED, "food"),))


def test_goods_of_the_die_may_be_as_many_of_ones_choice() -> None:
    state = played(table(), TakeDie(RED, "pink", 2))
    gathered = after(state, Gather(RED, "food"))
    assert doubted(replace(state, owed=2), gathered) == (Gather(RED, "food"),)
    assert REFEREE.judge(replace(state, owed=1), gathered) == Explained((Gather(RED, "food"),))


def test_what_needed_no_goods_may_have_been_done_before_them() -> None:
    """Red has action points of a helper: who walks has not gone on from the goods, and goods of choice are owed."""
    state = replace(played(table(), TakeDie(RED, "pink", 2)), ap=changed(NO_POINTS, WILD, 1))
    walk = Walk(RED, "architect", city("Paris"))
    both = after(state, Gather(RED, "food"), walk)
    assert doubted(replace(state, owed=2), both) == (Gather(RED, "food"), walk)
    found = REFEREE.judge(state, both)
    assert isinstance(found, Explained)
    assert not found.half_done


@pytest.mark.parametrize(("state", "moves"), CASES, ids=lambda case: "")
def test_a_move_changes_nothing_but_the_zones_it_is_said_to_touch(state: State, moves: tuple[Move, ...]) -> None:
    for move in moves:
        then = GAME.play(state, move)
        assert changed_zones(GAME.view(state), GAME.view(then)) <= changeable_zones(state, move), move
        state = then


def changed_zones(before: View, then: View) -> set[str]:
    return {zone for zone, contents in then.zones.items() if before.zones[zone] != contents}
