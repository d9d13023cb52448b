"""Access control: foreign pages, other host names, wrong tokens and too many tries are refused."""

from __future__ import annotations

import msgspec
import pytest

from tests.web.browser import HOST, Browser, refusal
from tests.web.conftest import PIN, Place
from web.address import Names
from web.routes import MOST_PURSES, Limit

JOIN = {"seat": 0, "name": "Ada"}


def turned_away(place: Place, phone: Browser, status: int, reason: str, **headers: str) -> None:
    answer = phone.post("/api/join", JOIN, **headers)
    assert answer.status_code == status, answer.data
    assert refusal(answer) == reason
    assert place.phones.seated() == {}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://192.168.1.7:8080", "http://192.168.1.7", f"http://{HOST}.evil"]
)
def test_a_page_of_somebody_else_changes_nothing(place: Place, origin: str) -> None:
    turned_away(place, place.browser(), 403, "elsewhere", Origin=origin)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "rubbish"])
def test_a_browser_that_says_where_it_comes_from_is_believed(place: Place, site: str) -> None:
    turned_away(place, place.browser(), 403, "elsewhere", **{"Origin": "", "Sec-Fetch-Site": site})


def test_the_word_of_another_phone_or_none_is_no_word(place: Place) -> None:
    ada, bob = place.browser(), place.browser()
    for wrong in ("", bob.csrf, ada.csrf.upper(), ada.csrf + "0", "ü"):
        turned_away(place, ada, 403, "csrf", **{"X-Companion": wrong})
    assert ada.post("/api/join", JOIN).status_code == 200


def test_a_phone_without_a_cookie_is_asked_to_reload(place: Place) -> None:
    stranger = Browser(place.app)
    stranger.csrf = place.browser().csrf
    turned_away(place, stranger, 401, "no_cookie")


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_plain_form_can_send_is_not_taken(place: Place, kind: str) -> None:
    turned_away(place, place.browser(), 415, "not_json", **{"Content-Type": kind})


def test_what_is_too_big_is_not_read(place: Place) -> None:
    answer = place.browser().post("/api/join", b'{"seat": 0, "name": "' + b"a" * 16_400 + b'"}')
    assert (answer.status_code, refusal(answer)) == (413, "too_big")


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"\xff", "not_json"),
        (b"[" * 16_000, "not_json"),
        (b'{"seat":0,"name":"\\ud800"}', "not_json"),
        (b"[]", "not_understood"),
        (b'{"seat":true}', "not_understood"),
        (b'{"seat":-1}', "not_understood"),
        (b'{"seat":0.5}', "not_understood"),
        (b'{"seat":99999999999999999999999}', "not_understood"),
        (b'{"name":"Ada"}', "not_understood"),
        (b'{"seat":0,"host":true}', "not_understood"),
        (b'{"seat":0,"name":"a\\u0000"}', "not_understood"),
        (b'{"seat":' + b"[" * 20 + b"]" * 20 + b"}", "not_understood"),
    ],
)
def test_what_nobody_understands_is_told_so(place: Place, sent: bytes, reason: str) -> None:
    answer = place.browser().post("/api/join", sent)
    assert (answer.status_code, refusal(answer)) == (400, reason)
    assert place.phones.seated() == {}


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options", "post"])
def test_other_ways_to_ask_are_none(place: Place, method: str) -> None:
    answer = getattr(place.browser().client, method)("/api/standing", base_url=f"http://{HOST}")
    assert (answer.status_code, refusal(answer)) == (405, "not_like_this")


# Names


@pytest.mark.parametrize(
    "host", ["evil.example", "companion.evil.example", "192.168.1.7.evil.example", "", "a b", "[::1"]
)
def test_a_name_that_somebody_made_lead_here_gets_nothing(place: Place, host: str) -> None:
    for path in ("/", "/api/me"):
        answer = place.app.test_client().get(path, headers={"Host": host})
        assert (answer.status_code, refusal(answer)) == (403, "elsewhere")
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.7:8080",
        "10.0.0.1",
        "[fe80::1]:8080",
        "companion.local:8080",
        "COMPANION.local",
        "table.lan",
        "localhost",
    ],
)
def test_our_own_names_and_numbers_are_ours(host: str) -> None:
    assert Names("table").is_allowed(host)


