"""A laid-out table for the tests: short ways to a state in the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import COUNCILS, letters
from companion.games.council_of_four.moves import DrawNeutral, LayOut, Move, PutCouncillor, PutToken, TurnUp
from companion.games.council_of_four.state import EMPTY, NEUTRAL, State
from companion.kernel.rules import Seat, changed

from ..samples import Asked

RED, YELLOW, GREEN, BLUE = range(4)
COAST, HILLS, MOUNTAINS, KINGS = range(4)
BOX = GAME.load_box()

COUNCIL = ("white", "black", "purple", "pink")
"""Every council of `table`: one of each of four colours, so that all orange and light blue are beside the board."""
OFFERS = ("A", "B", "F", "G", "K", "L")
"""The open permits of `table`, two for each region."""
TOKENS = (
    "gold1",
    "gold2",
    "gold3",
    "points1",
    "points2",
    "points3",
    "assistants1",
    "assistants2",
    "cards1",
    "assistants1_gold1",
    "assistants1_cards1",
    "cards1_points1",
    "nobility1",
    "nobility1",
)
"""The tokens of `table`, in the order of the cities; the purple one is left out."""


def opened(players: int = 4, **options: Any) -> State:
    """The state before anything was done."""
    return GAME.setup(BOX, tuple(Seat(colour) for colour in BOX.colours[:players]), options)


def laid_out(players: int = 4, **options: Any) -> State:
    """Chance has laid nothing out yet."""
    return GAME.play(opened(players, **options), LayOut())


def lots(state: State) -> list[Move]:
    """Everything that chance lays out for `table`."""
    cities = [city for city in range(len(BOX.cities)) if city != state.map.purple]
    councils = [
        PutCouncillor(number, place, colour) for number in range(len(COUNCILS)) for place, colour in enumerate(COUNCIL)
    ]
    neutral = [DrawNeutral(region, permit) for region, permit in enumerate(("E", "J", "O"))]
    return [
        *(PutToken(city, token) for city, token in zip(cities, TOKENS, strict=True)),
        *councils,
        *(TurnUp(place, permit) for place, permit in enumerate(OFFERS)),
        *(neutral if state.players == 2 else ()),
    ]


def table(players: int = 4, *, facts: Mapping[str, Any] | None = None, **options: Any) -> State:
    """The first turn, with red to act; `facts` change what the state holds."""
    state = laid_out(players, **options)
    return replace(played(state, *lots(state)), **(facts or {}))


def city(letter: str) -> int:
    return letters(BOX).index(letter)


def with_emporiums(state: State, seat: int, cities: str) -> State:
    """A seat has emporiums in these cities, by letter."""
    return _standing(state, 1 << seat, cities)


def with_neutral(state: State, cities: str) -> State:
    return _standing(state, NEUTRAL, cities)


def _standing(state: State, bit: int, cities: str) -> State:
    emporiums = list(state.emporiums)
    for letter in cities:
        emporiums[city(letter)] |= bit
    return replace(state, emporiums=tuple(emporiums))


def with_council(state: State, council: int, *members: str) -> State:
    return replace(state, councils=changed(state.councils, council, members))


def with_tokens(state: State, **tokens: str) -> State:
    """These cities, by letter, have these tokens."""
    lying = list(state.tokens)
    for letter, token in tokens.items():
        lying[city(letter)] = token
    return replace(state, tokens=tuple(lying))


def with_permits(state: State, seat: int, *permits: str, used: Sequence[str] = ()) -> State:
    """These permits lie in front of a seat; what lay open on the board under the same name is gone."""
    return replace(
        state,
        permits=changed(state.permits, seat, permits),
        used=changed(state.used, seat, tuple(used)),
        offers=tuple(EMPTY if permit in (*permits, *used) else permit for permit in state.offers),
    )


def with_offers(state: State, *offers: str) -> State:
    return replace(state, offers=offers)


def has(state: State, seat: int, **facts: int) -> State:
    """A seat has so much gold, so many points, assistants or steps of nobility, or cards in hand (`hands`)."""
    return replace(state, **{name: changed(getattr(state, name), seat, number) for name, number in facts.items()})


_asked = Asked(GAME)
played = _asked.played
broken_rules = _asked.broken_rules
breach = _asked.breach
told_rules = _asked.told_rules
note = _asked.note
notes = _asked.notes
