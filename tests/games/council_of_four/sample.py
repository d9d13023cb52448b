"""The Council of Four: states from the middle of games, and acts of all kinds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import card_kinds, permits_of
from companion.games.council_of_four.moves import EXACT
from companion.games.council_of_four.state import State

from ..samples import Sample, games_by_chance, values
from .random_games import EDITIONS, whole_game
from .table import BOX

GAMES = 60
FULLEST = GAME.load_box(EDITIONS[-1])
PERMITS = [permit for region in range(3) for permit in permits_of(FULLEST, region)]
"""Of all editions."""
NOWHERE = {"gold9", "XYZ", "?"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = {*PERMITS, *BOX.cities.values(), *(noble.numeral for noble in BOX.nobility.values()), "A", "B"}
"""Permits, cities, numerals and sides of the board are the same in all languages."""


def somewhere(seed: int, index: int, turn: bool) -> State:
    """A state from the middle of a game; of the set-up as seldom as it is short."""
    states = whole_game(seed)
    found = [state for state in states if state.phase == "turn"] if turn else states
    return found[index % len(found)]


states = st.builds(somewhere, games_by_chance(GAMES), st.integers(0, 999), st.sampled_from((True, True, False)))
cards = st.lists(st.sampled_from((*card_kinds(BOX), "green")), max_size=5).map(tuple)
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 2)] * 4))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "city": st.integers(-1, 15),
    "king": st.integers(-1, 15),
    "token": st.sampled_from((*FULLEST.tokens, "gold9")),
    "council": st.integers(-1, 4),
    "place": st.integers(-1, 6),
    "colour": st.sampled_from((*BOX.councillors.colours, "green")),
    "permit": st.sampled_from((*PERMITS, "XYZ")),
    "region": st.integers(-1, 3),
    "cards": cards,
    "enters": st.integers(0, 3),
    "falls": st.integers(0, 3),
    "off": off,
    "turned": st.booleans(),
    "unused": st.integers(-1, 2),
    "unseen": st.just(False),  # only a table can show an unseen swap, people cannot tell it
    "tile": st.sampled_from((*BOX.bonus_tiles, "kings_reward")),
}

SAMPLE = Sample(GAME, whole_game, states, values(VALUES), frozenset(NOWHERE), frozenset(SAY_THEMSELVES))
