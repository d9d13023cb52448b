"""Finds and opens the serial port of a board, and explains problems in one sentence."""

from __future__ import annotations

import errno
import termios
from collections.abc import Callable, Iterable
from typing import Literal, Protocol, cast

import serial
from serial.tools import list_ports

AUTO = "auto"
PICO_VENDOR = 0x2E8A
MICROPYTHON_PRODUCT = 0x0005
BAUD = 115200
"""USB ignores it; a board on a real UART should use it."""

MISSING = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO)
FORBIDDEN = (errno.EACCES, errno.EPERM)
BUSY = (errno.EAGAIN, errno.EBUSY)


class PortTrouble(Exception):
    """Why a board cannot be reached: `searching` if it may appear by itself, `refused` if a person must act."""

    def __init__(self, sentence: str, state: Literal["searching", "refused"]) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.state = state


class Port(Protocol):
    """An open port of pyserial. Reading and writing do not wait."""

    def fileno(self) -> int: ...
    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def reset_output_buffer(self) -> None: ...
    def close(self) -> None: ...


class ListedPort(Protocol):
    """The description of a port that is not opened."""

    device: str
    vid: int | None
    pid: int | None


def find_pico(listed: Callable[[], Iterable[ListedPort]] = list_ports.comports) -> str:
    """The port of a connected Pico; of several, the first that runs MicroPython."""
    picos = [port for port in listed() if port.vid == PICO_VENDOR]
    if not picos:
        raise PortTrouble("No Pico is plugged in: plug the board in, or name its port in the rig file.", "searching")
    return min(picos, key=lambda port: (port.pid != MICROPYTHON_PRODUCT, port.device)).device


def open_port(name: str) -> Port:
    """Open the port exclusively."""
    try:
        return cast(Port, serial.Serial(name, BAUD, timeout=0, write_timeout=0, exclusive=True))
    except (OSError, termios.error, ValueError) as error:  # pyserial's own errors are OSErrors
        raise why_closed(name, error) from error


def why_closed(name: str, error: Exception) -> PortTrouble:
    """Explain to a person why a port cannot be opened."""
    number = getattr(error, "errno", None)
    if number in MISSING:
        return PortTrouble(
            f"There is no serial port {name}: plug the board in, or correct the port in the rig file.", "searching"
        )
    if number in FORBIDDEN:
        return PortTrouble(
            f"This user may not open the serial port {name}: add the user to the group dialout.", "refused"
        )
    if number in BUSY:
        return PortTrouble(f"The serial port {name} is used by another program: close that program.", "refused")
    return PortTrouble(f"{name} cannot be opened as a serial port ({error}): correct it in the rig file.", "refused")
