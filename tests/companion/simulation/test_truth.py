"""Truth and belief, suggestions to people, and the simulated table top in real time."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from companion import games
from companion.kernel.messages import Reading
from companion.simulation.camera import Moment, Noise, NoisyObserver, PlainTableTop
from companion.simulation.people import Act, People, Truth, alike
from companion.simulation.selfplay import open_table

GAME = games.load("tumult_royale")


def sat_down(seed: str = "truth", mistake_rate: float = 0.0) -> tuple[Any, People]:
    state, world = open_table(GAME, 3, "keen", seed, {})
    return state, People(GAME, state, world, Random(seed), mistake_rate=mistake_rate)


def played(number: int) -> tuple[Truth, list[Any], list[Act]]:
    """Play so many acts without takebacks: the truth, the true state after each, and the acts."""
    state, people = sat_down()
    truth = Truth(GAME, state)
    states, acts = [state], []
    for act in islice((act for act in people.acts() if act.kind == "moves"), number):
        truth.add(act)
        states.append(truth.state)
        acts.append(act)
    return truth, states, acts


def test_whoever_believes_what_was_true_a_while_ago_is_told_what_came_after_it() -> None:
    truth, states, acts = played(6)
    assert truth.agrees(states[-1])
    assert not truth.agrees(states[-3])
    assert truth.missing(states[-1]) == []
    assert truth.missing(states[-3]) == [*acts[-2].moves, *acts[-1].moves]


def test_whoever_believes_something_else_goes_back_to_where_it_was_true() -> None:
    truth, states, acts = played(6)
    elsewhere = GAME.play(states[-1], next(m for m in GAME.moves(states[-1])))
    assert not alike(GAME, elsewhere, states[-1])
    assert truth.missing(elsewhere) is None
    assert truth.way_from([elsewhere, states[-2]]) == (1, list(acts[-1].moves))
    assert truth.way_from([elsewhere]) is None


def test_a_move_taken_back_is_none_that_has_to_be_told() -> None:
    truth, states, acts = played(6)
    truth.add(Act("takeback", acts[-1].moves, (), states[-2]))
    assert truth.state is states[-2]
    assert truth.missing(states[-3]) == list(acts[-2].moves)
    assert truth.knows(states[-1]), "it was true a moment ago"


def test_people_cheat_when_they_are_asked_to_and_not_otherwise() -> None:
    _, people = sat_down(mistake_rate=0.0)
    acts = people.acts()
    assert [act.kind for act in islice(acts, 8)].count("wrong") == 0
    people.cheat()
    kinds = [act.kind for act in islice(acts, 12)]
    assert kinds.count("wrong") == 1
    assert kinds[kinds.index("wrong") + 1] == "put_right"


def test_people_do_what_somebody_says_if_it_is_allowed() -> None:
    state, people = sat_down()
    acts = people.acts()
    while not any(type(move).__name__ == "FirstStatue" for move in GAME.moves(state)):
        state = next(acts).state
    choices = [move for move in GAME.moves(state) if type(move).__name__ == "FirstStatue"]
    assert people.suggest(choices[-1])
    assert choices[-1] in next(acts).moves
    assert not people.suggest(choices[-1]), "there it stands already"


class Watched:
    """A table top that collects its Readings."""

    def __init__(self) -> None:
        self.now = 0.0
        self.readings: list[Reading] = []
        _, self.people = sat_down()
        onlooker = NoisyObserver(Random(1), Noise(0.0, 0.0))
        self.top = PlainTableTop(onlooker, self.readings.append, lambda: self.now)

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        self.top.step()


def test_a_table_is_read_a_while_after_hands_left_it_and_again_when_asked() -> None:
    table = Watched()
    table.top.rest(Moment(table.people.lying))
    table.pass_by(0.1)
    assert not table.top.settled
    table.pass_by(1.0)
    assert table.top.settled
    assert [reading.view() for reading in table.readings] == [table.people.lying]
    table.top.look_again(["middle", "supply"])
    table.pass_by(0.1)
    table.pass_by(1.0)
    assert len(table.readings) == 2
    assert table.readings[1].at > table.readings[0].at


def test_a_covered_camera_sees_nothing_and_everything_when_the_hand_is_gone() -> None:
    table = Watched()
    table.top.rest(Moment(table.people.lying))
    table.pass_by(0.1)
    table.pass_by(1.0)
    table.top.covered = True
    assert table.top.blind
    table.pass_by(0.1)
    table.pass_by(1.0)
    assert all(zone.covered and zone.contents is None for zone in table.readings[-1].zones.values())
    table.top.covered = False
    table.pass_by(0.1)
    table.pass_by(1.0)
    assert table.readings[-1].view() == table.people.lying
