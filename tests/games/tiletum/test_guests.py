"""Gast: the offer, rooms, roofs, and the markers of finished buildings."""

from __future__ import annotations

from companion.games.tiletum import GAME
from companion.games.tiletum.components import all_guests
from companion.games.tiletum.moves import (
    EndTurn,
    Gather,
    Lodge,
    OfferGuest,
    PutMarker,
    SweepGuests,
    TakeDie,
    TakeGuest,
    TakeTile,
)
from companion.games.tiletum.state import guest_stack, houses_in_stock
from companion.kernel.rules import changed

from .table import (
    BOX,
    CONTRACT,
    CROWN,
    GUEST,
    GUESTS,
    JOKER,
    MERCHANT,
    RED,
    acting,
    breach,
    broken_rules,
    deviation,
    note,
    played,
    replace,
    table,
    told_rules,
    with_crests,
    with_rooms,
    with_warehouse,
)

ABBOT, BANKER, CAPTAIN = GUESTS[:3]


def test_guest_take__a_point_for_each() -> None:
    state = acting(GUEST, 2)
    assert note(state, TakeGuest(RED, 1), "guest.take").facts == {"seat": "red", "guest": BANKER}
    after = played(state, TakeGuest(RED, 1))
    assert (after.warehouse[RED], after.guests[1], after.ap[GUEST]) == ((BANKER,), "", 1)
    assert breach(after, TakeGuest(RED, 1), "guest.take").facts == {"place": 2}


def test_guest_refill__at_once() -> None:
    state = played(acting(GUEST, 2), TakeGuest(RED, 1))
    assert GAME.actor(state) == "chance"
    assert broken_rules(state, TakeGuest(RED, 0)) == {"guest.refill"}
    assert broken_rules(state, SweepGuests(RED)) == {"guest.refill"}
    assert note(state, OfferGuest(1, "friar architectstep2"), "guest.refill").facts == {"guest": "friar architectstep2"}
    assert broken_rules(played(state, OfferGuest(1, "friar architectstep2")), TakeGuest(RED, 0)) == set()


def test_guest_none_left__places_stay_empty() -> None:
    state = acting(GUEST, 3)
    others = tuple(guest for guest in all_guests(BOX) if guest not in GUESTS)
    rooms = changed(state.rooms, 1, (others,))
    state = replace(state, rooms=rooms)
    assert guest_stack(state) == ()
    assert "guest.none-left" in told_rules(state, TakeGuest(RED, 0))
    after = played(state, TakeGuest(RED, 0))
    assert GAME.actor(after) == RED
    assert broken_rules(after, TakeGuest(RED, 1)) == set()


def test_guest_sweep__all_go_and_others_come() -> None:
    state = acting(GUEST, 1)
    assert note(state, SweepGuests(RED), "guest.sweep").facts == {"seat": "red", "guests": 5}
    after = played(state, SweepGuests(RED))
    assert (after.guests, after.aside) == (("",) * 5, GUESTS)
    assert broken_rules(after, OfferGuest(0, ABBOT)) == {"setup.once"}
    empty = replace(state, guests=("",) * 5)
    assert "guest.sweep" in broken_rules(empty, SweepGuests(RED))


def test_guest_mixed_back__when_the_offer_is_full_again() -> None:
    state = played(acting(GUEST, 1), SweepGuests(RED))
    for place in range(4):
        state = played(state, OfferGuest(place, guest_stack(state)[0]))
    last = OfferGuest(4, guest_stack(state)[0])
    assert note(state, last, "guest.mixed-back").facts == {"guests": 5}
    assert ABBOT in guest_stack(played(state, last))


def test_guest_too_few__those_put_aside_come_back_earlier() -> None:
    state = acting(GUEST, 1)
    others = tuple(guest for guest in all_guests(BOX) if guest not in GUESTS)
    state = replace(state, rooms=changed(state.rooms, 1, (others[:-1],)))
    state = played(state, SweepGuests(RED), OfferGuest(0, others[-1]))
    assert note(state, OfferGuest(1, ABBOT), "guest.too-few").facts == {"guests": 5}
    assert played(state, OfferGuest(1, ABBOT)).aside == ()


def test_guest_lodge__as_many_points_as_the_floor() -> None:
    state = with_warehouse(acting(GUEST, 3), RED, CAPTAIN)
    facts = {"seat": "red", "guest": CAPTAIN, "building": 1, "floor": 3, "points": 3}
    assert note(state, Lodge(RED, CAPTAIN, 0, 3), "guest.lodge").facts == facts
    after = played(state, Lodge(RED, CAPTAIN, 0, 3))
    assert (after.rooms[RED][0], after.warehouse[RED], after.ap[GUEST]) == (("", "", CAPTAIN), (), 0)
    assert broken_rules(acting(GUEST, 3), Lodge(RED, CAPTAIN, 0, 3)) == {"warehouse.own"}


def test_guest_room__it_must_be_there_and_free() -> None:
    state = with_rooms(with_warehouse(acting(GUEST, 3), RED, CAPTAIN), RED, 0, ABBOT)
    facts = {"seat": "red", "building": 1, "floor": 1}
    assert breach(state, Lodge(RED, CAPTAIN, 0, 1), "guest.room").facts == facts
    assert broken_rules(state, Lodge(RED, CAPTAIN, 5, 2)) == {"guest.room"}
    assert broken_rules(state, Lodge(RED, CAPTAIN, 6, 1)) == {"guest.room"}


