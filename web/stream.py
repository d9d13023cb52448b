"""What happens, as a stream of events for any number of phones: each event is written once and handed to all of them.

One thread listens to the backend and puts events into the streams; the server's event loop takes them out. A page that
reads too slowly delays no other: what waits for it is thrown away, and it goes on with how things stand.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from web.backend import Backend, Missed, Snapshot, Subscription, Told

_log = logging.getLogger(__name__)

PING: Final = 2.0
"""Seconds between two signs of life: a phone that hears none for a while knows that it shows something old."""
SOON: Final = 0.25
"""Seconds in which phones come and seats change before that is told: two hundred at once are one change."""
GOODBYE: Final = 2.0
"""Seconds that the listening thread has to finish."""
KEPT: Final = 500
"""Updates that a phone may have missed and still gets one by one."""
PATIENCE: Final = 600
"""Events that may wait for a phone."""
AT_ONCE: Final = 50
"""Updates in a row that are told before how things stand after them."""
CLIENTS: Final = 200
EACH: Final = 6
"""Pages that one phone may have open; the next one closes the oldest."""
EACH_ADDRESS: Final = 12
"""Pages that may be open at one address; the next one is refused."""
AT_A_TIME: Final = 256 * 1024
"""Bytes that are handed to a page before it has taken those before; a little more if one event is larger."""


class Event(NamedTuple):
    """One event as it goes over the wire. Of several snapshots only the last one matters."""

    data: bytes
    snapshot: bool = False


class Page(NamedTuple):
    """Who listens: `who` is the same for all pages of a phone; `known` are those of players and hosts."""

    who: str
    address: str = ""
    known: bool = False


class Full(Exception):
    """As many pages listen as there may be: in all, or at one address."""

    def __init__(self, most: int, address: str = "") -> None:
        super().__init__(f"{most} pages listen already{f' at {address}' if address else ''}.")
        self.most, self.address = most, address


class Over(Exception):
    """Nothing more is told: the companion stops."""


def event(kind: str, body: Any, mark: str = "") -> bytes:
    """JSON has no line break in it, so an event's data is always one line."""
    named = f"id: {mark}\n" if mark else ""
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), named.encode(), msgspec.json.encode(body))


class Stream:
    """What one page still has to be sent. Close it, or its place stays taken."""

    def __init__(self, leave: Callable[[Stream], None], page: Page, first: Iterable[Event]) -> None:
        self._leave = leave
        self.page = page
        self._waiting: deque[Event] = deque(first)
        self._ended = False

    def offer(self, one: Event, snapshot: Event) -> None:
        """Called by the listening thread alone."""
        if len(self._waiting) >= PATIENCE:
            self._waiting.clear()
            one = snapshot
        self._waiting.append(one)

    def end(self) -> None:
        """What waits is still sent, and nothing after it."""
        self._ended = True

    def take(self) -> bytes | None:
        """What waits, in one piece: a phone that was away for a moment gets the newest snapshot only. Empty when
        nothing waits, None after the end. Called by the server's thread alone."""
        ended, events, size = self._ended, [], 0
        while size < AT_A_TIME:
            try:
                events.append(self._waiting.popleft())
            except IndexError:
                break
            size += len(events[-1].data)
        if ended and not events:
            return None
        last = max((number for number, one in enumerate(events) if one.snapshot), default=-1)
        return b"".join(one.data for number, one in enumerate(events) if number == last or not one.snapshot)

    def close(self) -> None:
        self._leave(self)


