"""The game thread handles one message at a time, survives errors, opens games, and notifies its followers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from companion.daemon.game_thread import GameThread
from companion.daemon.health import Health
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder, Opened
from companion.journal import DamagedJournal, Journal
from companion.kernel.events import EventBus, Missed, Subscription
from companion.kernel.messages import Message, Tick, Update
from companion.kernel.rules import Seat
from companion.table import Table
from hardware.rig import Rig, SeatPins

from .tiny import (
    GAME,
    TWO,
    TinyTable,
    begin,
    command,
    echo,
    now,
    press,
    reading,
    some_move,
)


class Place:
    """A game thread that is not started: the test passes messages to it."""

    def __init__(self, home: Path, tables: type[Table] = TinyTable) -> None:
        self.time = 100.0
        self.inbox, self.bus = Inbox(), EventBus()
        rig = Rig(seats=(SeatPins("yellow", side="left"), SeatPins("grey", side="top")))
        journals = JournalFolder(home, tables, now, rig.sides)
        self.game_thread = GameThread(self.inbox, self.bus, journals, [], lambda: self.time)

    @property
    def table(self) -> TinyTable:
        assert self.game_thread.opened is not None
        table = self.game_thread.opened.table
        assert isinstance(table, TinyTable)
        return table

    def listener(self) -> Subscription:
        return self.bus.listen()[0]

    def health(self, name: str) -> Health:
        return next(part for part in self.game_thread.health() if part.name == name)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def playing(place: Place) -> Place:
    place.game_thread.begin(TWO)
    return place


def updates(listener: Subscription) -> list[Update]:
    news = []
    while (one := listener.get(0)) is not None:
        assert isinstance(one, Update)
        news.append(one)
    return news


def run_to_the_end(place: Place, *messages: Message) -> None:
    """Close the inbox, and let the thread handle all messages in it."""
    for message in messages:
        place.inbox.put(message)
    place.inbox.close()
    place.game_thread.start()
    assert place.game_thread.finish(60)


def test_messages_reach_the_table_in_their_order_and_it_is_closed_at_the_end(playing: Place) -> None:
    messages = [press("a"), reading(1), command("undo"), press("b")]
    run_to_the_end(playing, *messages)
    assert playing.table.taken == messages
    assert playing.table.closed


def test_a_stop_loses_no_command_that_was_accepted(playing: Place) -> None:
    wanted = [command("echo", kind="x", body={"n": n}) for n in range(500)]
    run_to_the_end(playing, *wanted)
    assert playing.table.taken == wanted


def test_the_game_thread_ticks_by_itself(playing: Place) -> None:
    # A clock that is always late: every time it is asked, the next tick is due.
    times = iter(range(1, 10_000))
    playing.game_thread._clock = lambda: float(next(times))
    listener = playing.listener()
    playing.game_thread.start()
    playing.inbox.put(echo("there"))
    assert listener.get(60) == Update(1, "there", {})
    playing.inbox.close()
    assert playing.game_thread.finish(60)
    assert any(isinstance(message, Tick) for message in playing.table.taken)


def test_what_the_table_says_is_published_with_how_things_stand(playing: Place) -> None:
    listener = playing.listener()
    playing.game_thread.take(some_move(playing.table.state))
    assert updates(listener) == [Update(1, "moved", {"event": 1})]
    assert playing.bus.snapshot.table == {"game": GAME.name, "events": 1}


def test_a_message_that_the_table_cannot_take_is_told_counted_and_survived(
    playing: Place, caplog: pytest.LogCaptureFixture
) -> None:
    listener = playing.listener()
    state = playing.table.state
    stumble = command("stumble")
    playing.game_thread.take(stumble)
    assert "could not take the command 'stumble' {} " in caplog.text
    assert "somebody divided by zero" in caplog.text
    (refused,) = updates(listener)
    assert (refused.kind, refused.body["command"]) == ("refused", stumble.id)
    assert refused.body["reason"] == "failed"
    assert {"de", "en"} == refused.body["says"].keys()
    assert playing.table.state == state
    assert playing.health("table").state == "troubled"
    assert "A message just went wrong (so far: 1)." in playing.health("table").says
    playing.time += 61
    assert playing.health("table").state == "ok"
    playing.game_thread.take(some_move(state))
    assert updates(listener)[0].kind == "moved"


def test_on_a_full_disk_people_are_told_the_health_says_so_and_the_game_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path, Table)
    place.game_thread.begin(TWO)
    assert place.game_thread.opened is not None
    table = place.game_thread.opened.table
    db = table.journal._db
    assert db is not None
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = int(db.execute("PRAGMA page_count").fetchone()[0])
    db.execute(f"PRAGMA max_page_count = {pages}")
    for _ in range(1000):
        if table.unwritten:
            break
        place.game_thread.take(command("put_right"))
    listener, state, held = place.listener(), table.state, table.journal.last_number
    move = some_move(state)
    place.game_thread.take(move)
    (refused,) = updates(listener)
    assert (refused.kind, refused.body["command"], refused.body["reason"]) == ("refused", move.id, "journal")
    assert "the disk is full" in refused.body["says"]["en"]
    place.game_thread.take(Tick(1.0))
    assert place.health("journal").state == "failed"
    assert "the disk is full" in place.health("journal").says
    assert (table.state, table.journal.last_number, place.game_thread.failures) == (state, held, 0)
    db.execute("PRAGMA max_page_count = 100000")
    place.game_thread.take(move)
    assert "moved" in [update.kind for update in updates(listener)]
    assert place.health("journal").state == "ok"
    assert table.journal.last_number > held
    table.close()


def test_a_follower_that_fails_keeps_nobody_from_playing(playing: Place, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def opened(self, opened: Opened) -> None:
            raise OSError("no light")

        follow = opened  # type: ignore[assignment]

    playing.game_thread._followers = [Broken()]
    playing.game_thread.take(some_move(playing.table.state))
    assert playing.table.number == 1
    assert "could not follow the table" in caplog.text


def test_a_table_that_is_busy_for_too_long_is_told(playing: Place) -> None:
    playing.game_thread._busy = command("hang"), playing.time
    assert playing.health("table").state == "ok"
    playing.time += 6
    assert playing.health("table").state == "failed"


# No game, and which game is open


def test_without_a_game_every_command_but_begin_is_refused(place: Place) -> None:
    listener = place.listener()
    undo = command("undo")
    place.game_thread.take(press())
    place.game_thread.take(undo)
    (refused,) = updates(listener)
    assert (refused.number, refused.kind, refused.body["command"]) == (1, "refused", undo.id)
    assert place.bus.snapshot.table == {"game": None}
    assert place.health("journal").state == "absent"


def test_a_game_is_begun_by_a_command_and_listeners_are_told_that_all_is_different(place: Place) -> None:
    listener = place.listener()
    asked = begin()
    place.game_thread.take(asked)
    assert place.table.journal.path.name == "0001-tumult_royale.journal"
    assert listener.get(0) == Missed(place.bus.edition)
    assert place.bus.snapshot.table["game"] == GAME.name
    place.game_thread.take(asked)  # sent twice by a phone that heard no answer
    assert updates(listener) == []
    assert place.table.journal.path.name == "0001-tumult_royale.journal"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"game": "chess", "seats": []}, "There is no game called 'chess'"),
        ({"game": GAME.name, "seats": [{"colour": "blue"}, {"colour": "blue"}]}, "Two seats cannot both play blue"),
        ({"game": GAME.name}, "missing required field `seats`"),
        ({"game": GAME.name, "seats": [{"name": "Ada"}]}, "missing required field `colour`"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_with_the_reason(place: Place, body: dict[str, object], why: str) -> None:
    listener = place.listener()
    place.game_thread.take(command("begin", **body))
    (refused,) = updates(listener)
    assert refused.kind == "refused"
    assert refused.body["reason"] == "not_begun"
    assert why in refused.body["says"]["en"]
    assert place.game_thread.opened is None
    assert place.game_thread.failures == 0


def test_no_game_begins_over_one_that_is_played_unless_that_is_put_away(playing: Place) -> None:
    listener = playing.listener()
    first = playing.table
    playing.game_thread.take(begin())
    assert [update.kind for update in updates(listener)] == ["refused"]
    assert playing.table is first
    playing.game_thread.take(begin(msgspec.structs.replace(TWO, instead=True)))
    assert first.closed
    assert playing.table.journal.path.name == "0002-tumult_royale.journal"


def over(table: TinyTable) -> None:
    """Say that the table's game is over."""
    table.state = msgspec.structs.replace(table.state, phase="over")


