"""Phones, their seats, and the host's PIN.

A phone is known by a random token in its cookie. Only the token's hash is kept, so that nobody who reads the file can
be a phone that it names.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import msgspec

from companion.kernel import files

_log = logging.getLogger(__name__)

PIN_FILE: Final = "pin"
DIGITS: Final = 6
MADE: Final = "pin.made"
"""The last PIN that the companion drew itself. Where another one is valid, a person chose it."""


class NoPin(Exception):
    """There is no PIN, and none could be written; the message says what to do."""


class Pin:
    """What the host types once. It is on the companion's screen or on a host's phone, never on a page for everybody.

    It is valid until it is renewed, on a host's phone or by `companion pin --new`. That command writes the file, so the
    file is looked at again before a PIN or a host counts.
    """

    def __init__(self, digits: str, path: Path | None = None, chosen: bool = False) -> None:
        """`chosen`: by a person, who knows it, so that no log needs to tell it."""
        self.digits, self.chosen = digits, chosen
        self._path = path
        self._stamp = _stamp(path)
        self._lock = threading.Lock()

    def is_it(self, typed: str) -> bool:
        """Compared in the same time whatever was typed, so that nobody can feel their way digit by digit."""
        return hmac.compare_digest(typed.encode(), self.digits.encode())

    def renew(self, digits: str = "") -> None:
        """Another PIN, drawn or chosen. Raises `NoPin` if it cannot be written."""
        with self._lock:
            fresh = digits or _drawn(self.digits)
            if self._path is not None:
                if not digits:
                    _write(self._path.with_name(MADE), fresh)
                _write(self._path, fresh)
                self._stamp = _stamp(self._path)
            self.digits, self.chosen = fresh, bool(digits)

    def changed_elsewhere(self) -> bool:
        """Whether another program has written another PIN; that one is valid from now on."""
        with self._lock:
            stamp = _stamp(self._path)
            if self._path is None or stamp == self._stamp:
                return False
            self._stamp = stamp
            try:
                found = read_pin(self._path.parent)
            except NoPin:
                return False
            if found is None or found.digits == self.digits:
                return False
            self.digits, self.chosen = found.digits, found.chosen
            return True


def is_pin(text: str) -> bool:
    return re.fullmatch(rf"\d{{{DIGITS}}}", text, re.ASCII) is not None


def read_pin(home: Path) -> Pin | None:
    """The PIN that there is; None before the first start, and for a file that holds no PIN."""
    digits = _text(home / PIN_FILE)
    return Pin(digits, home / PIN_FILE, digits != _text(home / MADE)) if is_pin(digits) else None


def kept_pin(home: Path) -> Pin:
    """The PIN of this companion. Raises `NoPin`."""
    pin = read_pin(home)
    if pin is None:
        if (home / PIN_FILE).exists():
            _log.warning("%s held no PIN of %d digits; a PIN was made anew.", home / PIN_FILE, DIGITS)
        pin = Pin("", home / PIN_FILE)
        pin.renew()
    return pin


def _text(path: Path) -> str:
    """Raises `NoPin`."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise NoPin(f"The PIN in {path} cannot be read ({error}); check whose file it is.") from error


