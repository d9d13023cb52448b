"""Ende der Partie: the last fair, the final scoring, and the tie."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import HoldFair
from companion.games.tiletum.state import State

from .table import (
    GREEN,
    RED,
    has,
    note,
    played,
    replace,
    table,
    with_crests,
    with_house,
    with_pillars,
    with_rooms,
)


def over(state: State, **facts: object) -> State:
    return replace(state, phase="over", **facts)


def lines(state: State, seat: int = RED) -> dict[str, int]:
    return {line.label: line.points for line in GAME.score(state).seats[seat].lines}


def finished(state: State, number: int) -> State:
    guests = (
        "abbot crown2",
        "banker contract2",
        "captain merchantstep2",
        "doctor guest2",
        "envoy crown2",
        "friar gold5",
    )
    more = ("abbot gold5", "abbot stone2", "banker food2", "captain points3")
    fillings = [(guests[0], *more[:2]), (guests[1], more[2]), (guests[2], more[3]), *((one,) for one in guests[3:])]
    for building in range(number):
        state = with_crests(with_rooms(state, RED, building, *fillings[building]), RED, building)
    return state


def test_end_over__after_the_fair_of_the_fourth_round() -> None:
    state = table(facts={"phase": "fair", "round": 3})
    assert note(state, HoldFair(), "end.over").facts == {"round": 4}
    after = played(state, HoldFair())
    assert (after.phase, GAME.actor(after), list(GAME.moves(after))) == ("over", None, [])
    assert played(replace(state, round=2), HoldFair()).phase == "tidying"


def test_end_points__those_of_the_track() -> None:
    state = table(facts={"points": (12, 0, 0, 0)})
    assert lines(state) == {"points": 12}
    assert GAME.score(state).winner is None


def test_end_map__houses_times_pillars() -> None:
    state = with_pillars(with_house(with_house(table(), RED, "Paris"), RED, "London"), RED, "Paris", "Köln")
    assert lines(over(state))["houses_pillars"] == 6
    assert GAME.score(over(state)).seats[RED].lines[0].because.facts == {"houses": 3, "pillars": 2}


@pytest.mark.parametrize(("number", "points"), list(enumerate((0, 0, 0, 5, 10, 20, 30))))
def test_end_buildings__from_the_third_on(number: int, points: int) -> None:
    assert lines(over(finished(table(), number)))["buildings"] == points


@pytest.mark.parametrize(("gold", "points"), [(0, 1), (3, 1), (4, 2), (16, 5)])
def test_end_goods__every_four_of_any_kind(gold: int, points: int) -> None:
    assert lines(over(has(table(), RED, gold=gold)))["goods"] == points


def test_end_winner__most_points() -> None:
    sheet = GAME.score(over(table(), points=(9, 30, 2, 3)))
    assert sheet.winner == GREEN
    assert [why.rule for why in sheet.because] == ["end.winner"]
    assert GAME.expects(over(table(), points=(9, 30, 2, 3))).facts == {"seat": "green", "points": 31}


def test_end_tie__the_earlier_place_in_the_order_of_play() -> None:
    state = over(table(), points=(9, 9, 0, 0), goods=((0,) * 5,) * 4, order=(3, GREEN, RED, 2))
    sheet = GAME.score(state)
    assert sheet.winner == GREEN
    assert [why.rule for why in sheet.because] == ["end.winner", "end.tie"]
