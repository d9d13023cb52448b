"""The name that is typed on a phone is the player's name at the table; a new game asks for it again."""

from __future__ import annotations

import msgspec

from tests.companion.daemon.tiny import TWO
from tests.web.conftest import Place


def test_the_table_calls_a_player_as_the_phone_does(place: Place) -> None:
    phone = place.phone("seat")
    assert phone.post("/api/join", {"seat": 1, "name": "Ada"}).status_code == 200
    seats = phone.json("/api/standing")["table"]["seats"]
    assert seats[1]["name"] == "Ada"
    assert phone.post("/api/join", {"seat": 1, "name": ""}).status_code == 200
    assert phone.json("/api/standing")["table"]["seats"][1]["name"] == "Ada"


def test_after_a_new_game_nobody_has_a_seat_until_they_say_so(place: Place) -> None:
    ada, ben = place.phone("nobody"), place.phone("nobody")
    assert ada.post("/api/join", {"seat": 0, "name": "Ada"}).status_code == 200
    place.backend.game_thread.begin(msgspec.structs.replace(TWO, instead=True))
    assert ada.json("/api/me")["seat"] is None
    assert not any(seat["taken"] for seat in ada.json("/api/standing")["seats"])
    assert ben.post("/api/join", {"seat": 0, "name": "Ben"}).status_code == 200
    assert ada.post("/api/join", {"seat": 1, "name": "Ada"}).status_code == 200
    assert [seat["name"] for seat in ada.json("/api/standing")["table"]["seats"]][:2] == ["Ben", "Ada"]
