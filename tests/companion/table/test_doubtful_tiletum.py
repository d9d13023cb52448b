"""Legal and forbidden moves after a doubtful one, before people are asked."""

from __future__ import annotations

from pathlib import Path

from companion.games.tiletum import GAME
from companion.games.tiletum.box import FILE, Box
from companion.games.tiletum.moves import (
    Advance,
    BuyGood,
    EndTurn,
    Gather,
    JoinCathedral,
    OfferGuest,
    PlaceCrest,
    PutHouse,
    Swap,
    TakeContract,
    TakeDie,
    TakeFromCity,
    TakeGood,
    TakeGuest,
    TurnDie,
    UseHelper,
    Walk,
)
from companion.games.tiletum.state import State, guest_stack
from companion.kernel import box as kernel
from companion.kernel.views import Marks, View
from companion.referee import Open
from companion.table.decisions import HALF_DONE, LOST_AFTER, UNHURRIED
from tests.games.tiletum.table import (
    ARCHITECT,
    CONTRACT,
    CROWN,
    GREEN,
    GUEST,
    RED,
    acting,
    city,
    deviation,
    has,
    played,
    replace,
    table,
    with_figures,
    with_pillars,
    with_rooms,
    with_warehouse,
)

from .evening import Evening, after, changed, none, one, tiletum, unchecked

BACK = Swap(RED, "gold", ("wool",))


def test_what_is_wrong_may_have_come_after_what_was_doubted(tmp_path: Path) -> None:
    """Red has used a helper, or still has it in the hand, and then takes a forbidden step."""
    start = with_figures(
        replace(acting(ARCHITECT, 1), city_tiles=("guest2",) * len(table().city_tiles)),
        RED,
        architect="Paris",
    )
    evening = tiletum(start, tmp_path)
    used = after(evening, TakeFromCity(RED, city("Paris"), "architect"), UseHelper(RED, "guest2"))
    none(evening.shows(used), "moved")
    step = evening.table.game.play_unchecked(used, Advance(RED, 1))
    told = evening.shows(step) + evening.shows(step) + evening.waits(HALF_DONE + 1)
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["points.spend"]
    assert evening.state == used


def test_whoever_begins_something_after_what_was_doubted_has_time_for_it(tmp_path: Path) -> None:
    """Red has used a helper for two goods, and then pays stone for a cathedral before the rest of that is visible."""
    start = with_pillars(has(acting(CONTRACT, 1, leave_tile=True), RED, gold=4, stone=4), RED, "Paris")
    start = replace(start, costs=("stone5 points8",) * len(start.costs))
    evening = tiletum(with_warehouse(start, RED, "any2"), tmp_path)
    goods = after(evening, UseHelper(RED, "any2"), TakeGood(RED, "iron"), TakeGood(RED, "stone"))
    none(evening.shows(goods), "moved")
    joined = played(goods, JoinCathedral(RED, city("Paris")))
    before, then = (evening.table.game.view(state).zones for state in (goods, joined))
    paid = View({**before, "goods red": then["goods red"]})
    none(evening.shows(paid) + evening.shows(paid) + evening.waits(HALF_DONE / 2), "verdict", "lost")
    none(evening.shows(joined), "verdict")
    assert evening.state == joined


def test_what_was_doubted_and_put_back_is_forgotten(tmp_path: Path) -> None:
    evening = tiletum(with_warehouse(acting(CROWN, 3), RED, "crown2"), tmp_path)
    start, advanced = evening.state, after(evening, Advance(RED, 2))
    none(evening.shows(advanced), "moved")
    view = evening.table.game.view(advanced)
    assert evening.table.judge.continuation(view) is not None
    evening.shows(start)
    assert evening.table.judge.continuation(view) is None


def test_goods_are_believed_at_once_and_two_deals_stay_two(tmp_path: Path) -> None:
    """Food for food and iron, and then food for iron, is not food for two of iron."""
    evening = tiletum(has(acting(CONTRACT, 3, leave_tile=True), RED, food=2), tmp_path)
    evening.shows(after(evening, Swap(RED, "food", ("food", "iron"))))
    twice = after(evening, Swap(RED, "food", ("iron",)))
    evening.shows(twice)
    assert evening.state == twice
    assert evening.state.ap[CONTRACT] == 1