def _drawn(other_than: str) -> str:
    while (digits := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") == other_than:
        pass
    return digits


def _stamp(path: Path | None) -> tuple[int, int] | None:
    """What changes when the file is written; None without a file."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ino) if found is not None else None


def _write(path: Path, digits: str) -> None:
    """All of it or nothing, and for nobody else's eyes."""
    try:
        files.write(path, f"{digits}\n".encode(), private=True)
    except OSError as error:
        raise NoPin(f"No PIN can be written to {path} ({error.strerror}); check who may write there.") from error


FILE: Final = "phones.json"
LONGEST_NAME: Final = 24
MOST_SEATS: Final = 8
MOST_WATCHERS: Final = 200
"""Who watches and came first is forgotten first; who sits or is the host is never forgotten."""

AGAIN: Final = 10.0
"""Seconds before what could not be written is tried again."""

Role = Literal["host", "seat", "watcher", "nobody"]

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


class Phone(msgspec.Struct, frozen=True):
    """What a phone is at this table."""

    seat: int | None = None
    name: str = ""
    host: bool = False
    watches: bool = False
    proven: bool = False
    """Whether it was the host before: then wrong PINs of other phones never keep it waiting."""

    @property
    def role(self) -> Role:
        if self.host:
            return "host"
        return "seat" if self.seat is not None else "watcher" if self.watches else "nobody"


NOBODY: Final = Phone()


class Taken(Exception):
    """Another phone has this seat."""

    def __init__(self, by: Phone) -> None:
        super().__init__(f"The seat is taken by {by.name or 'somebody'}.")
        self.by = by


def new_token() -> str:
    return secrets.token_urlsafe(32)


def is_token(text: str | None) -> bool:
    return text is not None and _TOKEN.fullmatch(text) is not None


def mark_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def host_id(mark: str) -> str:
    return mark[:12]


def csrf_of(token: str) -> str:
    """What a page has to repeat with everything it wants changed. Only who has the cookie can work it out."""
    return hmac.new(token.encode(), b"table companion", hashlib.sha256).hexdigest()[:32]


def _later(act: Callable[[], None]) -> None:
    timer = threading.Timer(AGAIN, act)
    timer.name, timer.daemon = "phones again", True
    timer.start()


class Phones:
    """Every phone that is somebody. Any thread may ask."""

    def __init__(
        self,
        home: Path,
        changed: Callable[[], None] = lambda: None,
        later: Callable[[Callable[[], None]], None] = _later,
    ) -> None:
        """`later` does something in a while, for a disk that was full may have room then."""
        self._path, self._later = home / FILE, later
        self._again = False
        """Whether another try to write is on its way."""
        self._lock = threading.Lock()
        self.changed = changed
        """Called after every change, by whoever made it."""
        self.unwritten = ""
        """Why the last change could not be kept; empty if it was."""
        self._phones = self._read()

    def get(self, token: str | None) -> Phone:
        return NOBODY if token is None else self._phones.get(mark_of(token), NOBODY)

    def seated(self) -> dict[int, Phone]:
        with self._lock:
            return {phone.seat: phone for phone in self._phones.values() if phone.seat is not None}

    @property
    def anybody(self) -> bool:
        """Whether any phone is a player, a host or a watcher."""
        return bool(self._phones)

    def join(self, token: str, seat: int | None, name: str) -> Phone:
        """Take a seat and let go of another; without a seat: watch. Raises `Taken`."""
        with self._lock:
            mark = mark_of(token)
            for other, phone in self._phones.items():
                if seat is not None and phone.seat == seat and other != mark:
                    raise Taken(phone)
            before = self._phones.get(mark, NOBODY)
            return self._set(mark, Phone(seat, name, before.host, watches=seat is None, proven=before.proven))

    def leave(self, token: str) -> Phone:
        """Let go of the seat, and watch no longer. A host stays the host."""
        with self._lock:
            mark = mark_of(token)
            before = self._phones.get(mark, NOBODY)
            return self._set(mark, Phone(host=before.host, proven=before.proven))

    # Hosts

    def become_host(self, token: str) -> tuple[str, Phone]:
        """The phone as a host, under a new token: one that was overheard before means nothing any more."""
        with self._lock:
            fresh, before = new_token(), self._phones.get(mark_of(token), NOBODY)
            self._phones = {mark: phone for mark, phone in self._phones.items() if mark != mark_of(token)}
            return fresh, self._set(mark_of(fresh), msgspec.structs.replace(before, host=True, proven=True))

    def stop_hosting(self, token: str) -> Phone:
        with self._lock:
            mark = mark_of(token)
            return self._set(mark, msgspec.structs.replace(self._phones.get(mark, NOBODY), host=False))

    def hosts(self) -> dict[str, Phone]:
        """Every host, by an id that tells no token."""
        return {host_id(mark): phone for mark, phone in self._phones.items() if phone.host}

    def remove_host(self, id_: str) -> None:
        """It keeps its seat."""
        self._remove_hosts(lambda mark: host_id(mark) == id_)

    def remove_hosts(self) -> int:
        """How many there were."""
        return self._remove_hosts(lambda _mark: True)

    def _remove_hosts(self, chosen: Callable[[str], bool]) -> int:
        with self._lock:
            found = [(mark, phone) for mark, phone in self._phones.items() if phone.host and chosen(mark)]
            for mark, phone in found:
                self._set(mark, msgspec.structs.replace(phone, host=False, proven=False))
            return len(found)

    # Seats

    def free(self, seat: int) -> None:
        """Whoever had this seat watches from now on."""
        with self._lock:
            for mark, phone in tuple(self._phones.items()):
                if phone.seat == seat:
                    self._set(mark, msgspec.structs.replace(phone, seat=None, watches=True))

    def _set(self, mark: str, phone: Phone) -> Phone:
        if self._phones.get(mark, NOBODY) == phone:
            return phone
        # Another dict, so that who reads needs no lock. A phone that changes is the latest one.
        phones = {known: each for known, each in self._phones.items() if known != mark}
        if phone != NOBODY:
            phones[mark] = phone
        watchers = [known for known, each in phones.items() if each.role == "watcher"]
        for known in watchers[: max(0, len(watchers) - MOST_WATCHERS)]:
            del phones[known]
        self._phones = phones
        self._write()
        self.changed()
        return phone

    # On disk

    def _read(self) -> dict[str, Phone]:
        there = self._path.exists()
        try:
            known = files.read(self._path, msgspec.json.Decoder(dict[str, Phone]).decode)
        except OSError as error:
            _log.warning("%s cannot be read: %s.", self._path, error)
            known = None
        if there and known is None:
            _log.warning("Everybody has to take a seat again.")
        return known or {}

    def _write(self) -> None:
        """All of it or nothing. A full disk keeps nobody from sitting down; it is told, and soon tried again."""
        before = self.unwritten
        try:
            files.write(self._path, msgspec.json.encode(self._phones), private=True)
            self.unwritten = ""
        except OSError as error:
            self.unwritten = f"{self._path} cannot be written ({error.strerror}): a restart forgets who sits where."
            if self.unwritten != before:
                _log.warning("%s", self.unwritten)
            if not self._again:
                self._again = True
                self._later(self._write_again)

    def _write_again(self) -> None:
        with self._lock:
            self._again = False
            if self.unwritten:
                self._write()
