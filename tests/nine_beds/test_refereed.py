"""The referee's findings in a game known only by its protocol: explained, illegal, open, taken back, half done."""

from __future__ import annotations

from typing import Any

from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, View, distance
from companion.referee import Explained, Illegal, Lost, Open, Referee, Settled, Takeback, Unfinished

from .game import BEDS, GAME, Move, Pass, Plant, Roll, State
from .test_rules import SEATS, games

REFEREE: Referee[Any, Any] = Referee(GAME)
BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)


def played(*moves: Move) -> State:
    state = GAME.setup(GAME.load_box(), SEATS[:2])
    for move in (Roll(5), *moves):
        state = GAME.play(state, move)
    return state


def otherwise(state: State, **zones: Contents) -> View:
    return View({**GAME.view(state).zones, **zones})


def test_every_move_that_can_be_seen_is_explained() -> None:
    for before, move, after in games():
        if distance(GAME.view(after), GAME.view(before)):
            assert REFEREE.judge(before, GAME.view(after)) == Explained((move,))


def test_a_pass_that_nobody_saw_is_found_by_what_followed() -> None:
    before = played(Plant(BLUE, A1))
    after = GAME.play(GAME.play(before, Pass(YELLOW)), Plant(BLUE, B1))
    assert REFEREE.judge(before, GAME.view(after)) == Explained((Pass(YELLOW), Plant(BLUE, B1)))


def test_a_forbidden_bed_is_named_with_its_rule() -> None:
    state = played(Plant(BLUE, A1), Plant(YELLOW, C3))
    unchecked = GAME.play_unchecked(state, Plant(BLUE, C1))
    assert unchecked is not None
    finding = REFEREE.judge(state, GAME.view(unchecked))
    assert isinstance(finding, Illegal)
    (tried,) = finding.tries
    assert tried.move == Plant(BLUE, C1)
    assert [(breach.rule, breach.facts) for breach in tried.breaches] == [("bed.beside", {"seat": "blue", "bed": "C1"})]
    assert {(step.act, step.what) for step in finding.put_right} == {("carry", "blue"), ("point", "blue")}


def test_an_unpaid_middle_is_forbidden_and_can_still_be_finished() -> None:
    state = played(Plant(BLUE, B1), Plant(YELLOW, C3))
    unpaid = GAME.play_unchecked(state, Plant(BLUE, B2, 0))
    assert unpaid is not None
    finding = REFEREE.judge(state, GAME.view(unpaid))
    assert isinstance(finding, Illegal)
    assert [breach.rule for breach in finding.tries[0].breaches] == ["bed.price"]
    assert [(step.what, step.source and step.source.zone, step.to and step.to.zone) for step in finding.finish] == [
        ("blue", "shed blue", "compost")
    ]


def test_beds_under_a_leaf_are_asked_about() -> None:
    state = played()
    after = GAME.play(state, Plant(BLUE, A1))
    hidden: dict[str, str | None] = {**dict.fromkeys(BEDS), "A1": UNKNOWN, "C3": UNKNOWN}
    finding = REFEREE.judge(state, otherwise(after, beds=Cells(hidden)))
    assert finding == Open((Explained((Plant(BLUE, A1),)), Explained((Plant(BLUE, C3),))))


def test_a_seedling_put_back_is_a_takeback_and_one_put_elsewhere_too() -> None:
    before = played()
    after = GAME.play(before, Plant(BLUE, A1))
    assert REFEREE.judge(after, GAME.view(before), [before]) == Takeback(1)
    elsewhere = GAME.play(before, Plant(BLUE, C1))
    assert REFEREE.judge(after, GAME.view(elsewhere), [before]) == Takeback(1, (Plant(BLUE, C1),))


def test_a_marker_not_yet_moved_is_a_move_half_done() -> None:
    state = played()
    after = GAME.play(state, Plant(BLUE, A1))
    finding = REFEREE.judge(state, otherwise(after, points=Marks({"blue": 0, "yellow": 0})))
    assert isinstance(finding, Unfinished)
    assert [(step.act, step.what, step.number) for step in finding.finish] == [("point", "blue", 1)]


def test_seedlings_from_nowhere_are_not_understood() -> None:
    state = played()
    finding = REFEREE.judge(state, otherwise(state, compost=Pieces({"yellow": 4})))
    assert isinstance(finding, Lost)
    assert list(finding.zones) == ["compost"]


def test_a_table_as_it_should_be_is_settled() -> None:
    state = played(Plant(BLUE, A1))
    assert REFEREE.judge(state, GAME.view(state)) == Settled()
