"""Phones, their seats, and the host's PIN.

A phone is known by a random token in its cookie. Only the token's hash is stored, so that reading the file is not
enough to pose as a phone.
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
"""File with the last PIN that the companion drew itself. If another one is valid, a person chose it."""


class NoPin(Exception):
    """There is no PIN and none can be written; the message says what to do."""


class Pin:
    """The PIN that a host types once. Only the companion's screen and hosts' phones show it.

    It is valid until it is renewed, on a host's phone or by `companion pin --new`. That command writes the file, so the
    file is read again before a PIN or a host is accepted.
    """

    def __init__(self, digits: str, path: Path | None = None, chosen: bool = False) -> None:
        """`chosen`: a person chose it and knows it, so the log does not show it."""
        self.digits, self.chosen = digits, chosen
        self._path = path
        self._stamp = _stamp(path)
        self._lock = threading.Lock()

    def matches(self, typed: str) -> bool:
        """Compare in constant time, so that the time does not give away correct digits."""
        return hmac.compare_digest(typed.encode(), self.digits.encode())

    def renew(self, digits: str = "") -> None:
        """Change the PIN, to these digits or random ones. Raises `NoPin` if it cannot be written."""
        with self._lock:
            fresh = digits or _drawn(self.digits)
            if self._path is not None:
                if not digits:
                    _write(self._path.with_name(MADE), fresh)
                _write(self._path, fresh)
                self._stamp = _stamp(self._path)
            self.digits, self.chosen = fresh, bool(digits)

    def changed_elsewhere(self) -> bool:
        """Read the file again; whether another program has changed the PIN."""
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
    """The stored PIN; None before the first start, or if the file holds no PIN."""
    digits = _text(home / PIN_FILE)
    return Pin(digits, home / PIN_FILE, digits != _text(home / MADE)) if is_pin(digits) else None


def kept_pin(home: Path) -> Pin:
    """The stored PIN, or a new one that is stored now. Raises `NoPin`."""
    pin = read_pin(home)
    if pin is None:
        if (home / PIN_FILE).exists():
            _log.warning("%s held no PIN of %d digits; a PIN was made anew.", home / PIN_FILE, DIGITS)
        pin = Pin("", home / PIN_FILE)
        pin.renew()
    return pin


def _text(path: Path) -> str:
    """The file's text. Raises `NoPin`."""
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
    """A value that changes when the file is written; None without a file."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ino) if found is not None else None


def _write(path: Path, digits: str) -> None:
    """Write the file atomically, readable only by its owner."""
    try:
        files.write(path, f"{digits}\n".encode(), private=True)
    except OSError as error:
        raise NoPin(f"No PIN can be written to {path} ({error.strerror}); check who may write there.") from error


FILE: Final = "phones.json"
LONGEST_NAME: Final = 24
MOST_SEATS: Final = 8
MOST_WATCHERS: Final = 200
"""Maximum number of known phones that only watch: the oldest is forgotten first. Players and hosts are kept."""

AGAIN: Final = 10.0
"""Seconds before a failed write is tried again."""

Role = Literal["host", "seat", "watcher", "nobody"]

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


class Phone(msgspec.Struct, frozen=True):
    """A phone's seat, name and role."""

    seat: int | None = None
    name: str = ""
    host: bool = False
    watches: bool = False
    game: str = ""
    """The game in which it took its seat: in another one it has none."""
    proven: bool = False
    """Whether it was a host before: then wrong PINs of other phones do not make it wait."""

    @property
    def role(self) -> Role:
        if self.host:
            return "host"
        return "seat" if self.seat is not None else "watcher" if self.watches else "nobody"


UNKNOWN_PHONE: Final = Phone()


class SeatTaken(Exception):
    """Another phone has this seat."""

    def __init__(self, by: Phone) -> None:
        super().__init__(f"The seat is taken by {by.name or 'somebody'}.")
        self.by = by


def new_token() -> str:
    return secrets.token_urlsafe(32)


def is_token(text: str | None) -> bool:
    return text is not None and _TOKEN.fullmatch(text) is not None