def test_after_a_game_is_over_the_next_one_begins(playing: Place) -> None:
    over(playing.table)
    assert GAME.actor(playing.table.state) is None
    playing.game_thread.take(begin(Begin(GAME.name, (Seat("grey"), Seat("purple")))))
    assert playing.table.journal.path.name == "0002-tumult_royale.journal"


def test_the_newest_game_is_gone_on_with_where_it_stopped(playing: Place, tmp_path: Path) -> None:
    playing.game_thread.take(some_move(playing.table.state))
    run_to_the_end(playing)
    again = Place(tmp_path)
    assert again.game_thread.reopen()
    assert again.table.sides == {0: "left", 1: "top"}, "blue has no place of its own: the order says it"
    assert again.table.state == playing.table.state
    assert again.bus.snapshot.number == 1
    again.table.close()


def power_cut(playing: Place, away: Path, damaged: Callable[[bytes], bytes]) -> Place:
    """The same companion after a power cut that left the log like this."""
    path = playing.table.journal.path
    folder = away / "games"
    folder.mkdir(parents=True)
    (folder / path.name).write_bytes(path.read_bytes())
    (folder / f"{path.name}-wal").write_bytes(damaged(Path(f"{path}-wal").read_bytes()))
    return Place(away)


def test_a_journal_whose_log_is_damaged_is_left_alone_and_the_health_page_says_so(
    playing: Place, tmp_path: Path
) -> None:
    for _ in range(4):
        playing.game_thread.take(some_move(playing.table.state))
    again = power_cut(playing, tmp_path / "away", lambda log: log[:5000] + b"\0\1\2\3" + log[5004:])
    with pytest.raises(DamagedJournal):
        again.game_thread.reopen()
    journal = again.health("journal")
    assert journal.state == "failed"
    assert "later changes in it cannot be read" in journal.says
    assert "lässt sich nicht fortsetzen" in journal.german
    again.game_thread.begin(TWO)
    assert again.health("journal").state == "ok"
    again.table.close()


