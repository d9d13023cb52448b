"""Opens the pins: on a Raspberry Pi with lgpio or RPi.GPIO, without hardware with gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hardware.rig import Backend

MODEL: Final = Path("/proc/device-tree/model")
Factory = Any
"""One of gpiozero's pin factories."""


class PinsError(Exception):
    """The pins cannot be opened; the message says why and what to do."""


def open_pins(backend: Backend = "auto", model: str | None = None) -> Factory:
    """A pin factory. `auto` uses lgpio, or on a Pi before the 5 RPi.GPIO if lgpio is missing."""
    if backend == "auto":
        return _first_that_opens(chosen(board() if model is None else model))
    if backend == "none":
        raise PinsError('The rig file says that there are no pins (backend = "none").')
    return _opened(backend)


def board() -> str:
    """The board's model; empty if this is no Raspberry Pi or similar board."""
    try:
        return MODEL.read_text(encoding="utf-8").rstrip("\0 \n")
    except OSError:
        return ""


def chosen(model: str) -> tuple[Backend, ...]:
    """The backends to try on a board, best first."""
    if "Raspberry Pi" not in model:
        where = f"This is a {model}, no Raspberry Pi" if model else "This is no Raspberry Pi"
        raise PinsError(f'{where}, so there are no pins; for a desk without hardware write backend = "mock".')
    # RPi.GPIO does not support the Pi 5's pin chip. On older boards it reads presses through files in /sys, which a
    # service may not write, so lgpio comes first.
    return ("lgpio",) if "Raspberry Pi 5" in model or "Compute Module 5" in model else ("lgpio", "rpigpio")


def _first_that_opens(backends: tuple[Backend, ...]) -> Factory:
    reasons = []
    for backend in backends:
        try:
            return _opened(backend)
        except PinsError as reason:
            reasons.append(str(reason))
    raise PinsError(" ".join(reasons))


def _opened(backend: Backend) -> Factory:
    try:
        return _FACTORIES[backend]()
    except ImportError as error:
        raise PinsError(f"The pins cannot be opened with {backend}: {error}; install {_PACKAGES[backend]}.") from error
    except PermissionError as error:
        raise PinsError(
            f"The pins cannot be opened with {backend}: no permission for {error.filename or 'the chip'}; "
            "add this user to the group gpio and log in again."
        ) from error
    except Exception as error:  # each backend raises its own errors, and none may stop a game
        raise PinsError(f"The pins cannot be opened with {backend}: {str(error) or type(error).__name__}.") from error


def _lgpio() -> Factory:
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _rpigpio() -> Factory:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


def mock_pins() -> Factory:
    """Mock pins with PWM, for dimmed lights and for buzzers with a pitch."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


_PACKAGES: Final[Mapping[str, str]] = {
    "lgpio": "python3-lgpio with apt-get, or the companion with its extra [pi]",
    "rpigpio": "python3-rpi.gpio with apt-get, or the companion with its extra [rpi-gpio]",
    "mock": "gpiozero",
}
"""The package with each backend's library."""

_FACTORIES: Final[Mapping[str, Callable[[], Factory]]] = {
    "lgpio": _lgpio,
    "rpigpio": _rpigpio,
    "mock": mock_pins,
}
