"""Which backend opens the pins, and the error if none can."""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hardware import pins
from hardware.pins import PinsError, chosen, open_pins


@pytest.fixture
def fake_rpi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """fake-rpi's RPi.GPIO instead of the real one; it prints a banner when it is imported."""
    with contextlib.redirect_stdout(io.StringIO()):
        import fake_rpi

    monkeypatch.setitem(sys.modules, "RPi", fake_rpi.RPi)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake_rpi.RPi.GPIO)
    yield fake_rpi.RPi.GPIO
    sys.modules.pop("gpiozero.pins.rpigpio", None)


def test_every_pi_takes_lgpio_and_older_ones_rpigpio_too() -> None:
    assert chosen("Raspberry Pi 5 Model B Rev 1.0") == ("lgpio",)
    assert chosen("Raspberry Pi Compute Module 5 Rev 1.0") == ("lgpio",)
    assert chosen("Raspberry Pi 4 Model B Rev 1.5") == ("lgpio", "rpigpio")
    assert chosen("Raspberry Pi Zero 2 W Rev 1.0") == ("lgpio", "rpigpio")


def test_elsewhere_there_are_no_pins() -> None:
    with pytest.raises(PinsError, match="This is no Raspberry Pi, so there are no pins"):
        open_pins("auto", model="")
    with pytest.raises(PinsError, match="This is a Toaster 3, no Raspberry Pi"):
        open_pins("auto", model="Toaster 3")
    with pytest.raises(PinsError, match='backend = "none"'):
        open_pins("none")


def test_an_older_pi_without_lgpio_opens_its_pins_through_rpigpio(
    fake_rpi: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero.pins.local import LocalPiFactory

    monkeypatch.setattr(LocalPiFactory, "_get_revision", lambda _self: 0xC03111)  # a Pi 4, which this is not
    factory = open_pins("auto", model="Raspberry Pi 4 Model B Rev 1.1")
    assert type(factory).__name__ == "RPiGPIOFactory"
    assert factory._get_revision() == 0xC03111
    factory.close()


def test_a_raw_input_of_fake_rpi(fake_rpi: Any) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        gpio = fake_rpi.GPIO if hasattr(fake_rpi, "GPIO") else fake_rpi
        gpio.setmode(gpio.BCM)
        gpio.setup(5, gpio.IN)
        for level in (1, 0, 1):
            gpio.set_input(5, level)
            assert gpio.input(5) == level


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ImportError("No module named 'lgpio'"), "install python3-lgpio with apt-get"),
        (PermissionError(13, "Permission denied", "/dev/gpiochip0"), "no permission for /dev/gpiochip0; add this user"),
        (RuntimeError("can not open gpiochip"), "can not open gpiochip"),
        (OSError(), "OSError"),
    ],
)
def test_why_pins_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, error: Exception, says: str) -> None:
    def fail() -> Any:
        raise error

    monkeypatch.setattr(pins, "_FACTORIES", {"lgpio": fail, "rpigpio": fail})
    with pytest.raises(PinsError, match=says):
        open_pins("lgpio")
    with pytest.raises(PinsError) as both:
        open_pins("auto", model="Raspberry Pi 4 Model B")
    assert "with rpigpio" in str(both.value)
    assert "with lgpio" in str(both.value)


def test_importing_the_room_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def watched(name: str, *rest: Any, **more: Any) -> Any:
        assert not name.startswith(("RPi", "lgpio", "gpiozero")), name
        return real(name, *rest, **more)

    for module in [name for name in sys.modules if name.startswith("hardware.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", watched)
    real("hardware.table_hardware")