def test_a_journal_that_a_power_cut_cut_short_goes_on_and_says_so_until_the_next_move(
    playing: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(4):
        playing.game_thread.take(some_move(playing.table.state))
    again = power_cut(playing, tmp_path / "away", lambda log: log[:-100])
    assert again.game_thread.reopen()
    assert "breaks off at event 3: its log ends within the next change" in caplog.text
    journal = again.health("journal")
    assert journal.state == "troubled"
    assert "after entry 3" in journal.says
    assert "Eintrag 3" in journal.german
    again.game_thread.take(some_move(again.table.state))
    assert again.health("journal").state == "ok"
    again.table.close()


def test_a_table_knows_on_which_side_of_it_a_seat_is_as_far_as_the_rig_says_so(place: Place) -> None:
    place.game_thread.begin(Begin(GAME.name, (Seat("grey"), Seat("blue"), Seat("yellow"))))
    assert place.table.sides == {0: "top", 2: "left"}


class Finished(TinyTable):
    """A table whose game is over when it is opened again."""

    @classmethod
    def reopen(cls, *arguments: object) -> TinyTable:  # type: ignore[override]
        table = TinyTable.reopen(*arguments)  # type: ignore[arg-type]
        over(table)
        return table


def test_a_game_that_is_over_is_shown_until_the_next_begins_and_older_ones_stay_where_they_are(
    playing: Place, tmp_path: Path
) -> None:
    playing.game_thread.begin(TWO)
    newest = playing.table.journal.path
    playing.table.close()
    again = Place(tmp_path, Finished)
    assert not again.game_thread.reopen(), "there is nothing to go on with"
    assert again.table.journal.path == newest
    assert again.bus.snapshot.table["game"] == GAME.name
    again.game_thread.take(begin())
    assert again.table.journal.path.name == "0003-tumult_royale.journal"
    Journal.open(newest, now).close()  # nobody holds it any more


def test_journals_are_numbered_past_the_highest_whatever_else_lies_there(place: Place, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("0009-tumult_royale.journal", "notes.txt", "0010-tumult_royale.journal-wal"):
        (tmp_path / "games" / name).write_bytes(b"")
    place.game_thread.begin(TWO)
    assert place.table.journal.path.name == "0011-tumult_royale.journal"
