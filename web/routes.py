"""The type of the dashboard's routes, and their rate limits."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from web.address import Names
from web.assets import Assets, Words
from web.backend import Backend
from web.phones import UNKNOWN_PHONE, Phone, Phones, Pin, Role, csrf_of
from web.stream import Streams

MOST_PURSES: Final = 4096
"""Maximum number of visitors in a rate limit, so that requests cannot fill the memory. The least recent is dropped."""


class Limit:
    """A rate limit for each visitor: `burst` requests at once, then one every `seconds`."""

    def __init__(self, burst: int, seconds: float) -> None:
        self._burst, self._seconds = burst, seconds
        self._changed = threading.Lock()
        self._purses: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str, now: float) -> float:
        """Count a request and return 0.0, or return the seconds until the next one is allowed."""
        with self._changed:
            left, since = self._purses.pop(who, (float(self._burst), now))
            left = min(float(self._burst), left + max(0.0, now - since) / self._seconds)
            paid = left >= 1.0
            self._purses[who] = (left - 1.0 if paid else left, now)
            while len(self._purses) > MOST_PURSES:
                self._purses.popitem(last=False)
            return 0.0 if paid else (1.0 - left) * self._seconds


ALL_ROLES: Final[frozenset[Role]] = frozenset(("host", "seat", "watcher", "nobody"))
JOINED: Final[frozenset[Role]] = frozenset(("host", "seat", "watcher"))
PLAYERS: Final[frozenset[Role]] = frozenset(("host", "seat"))
HOST: Final[frozenset[Role]] = frozenset(("host",))

MOST_BYTES: Final = 16 * 1024
FILE_BYTES: Final = 60 * 1024
"""Maximum size of an uploaded file; the server itself accepts a little more."""

Pace = Literal["pin", "join", "tap", "look"]


class RequestRefused(Exception):
    """A refused request. `reason` is a key of the words."""

    def __init__(self, status: int, reason: str, wait: float = 0.0, **facts: object) -> None:
        super().__init__(reason)
        self.status, self.reason, self.wait, self.facts = status, reason, wait, facts


class Visitor(msgspec.Struct, frozen=True):
    """The sender of a request: a phone with its token, or without one a browser at this address."""

    address: str
    token: str | None = None
    phone: Phone = UNKNOWN_PHONE

    @property
    def guesses_as(self) -> str:
        """The key under which wrong PINs are counted: a phone that was a host, a seat (which one phone has at a time),
        or else an address."""
        if self.phone.proven:
            return f"phone {self.token}"
        return self.address if self.phone.seat is None else f"seat {self.phone.seat}"

    @property
    def key(self) -> str:
        """A key that differs between visitors."""
        return self.token or self.address


class Route(msgspec.Struct, frozen=True):
    """One address. `act` gets the visitor, the parts of the address, and for a POST the checked body."""

    path: str
    act: Callable[..., Any]
    who: frozenset[Role] = ALL_ROLES
    body: type[Any] | None = None
    """The type of a POST's body; None for a GET."""
    pace: Pace | None = None
    most_bytes: int = MOST_BYTES
    """Maximum size of the body."""

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


class RateLimits(msgspec.Struct, frozen=True):
    """The rate limits of one visitor."""

    pin: Limit
    """Five guesses, then one a minute: for each former host, for each seat, and for each address of other phones."""
    all_pins: Limit
    """For all those other phones together, because addresses are easy to get: trying all million PINs takes almost
    four years. It does not apply to former hosts, seats and the table's own machine."""
    join: Limit
    tap: Limit
    look: Limit
    """For requests that take some work."""


def rate_limits() -> RateLimits:
    return RateLimits(Limit(5, 60.0), Limit(30, 120.0), Limit(12, 5.0), Limit(40, 0.1), Limit(80, 0.05))


class Dashboard:
    """The objects that all routes share."""

    def __init__(
        self,
        backend: Backend,
        phones: Phones,
        pin: Pin,
        streams: Streams,
        assets: Assets,
        words: Words,
        names: Names,
        port: int,
        own_address: Callable[[], str],
        rate_limits: RateLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.backend, self.phones, self.pin, self.streams = backend, phones, pin, streams
        self.assets, self.words, self.names = assets, words, names
        self.port, self.own_address = port, own_address
        self.rate_limits, self.clock = rate_limits, clock

    def me(self, visitor: Visitor) -> dict[str, Any]:
        phone = visitor.phone
        csrf = csrf_of(visitor.token) if visitor.token is not None else ""
        return {"role": phone.role, "seat": phone.seat, "name": phone.name, "csrf": csrf, "host": phone.host}
