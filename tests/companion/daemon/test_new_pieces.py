"""Described pieces are known in the next game, and the camera learns them while they lie on the table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.daemon import table_map
from companion.daemon.game_thread import GameThread
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder
from companion.daemon.new_pieces import NewPieceKeeper
from companion.games.council_of_four.moves import LayOut, PutToken, TurnUp
from companion.kernel.box import Answers
from companion.kernel.events import EventBus
from companion.kernel.messages import Command
from companion.kernel.rules import Seat
from companion.table import Table
from tests.games.council_of_four.table import city
from web.backend import Refused

from .tiny import command, now

GAME = "council_of_four"
THREE = Begin(GAME, (Seat("red"), Seat("yellow"), Seat("green")))
AC = {"city": ["A", "C"], "gold": 2}


class Room:
    """A game thread whose lessons run at once."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.taught: list[tuple[Any, ...]] = []
        self.refuses = False
        lessons = NewPieceKeeper(home, self._teach, lambda lesson: lesson())
        self.game_thread = GameThread(Inbox(), EventBus(), JournalFolder(home, Table, now), [lessons])
        self._asked = 0

    def begin(self) -> Room:
        self.game_thread.begin(THREE)
        self.tell("move", move=msgspec.to_builtins(LayOut()))
        return self

    def _teach(self, *what: Any) -> None:
        if self.refuses:
            raise Refused("no_picture", {"de": "Kein Bild.", "en": "There is no picture."})
        self.taught.append(what)

    def tell(self, kind: str, **body: Any) -> None:
        self._asked += 1
        self.game_thread.take(Command(f"{id(self)}-{self._asked}", kind, None, body))

    def describe(self, move: Any, field: str, answers: dict[str, Any]) -> None:
        self.tell("learn", move=msgspec.to_builtins(move), field=field, answers=answers)

    @property
    def opened(self) -> Any:
        assert self.game_thread.opened is not None
        return self.game_thread.opened

    def kept(self) -> list[Any]:
        found: list[Any] = Answers(self.home, GAME).read().get("learned", [])
        return [{name: answer for name, answer in one["answers"].items() if answer} for one in found]

    def close(self) -> None:
        self.opened.table.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path).begin()
    yield room
    room.close()


def test_the_answers_keep_it_and_the_camera_is_told_where_it_lies(room: Room) -> None:
    room.describe(TurnUp(0, "A"), "permit", AC)
    assert room.kept() == [AC]
    assert room.taught == [("permits", "coast 1", None, None, "permit AC")]
    room.describe(PutToken(city("B"), "gold1"), "token", {"gold": 7})
    assert room.kept() == [AC, {"gold": 7}]
    assert room.taught[1:] == [("tokens", "B", None, None, "gold7")]


def test_the_next_game_knows_it_from_the_start(room: Room) -> None:
    room.describe(TurnUp(0, "A"), "permit", AC)
    room.begin()
    assert room.opened.table.state.box.permits["coast"]["AC"].gold == 2
    room.tell("move", move=msgspec.to_builtins(TurnUp(0, "AC")))
    assert room.opened.table.state.offers[0] == "AC"
    assert room.kept() == [AC]


def test_what_is_undone_is_forgotten_and_redone_is_known_again(room: Room) -> None:
    room.describe(TurnUp(0, "A"), "permit", AC)
    room.tell("undo")
    assert room.kept() == []
    room.tell("redo")
    assert room.kept() == [AC]


def test_two_tokens_alike_are_two(room: Room) -> None:
    for letter in ("A", "B"):
        room.describe(PutToken(city(letter), "gold1"), "token", {"gold": 7})
    assert room.kept() == [{"gold": 7}, {"gold": 7}]
    room.tell("undo")
    assert room.kept() == [{"gold": 7}]


def test_a_game_that_goes_on_brings_what_was_not_kept_when_the_power_went(room: Room) -> None:
    room.describe(TurnUp(0, "A"), "permit", AC)
    room.close()
    Answers(room.home, GAME).path.unlink()
    again = Room(room.home)
    assert again.game_thread.reopen()
    assert again.kept() == [AC]
    again.close()


def test_other_answers_stay(room: Room) -> None:
    Answers(room.home, GAME).keep("politics.jokers", 12)
    room.describe(TurnUp(0, "A"), "permit", AC)
    room.tell("undo")
    assert Answers(room.home, GAME).read()["politics.jokers"] == 12


def test_a_disk_or_a_camera_that_fails_stops_no_game(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    room.refuses = True
    (room.home / "answers").write_text("no folder")
    with caplog.at_level(logging.WARNING):
        room.describe(TurnUp(0, "A"), "permit", AC)
    assert room.opened.table.state.offers[0] == "AC"
    assert "will not know" in caplog.text
    assert "has not learned permit AC" in caplog.text
    assert not room.game_thread.failures


def test_a_piece_that_lies_nowhere_is_not_shown_to_the_camera(room: Room) -> None:
    """Drawn for neutral emporiums and mixed back: no place shows it."""
    room.game_thread.begin(Begin(GAME, (Seat("red"), Seat("yellow"))))
    room.tell("move", move=msgspec.to_builtins(LayOut()))
    room.describe({"type": "DrawNeutral", "region": 0, "permit": "A"}, "permit", AC)
    assert room.kept() == [AC]
    assert room.taught == []


def test_it_is_drawn_on_phones_with_its_words_and_look(room: Room) -> None:
    room.describe(TurnUp(0, "A"), "permit", AC)
    drawn = table_map.drawn(room.opened)
    assert "permit AC" in drawn["pieces"]["permit"]["labels"]
    assert drawn["pieces"]["permit"]["looks"]["permit AC"] == "AC gold2"
    assert drawn["labels"]["permit AC"] == {"de": "Baugenehmigung AC", "en": "permit AC"}
    assert "permit AC" in drawn["zones"]["permits"]["labels"]


def test_a_game_that_learns_nothing_keeps_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.game_thread.begin(Begin("tumult_royale", (Seat("blue"), Seat("yellow"))))
    room.game_thread.take(command("undo"))
    assert not Answers(tmp_path, "tumult_royale").path.exists()
    room.close()