def swapped_back(folder: Path, **goods: int) -> tuple[Evening, State, State]:
    """Red has swapped wool for gold, and gold for wool again, or has taken it back: it looks the same, and for now it
    may be half a purchase."""
    start = has(replace(acting(CONTRACT, 3, leave_tile=True), swapped=True), RED, gold=1, wool=2, **goods)
    start = with_warehouse(start, RED, *["crest lily"] * 4)
    evening = tiletum(start, folder)
    evening.shows(after(evening, Swap(RED, "wool", ("gold",))))
    there = evening.state
    none(evening.shows(start), "question", "moved", "undone")
    assert isinstance(evening.table.judge.finding(evening.table.observations.view()), Open)
    return evening, start, there


def test_who_goes_on_wrongly_is_asked_first_what_was_before(tmp_path: Path) -> None:
    evening, start, there = swapped_back(tmp_path)
    full = evening.table.game.view(evening.table.game.play_unchecked(start, TakeContract(RED, 4)))
    question = one(evening.shows(full) + evening.shows(full), "question")
    assert evening.state == there
    told = evening.asks("answer", question=question["id"], option=1)
    assert evening.state == start
    told += evening.shows(full) + evening.waits(HALF_DONE + 1)
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["warehouse.room"]


def test_who_goes_on_is_asked_first_what_was_before(tmp_path: Path) -> None:
    evening, start, there = swapped_back(tmp_path, stone=1)
    on = played(start, Swap(RED, "stone", ("iron",)))
    question = one(evening.shows(on), "question")
    assert evening.state == there
    evening.asks("answer", question=question["id"], option=0)
    assert evening.state == played(there, BACK, Swap(RED, "stone", ("iron",)))


def test_whoever_pressed_is_done_though_what_they_did_shows_only_later(tmp_path: Path) -> None:
    evening = tiletum(acting(CONTRACT, 2, leave_tile=True), tmp_path)
    done = after(evening, Swap(RED, "wool", ("iron", "food")), EndTurn(RED))
    evening.shows(evening.state, unsure=["goods red"])
    evening.presses(RED)
    evening.shows(done)
    assert evening.state == done


def test_a_guest_was_turned_up_and_taken_before_the_one_that_lies_there_now(tmp_path: Path) -> None:
    """Between two looks red takes the next guest as well, and a third lies in their place."""
    start = acting(GUEST, 3)
    first, second = sorted(guest_stack(start))[:2]
    place = next(place for place, guest in enumerate(start.guests) if guest)
    evening = tiletum(start, tmp_path)
    evening.shows(after(evening, TakeGuest(RED, place)))
    empty = evening.state
    there = after(evening, OfferGuest(place, first), TakeGuest(RED, place), OfferGuest(place, second))
    assert evening.state == empty
    evening.shows(there)
    none(evening.shows(there) + evening.waits(30), "verdict", "lost", "question")
    assert evening.state == there


# Guests come again, and which of them shows only in what they bring

STEPS, POINTS = 0, 1
"""The buildings of guests who bring three steps, and of one who brings action points that nobody sees."""


def helped_and_advanced(folder: Path) -> tuple[Evening, State]:
    """Red has used the helper for action points and then goes three steps; or the helper has brought these steps."""
    start = with_rooms(with_warehouse(acting(CROWN, 3, leave_tile=True), RED, "again"), RED, STEPS, "envoy crown3")
    evening = tiletum(with_rooms(start, RED, POINTS, "captain merchantstep2"), folder)
    none(evening.shows(after(evening, UseHelper(RED, "again", POINTS))), "moved", "question")
    advanced = after(evening, UseHelper(RED, "again", POINTS), Advance(RED, 3))
    assert evening.table.game.view(advanced) == evening.table.game.view(after(evening, UseHelper(RED, "again", STEPS)))
    none(evening.shows(advanced), "moved", "question")
    return evening, advanced


def test_whoever_goes_on_where_it_comes_to_the_same_has_done_what_was_doubted(tmp_path: Path) -> None:
    evening, advanced = helped_and_advanced(tmp_path)
    taken = played(advanced, EndTurn(RED), TakeDie(GREEN, "blue", 5))
    moved = one(evening.shows(taken), "moved")["moves"]
    assert [one["move"]["type"] for one in moved] == ["UseHelper", "Advance", "EndTurn", "TakeDie"]
    assert moved[0]["move"]["building"] == POINTS
    assert evening.state == taken