class Streams:
    """Listens to the backend in a thread of its own, and tells all phones."""

    def __init__(
        self,
        backend: Backend,
        seats: Callable[[int], list[dict[str, Any]]],
        clients: int = CLIENTS,
        each_address: int = EACH_ADDRESS,
    ) -> None:
        """`seats` tells who sits where, for at least so many seats."""
        self._backend, self._seats = backend, seats
        self.clients, self._each_address = clients, each_address
        self.wake: Callable[[], None] = lambda: None
        """Called when something waits in the streams."""
        self._lock = threading.Lock()
        self._streams: list[Stream] = []
        self._now = backend.snapshot()
        self._snapshot = Event(b"", snapshot=True)
        self._past: deque[tuple[int, Event]] = deque(maxlen=KEPT)
        self._first = self._last = self._now.number
        """The numbers before the oldest update that is kept, and of the last one that was told."""
        self._dirty = self._told = False
        self._demo: dict[str, Any] | None = None
        self._camera: dict[str, Any] | None = None
        self._due_ping = self._due_snapshot = backend.now()
        self._over = threading.Event()
        self.steps = 0
        self._write_snapshot()
        self._thread = threading.Thread(target=self._run, name="web events", daemon=True)

    # For requests

    def open(self, page: Page, hello: Callable[[str], bytes], since: str | None = None) -> Stream:
        """A stream for one page, which begins with what it missed since then. `hello` is told the edition. Raises
        `Full` and `Over`."""
        with self._lock:
            if self._over.is_set():
                raise Over
            self._make_room(page)
            if self._dirty:
                self._write_snapshot()
            first = [Event(hello(self._now.edition)), *self._missed(since), self._snapshot]
            stream = Stream(self._gone, page, first)
            self._streams.append(stream)
            self._dirty = True
            return stream

    def _make_room(self, new: Page) -> None:
        """A phone's own oldest page gives way to its next one. Where an address or all of them have too many, a known
        phone takes the place of the oldest unknown one, and an unknown one gets none."""
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
        """Something that stands beside the table has changed: who sits where, what a demo does."""
        self._dirty = True

    @property
    def told(self) -> Snapshot:
        """How things stood when the phones were last told."""
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

    def _gone(self, stream: Stream) -> None:
        with self._lock:
            if stream in self._streams:
                self._streams.remove(stream)
                self._dirty = True

    def _missed(self, since: str | None) -> Iterator[Event]:
        edition, _, number = (since or "").rpartition(":")
        if edition != self._now.edition or not (number.isascii() and number.isdecimal() and len(number) < 16):
            return
        if self._first <= int(number) <= self._last:
            yield from (one for past, one in self._past if past > int(number))

    # The thread

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Every page is told that this is the end."""
        self._over.set()
        with self._lock:
            for stream in self._streams:
                stream.end()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(GOODBYE)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._listen()
            except Exception as error:  # phones that see nothing more are worse than a line in the log
                _log.exception("The phones' events stumbled and begin anew: %s.", error)
                self._over.wait(1.0)

    def _listen(self) -> None:
        """Until there is a reason to listen anew."""
        subscription, snapshot = self._backend.listen()
        try:
            with self._lock:
                self._begin(snapshot)
            missed = False
            while not self._over.is_set() and not missed:
                told, missed = _at_once(subscription, max(0.0, min(SOON, self._due_ping - self._backend.now())))
                self.steps += 1
                with self._lock:
                    self._tell_all(told)
                    self._look_around()
                if self._told:
                    self._told = False
                    self.wake()
        finally:
            subscription.close()

    def _begin(self, snapshot: Snapshot) -> None:
        """Another edition, or too much was missed: what phones knew is void."""
        self._past.clear()
        self._now, self._first, self._last = snapshot, snapshot.number, snapshot.number
        self._tell_snapshot()

    def _tell_all(self, told: Iterable[Told]) -> None:
        """Tell these things, and how things stand after the last of them."""
        changed = False
        for news in told:
            changed |= self._tell(news)
        if changed:
            self._tell_snapshot()

    def _tell(self, news: Told) -> bool:
        """Whether how things stand has changed by it."""
        if news.kind == "raid":
            self._offer(Event(event("raid", news.body)))
            self._dirty = True
            return False
        mark = f"{self._now.edition}:{news.number}"
        one = Event(event("update", {"number": news.number, "kind": news.kind, "body": news.body}, mark))
        if news.number > self._last:
            self._last = news.number
            if len(self._past) == self._past.maxlen:
                self._first = self._past[0][0]
            self._past.append((news.number, one))
        self._offer(one)
        if news.table is not None:
            self._now = Snapshot(self._now.edition, max(news.number, self._now.number), news.table)
        return news.table is not None

    def _look_around(self) -> None:
        now = self._backend.now()
        if self._backend.demo is not None and self._backend.demo.state() != self._demo:
            self._dirty = True
        if self._backend.camera_trouble() != self._camera:
            self._dirty = True
        if self._dirty and now >= self._due_snapshot:
            self._tell_snapshot()
        if now >= self._due_ping:
            self._due_ping = now + PING
            self._offer(Event(event("ping", {"now": now})))

    def _tell_snapshot(self) -> None:
        self._dirty = False
        self._due_snapshot = self._backend.now() + SOON
        self._write_snapshot()
        self._offer(self._snapshot)

    def _write_snapshot(self) -> None:
        whole = self.whole(self._now)
        self._demo, self._camera = whole["demo"], whole["camera"]
        self._snapshot = Event(event("standing", whole, f"{self._now.edition}:{self._now.number}"), True)

    def whole(self, now: Snapshot) -> dict[str, Any]:
        """How everything stands, for a phone that knows nothing yet."""
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

    def _offer(self, one: Event) -> None:
        self._told = True
        for stream in self._streams:
            stream.offer(one, self._snapshot)


def _at_once(subscription: Subscription, patience: float) -> tuple[list[Told], bool]:
    """What is told within this time, with what follows at once; and whether something after it was missed."""
    told: list[Told] = []
    news = subscription.get(patience)
    while isinstance(news, Told):
        told.append(news)
        if len(told) == AT_ONCE:
            break
        news = subscription.get(0)
    return told, isinstance(news, Missed)
