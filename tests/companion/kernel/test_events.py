"""The event bus: everybody hears everything in order, or is told that it missed too much."""

from __future__ import annotations

import queue
import threading

from companion.kernel.events import EventBus, Missed, Subscription
from companion.kernel.messages import Update


def published(bus: EventBus, first: int, last: int) -> list[Update]:
    updates = [Update(number, "moved") for number in range(first, last + 1)]
    for update in updates:
        bus.publish([update], {"at": update.number})
    return updates


def since(bus: EventBus, number: int) -> list[Update] | None:
    events = bus.since(number, bus.edition)
    return None if events is None else [event.update for event in events]


def heard(listener: Subscription) -> list[object]:
    news = []
    while (one := listener.get(0)) is not None:
        news.append(one)
    return news


def test_a_listener_hears_all_from_where_things_stood_when_it_came() -> None:
    bus = EventBus()
    published(bus, 1, 3)
    listener, snapshot = bus.listen()
    assert (snapshot.number, snapshot.table) == (3, {"at": 3})
    later = published(bus, 4, 6)
    assert heard(listener) == later


def test_a_listener_that_comes_back_gets_what_it_missed() -> None:
    bus = EventBus()
    updates = published(bus, 1, 9)
    assert since(bus, 6) == updates[6:]
    assert since(bus, 9) == []


def test_a_listener_that_was_away_for_too_long_is_told_so() -> None:
    bus = EventBus(kept=4)
    updates = published(bus, 1, 9)
    assert since(bus, 5) == updates[5:]
    assert since(bus, 4) is None


def test_numbers_that_do_not_exist_yet_are_no_numbers_of_this_edition() -> None:
    bus = EventBus()
    published(bus, 1, 3)
    assert since(bus, 4) is None


def test_another_table_is_another_edition_in_which_the_same_numbers_mean_something_else() -> None:
    bus = EventBus()
    published(bus, 1, 5)
    before = bus.edition
    listener, _ = bus.listen()
    bus.open(0, {"game": "other"})
    assert bus.edition != before
    assert heard(listener) == [Missed(bus.edition)]
    published(bus, 1, 5)
    assert bus.since(3, before) is None
    assert len(heard(listener)) == 5


def test_a_slow_listener_keeps_nobody_waiting_and_learns_that_it_missed_something() -> None:
    bus = EventBus(kept=3)
    slow, _ = bus.listen()
    quick, _ = bus.listen()
    updates = []
    for number in range(1, 5):
        updates += published(bus, number, number)
        assert heard(quick) == updates[-1:]
    assert heard(slow) == [Missed(bus.edition)]
    later = published(bus, 5, 6)
    assert heard(slow) == later


def test_a_subscriber_that_waits_is_woken_by_news_and_by_the_end() -> None:
    bus = EventBus()
    listener, _ = bus.listen()
    came: queue.SimpleQueue[object] = queue.SimpleQueue()
    waiting = threading.Thread(target=lambda: [came.put(listener.get()) for _ in range(2)])
    waiting.start()
    (update,) = published(bus, 1, 1)
    assert came.get(timeout=60) == update
    bus.close()
    assert came.get(timeout=60) is None
    waiting.join(60)


def test_an_aside_is_heard_by_those_who_are_there_and_by_nobody_later() -> None:
    bus = EventBus()
    published(bus, 1, 2)
    listener, _ = bus.listen()
    bus.aside("refused", {"command": "c1"})
    assert heard(listener) == [Update(2, "refused", {"command": "c1"})]
    assert since(bus, 1) == [Update(2, "moved")]


def test_whoever_left_hears_nothing_more() -> None:
    bus = EventBus()
    listener, _ = bus.listen()
    listener.close()
    published(bus, 1, 1)
    assert heard(listener) == []
