"""The rules of Nine Beds: `moves` and `check` agree, and every sentence is complete."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.game import BadSetup, Game
from companion.kernel.rules import Seat

from .game import GAME, Move, Pass, Plant, Roll, State

SEATS = (Seat("blue", "Anna"), Seat("yellow"), Seat("purple"))
AS_A_GAME: Game[State, Any] = GAME
"""The type checker's word for it, where it looks at tests."""


def games(number: int = 30) -> list[tuple[State, Move, State]]:
    steps = []
    for seed in range(number):
        rng, state = Random(seed), GAME.setup(GAME.load_box(), SEATS[: 2 + seed % 2])
        while GAME.actor(state) is not None:
            move = rng.choice(list(GAME.moves(state)))
            after = GAME.play(state, move)
            steps.append((state, move, after))
            state = after
    return steps


def test_moves_and_check_agree() -> None:
    for state, _, _ in games(10):
        legal = set(GAME.moves(state))
        anything: list[Move] = [*map(Roll, range(8)), *map(Pass, range(-1, 4))]
        anything += [Plant(seat, bed, paid) for seat in range(4) for bed in range(-1, 10) for paid in range(3)]
        assert {move for move in anything if not GAME.check(state, move)} == legal


def test_seedlings_are_never_lost() -> None:
    for _, _, after in games():
        for seat in range(len(after.seats)):
            assert after.beds.count(seat) + after.sheds[seat] + after.compost[seat] == after.box.seedlings


def test_everything_it_says_is_whole_in_both_languages() -> None:
    for language in LANGUAGES:
        speaker = Speaker(GAME.catalogue, language)
        for state, move, after in games(10):
            said = [speaker.move(type(move).__name__, GAME.facts(state, move)), speaker.expects(GAME.expects(after))]
            said += [speaker.applied(note) or speaker.rule(note.rule) for note in GAME.tell(state, move)]
            wrong = Plant(2, 4, 3)
            said += [speaker.broken(breach) for breach in GAME.check(state, wrong)]
            assert not [sentence for sentence in said if not sentence or "{" in sentence]


def test_a_state_survives_json_and_is_adopted_from_its_own_view() -> None:
    for _, _, after in games(10):
        assert msgspec.json.decode(msgspec.json.encode(after), type=State) == after
        assert GAME.state_from_view(after, GAME.view(after)) == after


def test_nobody_plays_alone() -> None:
    with pytest.raises(BadSetup):
        GAME.setup(GAME.load_box(), SEATS[:1])
