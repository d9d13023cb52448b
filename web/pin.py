"""The host's PIN: six digits in the companion's home, made at the first start and kept from then on."""

from __future__ import annotations

import hmac
import logging
import re
import secrets
from pathlib import Path
from typing import Final

from companion import safe_file

_log = logging.getLogger(__name__)

FILE: Final = "pin"
DIGITS: Final = 6


class NoPin(Exception):
    """There is no PIN, and none could be written; the message says what to do."""


class Pin:
    """What the host types once. It is on paper or on the companion's screen, never on a page."""

    def __init__(self, digits: str) -> None:
        self.digits = digits

    def is_it(self, typed: str) -> bool:
        """Compared in the same time whatever was typed, so that nobody can feel their way digit by digit."""
        return hmac.compare_digest(typed.encode(), self.digits.encode())


def read(home: Path) -> Pin | None:
    """The PIN that there is; None before the first start, and for a file that holds no PIN."""
    try:
        text = (home / FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise NoPin(f"The PIN in {home / FILE} cannot be read ({error}); check whose file it is.") from error
    return Pin(text) if re.fullmatch(rf"\d{{{DIGITS}}}", text, re.ASCII) else None


def of(home: Path) -> Pin:
    """The PIN of this companion. Raises `NoPin`."""
    pin = read(home)
    if pin is None:
        pin = Pin(f"{secrets.randbelow(10**DIGITS):0{DIGITS}}")
        _write(home / FILE, pin)
    return pin


def _write(path: Path, pin: Pin) -> None:
    """All of it or nothing, and for nobody else's eyes."""
    try:
        if path.exists():
            _log.warning("%s held no PIN of %d digits; a PIN was made anew.", path, DIGITS)
        safe_file.write(path, f"{pin.digits}\n".encode(), private=True)
    except OSError as error:
        raise NoPin(f"No PIN can be written to {path} ({error.strerror}); check who may write there.") from error