# How often


def test_five_wrong_pins_and_then_one_a_minute(place: Place) -> None:
    phone = place.browser("192.168.1.66")
    for _ in range(5):
        assert phone.post("/api/host", {"pin": "000000"}).status_code == 403
    late = phone.post("/api/host", {"pin": PIN})
    assert (late.status_code, refusal(late)) == (429, "too_often")
    assert late.headers["Retry-After"] == "60"
    assert phone.json("/api/me")["host"] is False
    assert (
        place.browser("192.168.1.66").post("/api/host", {"pin": PIN}).status_code == 429
    )  # another cookie, same phone
    assert place.browser("192.168.1.67").post("/api/host", {"pin": PIN}).status_code == 200
    place.clock.now += 59
    assert phone.post("/api/host", {"pin": PIN}).status_code == 429
    place.clock.now += 1.1
    assert phone.post("/api/host", {"pin": PIN}).status_code == 200


def test_many_addresses_guess_no_faster_than_a_few(place: Place) -> None:
    answers = [
        place.browser(f"10.0.{number}.1").post("/api/host", {"pin": f"{number:06}"}).status_code
        for number in range(200)
    ]
    assert answers.count(403) == 30
    assert set(answers[30:]) == {429}
    place.clock.now += 3600
    hour = [place.browser(f"10.1.{number}.1").post("/api/host", {"pin": "000000"}).status_code for number in range(200)]
    assert hour.count(403) == 30


def test_joining_over_and_over_is_slowed_down(place: Place) -> None:
    phone = place.browser()
    answers = [phone.post("/api/join", {"seat": number % 2, "name": "Ada"}).status_code for number in range(20)]
    assert answers == [200] * 12 + [429] * 8
    place.clock.now += 5.1
    assert phone.post("/api/leave").status_code == 200


def test_a_thumb_gone_wild_reaches_the_table_no_more_than_a_person_could(place: Place) -> None:
    phone = place.phone("seat")
    answers = [
        phone.post("/api/command", {"id": f"tap-{number:05}", "kind": "put_right"}).status_code for number in range(60)
    ]
    assert answers == [200] * 40 + [429] * 20
    assert len(place.backend.asked) == 40


def test_a_limit_forgets_who_did_not_come_back() -> None:
    limit = Limit(1, 10.0)
    for number in range(MOST_PURSES + 10):
        assert limit.wait(str(number), 0.0) == 0.0
    assert limit.wait(str(MOST_PURSES), 1.0) == pytest.approx(9.0)
    assert len(limit._purses) == MOST_PURSES


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    limit = Limit(1, 10.0)
    assert limit.wait("a", 100.0) == 0.0
    assert limit.wait("a", 50.0) > 0


def test_a_mistake_of_ours_is_said_calmly_and_written_down(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("somebody divided by zero")

    monkeypatch.setattr(place.backend, "scores", broken)
    answer = place.browser().get("/api/scores")
    assert (answer.status_code, refusal(answer)) == (503, "failed")
    assert b"zero" not in answer.data
    assert "GET /api/scores went wrong: somebody divided by zero" in caplog.text


def test_a_table_that_is_late_is_told_as_such(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    from web.backend import Refused

    def late(_command: object, _timeout: float) -> int:
        raise Refused("late", {"de": "Der Tisch braucht noch.", "en": "The table needs a moment."})

    monkeypatch.setattr(place.backend, "ask", late)
    answer = place.phone("host").post("/api/command", {"id": "12345678", "kind": "undo"})
    assert (answer.status_code, msgspec.json.decode(answer.data)["refused"]) == (503, "late")
