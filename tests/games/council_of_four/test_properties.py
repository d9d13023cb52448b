"""What can never happen in The Council of Four, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

from hypothesis import given, settings

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import REGIONS, card_kinds, permits_of, token_numbers
from companion.games.council_of_four.moves import Move
from companion.games.council_of_four.state import NEUTRAL, State, face_down, next_permits, pool, stack

from ..samples import never_touched
from .random_games import playing, whole_game
from .sample import FULLEST, GAMES, PERMITS, states
from .table import BOX

BRIBES = [laid for number in range(1, 5) for laid in combinations_with_replacement(card_kinds(BOX), number)]
PARTS: dict[str, Any] = {
    "city": range(15),
    "token": FULLEST.tokens,
    "council": range(4),
    "place": range(6),
    "colour": BOX.councillors.colours,
    "permit": PERMITS,
    "region": range(3),
    "cards": BRIBES,
    "tile": BOX.bonus_tiles,
    "unused": range(2),
}


def everything(seat: int) -> Iterator[Move]:
    """All acts of a seat, of chance and of the table, done as they should be done."""
    for kind in Move.__args__:  # type: ignore[attr-defined]
        names = [name for name in kind.__struct_fields__ if name in PARTS]
        for values in product(*(PARTS[name] for name in names)):
            parts = dict(zip(names, values, strict=True))
            yield kind(**parts, seat=seat) if "seat" in kind.__struct_fields__ else kind(**parts)


@given(states)
@settings(max_examples=30, deadline=None)
def test_of_all_acts_that_there_are_exactly_the_listed_ones_break_no_rule(state: State) -> None:
    assert {act for act in everything(state.turn) if not GAME.check(state, act)} == set(GAME.moves(state))


@given(states)
@settings(max_examples=300, deadline=None)
def test_gold_assistants_and_emporiums_stay_within_what_there_is(state: State) -> None:
    assert all(0 <= gold <= 20 for gold in state.gold)
    assert all(0 <= field <= 20 for field in state.nobility)
    assert min(state.points) >= 0
    assert min(state.assistants) >= 0
    assert sum(state.assistants) + state.supply == 48
    assert state.supply >= 0
    for seat in range(state.players):
        assert 0 <= state.built(seat) <= 10
    colours = (1 << state.players) - 1 | (NEUTRAL | NEUTRAL << 1 if state.players == 2 else 0)
    assert all(bits & ~colours == 0 for bits in state.emporiums)


@given(states)
@settings(max_examples=300, deadline=None)
def test_no_card_is_lost_or_made(state: State) -> None:
    assert state.deck + sum(state.hands) + state.discards == 90
    assert min(state.deck, *state.hands) >= 0
    assert 0 <= len(state.bribe) <= 4


@given(states)
@settings(max_examples=300, deadline=None)
def test_no_councillor_is_lost_or_made(state: State) -> None:
    sitting = Counter(colour for council in state.councils for colour in council if colour)
    assert sitting + pool(state.box, state.councils) == Counter(dict.fromkeys(state.box.councillors.colours, 4))


@given(states)
@settings(max_examples=300, deadline=None)
def test_each_permit_is_in_exactly_one_place(state: State) -> None:
    owned = [permit for mine in (*state.permits, *state.used) for permit in mine]
    stacks = [permit for region in range(len(REGIONS)) for permit in stack(state, region)]
    known = [permit for region in range(len(REGIONS)) for permit in permits_of(state.box, region)]
    assert sorted([*owned, *filter(None, state.offers), *stacks]) == sorted(known)
    for region in range(len(REGIONS)):
        out = [permit for permit in (*owned, *state.offers) if permit in permits_of(state.box, region)]
        assert len(out) + face_down(state, region) == len(permits_of(BOX, region)), "as many as there ever are"
    for region in range(len(REGIONS)):
        below = [permit for group in state.below[region] for permit in group]
        assert len(set(below)) == len(below)
        assert set(below) <= set(stack(state, region))
        assert bool(next_permits(state, region)) == bool(face_down(state, region))
        assert all(not permit or permit in permits_of(state.box, region) for permit in state.offers[2 * region :][:2])


@given(states)
@settings(max_examples=150, deadline=None)
def test_tokens_tiles_and_rewards_are_those_of_the_box(state: State) -> None:
    lying = Counter(token for token in state.tokens if token)
    assert not lying - token_numbers(state.box)
    assert state.tokens[state.map.purple] == ""
    tiles = [tile for tile, _ in state.bonuses]
    assert len(set(tiles)) == len(tiles)
    for tile, owner in state.bonuses:
        assert all(state.owns(owner, city) for city in state.map.sets[tile])
    assert len(state.rewards) <= 5


def test_the_last_state_of_every_game_has_a_winner_with_a_reason() -> None:
    for seed in range(GAMES):
        sheet = GAME.score(whole_game(seed)[-1])
        best = max(seat.total for seat in sheet.seats)
        assert sheet.winners
        assert all(sheet.seats[winner].total == best for winner in sheet.winners)
        assert sheet.because[0].rule == ("end.winner" if sheet.winner is not None else "end.shared")


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those for empty supplies, and those that only show when they are broken."""
    assert never_touched(GAME, map(playing, range(120))) == set()
