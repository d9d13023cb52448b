"""Tiletum: states from the middle of games, and acts of all kinds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from companion.games.tiletum import GAME
from companion.games.tiletum.box import GOODS
from companion.games.tiletum.components import all_guests, city_names
from companion.games.tiletum.moves import EXACT
from companion.games.tiletum.rulebook.setup import tile_places
from companion.games.tiletum.state import State

from ..samples import Sample, games_by_chance
from .random_games import whole_game
from .table import BOX, opened

GAMES = 40
NOWHERE = {"?", "silver", "atlas", "fair atlas", "cost atlas", "die atlas", "nowhere"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = set(city_names(BOX))
"""Cities are called the same in all languages."""


def somewhere(seed: int, index: int, turn: bool) -> State:
    """A state from the middle of a game; of what is no turn as seldom as it is short."""
    states = whole_game(seed)
    found = [state for state in states if state.phase == "turn"] if turn else states
    return found[index % len(found)]


states = st.builds(somewhere, games_by_chance(GAMES), st.integers(0, 999), st.sampled_from((True, True, False)))
PLACES = (*tile_places(opened(favours="three")), "nowhere")
TILES = (*BOX.tiles, *BOX.contracts, *list(all_guests(BOX))[:12], "atlas")
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 1)] * 7))
goods = st.sampled_from((*GOODS, "silver"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "round": st.integers(-1, 4),
    "city": st.integers(-1, 29),
    "fair": st.sampled_from((*BOX.fairs, "atlas")),
    "cost": st.sampled_from((*BOX.costs, "atlas")),
    "tile": st.sampled_from(TILES),
    "contract": st.sampled_from((*BOX.contracts, "atlas")),
    "guest": st.sampled_from((*all_guests(BOX), "atlas")),
    "crest": st.sampled_from(TILES),
    "section": st.integers(-1, 6),
    "colour": st.sampled_from((*BOX.dice.colours, "atlas")),
    "value": st.integers(-1, 7),
    "figure": st.sampled_from(("architect", "merchant")),
    "building": st.integers(-1, 6),
    "floor": st.integers(0, 4),
    "gives": goods,
    "gets": st.lists(goods, max_size=3).map(tuple),
    "good": goods,
    "steps": st.integers(-1, 16),
    "off": off,
    "astray": st.lists(st.integers(-1, 1), max_size=5).map(tuple),
}
PLACE = {"PutTile": st.sampled_from(PLACES)}
IDENTICAL = st.one_of(st.just(""), goods)


def value_of(kind: type[Any], name: str) -> st.SearchStrategy[Any]:
    if (kind.__name__, name) == ("Fulfil", "good"):
        return IDENTICAL
    return PLACE.get(kind.__name__, st.integers(-1, 5)) if name == "place" else VALUES[name]


SAMPLE = Sample(GAME, whole_game, states, value_of, frozenset(NOWHERE), frozenset(SAY_THEMSELVES))
