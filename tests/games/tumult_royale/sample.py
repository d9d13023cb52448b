"""Tumult Royale: states from the middle of games, and acts of all kinds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from string import ascii_uppercase
from typing import Any

import msgspec
from hypothesis import strategies as st

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import GOODS, KINDS, TILES
from companion.games.tumult_royale.moves import UNKNOWN_SEAT, Atone, DealCard, Move, Place, SetAside, Spin
from companion.games.tumult_royale.state import State
from companion.kernel.simulation import BOTS
from companion.simulation.selfplay import open_table, playing

from ..samples import Sample, games_by_chance

NOWHERE = {"swamp", "nessie", "bread9", "?"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = {f"{column}{row}" for column in ascii_uppercase for row in range(10)}
"""Fields and places are called by a letter and a number."""


@cache
def whole_game(seed: int) -> dict[str, list[State]]:
    """All states of one bot game, by phase; both bots, all numbers of players."""
    state, world = open_table(GAME, 2 + seed % 3, BOTS[seed % 2], f"property/{seed}")
    by_phase: dict[str, list[State]] = {}
    for found in (state, *(after for _, _, after in playing(GAME, state, world))):
        by_phase.setdefault(found.phase, []).append(found)
    return by_phase


def in_any_phase(seed: int) -> list[State]:
    return [state for states in whole_game(seed).values() for state in states]


def somewhere(seed: int, phase: int, index: int) -> State:
    """A state from the middle of a game. The phase is chosen first, so that short ones are met as often."""
    phases = list(whole_game(seed).values())
    found = phases[phase % len(phases)]
    return found[index % len(found)]


states = st.builds(somewhere, games_by_chance(60), st.integers(0, 17), st.integers(0, 999))
tiles = st.lists(st.sampled_from(TILES), max_size=5).map(lambda chosen: tuple(sorted(chosen)))
small = st.integers(-1, 5)


def possible(listed: Iterable[Move]) -> set[Move]:
    """Add to the listed moves the ones that set tiles aside without a known seat."""
    named = set(listed)
    return named | {msgspec.structs.replace(move, seat=UNKNOWN_SEAT) for move in named if isinstance(move, SetAside)}


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "source": small,
    "place": small,
    "field": st.integers(-1, 72),
    "rank": small,
    "turn": small,
    "tiles": small,
    "hands": st.integers(1, 2),
    "areas": st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple),
    "good": st.sampled_from(("", *GOODS)),
    "kind": st.sampled_from((*KINDS, "swamp")),
    "board": st.sampled_from(("heron", "otter", "nessie")),
    "tile": st.sampled_from((*TILES, "bread9")),
    "followers": small,
    "statues": small,
    "keep": st.booleans(),
    "holding": st.lists(st.integers(-1, 4), max_size=4).map(tuple),
}


def value_of(kind: type[Any], name: str) -> st.SearchStrategy[Any]:
    return tiles if name == "tiles" and kind in (Atone, Place) else VALUES[name]


SAMPLE = Sample(
    GAME, in_any_phase, states, value_of, frozenset(NOWHERE), frozenset(SAY_THEMSELVES), possible, (Spin,), (DealCard,)
)
