"""The state of every part of the companion, and of the machine it runs on.

A Raspberry Pi has all of it in system files; other machines may have less.
"""

from __future__ import annotations

import logging
import platform
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from companion import __version__
from companion.kernel.files import moved_aside
from companion.text.sentences import both_words

_log = logging.getLogger(__name__)

State = Literal["ok", "troubled", "failed", "absent"]

LITTLE_ROOM: Final = 100_000_000
NO_ROOM: Final = 5_000_000
"""Bytes. A whole game is a fraction of a megabyte; SQLite's log and the system need space too."""


class Health(msgspec.Struct, frozen=True):
    """The state of a part. `troubled`: it works worse, or will recover. `absent`: this companion has none."""

    name: str
    state: State
    says: str
    german: str = ""
    """The sentence in German; empty if there is only the English one."""


def told(name: str, state: State, key: str, **facts: object) -> Health:
    """The Health of a part in both languages; `key` names the sentence in the daemon's catalogue."""
    said = both_words(key, **facts)
    return Health(name, state, said["en"], said["de"])


class HealthLog:
    """Logs each change of a part's state."""

    def __init__(self) -> None:
        self._known: dict[str, State] = {}

    def look(self, parts: Iterable[Health]) -> None:
        for part in parts:
            before = self._known.get(part.name)
            self._known[part.name] = part.state
            if part.state == before or (before is None and part.state in ("ok", "absent")):
                continue
            level = {"failed": logging.ERROR, "troubled": logging.WARNING}.get(part.state, logging.INFO)
            _log.log(level, "%s: %s. %s", part.name, part.state, part.says)


def disk(folder: Path) -> Health:
    """Whether there is enough disk space."""
    try:
        free = shutil.disk_usage(_existing(folder)).free
    except OSError as error:
        return told("disk", "failed", "disk.gone", folder=folder, english=error.strerror or error)
    state: State = "failed" if free < NO_ROOM else "troubled" if free < LITTLE_ROOM else "ok"
    return told("disk", state, f"disk.{state}", megabytes=free // 1_000_000, folder=folder)


def kept_files(home: Path) -> Iterator[Health]:
    """Damaged files that were moved aside, until a person removes them."""
    if names := ", ".join(str(path.relative_to(home)) for path in moved_aside(home)):
        yield told("files", "troubled", "files.moved_aside", names=names)


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def summed_up(parts: Iterable[Health]) -> str:
    """The health of all parts in one line."""
    return "; ".join(_worst(parts)) or "everything is fine"


def _worst(parts: Iterable[Health]) -> Iterator[str]:
    for part in parts:
        if part.state in ("failed", "troubled"):
            yield f"{part.name}: {part.state}"


ROOT: Final = Path("/")
WARM: Final = 70.0
HOT: Final = 80.0
"""Degrees Celsius. A Pi slows down above `HOT`."""
_SENSOR: Final = "rpi_volt"


def machine(root: Path = ROOT) -> Iterator[Health]:
    yield _temperature(root)
    yield _power(root)
    yield _versions(root)


def _temperature(root: Path) -> Health:
    text = _read(root / "sys/class/thermal/thermal_zone0/temp")
    if not text.lstrip("-").isdecimal():
        return told("temperature", "absent", "temperature.unknown")
    degrees = int(text) / 1000
    state: State = "failed" if degrees >= HOT else "troubled" if degrees >= WARM else "ok"
    key = {"ok": "fine", "troubled": "warm", "failed": "hot"}[state]
    return told("temperature", state, f"temperature.{key}", degrees=round(degrees))


def _power(root: Path) -> Health:
    for sensor in sorted((root / "sys/class/hwmon").glob("hwmon*")):
        if _read(sensor / "name") == _SENSOR:
            alarm = _read(sensor / "in0_lcrit_alarm")
            if alarm in ("0", "1"):
                low = alarm == "1"
                return told("undervoltage", "troubled" if low else "ok", f"power.{'low' if low else 'fine'}")
    return told("undervoltage", "absent", "power.unknown")


def _versions(root: Path) -> Health:
    # The model's name ends with a zero byte.
    model = _read(root / "proc/device-tree/model").rstrip("\0") or platform.machine()
    facts = {"companion": __version__, "python": platform.python_version(), "system": _system(root), "model": model}
    return told("versions", "ok", "versions.said", **facts)


def _system(root: Path) -> str:
    lines = dict(line.split("=", 1) for line in _read(root / "etc/os-release").splitlines() if "=" in line)
    return lines.get("PRETTY_NAME", platform.system()).strip('"')


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