def test_whoever_presses_has_done_what_was_doubted_and_gone_on(tmp_path: Path) -> None:
    evening, advanced = helped_and_advanced(tmp_path)
    evening.presses(RED)
    assert [point.move for point in evening.table.ledger.line()[1:]] == [
        UseHelper(RED, "again", POINTS),
        Advance(RED, 3),
        EndTurn(RED),
    ]
    assert evening.state == played(advanced, EndTurn(RED))


def test_whoever_goes_on_as_only_one_way_allows_has_gone_that_way(tmp_path: Path) -> None:
    evening, _ = helped_and_advanced(tmp_path)
    further = after(evening, UseHelper(RED, "again", STEPS), Advance(RED, 3))
    none(evening.shows(further), "question", "verdict")
    assert evening.state == further


def test_whoever_does_not_go_on_is_asked_in_the_end(tmp_path: Path) -> None:
    evening, advanced = helped_and_advanced(tmp_path)
    question = one(evening.waits(UNHURRIED + 1), "question")
    evening.asks("answer", question=question["id"], option=1)
    assert evening.state == advanced


def test_goods_of_a_house_are_no_swap_while_nobody_knows_which_guests_came_again(tmp_path: Path) -> None:
    """Red has points for contracts or a house for no points, and of the house the good comes first."""
    start = with_figures(with_warehouse(acting(ARCHITECT, 1, leave_tile=True), RED, "again"), RED, merchant="Praha")
    start = with_rooms(with_rooms(start, RED, 0, "banker contract2"), RED, 1, "innkeeper house1")
    start = replace(with_rooms(start, RED, 2, "abbot gold5"), box=with_iron_in_praha())
    evening = tiletum(start, tmp_path)
    helped = after(evening, UseHelper(RED, "again", 1))
    none(evening.shows(helped), "moved", "question")
    built = played(helped, PutHouse(RED, city("Praha"), 0))
    before, then = (evening.table.game.view(state).zones for state in (helped, built))
    none(evening.shows(View({**before, "goods red": then["goods red"]})), "moved", "question")
    none(evening.shows(built) + evening.shows(built) + evening.waits(HALF_DONE + 1), "verdict", "lost", "question")
    assert evening.state == built


def with_iron_in_praha() -> Box:
    """A drawn map, on which the first house in Praha brings iron."""
    cities = kernel.facts(FILE, ("map.cities",))["map.cities"]
    return GAME.load_box({"map.cities": {**cities, "Praha": {**cities["Praha"], "houses": [{"iron": 1}]}}})


def helped(folder: Path) -> tuple[Evening, State]:
    """Red has used the helper for points of contracts or of the merchant, or still has gold to take."""
    start = with_warehouse(acting(ARCHITECT, 2, leave_tile=True), RED, "again")
    start = with_rooms(with_rooms(start, RED, 0, "banker contract2"), RED, 1, "captain merchantstep2")
    start = with_rooms(start, RED, 2, "abbot gold5")
    evening = tiletum(with_figures(start, RED, architect="Paris"), folder)
    used = after(evening, UseHelper(RED, "again", 1))
    none(evening.shows(used), "moved", "question")
    return evening, used


def test_which_guests_came_again_is_asked_once_somebody_goes_on_in_a_way_that_does_not_tell(tmp_path: Path) -> None:
    """If people were asked later, the next move might be forbidden after one answer, and legal after another."""
    evening, used = helped(tmp_path)
    walked = played(used, Walk(RED, "architect", city("Troyes")))
    question = one(evening.shows(walked), "question")
    assert [one["says"]["en"] for one in question["options"]] == [
        "Red uses the helper “guests once more, building 1”",
        "Red uses the helper “guests once more, building 2”",
    ]
    evening.asks("answer", question=question["id"], option=1)
    assert evening.state == walked
    swap = Swap(RED, "wool", ("iron", "food"))
    told = evening.shows(unchecked(evening, swap)) + evening.shows(unchecked(evening, swap))
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["points.spend"]