def test_guest_same__all_of_one_kind_in_one_building() -> None:
    state = with_rooms(with_warehouse(acting(GUEST, 3), RED, "captain points3"), RED, 0, CAPTAIN)
    facts = {"seat": "red", "character": "captain", "building": 1}
    assert breach(state, Lodge(RED, "captain points3", 1, 1), "guest.same").facts == facts
    assert note(state, Lodge(RED, "captain points3", 0, 2), "guest.same").facts == facts
    assert {move.building for move in GAME.moves(state) if isinstance(move, Lodge)} == {0}


def test_guest_same__different_guests_may_share_a_building() -> None:
    state = with_rooms(with_warehouse(acting(GUEST, 3), RED, CAPTAIN), RED, 0, ABBOT)
    assert broken_rules(state, Lodge(RED, CAPTAIN, 0, 2)) == set()


def test_guest_bonus__comes_at_once() -> None:
    state = with_warehouse(acting(GUEST, 3), RED, CAPTAIN, "captain points3")
    assert note(state, Lodge(RED, CAPTAIN, 0, 1), "guest.bonus").facts == {"seat": "red", "guest": CAPTAIN}
    after = played(state, Lodge(RED, CAPTAIN, 0, 1))
    assert after.free == (0, 2, 0, 0, 0, 0)
    assert played(state, Lodge(RED, "captain points3", 0, 1)).points[RED] == 3
    assert broken_rules(state, Lodge(RED, "captain points3", 0, 1, deviation(wool=1))) == {"guest.bonus"}


def test_guest_roof__the_house_comes_into_the_stock() -> None:
    state = with_warehouse(acting(GUEST, 3), RED, CAPTAIN)
    assert note(state, Lodge(RED, CAPTAIN, 3, 1), "guest.roof").facts == {"seat": "red", "building": 4}
    assert houses_in_stock(played(state, Lodge(RED, CAPTAIN, 3, 1)), RED) == 3
    assert "guest.roof" not in told_rules(state, Lodge(RED, CAPTAIN, 0, 1))
    assert "guest.roof" not in told_rules(state, Lodge(RED, CAPTAIN, 5, 1))


def test_guest_marker__lies_beside_the_section_of_the_guest() -> None:
    state = with_crests(with_rooms(acting(GUEST, 0, leave_tile=True), RED, 3, CAPTAIN), RED, 3)
    facts = {"seat": "red", "building": 4, "points": 1, "section": "merchant"}
    assert note(state, PutMarker(RED, 3, MERCHANT), "guest.marker").facts == facts
    assert breach(state, EndTurn(RED), "guest.marker").facts == {"seat": "red"}
    after = played(state, PutMarker(RED, 3, MERCHANT))
    assert after.markers[RED][3] == MERCHANT
    assert broken_rules(after, EndTurn(RED)) == set()


def test_guest_marker__one_earned_in_the_middle_of_an_action_counts_at_once_but_for_a_house_rule() -> None:
    for at_once, points in ((False, 0), (True, 1)):
        state = acting(MERCHANT, 0, marker_at_once=at_once)
        state = with_crests(with_rooms(state, RED, 3, CAPTAIN), RED, 3)
        assert played(state, PutMarker(RED, 3, MERCHANT)).ap[MERCHANT] == points


def test_guest_marker__laid_between_tile_and_goods_it_counts_once() -> None:
    state = played(table(marker_at_once=True), TakeDie(RED, "pink", 2), TakeTile(RED, MERCHANT))
    state = with_crests(with_rooms(state, RED, 3, CAPTAIN), RED, 3)
    assert played(state, PutMarker(RED, 3, MERCHANT), Gather(RED, "food")).ap[MERCHANT] == 5 + 1


def test_guest_marker__the_sixth_building_has_none() -> None:
    state = with_crests(with_rooms(acting(GUEST, 0, leave_tile=True), RED, 5, CAPTAIN), RED, 5)
    assert broken_rules(state, PutMarker(RED, 5, MERCHANT)) == {"guest.finished"}
    assert broken_rules(state, EndTurn(RED)) == set()


def test_guest_section__in_a_mixed_building_one_chooses() -> None:
    state = with_crests(with_rooms(acting(GUEST, 0), RED, 1, ABBOT, BANKER), RED, 1)
    assert {move.section for move in GAME.moves(state) if isinstance(move, PutMarker)} == {CROWN, CONTRACT}
    facts = {"seat": "red", "building": 2, "section": "crown"}
    assert note(state, PutMarker(RED, 1, CROWN), "guest.section").facts == facts
    assert breach(state, PutMarker(RED, 1, JOKER), "guest.section").facts == {"section": "joker", "building": 2}


def test_guest_finished__guests_and_crest_are_needed() -> None:
    state = with_rooms(acting(GUEST, 0), RED, 3, CAPTAIN)
    assert breach(state, PutMarker(RED, 3, MERCHANT), "guest.finished").facts == {"seat": "red", "building": 4}
    assert broken_rules(with_crests(acting(GUEST, 0), RED, 3), PutMarker(RED, 3, MERCHANT)) == {"guest.finished"}
