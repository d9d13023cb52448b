"""People go on from what was doubted, rightly or wrongly, while nobody has been asked yet."""

from __future__ import annotations

from pathlib import Path

from companion.games.tiletum.moves import (
    Advance,
    EndTurn,
    OfferGuest,
    Swap,
    TakeContract,
    TakeFromCity,
    TakeGuest,
    UseHelper,
)
from companion.games.tiletum.state import State, guest_stack
from companion.referee import Open
from companion.table.patience import HALF_DONE
from tests.games.tiletum.table import (
    ARCHITECT,
    CONTRACT,
    CROWN,
    GUEST,
    RED,
    acting,
    city,
    has,
    played,
    replace,
    standing,
    with_warehouse,
)

from .evening import Evening, after, none, one, tiletum

BACK = Swap(RED, "gold", ("wool",))


def test_what_is_wrong_may_have_come_after_what_was_doubted(tmp_path: Path) -> None:
    """Red has used a helper, or has it still in the hand, and then takes a step that nothing allows."""
    start = standing(replace(acting(ARCHITECT, 1), city_tiles=("guest2",) * 16), RED, architect="Paris")
    evening = tiletum(start, tmp_path)
    used = after(evening, TakeFromCity(RED, city("Paris"), "architect"), UseHelper(RED, "guest2"))
    none(evening.shows(used), "moved")
    step = evening.table.game.pretend(used, Advance(RED, 1))
    told = evening.shows(step) + evening.shows(step) + evening.waits(HALF_DONE + 1)
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["points.spend"]
    assert evening.state == used


def test_what_was_doubted_and_put_back_is_forgotten(tmp_path: Path) -> None:
    evening = tiletum(with_warehouse(acting(CROWN, 3), RED, "crown2"), tmp_path)
    start, advanced = evening.state, after(evening, Advance(RED, 2))
    none(evening.shows(advanced), "moved")
    view = evening.table.game.view(advanced)
    assert evening.table.judging.gone_on(view) is not None
    evening.shows(start)
    assert evening.table.judging.gone_on(view) is None


def test_goods_are_believed_at_once_and_two_deals_stay_two(tmp_path: Path) -> None:
    """Food for food and iron, and then food for iron, is not food for two of iron."""
    evening = tiletum(has(acting(CONTRACT, 3, leave_tile=True), RED, food=2), tmp_path)
    evening.shows(after(evening, Swap(RED, "food", ("food", "iron"))))
    twice = after(evening, Swap(RED, "food", ("iron",)))
    evening.shows(twice)
    assert evening.state == twice
    assert evening.state.ap[CONTRACT] == 1


def swapped_back(folder: Path, **goods: int) -> tuple[Evening, State, State]:
    """Red has swapped wool for gold, and gold for wool again, or has taken it back: nobody can tell, and for now it
    may be half a purchase."""
    start = has(replace(acting(CONTRACT, 3, leave_tile=True), swapped=True), RED, gold=1, wool=2, **goods)
    start = with_warehouse(start, RED, *["crest lily"] * 4)
    evening = tiletum(start, folder)
    evening.shows(after(evening, Swap(RED, "wool", ("gold",))))
    there = evening.state
    none(evening.shows(start), "question", "moved", "undone")
    assert isinstance(evening.table.judging.finding(evening.table.sightings.view()), Open)
    return evening, start, there


def test_who_goes_on_wrongly_is_asked_first_what_was_before(tmp_path: Path) -> None:
    evening, start, there = swapped_back(tmp_path)
    full = evening.table.game.view(evening.table.game.pretend(start, TakeContract(RED, 4)))
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
