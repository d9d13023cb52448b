"""The machine under the companion: how hot it is, whether its power is enough, and which versions run on it.

A Raspberry Pi tells all of it in files of its system; another machine may tell less.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion import __version__
from companion.daemon.health import Health, State, told

ROOT: Final = Path("/")
WARM: Final = 70.0
HOT: Final = 80.0
"""Degrees. At the upper one a Pi slows itself down."""
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
    # The kernel ends the model's name with a zero byte.
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
