"""Ten thousand bad requests: malformed, oversized, replayed, out of role, all at once.

Each gets a clear no, nothing breaks, and nothing changes. The routes are those of the URL map: one that is added later
is tried without a change here.
"""

from __future__ import annotations

import logging
import random
import string
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from tests.companion.daemon.homes import Home
from tests.web.browser import HOST, Browser
from tests.web.conftest import Place
from tests.web.table_backend import TableBackend
from web.routes import Limit, RateLimits

REQUESTS = 10_000
THREADS = 4
LONGEST = 300.0
"""Seconds for which a busy machine is waited for."""
ROLES = ("host", "seat", "watcher", "nobody")
STRANGE = (
    "\x00", "\ud800", "../../etc/passwd", "%2e%2e", "<script>", "'; DROP TABLE", "🂡" * 50, "a" * 300, "", " ", "\u202e",
    "NaN", "-1", "9" * 30, "0x10", "null", "true", "[]", "{}", "é",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 99, 2**31, 2**53 + 1, 1e308, 0.5, "", "a", "x" * 5000, [], {}, [[]], {"a": {"b": []}},
    [None] * 100, {"de": "x"}, "\u0000", "🂡",
)  # fmt: skip
KEYS = ("seat", "name", "pin", "id", "kind", "body", "act", "game", "fact", "value", "points", "zone", "label", "cell",
        "x", "y", "host", "field", "answers", "move", "__class__", "role", "")  # fmt: skip


class Vandal:
    """One seeded stream of requests, with the phones of every role to send them from."""

    def __init__(self, place: Place, phones: dict[str, Browser], seed: str) -> None:
        self._phones, self._stranger = phones, Browser(place.app)
        self._rng = random.Random(seed)
        self._rules = [rule for rule in place.app.url_map.iter_rules() if rule.endpoint != "static"]
        self.heard: Counter[int] = Counter()
        self.wrong: list[str] = []

    def rage(self, times: int) -> None:
        for _ in range(times):
            way = self._rng.choice((self._garbled_look, self._garbled_act, self._out_of_role, self._from_elsewhere))
            asked, answer = way()
            self._judge(asked, answer)

    def _judge(self, asked: str, answer: TestResponse) -> None:
        self.heard[answer.status_code] += 1
        problem = ""
        if answer.status_code >= 500 or answer.status_code in (301, 302, 307, 308):
            problem = "broke"
        elif answer.status_code >= 400:
            problem = _unclear(answer)
        answer.close()
        if problem:
            self.wrong.append(f"{asked}: {answer.status_code} {problem} {answer.data[:200]!r}")

    # Ways to be a nuisance

    def _garbled_look(self) -> tuple[str, TestResponse]:
        rng, path = self._rng, self._path("GET")
        names = rng.choices(("chosen", "before", "count", "since", "zone", "lang", "v", "t"), k=rng.randint(0, 3))
        query = "&".join(f"{name}={self._text()}" for name in names)
        headers = {"Last-Event-ID": self._header(), "If-None-Match": self._header(), "Accept-Encoding": self._header()}
        sent = {name: value for name, value in headers.items() if rng.random() < 0.3}
        return f"GET {path}?{query}", self._someone().get(f"{path}?{query}", **sent)

    def _garbled_act(self) -> tuple[str, TestResponse]:
        """Rubbish in the body, from a phone that may do it."""
        path, body = self._path("POST"), self._body()
        return f"POST {path} {body[:80]!r}", self._someone().post(path, body)

    def _out_of_role(self) -> tuple[str, TestResponse]:
        """Something sensible, from a phone that may not do it."""
        role = self._rng.choice(("watcher", "nobody"))
        path = self._rng.choice(("/api/command", "/api/raid", "/api/seats/free", "/api/box", "/api/host/leave"))
        bodies = {
            "/api/command": {
                "id": "replayed-1",
                "kind": self._rng.choice(("undo", "begin", "take_it", "learn")),
                "body": {},
            },
            "/api/raid": {"act": "ready"},
            "/api/seats/free": {"seat": 0},
            "/api/box": {"game": "tumult_royale", "fact": "tiles", "value": 1},
            "/api/host/leave": {},
        }
        return f"{role} POST {path}", self._phones[role].post(path, bodies[path])

    def _from_elsewhere(self) -> tuple[str, TestResponse]:
        """A valid request from a foreign page, or with an intercepted token."""
        lie = self._rng.choice(
            (
                {"Origin": "http://evil.example"},
                {"X-Companion": self._header() or "0"},
                {"X-Companion": self._phones["host"].csrf},
                {"Content-Type": "text/plain"},
                {"Host": "evil.example"},
                {"Sec-Fetch-Site": "cross-site", "Origin": ""},
            )
        )
        phone = self._phones["seat"] if self._rng.random() < 0.8 else self._stranger
        return f"POST with {lie}", phone.post("/api/command", {"id": "replayed-2", "kind": "put_right"}, **lie)

    # What they are made of

    def _someone(self) -> Browser:
        return self._phones[self._rng.choice(ROLES)]

    def _path(self, method: str) -> str:
        rng = self._rng
        rule = rng.choice([rule for rule in self._rules if method in (rule.methods or ())])
        path = "/".join(self._text() if part.startswith("<") else part for part in rule.rule.split("/"))
        if rng.random() < 0.1:
            path += rng.choice(("/", "/..", "%00", ";a=b", "//", "." * 3))
        return path

    def _text(self) -> str:
        rng = self._rng
        text = (
            rng.choice(STRANGE) if rng.random() < 0.6 else "".join(rng.choices(string.printable, k=rng.randint(0, 20)))
        )
        return "".join(letter if letter.isalnum() and letter.isascii() else _percent(letter) for letter in text)

    def _header(self) -> str:
        return "".join(
            self._rng.choices(string.ascii_letters + string.digits + ":;,=*\"' -_", k=self._rng.randint(0, 30))
        )

    def _body(self) -> bytes:
        rng = self._rng
        match rng.randrange(6):
            case 0:
                return rng.randbytes(rng.randint(0, 60))
            case 1:
                return rng.choice((b"[" * 9000, b'{"a":' * 2000, b'"' + b"a" * 20_000, b"", b"null", b"1e999", b"{}x"))
            case 2:
                good = msgspec.json.encode({"seat": 0, "name": "Ada", "id": "12345678", "kind": "move", "body": {}})
                cut = rng.randrange(len(good))
                return good[:cut] + rng.randbytes(rng.randint(0, 3)) + good[cut + rng.randint(1, 3) :]
            case _:
                keys = rng.choices(KEYS, k=rng.randint(0, 5))
                return msgspec.json.encode({key: rng.choice(VALUES) for key in keys} | {"rubbish": 1})


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))