def test_which_guests_came_again_is_asked_before_anybody_is_told_what_was_wrong_then(tmp_path: Path) -> None:
    evening, used = helped(tmp_path)
    advanced = evening.table.game.play_unchecked(used, Advance(RED, 1))
    told = evening.shows(advanced) + evening.shows(advanced)
    none(told, "verdict", "moved")
    told = evening.asks("answer", question=one(told, "question")["id"], option=1)
    assert evening.state == used
    told += evening.shows(advanced) + evening.shows(advanced)
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["points.spend"]


# Goods of the die, or of one's choice


def test_whoever_has_chosen_goods_may_still_turn_the_die(tmp_path: Path) -> None:
    """Two food are what the die brings, and may be the two that are owed."""
    start = has(replace(played(table(), TakeDie(RED, "pink", 2)), owed=2), RED, gold=2)
    evening = tiletum(start, tmp_path)
    assert evening.table.game.view(after(evening, Gather(RED, "food"))) == evening.table.game.view(
        after(evening, TakeGood(RED, "food"), TakeGood(RED, "food"))
    )
    none(evening.shows(after(evening, Gather(RED, "food"))), "moved")
    turned = after(evening, TakeGood(RED, "food"), TakeGood(RED, "food"), TurnDie(RED, 3))
    none(evening.shows(turned) + evening.shows(turned) + evening.waits(UNHURRIED + 1), "verdict", "lost")
    assert evening.state == turned


def test_nothing_is_taken_back_for_something_else_while_a_hand_lays_a_crest(tmp_path: Path) -> None:
    """The food is paid and the hand still over the crests: the die's wool and the food may have been one of wool."""
    start = with_warehouse(has(table(), RED, gold=2, food=1, wool=0), RED, "crest lily")
    start = replace(start, stage="die_taken", section=ARCHITECT, dice=((("light_grey", 1),), (), (), ()))
    evening = tiletum(start, tmp_path)
    evening.shows(after(evening, Gather(RED, "wool")))
    evening.shows(after(evening, BuyGood(RED, "food")))
    laid = after(evening, PlaceCrest(RED, "crest lily", 5))
    under_the_hand = ["crests red", "warehouse red"]
    told = evening.shows(laid, covered=under_the_hand) + evening.waits(2)
    none(told, "undone", "moved", "verdict")
    none(evening.shows(laid), "undone", "verdict")
    assert evening.state == laid


# What shows after it was believed

WRONG = UseHelper(RED, "any2", off=deviation(points=2))


def without_red(points: Marks) -> Marks:
    return Marks({colour: field for colour, field in points.field.items() if colour != "red"})


def test_points_that_show_after_a_helper_was_believed_are_held_against_it(tmp_path: Path) -> None:
    evening = tiletum(with_warehouse(acting(GUEST, 1), RED, "any2"), tmp_path)
    used = after(evening, UseHelper(RED, "any2"))
    wrong = evening.table.game.view(evening.table.game.play_unchecked(evening.state, WRONG))
    evening.shows(evening.state)
    evening.shows(changed(wrong, points=without_red))
    assert evening.state == used
    told = evening.shows(wrong) + evening.shows(wrong)
    none(told, "verdict")
    told = evening.waits(HALF_DONE + 1)
    none(told, "lost")
    verdict = one(told, "verdict")
    assert [breach["rule"] for breach in verdict["breaches"]] == ["bonus.exact"]
    assert verdict["seat"] == RED
    assert [step["number"] for step in verdict["put_right"]] == [used.points[RED]]
    one(evening.shows(used), "settled")
    assert evening.state == used


def test_points_that_change_after_all_was_seen_to_be_right_are_held_against_nobody(tmp_path: Path) -> None:
    evening = tiletum(with_warehouse(acting(GUEST, 1), RED, "any2"), tmp_path)
    wrong = evening.table.game.view(evening.table.game.play_unchecked(evening.state, WRONG))
    evening.shows(evening.state)
    evening.shows(after(evening, UseHelper(RED, "any2")))
    told = evening.shows(wrong) + evening.shows(wrong) + evening.waits(LOST_AFTER + HALF_DONE)
    none(told, "verdict")
    one(told, "lost")
