"""Server-sent events for any number of phones: each event is encoded once and sent to all of them.

One thread follows the event bus and encodes new events; the server's event loop sends them. A page has no queue, only
its place in the bus's log, so a slow page delays no other. If the events after its place are no longer kept, it gets
the full status instead.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from companion.kernel.events import Event, EventBus, Snapshot
from web.backend import Backend

_log = logging.getLogger(__name__)

PING: Final = 2.0
"""Seconds between two pings: a phone without pings for a while knows that its state is old."""
SOON: Final = 0.25
"""Seconds between two messages about seats and phones, so that two hundred new phones are one change."""
STOP_TIMEOUT: Final = 2.0
"""Seconds that `stop` waits for the thread."""
CLIENTS: Final = 200
EACH: Final = 6
"""Maximum number of open pages of one phone; the next one closes the oldest."""
EACH_ADDRESS: Final = 12
"""Maximum number of open pages of one address; the next one is refused."""
AT_A_TIME: Final = 256 * 1024
"""Maximum number of bytes that are sent to a page at a time; more only if one event is larger."""


class Page(NamedTuple):
    """A listening page. `who` is the same for all pages of a phone; pages of players and hosts are `known`."""

    who: str
    address: str = ""
    known: bool = False


class Full(Exception):
    """The maximum number of pages is reached, in all or at one address."""

    def __init__(self, most: int, address: str = "") -> None:
        super().__init__(f"{most} pages listen already{f' at {address}' if address else ''}.")
        self.most, self.address = most, address


class Over(Exception):
    """The companion stops, so there are no more events."""


def event(kind: str, body: Any, mark: str = "") -> bytes:
    """Encode a server-sent event. JSON has no line breaks, so its data is always one line."""
    named = f"id: {mark}\n" if mark else ""
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), named.encode(), msgspec.json.encode(body))


class Place(NamedTuple):
    """A page's progress: its place in the bus's log, and the numbers of the last standing and ping it got."""

    event: int
    standing: int
    ping: int


class Moment:
    """The data to send at one moment. Pages at the same place get the same bytes."""

    def __init__(self, bus: EventBus, place: Place, standing: bytes, ping: bytes) -> None:
        self._bus, self.place, self.standing, self.ping = bus, place, standing, ping
        self._known: dict[Place, tuple[bytes, Place]] = {}

    def after(self, place: Place) -> tuple[bytes, Place]:
        """The next bytes for a page at a place, and its place after them. Only the server's thread calls it."""
        if place == self.place:
            return b"", place
        if place not in self._known:
            self._known[place] = self._after(place)
        return self._known[place]

    def _after(self, place: Place) -> tuple[bytes, Place]:
        parts: list[bytes] = []
        size = 0
        for number, one in enumerate(self._bus.between(place.event, self.place.event) or (), place.event):
            if size >= AT_A_TIME:
                return b"".join(parts), place._replace(event=number)
            parts.append(one.encoded)
            size += len(one.encoded)
        if place.standing != self.place.standing:
            parts.append(self.standing)
        if place.ping != self.place.ping:
            parts.append(self.ping)
        return b"".join(parts), self.place


class Stream:
    """The event stream of one page. It counts as open until it is closed."""

    def __init__(self, streams: Streams, page: Page, place: Place, first: Iterable[bytes] = ()) -> None:
        self._streams, self.page, self._place = streams, page, place
        self._first = list(first)
        self._ended = False

    def end(self) -> None:
        """End the stream after the waiting events."""
        self._ended = True

    def take(self) -> bytes | None:
        """All waiting events, with only the last of several standings; empty if there are none, None after the end.
        Only the server's thread calls it."""
        ended, parts, size = self._ended, [], 0
        while self._first and size < AT_A_TIME:
            parts.append(self._first.pop(0))
            size += len(parts[-1])
        if not parts:
            waiting, self._place = self._streams.moment.after(self._place)
            parts = [waiting]
        return b"".join(parts) or (None if ended else b"")

    def close(self) -> None:
        self._streams.leave(self)


