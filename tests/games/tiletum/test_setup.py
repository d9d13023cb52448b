"""Spielaufbau: what lies where before the first round, and what chance lays out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    EndTurn,
    LayOut,
    OfferContract,
    OfferGuest,
    PutCost,
    PutFair,
    PutTile,
    PutVenue,
    TakeDie,
)
from companion.games.tiletum.state import (
    HIDDEN,
    NO_SEAT,
    houses_in_stock,
    pillars_in_stock,
    tile_stack,
)
from companion.kernel.game import BadSetup
from companion.kernel.rules import Seat

from .table import (
    BOX,
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    breach,
    broken_rules,
    city,
    laid_out,
    lots,
    note,
    notes,
    opened,
    owns,
    played,
    ready,
    replace,
    told_rules,
)


@pytest.mark.parametrize(
    ("colours", "options", "complaint"),
    [
        (("red",), {}, "2 to 4 players, not 1"),
        (("red", "green", "orange", "purple", "red"), {}, "2 to 4 players, not 5"),
        (("red", "red"), {}, "both play red"),
        (("red", "pink"), {}, "colour pink; choose from red"),
        (("red", "green"), {"first": 2}, "must be one of the seats 0 to 1"),
        (("red", "green"), {"favours": "two"}, "cannot be used"),
    ],
)
def test_setup_players__two_to_four_with_colours_of_their_own(
    colours: tuple[str, ...], options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(BadSetup, match=complaint):
        GAME.setup(BOX, tuple(map(Seat, colours)), options)


def test_setup_players__nobody_sits_at_the_fourth_place_of_three() -> None:
    state = replace(ready(3), phase="turn")
    assert breach(state, EndTurn(3), "setup.players").facts == {"seat": 4, "players": 3}
    assert broken_rules(state, EndTurn(-1)) == {"setup.players"}


def test_setup_pieces__everybody_begins_at_home() -> None:
    state = opened(3)
    home = city("Tiletum")
    assert state.architects == state.merchants == (home,) * 3
    assert state.houses[home] == (RED, GREEN, ORANGE, NO_SEAT)
    assert [houses_in_stock(state, seat) for seat in range(3)] == [2, 2, 2]
    assert [pillars_in_stock(state, seat) for seat in range(3)] == [2, 2, 2]
    assert note(state, LayOut(), "setup.pieces").facts == {"city": "Tiletum", "houses": 8, "pillars": 7}


def test_setup_start__later_places_have_more_gold() -> None:
    state = opened(4, first=2)
    assert [owns(state, seat)["gold"] for seat in (ORANGE, PURPLE, RED, GREEN)] == [1, 3, 5, 6]
    assert all(owns(state, seat)[good] == 1 for seat in range(4) for good in ("food", "wool", "stone", "iron"))
    assert notes(state, LayOut(), "setup.start")[0] == {"seat": "orange", "gold": 1}


def test_setup_crown__the_first_player_lies_at_the_bottom() -> None:
    state = opened(3, first=1)
    assert state.crown == (0, 0, 0)
    assert state.stacked == state.order == (GREEN, ORANGE, RED)
    assert note(state, LayOut(), "setup.crown").facts == {"field": 0, "seats": ("green", "orange", "red")}


def test_setup_corruption__three_markers_lie_face_down() -> None:
    assert opened().corruption == (HIDDEN, HIDDEN, HIDDEN)
    assert note(opened(), LayOut(), "setup.corruption").facts == {"markers": 3}


def test_setup_venues__the_first_fair_is_at_home() -> None:
    state = laid_out()
    assert state.venues[0] == city("Tiletum")
    assert note(state, PutVenue(1, city("Paris")), "setup.venues").facts == {"round": 2, "city": "Paris"}
    after = played(state, PutVenue(1, city("Paris")))
    assert breach(after, PutVenue(2, city("Paris")), "setup.venues").facts == {"city": "Paris"}
    assert broken_rules(state, PutVenue(2, city("Köln"))) == {"setup.venues"}
    assert broken_rules(state, PutVenue(0, city("Paris"))) == {"setup.place"}


def test_setup_fairs__one_tile_for_each_round() -> None:
    state = laid_out()
    assert note(state, PutFair(0, "houses"), "setup.fairs").facts == {"round": 1, "fair": "fair houses"}
    assert played(state, PutFair(3, "crown")).fairs == ("", "", "", "crown")


def test_setup_costs__beside_every_cathedral() -> None:
    state = laid_out()
    paris = city("Paris")
    facts = {"city": "Paris", "cost": "cost stone3 points4"}
    assert note(state, PutCost(paris, "stone3 points4"), "setup.costs").facts == facts
    assert breach(state, PutCost(city("Venezia"), "stone3 points4"), "setup.costs").facts == {"city": "Venezia"}
    assert broken_rules(played(state, PutCost(paris, "stone3 points4")), PutCost(paris, "stone2 points2")) == {
        "setup.costs"
    }


def test_setup_tiles__at_the_wheel_at_the_track_and_in_cities() -> None:
    state = laid_out()
    assert note(state, PutTile("joker", "any2"), "setup.tiles").facts == {"where": "joker", "tile": "any2"}
    state = played(state, PutTile("joker", "any2"), PutTile("favour 1", "again"), PutTile("Praha", "points3"))
    assert (state.section_tiles[5], state.favours, state.city_tiles[city("Praha")]) == ("any2", ("again",), "points3")


def test_setup_tiles__three_at_the_kings_track_where_a_table_wants_it() -> None:
    assert len(opened().favours) == 1
    assert ready(favours="three").favours == ("any2", "again", "recolour")


def test_setup_contracts__five_lie_open() -> None:
    assert note(laid_out(), OfferContract(0, "wool3"), "setup.contracts").facts == {"contract": "wool3"}
    assert all(ready().contracts)


def test_setup_guests__five_lie_open() -> None:
    assert note(laid_out(), OfferGuest(4, "abbot crown2"), "setup.guests").facts == {"guest": "abbot crown2"}
    assert all(ready().guests)


def test_setup_once__nothing_lies_in_two_places() -> None:
    state = played(
        laid_out(),
        OfferGuest(0, "abbot crown2"),
        OfferContract(0, "wool3"),
        PutFair(0, "houses"),
        PutTile("joker", "again"),
        PutTile("crown", "again"),
        PutCost(city("Paris"), "stone2 points2"),
        PutCost(city("London"), "stone2 points2"),
    )
    assert breach(state, OfferGuest(1, "abbot crown2"), "setup.once").facts == {"tile": "abbot crown2"}
    assert broken_rules(state, OfferContract(1, "wool3")) == {"setup.once"}
    assert broken_rules(state, PutFair(1, "houses")) == {"setup.once"}
    assert broken_rules(state, PutTile("guest", "again")) == {"setup.once"}
    assert broken_rules(state, PutCost(city("Lyon"), "stone2 points2")) == {"setup.once"}


def test_setup_once__tiles_for_more_players_stay_in_the_box() -> None:
    assert broken_rules(laid_out(2), PutTile("joker", "crest griffin")) == {"setup.once"}
    assert broken_rules(laid_out(3), PutTile("joker", "crest griffin")) == set()
    assert len(tile_stack(laid_out(2))) == 42


@pytest.mark.parametrize("move", [OfferGuest(0, "envoy crown2"), OfferContract(0, "iron3"), PutFair(4, "houses")])
def test_setup_place__only_free_places(move: Any) -> None:
    state = played(laid_out(), OfferGuest(0, "abbot crown2"), OfferContract(0, "wool3"))
    assert broken_rules(state, move) == {"setup.place"}


def test_setup_tile_place__only_where_one_is_missing() -> None:
    state = played(laid_out(), PutTile("joker", "any2"))
    assert breach(state, PutTile("joker", "again"), "setup.tile-place").facts == {"where": "joker"}
    assert broken_rules(state, PutTile("Köln", "again")) == {"setup.tile-place"}
    assert broken_rules(state, PutTile("favour 2", "again")) == {"setup.tile-place"}


def test_turn_phases__nobody_takes_a_die_while_the_table_is_laid_out() -> None:
    move = TakeDie(RED, "yellow", 1)
    assert breach(laid_out(), move, "turn.phases").facts == {"act": "TakeDie", "now": "lots"}
    assert broken_rules(ready(), LayOut()) == {"turn.phases"}


def test_the_dice_are_rolled_when_the_last_lot_is_laid_out() -> None:
    state = laid_out()
    moves = lots(state)
    assert played(state, *moves[:-1]).phase == "lots"
    assert played(state, *moves).phase == "rolling"
    assert played(state, *reversed(moves)).phase == "rolling"
    assert "setup.guests" in told_rules(played(state, *moves[:-1]), moves[-1])
