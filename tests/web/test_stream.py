"""One page's stream: what waits for it is sent in one piece, and an end is an end."""

from __future__ import annotations

from web.stream import AT_A_TIME, PATIENCE, Event, Page, Stream, event


def stream(*first: Event) -> Stream:
    return Stream(lambda _stream: None, Page("ada"), first)


def test_of_several_snapshots_only_the_last_is_sent() -> None:
    page = stream(Event(b"hello"), Event(b"old", snapshot=True))
    page.offer(Event(b"one"), Event(b""))
    page.offer(Event(b"new", snapshot=True), Event(b""))
    page.offer(Event(b"two"), Event(b""))
    assert page.take() == b"helloonenewtwo"


def test_a_page_that_is_too_slow_goes_on_with_the_snapshot() -> None:
    page = stream()
    for number in range(PATIENCE + 1):
        page.offer(Event(b"%d " % number), Event(b"how things stand", snapshot=True))
    assert page.take() == b"how things stand"


def test_what_waits_is_sent_before_the_end_and_nothing_after_it() -> None:
    page = stream(Event(b"last"))
    page.end()
    page.offer(Event(b"later"), Event(b""))
    assert (page.take() or b"").startswith(b"last")
    assert page.take() is None


def test_a_page_that_is_too_slow_still_hears_its_end() -> None:
    page = stream()
    page.end()
    for _ in range(PATIENCE + 1):
        page.offer(Event(b"x"), Event(b"how things stand", snapshot=True))
    assert (page.take() or b"").startswith(b"how things stand")
    assert page.take() is None


def test_a_page_with_nothing_to_hear_is_sent_nothing_and_goes_on() -> None:
    page = stream()
    assert page.take() == b""
    page.offer(Event(b"one"), Event(b""))
    assert page.take() == b"one"


def test_a_page_that_missed_much_gets_it_in_pieces() -> None:
    large = Event(b"x" * (AT_A_TIME // 2))
    page = stream(large, large, large)
    assert [len(page.take() or b"") for _ in range(3)] == [AT_A_TIME, AT_A_TIME // 2, 0]


def test_no_text_can_break_out_of_an_event() -> None:
    sent = event("update", {"name": "a\n\nevent: hello\r\ndata: {}"}, "edition:3")
    assert sent.count(b"\n") == 4
    assert sent.startswith(b"event: update\nid: edition:3\ndata: {")
    assert sent.endswith(b"}\n\n")
