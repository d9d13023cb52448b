"""Every route with every role: allowed roles get an answer, others a refusal that changes nothing."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.web.browser import HOST, refusal
from tests.web.conftest import PIN, Place
from tests.web.table_backend import JPEG
from web.app import POLICY, all_routes

ROLES = ("host", "seat", "watcher", "nobody")
LOOKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "/": ("/", ROLES),
    "/tv": ("/tv", ROLES),
    "/static/<path:name>": ("/static/pages/table.js", ROLES),
    "/manifest.webmanifest": ("/manifest.webmanifest", ROLES),
    "/sw.js": ("/sw.js", ROLES),
    "/words/<language>.json": ("/words/de.json", ROLES),
    "/qr.svg": ("/qr.svg", ROLES),
    "/api/address": ("/api/address", ROLES),
    "/healthz": ("/healthz", ROLES),
    "/api/me": ("/api/me", ROLES),
    "/api/standing": ("/api/standing", ROLES),
    "/api/events": ("/api/events", ROLES),
    "/api/clock": ("/api/clock", ROLES),
    "/api/raid": ("/api/raid", ROLES),
    "/api/acts": ("/api/acts", ROLES),
    "/api/rules": ("/api/rules", ROLES),
    "/api/choices": ("/api/choices?chosen=[%22a%22]", ROLES),
    "/api/alternatives/<number:number>": ("/api/alternatives/1", ROLES),
    "/api/history": ("/api/history?before=9&count=3", ROLES),
    "/picture/<journal>/<number:number>.jpg": ("/picture/this/1.jpg", ROLES),
    "/api/pictures/<journal>": ("/api/pictures/this?event=1", ROLES),
    "/api/scores": ("/api/scores", ROLES),
    "/export/<name>": ("/export/scores.csv?lang=en", ROLES),
    "/export/box/<name>": ("/export/box/tumult_royale", ROLES),
    "/api/about": ("/api/about?zone=disc&spot=2", ROLES),
    "/api/layout": ("/api/layout", ROLES),
    "/api/setup": ("/api/setup", ROLES),
    "/api/health": ("/api/health", ROLES),
    "/api/hosts": ("/api/hosts", ("host",)),
    "/api/camera": ("/api/camera", ROLES),
    "/camera.jpg": ("/camera.jpg?overlay=1&zone=disc", ("host", "seat", "watcher")),
    "/api/demo": ("/api/demo", ROLES),
}
ACTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "/api/join": ({"seat": 1, "name": "Bob"}, ROLES),
    "/api/leave": ({}, ROLES),
    "/api/host": ({"pin": PIN}, ROLES),
    "/api/host/leave": ({}, ("host",)),
    "/api/hosts/remove": ({"id": "0123456789ab"}, ("host",)),
    "/api/pin": ({}, ("host",)),
    "/api/seats/free": ({"seat": 0}, ("host",)),
    "/api/command": ({"id": "12345678", "kind": "put_right", "body": {}}, ("host", "seat")),
    "/api/raid": ({"act": "ready"}, ("host", "seat")),
    "/api/box": ({"game": "tumult_royale", "fact": "tiles", "value": [1, 2]}, ("host",)),
    "/api/sketch": ({"game": "tumult_royale", "sketch": "map", "value": {}, "keep": True}, ("host",)),
    "/api/box/import": ({"game": "tumult_royale", "file": {"file": "x"}, "instead": True}, ("host",)),
    "/api/camera/corners": ({"points": [[0, 0], [1, 0], [1, 1], [0, 1]]}, ("host",)),
    "/api/camera/teach": ({"zone": "disc", "cell": None, "x": 1.5, "y": 2, "label": "arrow"}, ("host",)),
    "/api/demo": ({"act": "go"}, ("host", "seat")),
}


class FakeDemo:
    """What a demo lets people do."""

    def __init__(self) -> None:
        self.acts: list[str] = []

    def state(self) -> dict[str, Any]:
        return {"acts": list(self.acts)}

    def act(self, name: str) -> None:
        self.acts.append(name)


@pytest.fixture
def demo(place: Place) -> Iterator[FakeDemo]:
    place.backend.demo = FakeDemo()
    yield place.backend.demo
    place.backend.demo = None


def test_every_route_is_tried_here(place: Place) -> None:
    routes = all_routes(place.dashboard)
    assert {route.path for route in routes if route.method == "GET"} == set(LOOKS)
    assert {route.path for route in routes if route.method == "POST"} == set(ACTS)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", LOOKS)
def test_who_may_look(place: Place, demo: FakeDemo, path: str, role: str) -> None:
    asked, may = LOOKS[path]
    answer = place.phone(role).get(asked)
    if role in may:
        assert answer.status_code == 200
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    else:
        assert answer.status_code == 403
        assert refusal(answer) == ("host_only" if may == ("host",) else "join_first")
    answer.close()
    assert place.backend.done == []
    assert place.backend.asked == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", ACTS)
def test_who_may_act(place: Place, demo: FakeDemo, path: str, role: str) -> None:
    body, may = ACTS[path]
    phone = place.phone(role)
    before = dict(place.phones._phones)
    answer = phone.post(path, body)
    if role in may:
        assert answer.status_code == 200, answer.data
        return
    assert answer.status_code == 403
    assert refusal(answer) in ("host_only", "seat_only")
    assert (place.backend.done, place.backend.asked, demo.acts) == ([], [], [])
    assert place.phones._phones == before


# Commands

BY_SEATS = ("move", "learn", "answer", "undo", "redo", "correct", "put_right", "dismiss")
BY_THE_HOST = ("take_it", "ignore", "watch", "join", "begin")


@pytest.mark.parametrize("kind", BY_SEATS + BY_THE_HOST)
@pytest.mark.parametrize("role", ROLES)
def test_who_may_tell_the_table_what(place: Place, kind: str, role: str) -> None:
    answer = place.phone(role, seat=1).post("/api/command", {"id": "12345678", "kind": kind, "body": {"seat": 0}})
    if role == "host" or (role == "seat" and kind in BY_SEATS):
        assert answer.status_code in (200, 409), answer.data  # the table has the last word
        (command,) = place.backend.asked
        assert (command.kind, command.body) == (kind, {"seat": 0})
        assert command.seat == (None if role == "host" else 1)
    else:
        assert answer.status_code == 403
        assert place.backend.asked == []


def test_whose_command_it_is_says_the_phone_and_never_the_request(place: Place) -> None:
    answer = place.phone("seat", seat=1).post("/api/command", {"id": "12345678", "kind": "undo", "seat": 0})
    assert answer.status_code == 400
    assert refusal(answer) == "not_understood"
    assert place.backend.asked == []


def test_a_host_who_sits_tells_all_moves_and_only_the_own_ones_as_a_seat(place: Place) -> None:
    phone = place.phone("host")
    phone.post("/api/join", {"seat": 1, "name": "Ada"})
    for seat in (0, 1, None):
        phone.post("/api/command", {"id": f"12345678{seat}", "kind": "move", "body": {"move": {"seat": seat}}})
    assert [command.seat for command in place.backend.asked] == [None, 1, None]
    assert phone.json("/api/choices")["seat"] is None
    assert place.phone("seat", seat=0).json("/api/choices")["seat"] == 0


def test_what_the_table_refuses_is_said_in_its_own_words(place: Place) -> None:
    answer = place.phone("host").post("/api/command", {"id": "12345678", "kind": "undo"})
    assert answer.status_code == 409
    assert refusal(answer) == "nothing_to_undo"
    assert refusal(place.phone("seat").post("/api/raid", {"act": "start"})) == "not_ready"


def test_a_move_is_taken_and_answered_with_its_number(place: Place) -> None:
    opened = place.backend.game_thread.opened
    assert opened is not None
    move = msgspec.to_builtins(next(iter(opened.game.moves(opened.table.state))))
    phone = place.phone("host")
    order = {"id": "1234-5678", "kind": "move", "body": {"move": move}}
    answer = phone.post("/api/command", order)
    assert answer.status_code == 200, answer.data
    number = msgspec.json.decode(answer.data)["number"]
    assert number == place.backend.snapshot().number > 0
    events = place.backend.events()
    phone.post("/api/command", order)
    assert place.backend.events() == events


# Joining


def test_a_phone_joins_leaves_and_comes_back(place: Place) -> None:
    ada, bob = place.browser(), place.browser()
    assert ada.json("/api/me")["role"] == "nobody"
    me = msgspec.json.decode(ada.post("/api/join", {"seat": 0, "name": "  Ada \u202e\n Lovelace"}).data)
    assert (me["role"], me["seat"], me["name"]) == ("seat", 0, "Ada Lovelace")
    taken = bob.post("/api/join", {"seat": 0, "name": "Bob"})
    assert taken.status_code == 409
    assert "Ada Lovelace" in msgspec.json.decode(taken.data)["says"]["en"]
    assert refusal(bob.post("/api/join", {"seat": 2, "name": "Bob"})) == "no_such_seat"
    assert bob.post("/api/join", {"seat": None}).status_code == 200
    assert bob.json("/api/me")["role"] == "watcher"
    assert ada.post("/api/leave").status_code == 200
    assert bob.post("/api/join", {"seat": 0, "name": "Bob"}).status_code == 200


def test_the_host_needs_the_pin_keeps_it_over_a_seat_and_gives_it_back(place: Place) -> None:
    phone = place.browser()
    assert refusal(phone.post("/api/host", {"pin": "000000"})) == "wrong_pin"
    assert phone.json("/api/me")["host"] is False
    assert phone.post("/api/host", {"pin": PIN}).status_code == 200
    phone.post("/api/join", {"seat": 0, "name": "Ada"})
    me = phone.json("/api/me")
    assert (me["role"], me["seat"], me["host"]) == ("host", 0, True)
    phone.post("/api/host/leave")
    assert phone.json("/api/me")["role"] == "seat"


# What everybody gets


def test_the_first_visit_brings_a_cookie_that_scripts_and_other_sites_never_see(place: Place) -> None:
    browser = place.browser()
    assert "Set-Cookie" not in browser.get("/api/me").headers  # it has one
    fresh = place.app.test_client().get("/api/me", base_url=f"http://{HOST}")
    cookie = fresh.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/" in cookie
    assert len(cookie.partition("=")[2].partition(";")[0]) == 43
    # A link from elsewhere comes without the cookie there is, and must not replace it.
    assert "Set-Cookie" not in browser.get("/").headers


@pytest.mark.parametrize("path", ["/", "/api/me", "/static/app.js", "/nowhere"])
def test_every_answer_forbids_scripts_styles_and_frames_from_elsewhere(place: Place, path: str) -> None:
    answer = place.browser().get(path)
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_files_are_squeezed_kept_for_ever_by_their_content_and_asked_for_again_otherwise(place: Place) -> None:
    browser = place.browser()
    shell = browser.get("/", **{"Accept-Language": "de-AT,de;q=0.9"}).get_data(as_text=True)
    assert '<html lang="de" data-page="">' in shell
    assert 'data-page="tv"' in browser.get("/tv").get_data(as_text=True)
    versioned = browser.get(shell.partition(">")[2], **{"Accept-Encoding": "gzip, br"})
    assert "immutable" in versioned.headers["Cache-Control"]
    assert versioned.headers["Content-Encoding"] == "gzip"
    plain = browser.get("/static/app.js")
    assert plain.headers["Cache-Control"] == "no-cache"
    assert len(versioned.data) < len(plain.data) / 5
    assert browser.get("/static/app.js", **{"If-None-Match": plain.headers["ETag"]}).status_code == 304
    assert browser.get("/static/app.js?v=other").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../web/phones.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static//etc/passwd",
        "/static/pages",
        "/static/",
        "/static/index.html",
        "/static/app.js%00.png",
        "/words/../refused.toml",
        "/words/fr.json",
        "/export/../pin",
        "/pin",
        "/phones.json",
    ],
)
def test_no_address_leads_to_the_file_system(place: Place, path: str) -> None:
    answer = place.browser().get(path)
    assert answer.status_code == 404
    assert refusal(answer) == "not_here"


def test_pictures_exports_and_what_is_not_there(place: Place) -> None:
    phone = place.phone("watcher")
    assert phone.get("/picture/this/1.jpg").data == JPEG
    assert refusal(phone.get("/picture/this/2.jpg")) == "no_picture"
    assert refusal(phone.get("/picture/another/1.jpg")) == "no_picture"
    assert refusal(phone.get("/camera.jpg?zone=moon")) == "no_picture"
    assert phone.get("/export/game.json").headers["Content-Disposition"] == "attachment; filename=game.json"
    page = phone.get("/export/page.html?lang=en")
    assert page.data == b"page en"
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "sandbox" in page.headers["Content-Security-Policy"]
    assert refusal(phone.get("/export/game.exe")) == "not_here"
    assert refusal(phone.get("/api/alternatives/7")) == "no_event"
    assert refusal(phone.get("/api/demo")) == "no_demo"


def test_the_qr_code_leads_where_the_page_was_found_or_to_the_network(place: Place) -> None:
    from web import address

    client = place.app.test_client()
    svg = client.get("/qr.svg", base_url="http://companion.local:8080").data
    assert svg == address.qr_svg("http://companion.local:8080/")
    assert client.get("/qr.svg", base_url="http://localhost:8080").data == address.qr_svg("http://192.168.1.7:8080/")


def test_debug_mode_cannot_be_switched_on(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from web.app import make_app

    monkeypatch.setenv("FLASK_DEBUG", "1")
    assert make_app(place.dashboard).debug is False


def test_who_asks_how_things_stand_is_told_the_latest_though_no_stream_has_heard_of_it(place: Place) -> None:
    phone = place.browser().arrive()
    number = place.backend.play()
    assert phone.json("/api/standing")["number"] == number > 0


def test_a_long_answer_is_squeezed_for_who_takes_that(place: Place) -> None:
    for _ in range(30):
        place.backend.play()
    browser = place.phone("watcher")
    whole = browser.get("/api/standing")
    assert len(whole.data) > 2000
    assert "Content-Encoding" not in whole.headers
    small = browser.get("/api/standing", **{"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    assert len(small.data) < len(whole.data) / 2
    assert msgspec.json.decode(gzip.decompress(small.data))["table"] == msgspec.json.decode(whole.data)["table"]
    words = browser.get("/words/de.json", **{"Accept-Encoding": "gzip"})  # squeezed once, when it was loaded
    assert msgspec.json.decode(gzip.decompress(words.data))["app.close"] == "Schließen"
    assert "Content-Encoding" not in browser.get("/api/me", **{"Accept-Encoding": "gzip"}).headers
