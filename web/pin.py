"""The host's PIN: six digits in the companion's home, made at the first start and kept until it is renewed."""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import threading
from pathlib import Path
from typing import Final

from companion.kernel import safe_file

_log = logging.getLogger(__name__)

FILE: Final = "pin"
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
                found = read(self._path.parent)
            except NoPin:
                return False
            if found is None or found.digits == self.digits:
                return False
            self.digits, self.chosen = found.digits, found.chosen
            return True


def is_pin(text: str) -> bool:
    return re.fullmatch(rf"\d{{{DIGITS}}}", text, re.ASCII) is not None


def read(home: Path) -> Pin | None:
    """The PIN that there is; None before the first start, and for a file that holds no PIN."""
    digits = _text(home / FILE)
    return Pin(digits, home / FILE, digits != _text(home / MADE)) if is_pin(digits) else None


def of(home: Path) -> Pin:
    """The PIN of this companion. Raises `NoPin`."""
    pin = read(home)
    if pin is None:
        if (home / FILE).exists():
            _log.warning("%s held no PIN of %d digits; a PIN was made anew.", home / FILE, DIGITS)
        pin = Pin("", home / FILE)
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
        safe_file.write(path, f"{digits}\n".encode(), private=True)
    except OSError as error:
        raise NoPin(f"No PIN can be written to {path} ({error.strerror}); check who may write there.") from error
