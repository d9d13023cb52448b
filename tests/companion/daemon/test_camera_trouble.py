"""Phones show why the camera sees nothing: unplugged, covered, frozen or knocked; with real watcher and watchdog."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.daemon.camera_page import AFTERWARDS, PATIENCE, CameraTroubles, SightStatus
from companion.daemon.camera_thread import NO_PICTURE, CameraThread, Look
from companion.daemon.journal_folder import Opened
from tests.vision.test_watcher import TABLE, Evening, bumped, pasted, photographed
from vision.cameras import Image

from .tiny import GAME, TWO, TinyTable, now

LONGEST = 60.0
STEP = 0.1
COVERED = np.full((720, 1280, 3), 2, np.uint8)


class OneStep(Evening):
    """A table whose watcher is stepped by the camera thread, as often as a test allows."""

    def __init__(self) -> None:
        super().__init__(watched=True)
        self.image = photographed(TABLE)
        self.frozen = False
        self.turns: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.done: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.watcher.run = self._run  # type: ignore[method-assign]

    def _run(self, stop: Callable[[], bool], _publish: Any) -> None:
        while not stop() and self.turns.get(timeout=LONGEST):
            self.watcher.step()
            self.done.put(True)

    def _noisy(self, image: Image) -> Image:
        return image if self.frozen else super()._noisy(image)


class Room:
    """A running camera thread with a clock that the test advances."""

    def __init__(self, home: Path) -> None:
        self.evening = OneStep()
        self.camera_thread = CameraThread(self._look, lambda _reading: None, self.evening.clock)
        self.troubles = CameraTroubles(self.camera_thread, self.evening.clock)
        (home / "games").mkdir()
        self.opened = Opened(GAME, TinyTable.begin(GAME, home / "games" / "a.journal", TWO.seats, {}, now))
        self.camera_thread.start()
        self.camera_thread.opened(self.opened)

    def _look(self, _game: Any, _box: Any) -> Look:
        return Look(self.evening.watcher, lambda: None)

    def sees(self, image: Image | None, seconds: float) -> list[str]:
        """Show the camera this picture for so long (None: unplugged). Returns the problems, each kind once."""
        self.evening.image = image
        told = []
        for _ in range(round(seconds / STEP)):
            self.evening.now += STEP
            self.evening.turns.put(True)
            assert self.evening.done.get(timeout=LONGEST)
            told.append(self.kind)
        return list(dict.fromkeys(told))

    @property
    def kind(self) -> str:
        told = self.troubles.now()
        return "" if told is None else told["kind"]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.evening.turns.put(False)
    room.camera_thread._stopping = True
    room.camera_thread.stop()


def test_a_camera_that_sees_is_no_news(room: Room) -> None:
    assert room.sees(photographed(TABLE), 3.0) == [""]


def test_a_camera_that_is_unplugged_for_forty_seconds_is_told_all_the_time(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    at = room.evening.now
    assert room.sees(None, 40.0) == ["", "unplugged"]
    told = room.troubles.now()
    assert told is not None
    assert told["since"] == pytest.approx(at, abs=2 * STEP)
    assert "by hand" in told["says"]["en"]
    assert "von Hand" in told["says"]["de"]
    assert room.sees(photographed(TABLE), 40.0)[-1] == "", "plugged in again"


def test_a_cable_that_is_loose_for_a_moment_is_no_news(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    assert room.sees(None, PATIENCE["unplugged"] - 1.0) == [""]


def test_a_camera_that_is_covered_is_told(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    assert room.sees(COVERED, 5.0)[-1] == "black"
    assert room.sees(photographed(TABLE), 40.0)[-1] == ""


def test_a_camera_that_shows_one_picture_for_ever_is_told(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    room.evening.frozen = True
    assert room.sees(photographed(TABLE), 8.0) == ["", "frozen"]
    room.evening.frozen = False
    assert room.sees(photographed(TABLE), 40.0)[-1] == ""


def test_a_knock_is_told_while_the_table_is_looked_for_and_a_moment_longer(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    knocked = bumped(photographed(TABLE), 16.0)
    told = room.sees(knocked, 5.0)
    assert [kind for kind in told if kind] == ["moved", "found_again"]
    assert room.sees(knocked, AFTERWARDS)[-1] == ""


def test_markers_under_a_cloth_are_told_but_not_those_under_a_passing_hand(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    hidden = pasted(photographed(TABLE), "0", "1", "2", "3")
    assert room.sees(hidden, 3.0) == [""]
    assert room.sees(hidden, 5.0) == ["", "hidden"]


def test_a_camera_that_hangs_is_told_though_it_says_nothing(room: Room) -> None:
    room.sees(photographed(TABLE), 2.0)
    room.evening.now += NO_PICTURE + PATIENCE["unplugged"]
    assert room.kind == ""
    room.evening.now += PATIENCE["unplugged"]
    assert room.kind == "unplugged"


def test_before_a_game_is_open_nothing_is_missing(tmp_path: Path) -> None:
    def never(_game: Any, _box: Any) -> Look:
        raise AssertionError

    camera_thread = CameraThread(never, lambda _reading: None)
    assert isinstance(camera_thread, SightStatus)
    assert CameraTroubles(camera_thread).now() is None


def test_each_kind_of_trouble_has_its_own_sentence(room: Room) -> None:
    kinds = ["unplugged", "black", "frozen", "failed", "opening", "moved", "found_again", "hidden", "not_found"]
    sentences = set()

    class Told:
        blind, knocks = "", 0

    for kind in kinds:
        sight, clock = Told(), iter((0.0, 60.0))
        troubles = CameraTroubles(sight, lambda clock=clock: next(clock))  # type: ignore[misc]
        sight.blind = kind
        troubles.now()
        sentences.add(msgspec.json.encode(troubles.now()))
    assert len(sentences) == len(kinds)
