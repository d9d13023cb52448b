"""What people are told about permits and cities, and what is drawn as connected."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import PERMIT_PLACES, letters
from companion.games.council_of_four.moves import Build
from companion.games.council_of_four.state import State
from companion.kernel.capabilities import Link
from companion.kernel.catalogue import LANGUAGES, Speaker

from ..samples import games_by_chance
from .random_games import whole_game
from .table import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    city,
    has,
    played,
    table,
    with_emporiums,
    with_offers,
    with_permits,
    with_tokens,
)

GUIDE = GAME.guide
GERMAN, ENGLISH = (Speaker(GAME.catalogue, language, {"red": "Ada"}) for language in LANGUAGES)


def told(state: State, zone: str, spot: str = "", seat: int | None = RED) -> list[str]:
    return [ENGLISH.about(remark) for remark in GUIDE.about(state, zone, spot, seat)]


def test_an_open_permit_tells_its_cities_its_bonus_and_where_one_could_build() -> None:
    state = with_tokens(with_offers(table(), "AB", "C", "F", "G", "K", "L"), A="gold1", B="cards1")
    assert told(state, "permits", "coast 1") == [
        "A permit for Arkon, Burgen. It brings 3 gold and 1 card.",
        "Ada would get for an emporium in Arkon: 1 gold.",
        "Ada would get for an emporium in Burgen: 1 card.",
    ]


def test_it_tells_the_rewards_of_connected_cities_of_ones_own() -> None:
    state = with_tokens(with_emporiums(table(), RED, "BD"), A="gold1", B="gold2", D="points3")
    state = with_permits(state, RED, "A")
    assert told(state, "permits red", "permit A")[1:] == [
        "Ada would get for an emporium in Arkon: 3 gold and 3 points.",
        "That comes from Arkon, Burgen, Dorful.",
    ]
    after = played(has(state, RED, gold=0, points=0), Build(RED, "A", city("A")))
    assert (after.gold[RED], after.points[RED]) == (3, 3), "the rules say the same"


def test_it_tells_the_price_and_why_a_seat_cannot_build() -> None:
    state = with_permits(with_emporiums(with_emporiums(table(), YELLOW, "AC"), GREEN, "C"), RED, "A")
    state = has(state, RED, assistants=1)
    assert told(state, "city A")[-1].endswith("It costs 1 assistant.")
    assert told(state, "city C")[-1] == "Ada cannot build in Castrum: it costs 2 assistants, Ada has only 1."
    built = with_emporiums(state, RED, "A")
    assert told(built, "permits red", "permit A")[1:] == ["Ada has built in Arkon already."]
    full = with_emporiums(state, RED, "BCDEFGHIJK")
    assert told(full, "permits red", "permit A")[1:] == ["Ada has already built all emporiums."]


def test_permits_in_front_of_a_seat_are_told_for_their_owner() -> None:
    state = with_permits(table(), BLUE, "K")
    assert told(state, "permits blue", "permit K")[1].startswith("Blue would get")


def test_an_onlooker_is_told_for_the_seat_that_is_to_act() -> None:
    state = replace(table(), turn=GREEN)
    assert told(state, "permits", "coast 1", None) == told(state, "permits", "coast 1", GREEN)


def test_a_city_tells_its_token_and_the_chain_of_everybody() -> None:
    state = with_tokens(with_emporiums(with_emporiums(table(), RED, "AB"), YELLOW, "A"), A="gold1", B="cards1_points1")
    assert told(state, "city A") == [
        "An emporium in Arkon brings 1 gold.",
        "Ada has connected: Arkon, Burgen. Building on to these brings Ada once more: 1 gold, 1 point and 1 card.",
        "Yellow has an emporium here that is connected with no other.",
    ]
    assert told(state, "tokens", "A") == told(state, "city A")
    assert told(state, "city J")[0] == "No reward token lies in Juvelar."


def test_what_is_connected_is_linked_for_its_seat_only() -> None:
    state = with_emporiums(with_emporiums(table(), RED, "ABO"), YELLOW, "B")
    assert GUIDE.links(state) == (Link("city A", "city B", RED),)
    both = with_emporiums(state, YELLOW, "A")
    assert GUIDE.links(both) == (Link("city A", "city B", RED), Link("city A", "city B", YELLOW))


@pytest.mark.parametrize(
    ("zone", "spot"),
    [("", ""), ("permits", ""), ("permits", "moon 1"), ("permits pink", "permit A"), ("permits red", "permit XY"),
     ("permits red", "used"), ("city Z", ""), ("city", ""), ("tokens", ""), ("gold", "red"), ("tokens", "city A")],
)  # fmt: skip
def test_where_there_is_nothing_to_say_nothing_is_said(zone: str, spot: str) -> None:
    assert told(table(), zone, spot) == []
    assert told(table(), zone, spot, 99) == []


@given(games_by_chance(20), st.integers(0, 999), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_every_sentence_is_whole_in_both_languages(seed: int, index: int, seat: int) -> None:
    states = whole_game(seed)
    state = states[index % len(states)]
    zones = [("permits", place) for place in PERMIT_PLACES]
    zones += [(f"city {letter}", "") for letter in letters(state.box)]
    for owner, mine in zip(state.seats, state.permits, strict=True):
        zones += [(f"permits {owner.colour}", f"permit {permit}") for permit in mine]
    for (zone, spot), speaker in product(zones, (GERMAN, ENGLISH)):
        for remark in GUIDE.about(state, zone, spot, seat % state.players):
            said = speaker.about(remark)
            assert said.endswith(".")
            assert "{" not in said
            assert not any(word in said for word in ("_", "gold1", "cards1"))
