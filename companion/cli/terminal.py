"""Shared parts of the commands: colours, a progress bar, JSON output, argument types, folders, and their error."""

from __future__ import annotations

import argparse
import ipaddress
import os
import shutil
import sys
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec

from companion.games import NAMES
from companion.kernel.catalogue import Language


class Unusable(Exception):
    """Unusable input; the message is one sentence that says what to do."""


# Most colour-blind people can distinguish blue, orange, purple and grey; the letters on the map help all others.
_CODES: Final = {
    "blue": "38;5;39",
    "yellow": "38;5;220",
    "purple": "38;5;170",
    "grey": "38;5;250",
    "on blue": "48;5;25;38;5;231;1",
    "on yellow": "48;5;220;38;5;16;1",
    "on purple": "48;5;91;38;5;231;1",
    "on grey": "48;5;245;38;5;16;1",
    "meadow": "38;5;149",
    "forest": "38;5;71",
    "mountain": "38;5;145",
    "village": "38;5;215",
    "castle": "38;5;203",
    "dim": "2",
    "bold": "1",
    "alarm": "1;38;5;203",
    "good": "38;5;114",
    "struck": "2;9",
}


class Terminal:
    """One output stream, with colours if it is a terminal that allows them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.live = stream.isatty()
        self._colour = "FORCE_COLOR" in os.environ or (self.live and "NO_COLOR" not in os.environ)
        self._bar = False

    def paint(self, text: str, colour: str) -> str:
        code = _CODES.get(colour)
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and code else text

    def strike(self, text: str) -> str:
        """A struck-out text, even without colours."""
        return self.paint(text, "struck") if self._colour else f"~~{text}~~"

    def say(self, text: str = "") -> None:
        self._clear()
        print(text, file=self._stream, flush=True)

    def progress(self, done: float, label: str) -> None:
        """Show a progress bar on one line; only in a terminal."""
        full = round(30 * max(0.0, min(1.0, done)))
        self._one_line(self.paint("━" * full, "good") + self.paint("─" * (30 - full), "dim") + " ", 31, label)

    def status(self, label: str) -> None:
        """Show what happens now, if the remaining work is unknown; the next call replaces it."""
        self._one_line("", 0, label)

    def _one_line(self, bar: str, width: int, label: str) -> None:
        if not self.live:
            return
        self._clear()
        room = max(0, shutil.get_terminal_size().columns - width - 3)  # a wrapped line cannot be cleared
        self._stream.write(f"  {bar}{label[:room]}")
        self._stream.flush()
        self._bar = True

    def _clear(self) -> None:
        if self._bar:
            self._stream.write("\r\x1b[2K")
            self._bar = False

    def done(self) -> None:
        self._clear()
        self._stream.flush()


def print_json(value: Any) -> None:
    """Print exactly one JSON object on stdout."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
    sys.stdout.flush()


def print_figures(figures: dict[str, Any], as_json: bool) -> None:
    """Print measured figures, for a program or for a person."""
    if as_json:
        print_json(figures)
    else:
        for name, figure in figures.items():
            print(f"{name}: {figure}")


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(NAMES)}")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        dest="options",
        action="append",
        type=option,
        metavar="NAME=VALUE",
        help="what the table chose before it began, as often as needed; the rest is drawn anew for each game",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=("de", "en"), default=system_language(), help="default: the system's")


def system_language() -> Language:
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "de" if system.lower().startswith("de") else "en"


def number(text: str) -> int:
    """A whole number above 0, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not above 0")
    return value


def port(text: str) -> int:
    """The number of a port, for argparse."""
    value = int(text)
    if not 1 <= value <= 65535:
        raise argparse.ArgumentTypeError(f"{value} is no port; choose one from 1 to 65535")
    return value


def host(text: str) -> str:
    """An address of this machine, for argparse."""
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no address in numbers, such as 192.168.1.7") from None


def option(text: str) -> tuple[str, Any]:
    """`NAME=VALUE`, for argparse; true, false and numbers become their values."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def home() -> Path:
    """The companion's folder: $COMPANION_HOME, or one in the user's data folder."""
    chosen = os.environ.get("COMPANION_HOME")
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(chosen) if chosen else Path(data) / "table-companion"