class Streams:
    """Follows the event bus in a thread, and provides the streams of all pages."""

    def __init__(
        self,
        backend: Backend,
        seats: Callable[[int], list[dict[str, Any]]],
        clients: int = CLIENTS,
        each_address: int = EACH_ADDRESS,
    ) -> None:
        """`seats` returns the name at each seat, for at least this many seats."""
        self._backend, self._seats = backend, seats
        self.clients, self._each_address = clients, each_address
        self.wake: Callable[[], None] = lambda: None
        """Called when the streams have new events."""
        self._lock = threading.Lock()
        self._streams: list[Stream] = []
        place, self._now = backend.bus.now()
        self._dirty = False
        self._demo: dict[str, Any] | None = None
        self._camera: dict[str, Any] | None = None
        self._due_ping = self._due_snapshot = backend.now()
        self._over = threading.Event()
        self.steps = 0
        self.moment = Moment(backend.bus, Place(place, 0, 0), self._standing(), b"")
        """The data to send now. It is immutable; the thread replaces it."""
        self._thread = threading.Thread(target=self._run, name="web events", daemon=True)

    # For requests

    def open(self, page: Page, hello: Callable[[str], bytes], since: str | None = None) -> Stream:
        """A stream for one page, which begins with the events after `since`. `hello` makes its first event from the
        edition. Raises `Full` and `Over`."""
        with self._lock:
            if self._over.is_set():
                raise Over
            self._make_room(page)
            if self._dirty:
                self._move(self.moment.place.event, standing=True)
            place = self.moment.place
            first = [hello(self._now.edition), *self._missed(since)]
            stream = Stream(self, page, place._replace(standing=place.standing - 1), first)
            self._streams.append(stream)
            self._dirty = True
            return stream

    def _missed(self, since: str | None) -> Iterator[bytes]:
        """The updates after `since`, which is an edition and a number, if they are still kept."""
        edition, _, number = (since or "").rpartition(":")
        if number.isascii() and number.isdecimal() and len(number) < 16:
            missed = self._backend.bus.since(int(number), edition, self.moment.place.event)
            yield from (event.encoded for event in missed or ())

    def _make_room(self, new: Page) -> None:
        """Close the oldest page of a phone with too many. If an address or the server has too many pages, a known page
        replaces the oldest unknown one, and an unknown page is refused."""
        same = [stream for stream in self._streams if stream.page.who == new.who]
        here = [stream for stream in self._streams if stream.page.address == new.address]
        if len(same) >= EACH:
            self._drop(same[0])
            return
        for crowd, most, address in ((here, self._each_address, new.address), (self._streams, self.clients, "")):
            if len(crowd) < most:
                continue
            unknown = [stream for stream in crowd if not stream.page.known]
            if not (new.known and unknown):
                raise Full(most, address)
            self._drop(unknown[0])
            return

    def refresh(self) -> None:
        """Send changes outside the table: seats, the state of a demo."""
        self._dirty = True

    @property
    def told(self) -> Snapshot:
        """The last snapshot that phones got."""
        return self._now

    @property
    def open_now(self) -> int:
        return len(self._streams)

    @property
    def phones(self) -> int:
        return len(Counter(stream.page.who for stream in self._streams))

    def _drop(self, stream: Stream) -> None:
        stream.end()
        self._streams.remove(stream)
        self.wake()

    def leave(self, stream: Stream) -> None:
        with self._lock:
            if stream in self._streams:
                self._streams.remove(stream)
                self._dirty = True

    # The thread

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End all streams."""
        self._over.set()
        with self._lock:
            for stream in self._streams:
                stream.end()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._listen()
            except Exception as error:  # phones must get events again after an error
                _log.exception("The phones' events failed and are restarted: %s.", error)
                self._over.wait(1.0)

    def _listen(self) -> None:
        """Follow the bus until the companion stops. After an error, earlier events are skipped."""
        bus = self._backend.bus
        place, snapshot = bus.now()
        with self._lock:
            self._now = snapshot
            self._move(place, standing=True)
        self.wake()
        while not self._over.is_set():
            end, snapshot = bus.wait(place, max(0.0, min(SOON, self._due_ping - self._backend.now())))
            for one in bus.between(place, end) or ():
                one.encoded = _encoded(one, snapshot.edition)
            before = self.moment
            with self._lock:
                self._look_around(end, snapshot)
            place = end
            self.steps += 1
            if self.moment is not before:
                self.wake()

    def _look_around(self, end: int, snapshot: Snapshot) -> None:
        """Give pages new events of the table, changes outside it, and pings."""
        now, backend = self._backend.now(), self._backend
        at_the_table = snapshot is not self._now
        beside_it = end != self.moment.place.event or backend.camera_trouble() != self._camera
        if beside_it or (backend.demo is not None and backend.demo.state() != self._demo):
            self._dirty = True
        self._now = snapshot
        standing, ping = at_the_table or (self._dirty and now >= self._due_snapshot), now >= self._due_ping
        if standing or ping or end != self.moment.place.event:
            self._move(end, standing, ping)

    def _move(self, end: int, standing: bool, ping: bool = False) -> None:
        """Replace the moment by the next one, with a new standing or ping if requested."""
        now, last = self._backend.now(), self.moment
        if standing:
            self._dirty, self._due_snapshot = False, now + SOON
        if ping:
            self._due_ping = now + PING
        self.moment = Moment(
            self._backend.bus,
            Place(end, last.place.standing + standing, last.place.ping + ping),
            self._standing() if standing else last.standing,
            event("ping", {"now": now}) if ping else last.ping,
        )

    def _standing(self) -> bytes:
        whole = self.whole(self._now)
        self._demo, self._camera = whole["demo"], whole["camera"]
        return event("standing", whole, f"{self._now.edition}:{self._now.number}")

    def whole(self, now: Snapshot) -> dict[str, Any]:
        """The full status, for a phone that has just connected."""
        demo = self._backend.demo
        return {
            "edition": now.edition,
            "number": now.number,
            "table": now.table,
            "raid": self._backend.raid(),
            "seats": self._seats(len(now.table.get("seats") or ())),
            "phones": self.phones,
            "demo": demo.state() if demo is not None else None,
            "camera": self._backend.camera_trouble(),
        }


def _encoded(one: Event, edition: str) -> bytes:
    """An encoded event of the bus. A raid's event has no number, because it cannot be sent again later."""
    number, kind, body = one.update.number, one.update.kind, one.update.body
    if kind == "raid":
        return event("raid", body)
    return event("update", {"number": number, "kind": kind, "body": body}, f"{edition}:{number}")
