"""What a route is: an address, who may use it, and what it does. The routes themselves are in `pages`, `looking` and
`acting`; the door in front of them all is in `door`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from web.address import Names
from web.assets import Assets
from web.backend import House
from web.limits import Limit
from web.phones import NOBODY, Phone, Phones, Role, csrf_of
from web.pin import Pin
from web.stream import Streams
from web.words import Words

ANYBODY: Final[frozenset[Role]] = frozenset(("host", "seat", "watcher", "nobody"))
JOINED: Final[frozenset[Role]] = frozenset(("host", "seat", "watcher"))
PLAYERS: Final[frozenset[Role]] = frozenset(("host", "seat"))
HOST: Final[frozenset[Role]] = frozenset(("host",))

MOST_BYTES: Final = 16 * 1024
FILE_BYTES: Final = 60 * 1024
"""For a file that somebody uploads; the server itself takes a little more."""

Pace = Literal["pin", "join", "tap", "look"]


class TurnedAway(Exception):
    """A request that gets a clear no. `reason` is a key of the words."""

    def __init__(self, status: int, reason: str, wait: float = 0.0, **facts: object) -> None:
        super().__init__(reason)
        self.status, self.reason, self.wait, self.facts = status, reason, wait, facts


class Visitor(msgspec.Struct, frozen=True):
    """Whoever asks: a phone with its token, or somebody without one, from this address."""

    address: str
    token: str | None = None
    phone: Phone = NOBODY

    @property
    def guesses_as(self) -> str:
        """Whose wrong PINs count together: a phone that was the host, a seat (which only one phone has at a time), or
        else an address."""
        if self.phone.proven:
            return f"phone {self.token}"
        return self.address if self.phone.seat is None else f"seat {self.phone.seat}"

    @property
    def key(self) -> str:
        """What tells this visitor from others."""
        return self.token or self.address


class Route(msgspec.Struct, frozen=True):
    """One address. `act` gets the visitor, the parts of the address, and for a POST the body, checked."""

    path: str
    act: Callable[..., Any]
    who: frozenset[Role] = ANYBODY
    body: type[Any] | None = None
    """What a POST brings; without it the route is a GET."""
    pace: Pace | None = None
    most_bytes: int = MOST_BYTES
    """So much may be sent."""

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


class Paces(msgspec.Struct, frozen=True):
    """How often one visitor may do what."""

    pin: Limit
    """Five guesses, then one a minute: for each former host, for each seat, and for each address of other phones."""
    all_pins: Limit
    """For all those other phones together, because addresses are cheap: at this pace the million PINs last for almost
    four years. It never keeps a former host, a seat or the table's own machine waiting."""
    join: Limit
    tap: Limit
    look: Limit
    """What costs the companion some work."""


def paces() -> Paces:
    return Paces(Limit(5, 60.0), Limit(30, 120.0), Limit(12, 5.0), Limit(40, 0.1), Limit(80, 0.05))


class Dashboard:
    """All that the routes share."""

    def __init__(
        self,
        house: House,
        phones: Phones,
        pin: Pin,
        streams: Streams,
        assets: Assets,
        words: Words,
        names: Names,
        port: int,
        own_address: Callable[[], str],
        paces: Paces,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.house, self.phones, self.pin, self.streams = house, phones, pin, streams
        self.assets, self.words, self.names = assets, words, names
        self.port, self.own_address = port, own_address
        self.paces, self.clock = paces, clock

    def me(self, visitor: Visitor) -> dict[str, Any]:
        phone = visitor.phone
        csrf = csrf_of(visitor.token) if visitor.token is not None else ""
        return {"role": phone.role, "seat": phone.seat, "name": phone.name, "csrf": csrf, "host": phone.host}