def _unclear(answer: TestResponse) -> str:
    try:
        said = msgspec.json.decode(answer.data)
    except msgspec.DecodeError:
        return "is no JSON"
    keys = set(said) - {"detail"} == {"refused", "says"} and set(said["says"]) == {"de", "en"}
    return "" if keys and all(said["says"].values()) else "is not clear"


@pytest.fixture
def busy(tmp_path: Path, backend: TableBackend) -> Place:
    """A table in the middle of a game, which would let everybody do everything as often as they like."""
    place = Place(tmp_path, backend, clients=50)
    place.dashboard.rate_limits = RateLimits(**{name: Limit(10**9, 1.0) for name in RateLimits.__struct_fields__})
    for _ in range(5):
        backend.play()
    return place


def test_ten_thousand_pieces_of_rubbish_change_nothing_and_are_all_answered(
    busy: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    busy.streams.start()
    phones = {role: busy.phone(role) for role in ROLES}
    before = everything(busy)
    vandals = [Vandal(busy, phones, f"vandal/{number}") for number in range(THREADS)]
    threads = [threading.Thread(target=vandal.rage, args=(REQUESTS // THREADS,)) for vandal in vandals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    busy.streams.stop()
    heard = sum((vandal.heard for vandal in vandals), Counter[int]())
    assert sum(heard.values()) == REQUESTS
    assert [wrong for vandal in vandals for wrong in vandal.wrong] == []
    assert set(heard) >= {200, 400, 401, 403, 404, 413, 415}, heard  # every kind of no was heard
    assert everything(busy) == before
    assert [record.getMessage() for record in caplog.records] == []
    for role, phone in phones.items():
        assert phone.json("/api/me")["role"] == role


def everything(place: Place) -> tuple[Any, ...]:
    backend = place.backend
    snapshot = backend.snapshot()
    return (snapshot, backend.events(), list(backend.done), len(backend.asked), dict(place.phones._phones))


def test_a_command_that_is_sent_again_and_again_at_once_is_carried_out_once(busy: Place) -> None:
    opened = busy.backend.game_thread.opened
    assert opened is not None
    move = msgspec.to_builtins(next(iter(opened.game.moves(opened.table.state))))
    host, played = busy.phone("host"), moves_written(busy)
    order = {"id": "the-same-every-time", "kind": "move", "body": {"move": move}}
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda: answers.append(_again(busy, host).post("/api/command", order).status_code))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert answers == [200] * 20
    assert moves_written(busy) == played + 1


def moves_written(place: Place) -> int:
    opened = place.backend.game_thread.opened
    assert opened is not None
    return sum(event.kind == "move" for event in opened.table.journal.events())


def _again(place: Place, phone: Browser) -> Browser:
    """Another tab of the same phone."""
    tab = Browser(place.app, phone.address)
    cookie = phone.client.get_cookie("companion", HOST.partition(":")[0])
    assert cookie is not None
    tab.client.set_cookie("companion", cookie.value, domain=HOST.partition(":")[0])
    tab.csrf = phone.csrf
    return tab


def test_many_phones_that_want_the_same_seat_at_once_get_it_once(busy: Place) -> None:
    phones = [busy.browser(f"10.0.0.{number}") for number in range(20)]
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda p=phone: answers.append(p.post("/api/join", {"seat": 0}).status_code))
        for phone in phones
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert sorted(answers) == [200] + [409] * 19


def test_rubbish_from_those_who_may_is_refused_by_the_table_itself(tmp_path: Path) -> None:
    """Right in form, by the host, and senseless: the rules have the last word, and the game stays as it is."""
    home = Home(tmp_path).live()
    home.play(6)
    place = Place(tmp_path, home.backend)
    place.dashboard.rate_limits = RateLimits(**{name: Limit(10**9, 1.0) for name in RateLimits.__struct_fields__})
    host, rng, state = place.phone("host"), random.Random("senseless"), home.state
    for number in range(1000):
        kind = rng.choice(("move", "answer", "correct", "ignore", "watch", "begin"))
        names = rng.choices(("move", "event", "question", "option", "zone", "game", "seats", "options", "type"), k=3)
        body = {name: rng.choice(VALUES[:8] + VALUES[9:-2]) for name in names} | {"instead": False}
        answer = host.post("/api/command", {"id": f"senseless-{number}", "kind": kind, "body": body})
        assert answer.status_code in (400, 409), (kind, body, answer.data)
        assert _unclear(answer) == ""
    assert home.state is state
    home.close()
