"""The steps that put a table right: piece by piece, with blocks of cells in one step."""

from __future__ import annotations

from msgspec.structs import replace

from companion import games
from companion.games.tumult_royale.state import HIDDEN
from companion.kernel.catalogue import Speaker
from companion.kernel.views import UNKNOWN, Cells, Pieces, View
from companion.referee import Illegal, Referee
from companion.referee.findings import Spot, Step
from companion.referee.repair import steps
from companion.text.sentences import say_difference, say_step
from tests.games.tumult_royale.table import placing, table

TUMULT = games.load("tumult_royale")
GERMAN, ENGLISH = Speaker(TUMULT.catalogue, "de"), Speaker(TUMULT.catalogue, "en")
BOARD = ("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3")
KINDS = ("meadow", "forest", "meadow", "village", "meadow", "castle", "forest", "mountain", "meadow")
UP, DOWN = Cells(dict(zip(BOARD, KINDS, strict=True))), Cells(dict.fromkeys(BOARD, "back"))

ROW = {"row": (("1", "2", "3"),)}


def land(fields: Cells) -> View:
    return View({"land": fields})


def test_a_board_that_was_turned_over_is_one_step() -> None:
    (step,) = steps(land(UP), land(DOWN), TUMULT.blocks)
    assert (step.act, step.to, step.cells) == ("arrange", Spot("land", "A1"), BOARD)
    assert say_step(GERMAN, step) == "Landschaftstafel von A1 bis C3. Richtig ist: 9 verdeckte Felder."
    assert say_step(ENGLISH, step) == "Landscape board from A1 to C3. It should show: 9 hidden fields."


def test_a_board_that_was_turned_the_wrong_way_is_one_step_and_one_difference() -> None:
    turned = Cells(dict(zip(BOARD, KINDS[::-1], strict=True)))
    (step,) = steps(land(turned), land(UP), TUMULT.blocks)
    assert say_step(ENGLISH, step) == (
        "Landscape board from A1 to C3. It should show: "
        "meadow, forest, meadow, village, meadow, castle, forest, mountain, meadow."
    )
    assert say_difference(ENGLISH, "land", UP, DOWN, TUMULT.blocks) == (
        "Landscape board from A1 to C3: I see "
        "meadow, forest, meadow, village, meadow, castle, forest, mountain, meadow, but it should be 9 hidden fields."
    )


def test_a_board_that_was_turned_up_too_early_is_put_right_in_one_step() -> None:
    state = placing(table(3), {0: ("bread1", "marble1")})
    fields = state.place_fields(state.boards.index(HIDDEN))
    land = tuple("meadow" if field in fields else kind for field, kind in enumerate(state.land))
    finding = Referee(TUMULT).judge(state, TUMULT.view(replace(state, land=land)))
    assert isinstance(finding, Illegal)
    assert [(step.act, len(step.cells)) for step in finding.put_right] == [("arrange", 9)]


def test_a_single_wrong_cell_of_a_block_is_a_step_like_any_other() -> None:
    seen = Cells({**UP.at, "B2": "forest"})
    (step,) = steps(land(seen), land(UP), TUMULT.blocks)
    assert step == Step("turn", "meadow", 1, to=Spot("land", "B2"), was="forest")


def test_a_row_that_was_pushed_on_is_one_step_with_what_came_in_and_what_fell_out() -> None:
    should = View({"row": Cells({"1": "a", "2": "b", "3": "c"}), "rest": Pieces({"d": 1, "e": 2})})
    pushed = View({"row": Cells({"1": "d", "2": "a", "3": "b"}), "rest": Pieces({"c": 1, "e": 1})})
    row, other = steps(pushed, should, ROW)
    assert (row.act, row.shows) == ("arrange", ("a", "b", "c"))
    assert other == Step("carry", "e", 1, to=Spot("rest"))


def test_what_cannot_be_seen_of_a_block_is_not_wrong() -> None:
    should = View({"row": Cells({"1": "a", "2": "b", "3": UNKNOWN})})
    seen = View({"row": Cells({"1": "b", "2": UNKNOWN, "3": "c"})})
    assert [step.act for step in steps(seen, should, ROW)] == ["turn"]
