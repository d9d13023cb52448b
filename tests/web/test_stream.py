"""One page's stream: waiting events are sent in one piece, and nothing after its end."""

from __future__ import annotations

from companion.kernel.events import EventBus
from companion.kernel.messages import Update
from web.stream import AT_A_TIME, Moment, Page, Place, Stream, event


class Told:
    """Stands for `Streams`: what pages may be sent is told by the test."""

    def __init__(self) -> None:
        self.bus = EventBus(kept=20)
        self.moment = Moment(self.bus, Place(0, 0, 0), b"", b"")

    def tell(self, *events: bytes, standing: bytes = b"", ping: bytes = b"") -> None:
        for one in events:
            self.bus.publish([Update(self.bus.snapshot.number + 1, "moved")], {})
            end, _ = self.bus.now()
            for added in self.bus.between(end - 1, end) or ():
                added.encoded = one
        end, _ = self.bus.now()
        last = self.moment
        place = Place(end, last.place.standing + bool(standing), last.place.ping + bool(ping))
        self.moment = Moment(self.bus, place, standing or last.standing, ping or last.ping)

    def stream(self, *first: bytes) -> Stream:
        return Stream(self, Page("ada"), self.moment.place, first)  # type: ignore[arg-type]


def test_of_several_standings_only_the_last_is_sent_after_all_events() -> None:
    told = Told()
    page = told.stream(b"hello")
    told.tell(b"one", standing=b"old")
    told.tell(b"two", standing=b"new", ping=b"ping")
    assert page.take() == b"hello"
    assert page.take() == b"onetwonewping"
    assert page.take() == b""


def test_pages_at_the_same_place_are_sent_the_same_bytes() -> None:
    told = Told()
    one, other = told.stream(), told.stream()
    told.tell(b"one", standing=b"new")
    assert one.take() is other.take()


def test_a_page_that_is_too_slow_goes_on_with_the_standing() -> None:
    told = Told()
    page = told.stream()
    for number in range(21):
        told.tell(b"%d " % number, standing=b"how things stand")
    assert page.take() == b"how things stand"


def test_a_page_that_is_just_fast_enough_misses_nothing() -> None:
    told = Told()
    page = told.stream()
    told.tell(*[b"%d " % number for number in range(20)])
    assert page.take() == b"".join(b"%d " % number for number in range(20))


def test_what_waits_is_sent_before_the_end_and_nothing_after_it() -> None:
    told = Told()
    page = told.stream(b"hello")
    told.tell(b"last")
    page.end()
    assert (page.take(), page.take(), page.take()) == (b"hello", b"last", None)


def test_a_page_with_nothing_to_hear_is_sent_nothing_and_goes_on() -> None:
    told = Told()
    page = told.stream()
    assert page.take() == b""
    told.tell(b"one")
    assert page.take() == b"one"


def test_a_page_that_missed_much_gets_it_in_pieces() -> None:
    told, large = Told(), b"x" * (AT_A_TIME // 2)
    page = told.stream(large, large, large)
    told.tell(large, large, large, standing=b"now")
    lengths = [AT_A_TIME, AT_A_TIME // 2]
    assert [len(page.take() or b"") for _ in range(5)] == [*lengths, AT_A_TIME, AT_A_TIME // 2 + 3, 0]


def test_no_text_can_break_out_of_an_event() -> None:
    sent = event("update", {"name": "a\n\nevent: hello\r\ndata: {}"}, "edition:3")
    assert sent.count(b"\n") == 4
    assert sent.startswith(b"event: update\nid: edition:3\ndata: {")
    assert sent.endswith(b"}\n\n")
