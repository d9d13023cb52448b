"""Hosts and their PIN: wrong guesses of others lock out no former host, hosts can be removed, and the PIN renewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from tests.web.browser import Browser, refusal
from tests.web.conftest import PIN, Place
from tests.web.table_backend import TableBackend
from web import phones
from web.phones import Phones


def guesses(place: Place) -> None:
    """Other phones have used all wrong guesses."""
    answers = [place.browser(f"10.0.{number}.1").post("/api/host", {"pin": "000000"}) for number in range(60)]
    assert answers[-1].status_code == 429


def becomes_host(phone: Browser, digits: str = PIN) -> bool:
    return phone.post("/api/host", {"pin": digits}).status_code == 200


def test_wrong_guesses_of_others_lock_out_no_former_host_no_player_and_not_the_table(place: Place) -> None:
    former, player = place.phone("host"), place.phone("seat")
    assert former.post("/api/host/leave").status_code == 200
    guesses(place)
    assert becomes_host(former)
    assert becomes_host(player)
    assert becomes_host(place.browser("127.0.0.1"))
    assert becomes_host(place.browser("192.168.1.7"))  # the table's own address in the network
    assert not becomes_host(place.browser("192.168.1.99"))


def test_wrong_guesses_at_the_same_address_lock_out_no_former_host_and_no_player(place: Place) -> None:
    former, player = place.phone("host"), place.phone("seat")
    assert former.post("/api/host/leave").status_code == 200
    stranger = place.browser("192.168.1.50")
    former.address = player.address = stranger.address
    for _ in range(6):
        stranger.post("/api/host", {"pin": "000000"})
    assert not becomes_host(place.browser(stranger.address))
    assert becomes_host(former)
    assert becomes_host(player)


def test_a_seat_guesses_no_faster_however_often_another_phone_takes_it(place: Place) -> None:
    answers = []
    for number in range(6):
        phone = place.browser(f"10.0.{number}.1")
        assert phone.post("/api/join", {"seat": 0}).status_code == 200
        answers.append(phone.post("/api/host", {"pin": "000000"}).status_code)
        assert phone.post("/api/leave").status_code == 200
    assert answers == [403] * 5 + [429]


def test_a_former_host_has_no_more_guesses_than_others(place: Place) -> None:
    former = place.phone("host")
    assert former.post("/api/host/leave").status_code == 200
    answers = [former.post("/api/host", {"pin": "000000"}).status_code for _ in range(6)]
    assert answers == [403] * 5 + [429]


def test_becoming_the_host_brings_a_new_token_and_the_old_one_means_nothing(place: Place) -> None:
    phone = place.phone("seat")
    before, csrf = phone.client.get_cookie("companion", "192.168.1.7"), phone.csrf
    assert before is not None
    assert becomes_host(phone)
    after = phone.client.get_cookie("companion", "192.168.1.7")
    assert after is not None
    assert after.value != before.value
    assert "HttpOnly" in str(phone.post("/api/host", {"pin": PIN}).headers["Set-Cookie"])
    assert (phone.json("/api/me")["role"], phone.json("/api/me")["seat"]) == ("host", 0)
    overheard = Browser(place.app)
    overheard.client.set_cookie("companion", before.value, domain="192.168.1.7")
    overheard.csrf = csrf
    assert overheard.json("/api/me")["role"] == "nobody"


def test_a_host_removes_another_who_keeps_the_seat(place: Place) -> None:
    ada, bob = place.phone("host"), place.phone("seat")
    assert becomes_host(bob)
    hosts = ada.json("/api/hosts")
    assert [(host["name"], host["seat"], host["you"]) for host in hosts] == [("", None, True), ("Ada", 0, False)]
    assert ada.post("/api/hosts/remove", {"id": hosts[1]["id"]}).status_code == 200
    assert bob.json("/api/me")["role"] == "seat"
    assert refusal(bob.post("/api/host/leave")) == "host_only"
    assert ada.post("/api/hosts/remove", {"id": hosts[1]["id"]}).status_code == 200  # a second tap does no harm
    assert [host["you"] for host in ada.json("/api/hosts")] == [True]


def test_a_removed_host_waits_like_any_other_when_many_guess(place: Place) -> None:
    ada, bob = place.phone("host"), place.phone("host")
    other = next(host["id"] for host in ada.json("/api/hosts") if not host["you"])
    ada.post("/api/hosts/remove", {"id": other})
    guesses(place)
    assert not becomes_host(bob)


def test_a_host_renews_the_pin_and_hosts_stay(place: Place) -> None:
    ada, bob = place.phone("host"), place.phone("host")
    made = ada.post("/api/pin")
    digits = json.loads(made.data)["pin"]
    assert phones.is_pin(digits)
    assert digits != PIN
    assert bob.json("/api/me")["host"] is True
    assert refusal(place.browser("10.0.0.1").post("/api/host", {"pin": PIN})) == "wrong_pin"
    assert becomes_host(place.browser("10.0.0.2"), digits)


# By command


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["pin", "--json", *arguments]) == 0
    said: dict[str, object] = json.loads(capsys.readouterr().out)
    return said


def test_a_running_companion_takes_over_the_pin_of_the_command_and_has_no_host_then(
    at_home: Path, backend: TableBackend, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(at_home, backend)
    place.dashboard.pin = phones.kept_pin(at_home)
    first = place.dashboard.pin.digits
    assert told(capsys) == {"pin": first, "renewed": False, "hosts_removed": 0}
    host = place.browser()
    assert becomes_host(host, first)
    said = told(capsys, "--new")
    assert (said["renewed"], said["hosts_removed"]) == (True, 1)
    assert said["pin"] != first
    assert host.json("/api/me")["host"] is False
    assert Phones(at_home).hosts() == {}
    assert refusal(host.post("/api/host", {"pin": first})) == "wrong_pin"
    assert becomes_host(host, str(said["pin"]))


def test_a_pin_that_a_person_chose_is_known_as_such(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not phones.kept_pin(at_home).chosen
    assert told(capsys, "--set", "314159")["pin"] == "314159"
    assert phones.kept_pin(at_home).chosen
    assert phones.kept_pin(at_home).matches("314159")
    told(capsys, "--new")
    assert not phones.kept_pin(at_home).chosen


def test_what_is_no_pin_cannot_be_chosen(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["pin", "--set", "12345"])
    assert "no PIN of 6 digits" in capsys.readouterr().err
    assert not (at_home / phones.PIN_FILE).exists()


# Health


def test_a_phone_without_a_seat_is_told_no_paths_and_no_versions(
    place: Place, backend: TableBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = {"de": "12 GB frei in /srv/secret.", "en": "12 GB free in /srv/secret."}
    monkeypatch.setattr(backend, "health", lambda: [{"name": "disk", "state": "ok", "says": says, "detail": says}])
    for role in ("nobody", "watcher"):
        assert place.phone(role).json("/api/health") == [{"name": "disk", "state": "ok"}]
    for role in ("seat", "host"):
        assert place.phone(role).json("/api/health")[0]["says"] == says
