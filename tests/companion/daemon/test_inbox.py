"""The inbox keeps the order, replaces old Readings and Ticks, and never loses a Command silently."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.daemon.inbox import Inbox, NotAccepted
from companion.kernel.messages import Message, Reading, Signal, Tick

from .tiny import command, press, reading


def all_of(inbox: Inbox) -> list[Message]:
    taken = []
    while (message := inbox.take(0)) is not None:
        taken.append(message)
    return taken


def test_messages_are_taken_in_the_order_in_which_they_came() -> None:
    inbox = Inbox()
    messages = [press("a"), reading(1), command("undo"), Tick(2.0), press("b")]
    for message in messages:
        inbox.put(message)
    assert all_of(inbox) == messages


def test_of_readings_only_the_newest_unread_one_is_kept_in_its_own_place() -> None:
    inbox = Inbox()
    undo = command("undo")
    for message in (reading(1), press("a"), reading(2), undo, reading(3)):
        inbox.put(message)
    assert all_of(inbox) == [press("a"), undo, reading(3)]
    inbox.put(reading(4))
    assert all_of(inbox) == [reading(4)]


message = st.one_of(
    st.integers(0, 99).map(reading),
    st.integers(0, 99).map(lambda at: Tick(float(at))),
    st.integers(0, 99).map(lambda n: press(f"button {n}")),
    st.integers(0, 99).map(lambda n: command(f"kind {n}")),
)


@given(st.lists(message, max_size=40))
def test_whatever_comes_signals_and_commands_are_all_taken_in_order(messages: list[Message]) -> None:
    inbox = Inbox()
    for one in messages:
        inbox.put(one)
    taken = all_of(inbox)
    kept = [one for one in messages if not isinstance(one, Reading | Tick)]
    assert [one for one in taken if not isinstance(one, Reading | Tick)] == kept
    for kind in (Reading, Tick):
        newest = [one for one in messages if isinstance(one, kind)][-1:]
        assert [one for one in taken if isinstance(one, kind)] == newest


def test_when_too_many_wait_a_command_is_refused_but_a_signal_is_not() -> None:
    inbox = Inbox(room=3)
    for _ in range(3):
        inbox.put(command("undo"))
    with pytest.raises(NotAccepted, match="3 messages wait for the table, so 'redo' was not taken"):
        inbox.put(command("redo"))
    inbox.put(press())
    assert len(all_of(inbox)) == 4


def test_a_closed_inbox_still_gives_what_it_accepted_and_refuses_commands() -> None:
    inbox = Inbox()
    undo = command("undo")
    inbox.put(undo)
    inbox.close()
    with pytest.raises(NotAccepted, match="stopping"):
        inbox.put(command("redo"))
    inbox.put(press())
    assert not inbox.over
    assert inbox.take(0) == undo
    assert inbox.over
    assert inbox.take(10) is None  # at once: nothing will come any more


def test_whoever_waits_for_a_message_is_woken_by_it() -> None:
    inbox = Inbox()
    taken: list[Message | None] = []
    waiting = threading.Thread(target=lambda: taken.append(inbox.take(30)))
    waiting.start()
    inbox.put(press())
    waiting.join(60)
    assert taken == [press()]


def test_a_flood_of_presses_is_bounded_and_counted_and_hides_no_end_of_the_timer() -> None:
    inbox = Inbox(presses=3)
    assert list(inbox.health()) == []
    for number in range(10):
        inbox.put(press(f"button {number}"))
    end = Signal("timer", "raid", 1.0)
    inbox.put(end)
    inbox.put(Signal("dial", "disc", 2.0, value=3))
    (told,) = inbox.health()
    assert (told.name, told.state) == ("inbox", "troubled")
    assert "Button presses dropped: 8" in told.says
    assert "Verworfene Knopfdrücke: 8" in told.german
    assert all_of(inbox) == [press("button 0"), press("button 1"), press("button 2"), end]
    inbox.put(press("again"))
    assert all_of(inbox) == [press("again")]
    assert [part.state for part in inbox.health()] == ["ok"]


def test_commands_that_found_no_room_are_counted() -> None:
    inbox = Inbox(room=1)
    inbox.put(command("undo"))
    with pytest.raises(NotAccepted):
        inbox.put(command("redo"))
    assert "inputs from phones refused: 1" in next(inbox.health()).says
