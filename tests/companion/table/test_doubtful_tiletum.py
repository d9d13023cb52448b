"""People go on from what was doubted, rightly or wrongly, while nobody has been asked yet."""

from __future__ import annotations

from pathlib import Path

from companion.games.tiletum.moves import EndTurn, Gather, Swap, TakeContract, TakeDie, TakeGood, TurnDie
from companion.games.tiletum.state import State
from companion.referee import Open
from companion.table.patience import HALF_DONE
from tests.games.tiletum.table import CONTRACT, RED, acting, has, played, replace, table, with_rooms, with_warehouse

from .evening import Evening, after, none, one, tiletum

BACK = Swap(RED, "gold", ("wool",))


def test_what_is_wrong_may_have_come_after_what_was_doubted(tmp_path: Path) -> None:
    """Stone may come from the die, or from a guest that comes again; then a die is turned that has brought it."""
    start = has(with_warehouse(played(table(), TakeDie(RED, "dark_grey", 2)), RED, "again"), RED, gold=4)
    start = with_rooms(start, RED, 0, "doctor stone2")
    evening = tiletum(start, tmp_path)
    none(evening.shows(after(evening, Gather(RED, "stone"))), "moved")
    gathered = played(start, Gather(RED, "stone"))
    turned = evening.table.game.pretend(gathered, TurnDie(RED, 3))
    told = evening.shows(turned) + evening.shows(turned) + evening.waits(HALF_DONE + 1)
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["die.before"]
    assert evening.state == gathered


def test_what_was_doubted_and_put_back_is_forgotten(tmp_path: Path) -> None:
    """Red chooses wool, thinks again, and takes stone twice: nobody has swapped anything."""
    evening = tiletum(replace(acting(CONTRACT, 3, leave_tile=True), owed=2), tmp_path)
    start, chosen = evening.state, after(evening, TakeGood(RED, "stone"), TakeGood(RED, "stone"))
    none(evening.shows(after(evening, TakeGood(RED, "wool"))), "moved")
    evening.shows(start)
    evening.shows(chosen)
    evening.presses(RED)
    assert evening.state == played(chosen, EndTurn(RED))


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
