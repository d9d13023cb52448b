"""Phones: a seat belongs to the phone that took it, even after a restart. Its file does not give it away."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from web.phones import (
    FILE,
    MOST_WATCHERS,
    PIN_FILE,
    UNKNOWN_PHONE,
    NoPin,
    Phone,
    Phones,
    SeatTaken,
    csrf_of,
    is_token,
    kept_pin,
    new_token,
    read_pin,
)


def test_a_seat_belongs_to_its_phone_until_it_lets_go(tmp_path: Path) -> None:
    phones, ada, bob = Phones(tmp_path), new_token(), new_token()
    assert phones.join(ada, 1, "Ada").role == "seat"
    with pytest.raises(SeatTaken) as taken:
        phones.join(bob, 1, "Bob")
    assert taken.value.by.name == "Ada"
    assert phones.get(bob) == UNKNOWN_PHONE
    phones.leave(ada)
    assert phones.join(bob, 1, "Bob").seat == 1


def test_seats_hosts_and_watchers_are_known_after_a_restart(tmp_path: Path) -> None:
    phones, ada, bob, cleo = Phones(tmp_path), new_token(), new_token(), new_token()
    phones.join(ada, 0, "Ada")
    ada, _ = phones.become_host(ada)
    phones.join(bob, 1, "Bob")
    phones.join(cleo, None, "Cleo")
    again = Phones(tmp_path)
    assert again.get(ada) == Phone(0, "Ada", host=True, proven=True)
    assert again.get(bob) == Phone(1, "Bob")
    assert again.get(cleo).role == "watcher"
    with pytest.raises(SeatTaken):
        again.join(cleo, 1, "Cleo")


def test_the_file_holds_no_token_and_is_for_nobody_else(tmp_path: Path) -> None:
    phones, ada = Phones(tmp_path), new_token()
    phones.join(ada, 0, "Ada")
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert ada not in text
    assert csrf_of(ada) not in text
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_taking_another_seat_lets_go_of_the_first(tmp_path: Path) -> None:
    phones, ada = Phones(tmp_path), new_token()
    phones.join(ada, 0, "Ada")
    phones.join(ada, 1, "Ada")
    assert set(phones.seated()) == {1}


def test_the_host_frees_a_seat_and_its_phone_watches(tmp_path: Path) -> None:
    phones, ada = Phones(tmp_path), new_token()
    phones.join(ada, 0, "Ada")
    phones.free(0)
    assert phones.get(ada) == Phone(None, "Ada", watches=True)


def test_many_watchers_push_out_the_oldest_and_never_who_sits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phones, ada, first = Phones(tmp_path), new_token(), new_token()
    monkeypatch.setattr(phones, "_write", lambda: None)
    phones.join(ada, 0, "Ada")
    phones.join(first, None, "")
    for _ in range(MOST_WATCHERS):
        phones.join(new_token(), None, "")
    assert phones.get(first) == UNKNOWN_PHONE
    assert phones.get(ada).seat == 0
    assert len(phones._phones) == MOST_WATCHERS + 1


@pytest.mark.parametrize("rubbish", [b"", b"{", b"[]", b'{"a": 1}', b"\xff\xfe"])
def test_a_damaged_file_keeps_nobody_from_playing(
    tmp_path: Path, rubbish: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(rubbish)
    phones, ada = Phones(tmp_path), new_token()
    assert f"{tmp_path / FILE} is damaged" in caplog.text
    assert "All phones have to take their seats again" in caplog.text
    phones.join(ada, 0, "Ada")
    assert Phones(tmp_path).get(ada).seat == 0


def test_a_disk_that_takes_nothing_is_told_and_seats_hold_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    phones, ada = Phones(tmp_path / "home"), new_token()
    phones.join(ada, 0, "Ada")
    assert phones.get(ada).seat == 0
    assert "forgets who sits where" in phones.unwritten


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "companion-test", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_tried_again_until_there_is_room_though_no_seat_changes(small_disk: Path) -> None:
    again: list[Callable[[], None]] = []
    phones, ada, bob = Phones(small_disk, later=again.append), new_token(), new_token()
    phones.join(ada, 0, "Ada")
    (small_disk / "photos").write_bytes(bytes(60 * 1024))
    phones.join(bob, 1, "Bob")
    assert "No space left on device" in phones.unwritten
    again.pop()()
    assert phones.unwritten, "there is still no room"
    assert Phones(small_disk).get(bob) == UNKNOWN_PHONE
    (small_disk / "photos").unlink()
    again.pop()()
    assert phones.unwritten == ""
    assert again == []
    assert Phones(small_disk).get(bob).seat == 1


def test_a_place_that_takes_nothing_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.phones.AGAIN", 0.01)
    home = tmp_path / "home"
    home.write_text("no folder", encoding="utf-8")
    phones, ada = Phones(home), new_token()
    phones.join(ada, 0, "Ada")
    home.unlink()
    over = time.monotonic() + 60
    while phones.unwritten and time.monotonic() < over:
        time.sleep(0.01)
    assert Phones(home).get(ada).seat == 0


def test_every_phone_has_a_word_of_its_own_for_its_pages() -> None:
    ada, bob = new_token(), new_token()
    assert csrf_of(ada) != csrf_of(bob)
    assert csrf_of(ada) == csrf_of(ada)
    assert is_token(ada)
    assert not is_token(ada + "A")
    assert not is_token("../../../../../etc/passwd")
    assert not is_token(None)


# The PIN


def test_a_pin_is_made_once_and_kept_for_nobody_elses_eyes(tmp_path: Path) -> None:
    assert read_pin(tmp_path) is None
    made = kept_pin(tmp_path)
    assert len(made.digits) == 6
    assert made.digits.isdecimal()
    assert kept_pin(tmp_path).digits == made.digits
    assert stat.S_IMODE((tmp_path / PIN_FILE).stat().st_mode) == 0o600


def test_pins_are_not_all_the_same(tmp_path: Path) -> None:
    assert len({kept_pin(tmp_path / str(number)).digits for number in range(20)}) > 15


def test_a_file_that_holds_no_pin_is_replaced(tmp_path: Path) -> None:
    (tmp_path / PIN_FILE).write_text("12a4", encoding="utf-8")
    made = kept_pin(tmp_path)
    assert kept_pin(tmp_path).digits == made.digits
    assert made.matches(made.digits)
    assert not made.matches("12a4")
    assert not made.matches("")


def test_without_a_place_for_the_pin_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    with pytest.raises(NoPin, match="check"):
        kept_pin(tmp_path / "home")