def hash_of(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def host_id(mark: str) -> str:
    return mark[:12]


def csrf_of(token: str) -> str:
    """The CSRF token that a page sends with each POST. Computing it takes the cookie."""
    return hmac.new(token.encode(), b"table companion", hashlib.sha256).hexdigest()[:32]


def _later(act: Callable[[], None]) -> None:
    timer = threading.Timer(AGAIN, act)
    timer.name, timer.daemon = "phones again", True
    timer.start()


class Phones:
    """All phones that sit, host or watch. Any thread may call it."""

    def __init__(
        self,
        home: Path,
        changed: Callable[[], None] = lambda: None,
        later: Callable[[Callable[[], None]], None] = _later,
        game: Callable[[], str] = str,
    ) -> None:
        """`later` runs a function after a while: a full disk may have space then. `game` tells which game is open."""
        self._path, self._later, self._game = home / FILE, later, game
        self._again = False
        """Whether another write is scheduled."""
        self._lock = threading.Lock()
        self.changed = changed
        """Called after every change, in the thread that made it."""
        self.unwritten = ""
        """Why the last change could not be written; empty if it was."""
        self._phones = self._read()

    def get(self, token: str | None) -> Phone:
        return UNKNOWN_PHONE if token is None else self._now(self._phones.get(hash_of(token), UNKNOWN_PHONE))

    def _now(self, phone: Phone) -> Phone:
        """What a phone is in the game that is open now: after a new game it has to say again who it is."""
        return phone if phone.seat is None or phone.game == self._game() else msgspec.structs.replace(phone, seat=None)

    def seated(self) -> dict[int, Phone]:
        with self._lock:
            phones = map(self._now, self._phones.values())
            return {phone.seat: phone for phone in phones if phone.seat is not None}

    @property
    def any_known(self) -> bool:
        """Whether any phone is a player, a host or a watcher."""
        return bool(self._phones)

    def join(self, token: str, seat: int | None, name: str) -> Phone:
        """Take a seat and leave the former one; without a seat: watch. Raises `SeatTaken`."""
        with self._lock:
            mark = hash_of(token)
            for other, phone in self._phones.items():
                if seat is not None and self._now(phone).seat == seat and other != mark:
                    raise SeatTaken(phone)
            before = self._phones.get(mark, UNKNOWN_PHONE)
            game = "" if seat is None else self._game()
            return self._set(mark, Phone(seat, name, before.host, seat is None, game, before.proven))

    def leave(self, token: str) -> Phone:
        """Leave the seat, or stop watching. A host stays a host."""
        with self._lock:
            mark = hash_of(token)
            before = self._phones.get(mark, UNKNOWN_PHONE)
            return self._set(mark, Phone(host=before.host, proven=before.proven))

    # Hosts

    def become_host(self, token: str) -> tuple[str, Phone]:
        """Make the phone a host under a new token, so that an intercepted old token is worth nothing."""
        with self._lock:
            fresh, before = new_token(), self.get(token)
            self._phones = {mark: phone for mark, phone in self._phones.items() if mark != hash_of(token)}
            return fresh, self._set(hash_of(fresh), msgspec.structs.replace(before, host=True, proven=True))

    def stop_hosting(self, token: str) -> Phone:
        with self._lock:
            mark = hash_of(token)
            return self._set(mark, msgspec.structs.replace(self._phones.get(mark, UNKNOWN_PHONE), host=False))

    def hosts(self) -> dict[str, Phone]:
        """Every host, by an id from which the token cannot be computed."""
        return {host_id(mark): self._now(phone) for mark, phone in self._phones.items() if phone.host}

    def remove_host(self, id_: str) -> None:
        """The phone is no host any more, and keeps its seat."""
        self._remove_hosts(lambda mark: host_id(mark) == id_)

    def remove_hosts(self) -> int:
        """Remove all hosts; returns their number."""
        return self._remove_hosts(lambda _mark: True)

    def _remove_hosts(self, chosen: Callable[[str], bool]) -> int:
        with self._lock:
            found = [(mark, phone) for mark, phone in self._phones.items() if phone.host and chosen(mark)]
            for mark, phone in found:
                self._set(mark, msgspec.structs.replace(phone, host=False, proven=False))
            return len(found)

    # Seats

    def free(self, seat: int) -> None:
        """Take the seat from its phone, which watches from then on."""
        with self._lock:
            for mark, phone in tuple(self._phones.items()):
                if self._now(phone).seat == seat:
                    self._set(mark, msgspec.structs.replace(phone, seat=None, watches=True))

    def _set(self, mark: str, phone: Phone) -> Phone:
        if self._phones.get(mark, UNKNOWN_PHONE) == phone:
            return phone
        # A new dict, so that readers need no lock. A changed phone moves to the end.
        phones = {known: each for known, each in self._phones.items() if known != mark}
        if phone != UNKNOWN_PHONE:
            phones[mark] = phone
        watchers = [known for known, each in phones.items() if self._now(each).role in ("watcher", "nobody")]
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
            _log.warning("All phones have to take their seats again.")
        return known or {}

    def _write(self) -> None:
        """Write the file atomically. If that fails, phones keep their seats, and the write is soon tried again."""
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
