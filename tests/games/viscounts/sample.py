"""Viscounts: states from the middle of games, and acts of all kinds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from companion.games.viscounts import GAME
from companion.games.viscounts.box import GOODS
from companion.games.viscounts.components import segment_names
from companion.games.viscounts.moves import EXACT, FREE
from companion.games.viscounts.state import State

from ..samples import Sample, games_by_chance, values
from .random_games import whole_game
from .table import BOX

GAMES = 40
NOWHERE = {"?", "atlas", "player card 0", "player card 11"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = set(segment_names(BOX))
"""Segments are called by their numbers."""


def somewhere(seed: int, index: int) -> State:
    """A state from the middle of a game."""
    states = whole_game(seed)
    return states[index % len(states)]


states = st.builds(somewhere, games_by_chance(GAMES), st.integers(0, 5000))
CARDS = (*BOX.townsfolk, *BOX.starters, *BOX.heroes, "atlas")
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 1)] * 8))
pays = st.one_of(st.just(FREE), st.tuples(*[st.integers(0, 3)] * 4))
cards = st.sampled_from(CARDS)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "owner": st.integers(-1, 4),
    "place": st.integers(-1, 5),
    "segment": st.integers(-1, 5),
    "section": st.integers(-1, 5),
    "to": st.integers(-1, 5),
    "ring": st.integers(0, 3),
    "card": cards,
    "hero": cards,
    "manuscript": st.sampled_from((*BOX.manuscripts, "atlas")),
    "number": st.integers(0, 11),
    "space": st.integers(-1, 15),
    "times": st.integers(-1, 9),
    "building": st.integers(-1, 3),
    "slot": st.integers(-1, 3),
    "plot": st.integers(-1, 5),
    "pays": pays,
    "good": st.sampled_from((*GOODS, "atlas")),
    "paper": st.sampled_from(("debt", "deed")),
    "source": st.sampled_from(("hand", "own hand", "pile")),
    "row": st.tuples(*[st.one_of(st.just(""), cards)] * 3),
    "option": st.integers(-1, 2),
    "scheme": st.sampled_from((*BOX.solo.starting, *BOX.solo.future, "atlas")),
    "off": off,
    "honour": st.integers(-1, 5),
}

SAMPLE = Sample(GAME, whole_game, states, values(VALUES), frozenset(NOWHERE), frozenset(SAY_THEMSELVES))
