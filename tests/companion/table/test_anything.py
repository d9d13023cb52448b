"""Anything in any order: the table never raises, its journal leads to its state, and true positions accuse no seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.games.tumult_royale.moves import StartRaid
from companion.kernel.messages import Command, Signal, Tick
from companion.kernel.rules import CHANCE
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from companion.simulation.selfplay import open_table, playing
from tests.nine_beds import GAME as NINE_BEDS

from .evening import BEDS_SEATS, CouncilFrom, Evening, TumultFrom, kinds

TUMULT = games.load("tumult_royale")
COUNCIL = games.load("council_of_four")
STORIES = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@cache
def evening_of_bots(players: int) -> list[Any]:
    state, world = open_table(TUMULT, players, "keen", f"anything/{players}", {})
    return [before for before, _, _ in playing(TUMULT, state, world)]


@cache
def council_of_bots() -> list[Any]:
    """A game of bots in which people may describe the pieces that chance turns up."""
    state, world = open_table(COUNCIL, 2, "keen", "anything", {})
    return [before for before, _, _ in playing(COUNCIL, state, world) if COUNCIL.actor(before) == CHANCE]


@contextmanager
def at_a_table(rng: Random, which: str) -> Iterator[Evening]:
    """Nine Beds from its start, or another game somewhere in a game of bots."""
    with TemporaryDirectory() as folder:
        if which == "nine beds":
            evening = Evening.begin(NINE_BEDS, Path(folder), BEDS_SEATS[: rng.choice((2, 3))])
        elif which == "council":
            start = rng.choice(council_of_bots())
            evening = Evening.begin(CouncilFrom(start), Path(folder), start.seats)
        else:
            start = rng.choice(evening_of_bots(rng.choice((2, 3))))
            evening = Evening.begin(TumultFrom(start), Path(folder), start.seats)
        try:
            yield evening
        finally:
            evening.table.close()


class Hands:
    """People who play by the rules, and sometimes do anything at all."""

    def __init__(self, evening: Evening, rng: Random) -> None:
        self.evening, self.rng = evening, rng
        self.game = evening.table.game
        self.truth = evening.state

    def plays(self) -> None:
        """Make a legal move on the table, without telling it."""
        # A raid begins with the timer: without its signal the first tile taken is a breach, and rightly so.
        moves = [move for move in self.game.moves(self.truth) if not isinstance(move, StartRaid)]
        if moves:
            self.truth = self.game.play(self.truth, self.rng.choice(moves))

    def looks(self) -> None:
        """Send a Reading of the true position, or most of it."""
        names = list(self.game.view(self.truth).zones)
        hidden = self.rng.sample(names, self.rng.choice((0, 0, 0, 1, 3)))
        covered = [name for name in hidden if self.rng.random() < 0.5]
        self.evening.shows(self.truth, covered=covered, unsure=hidden, seconds=self.rng.choice((0.3, 1.0, 4.0)))

    def time_passes(self) -> None:
        self.evening.waits(self.rng.choice((0.5, 3.0, 30.0)), step=self.rng.choice((0.5, 3.0)))

    def clock_jumps(self) -> None:
        self.evening.take(Tick(self.evening.clock + self.rng.choice((-1e6, -30.0, 1e6, 100.0, float("nan")))))

    def latest_again(self) -> None:
        if self.evening.table.observations.latest is not None:
            self.evening.take(self.evening.table.observations.latest)

    # Not by the rules

    def shows_anything(self) -> None:
        view = self.game.view(self.truth)
        zones = {
            name: self._odd(contents) if self.rng.random() < 0.2 else contents for name, contents in view.zones.items()
        }
        for _ in range(self.rng.choice((1, 2, 3))):
            self.evening.shows(View(zones), seconds=self.rng.choice((1.0, 5.0)))

    def _odd(self, contents: Contents) -> Contents:
        rng = self.rng
        match contents:
            case Cells(at=cells) if cells:
                labels = [*cells.values(), None, UNKNOWN, "blue", "blue x2", "rank1", "dragon", "meadow"]
                return Cells(
                    {cell: rng.choice(labels) if rng.random() < 0.2 else label for cell, label in cells.items()}
                )
            case Pieces(count=counts):
                labels = [*counts, "back", "bread1", "blue", "dragon"]
                return Pieces({**counts, rng.choice(labels): rng.randrange(4)})
            case Marks(field=fields) if fields:
                return Marks({**fields, rng.choice(list(fields)): rng.randrange(14)})
            case Pointing():
                return Pointing(rng.choice((2, 3, 4, 5)))
            case _:
                return contents

    def signals(self) -> None:
        rng = self.rng
        kind = rng.choice(("press", "long_press", "timer", "timer", "dial", "lost"))
        source = rng.choice(("raid ready", "raid started", "raid stopped", "button", "disc"))
        at = self.evening.clock + rng.choice((-1.0, 0.0, 0.5))
        self.evening.take(Signal(kind, source, at, rng.choice((None, 0, 1, 2, 9)), rng.choice((None, 1, 4, 99))))

    def commands(self) -> None:
        rng = self.rng
        kind = rng.choice(
            (
                "move",
                "move",
                "answer",
                "answer",
                "undo",
                "redo",
                "correct",
                "take_it",
                "dismiss",
                "ignore",
                "watch",
                "put_right",
                "learn",
            )
        )
        state = rng.choice((self.truth, self.evening.state))
        moves = list(self.game.moves(state))
        move = msgspec.to_builtins(rng.choice(moves)) if moves and rng.random() < 0.9 else {"type": "Fly"}
        if isinstance(move, dict) and rng.random() < 0.2:
            move = {
                **move,
                "seat": rng.choice((-1, 0, 1, 7)),
                "bed": rng.randrange(-2, 12),
                "field": rng.randrange(-2, 99),
            }
        body = {
            "move": move,
            "question": (self.evening.table.question or (0,))[0],
            "option": rng.choice((0, 1, 2)),
            "event": rng.randrange(self.evening.table.journal.last_number + 2),
            "zone": rng.choice((*self.game.view(self.truth).zones, "cellar")),
        }
        if kind == "learn" or rng.random() < 0.3:
            body["answers"] = self._answers(move)
        body["field"] = list(move)[-1] if rng.random() < 0.8 else rng.choice((None, 3, "moon", "place", "seat"))
        self.evening.take(Command(f"{rng.randrange(40)}", kind, rng.choice((None, None, 0, 1, 5)), body))

    def _answers(self, move: Any) -> Any:
        """Valid or invalid descriptions of a piece."""
        rng = self.rng
        if rng.random() < 0.2:
            return rng.choice((None, [], {"city": 1}, {"gold": -1}, {"gold": 10**30}, {"dragon": "x" * 99}))
        letters = "ABCDEFGHIJKLMNO"[5 * (move.get("place", 0) // 2) :][:5]
        answers = {"gold": rng.randrange(4), "points": rng.randrange(4)}
        return {**answers, "city": rng.sample(letters, min(2, len(letters)))} if "permit" in move else answers

    def power_cut(self) -> None:
        state, again = self.evening.state, self.evening.reopened()
        assert again.state == state
        self.evening.table, self.evening.told = again.table, []


HONEST = ("plays", "plays", "looks", "looks", "looks", "time_passes", "clock_jumps", "latest_again")
ANYTHING = (*HONEST, "shows_anything", "signals", "signals", "commands", "commands", "commands", "power_cut")


def drive(which: str, seed: int, acts: list[str], each: Callable[[Evening, Hands], None]) -> None:
    rng = Random(seed)
    with at_a_table(rng, which) as evening:
        hands = Hands(evening, rng)
        for act in acts:
            getattr(hands, act)()
            each(evening, hands)


def whole(evening: Evening, _hands: Hands) -> None:
    evening.holds()
    msgspec.json.encode(evening.table.snapshot())
    msgspec.json.encode(evening.told)


@pytest.mark.parametrize("which", ["nine beds", "tumult", "council"])
@given(seed=st.integers(0, 10**6), acts=st.lists(st.sampled_from(ANYTHING), max_size=25))
@settings(max_examples=60, **STORIES)
def test_whatever_comes_nothing_raises_and_the_journal_leads_to_the_state(
    which: str, seed: int, acts: list[str]
) -> None:
    drive(which, seed, acts, whole)


def accuses_nobody(evening: Evening, _hands: Hands) -> None:
    wrong = [update for update in evening.told if update.kind == "verdict"]
    assert not wrong, wrong


@pytest.mark.parametrize("which", ["nine beds", "tumult"])
@given(seed=st.integers(0, 10**6), acts=st.lists(st.sampled_from(HONEST), max_size=25))
@settings(max_examples=60, **STORIES)
def test_true_positions_accuse_nobody(which: str, seed: int, acts: list[str]) -> None:
    drive(which, seed, acts, accuses_nobody)


@given(seed=st.integers(0, 10**6), number=st.integers(1, 12))
@settings(max_examples=60, **STORIES)
def test_a_game_that_is_seen_move_by_move_is_followed_to_its_end(seed: int, number: int) -> None:
    rng = Random(seed)
    with at_a_table(rng, "nine beds") as evening:
        hands = Hands(evening, rng)
        for _ in range(number):
            hands.plays()
            evening.shows(hands.truth)
        assert NINE_BEDS.view(evening.state) == NINE_BEDS.view(hands.truth)
        assert not {"verdict", "lost", "question", "hint", "undone"} & set(kinds(evening.told))
        evening.holds()


def test_people_describe_pieces_and_some_are_learned() -> None:
    """The commands above really teach the table something."""
    told: list[str] = []
    for seed in range(40):
        rng = Random(seed)
        with at_a_table(rng, "council") as evening:
            hands = Hands(evening, rng)
            for _ in range(20):
                hands.commands()
            told += kinds(evening.told)
            evening.holds()
    assert told.count("learned") > 3
    assert told.count("refused") > 3


def test_hands_play_and_chance_too() -> None:
    """The hands above really move something: otherwise nothing was tried."""
    with at_a_table(Random(3), "nine beds") as evening:
        hands = Hands(evening, Random(3))
        assert evening.table.game.actor(hands.truth) == CHANCE
        hands.plays()
        hands.plays()
        assert hands.truth.phase == "planting"
