"""The camera thread reads while a game is open, reports problems, and recovers by itself."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.daemon.camera_thread import PREPARES, CameraThread, Look, opener
from companion.daemon.health import Health
from companion.daemon.journal_folder import Opened
from companion.kernel.messages import Reading, Update
from vision.cameras import CameraError, CameraTrouble
from vision.plane.tracker import PlaneState
from vision.watcher import WatcherStatus

from .tiny import GAME, TWO, TinyTable, now, reading, soon


class ScriptedWatcher:
    """A watcher whose steps and their results are scripted."""

    def __init__(self) -> None:
        self.status = WatcherStatus(PlaneState("locked", 0.0, markers=4), frames=1)
        self.script: queue.SimpleQueue[Reading | Exception | None] = queue.SimpleQueue()
        self.asked_to_stop: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.looks_again: list[Any] = []
        self.closed = threading.Event()

    def run(self, stop: Callable[[], bool], publish: Callable[[Reading], None]) -> None:
        while True:
            over = stop()
            self.asked_to_stop.put(over)
            if over:
                return
            step = self.script.get(timeout=60)
            if isinstance(step, Exception):
                raise step
            if step is not None:
                publish(step)

    def look_again(self, zones: Any) -> None:
        self.looks_again.append(zones)


class Place:
    def __init__(self, home: Path) -> None:
        self.time = 0.0
        self.readings: queue.SimpleQueue[Reading] = queue.SimpleQueue()
        self.watchers: queue.SimpleQueue[ScriptedWatcher | Exception] = queue.SimpleQueue()
        self.made: list[ScriptedWatcher] = []
        self.camera_thread = CameraThread(self.make, self.readings.put, lambda: self.time)
        (home / "games").mkdir()
        self.opened = Opened(GAME, TinyTable.begin(GAME, home / "games" / "a.journal", TWO.seats, {}, now))

    def make(self, _game: Any, _box: Any) -> Look:
        watcher = self.watchers.get(timeout=60)
        if isinstance(watcher, Exception):
            raise watcher
        self.made.append(watcher)
        return Look(watcher, watcher.closed.set)  # type: ignore[arg-type]

    def health(self, name: str = "camera") -> Health:
        return next(part for part in self.camera_thread.health() if part.name == name)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    place.camera_thread.start()
    yield place
    stopping = threading.Thread(target=place.camera_thread.stop)
    stopping.start()
    assert soon(lambda: place.camera_thread._stopping)
    place.watchers.put(OSError("the test is over."))
    for watcher in place.made:
        watcher.script.put(None)
    stopping.join(60)
    assert not place.camera_thread._thread.is_alive()
    assert all(watcher.closed.is_set() for watcher in place.made)


def looking(place: Place) -> ScriptedWatcher:
    """A watcher that has been asked for its first step."""
    watcher = ScriptedWatcher()
    place.watchers.put(watcher)
    place.camera_thread.opened(place.opened)
    assert watcher.asked_to_stop.get(timeout=60) is False
    return watcher


def stepped(watcher: ScriptedWatcher, step: Reading | Exception | None = None) -> None:
    watcher.script.put(step)
    watcher.asked_to_stop.get(timeout=60)


def test_no_game_no_look(place: Place) -> None:
    assert place.camera_thread.waits
    assert place.health().state == "absent"
    assert place.camera_thread.steps == 0


def test_readings_are_published_and_every_step_is_progress(place: Place) -> None:
    watcher = looking(place)
    before = place.camera_thread.steps
    stepped(watcher, reading(1))
    stepped(watcher)
    assert place.readings.get(timeout=60) == reading(1)
    assert place.camera_thread.steps == before + 2
    assert not place.camera_thread.waits
    assert place.health().state == "ok"
    assert place.health("plane").state == "ok"


def test_opening_may_take_its_time_but_not_for_ever(place: Place) -> None:
    looking(place)
    place.time = PREPARES - 1
    assert place.camera_thread.waits, "the first step still opens the camera"
    place.time = PREPARES + 1
    assert not place.camera_thread.waits


def test_a_camera_in_trouble_is_told_and_waited_for(place: Place) -> None:
    watcher = looking(place)
    stepped(watcher)
    watcher.status = WatcherStatus(
        PlaneState("lost", 0.0, "not found"),
        camera=CameraTrouble("unplugged", 0.0, "Camera usb:0: it is gone."),
        frames=1,
    )
    assert place.camera_thread.waits
    assert place.health().state == "troubled"
    assert "Camera usb:0: it is gone." in place.health().says
    assert place.health("plane").state == "troubled"


def test_a_plane_is_no_trouble_before_there_was_a_picture_to_find_it_in(place: Place) -> None:
    watcher = looking(place)
    stepped(watcher)
    watcher.status = WatcherStatus(PlaneState("lost", 0.0, "not found"))
    assert [part.name for part in place.camera_thread.health()] == ["camera"]


def test_the_camera_is_asked_to_look_again(place: Place) -> None:
    watcher = looking(place)
    place.camera_thread.follow(place.opened, (Update(1, "moved"), Update(2, "look_again", {"zones": ["middle"]})))
    assert watcher.looks_again == [["middle"]]


def test_a_camera_thread_that_fails_says_so_lets_go_and_tries_again(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.daemon.camera_thread.FIRST_PAUSE", 0.001)
    monkeypatch.setattr("companion.daemon.camera_thread.LONGEST_PAUSE", 0.001)
    first = looking(place)
    first.script.put(RuntimeError("the lens fell off"))
    assert first.closed.wait(60)
    second = ScriptedWatcher()
    place.watchers.put(second)
    assert second.asked_to_stop.get(timeout=60) is False
    assert "The table cannot be watched: the lens fell off" in caplog.text
    assert place.health().state == "ok"


def test_a_camera_that_cannot_be_opened_is_reported_and_keeps_no_part_waiting(place: Place) -> None:
    place.watchers.put(OSError("The layout is gone."))
    place.camera_thread.opened(place.opened)
    assert soon(lambda: place.health().state == "failed")
    assert place.health().state == "failed"
    assert place.health().says == "The camera cannot be opened: The layout is gone."
    assert place.camera_thread.waits


def test_a_picture_is_read_by_the_real_table_watcher(tmp_path: Path) -> None:
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    picture = tmp_path / "grey.png"
    cv2.imwrite(str(picture), np.full((360, 640, 3), 120, np.uint8))
    look = opener(f"picture:{picture}", tmp_path / "kit")(GAME, GAME.load_box())
    steps = iter((False, False, True))
    look.watcher.run(lambda: next(steps), lambda _reading: None, sleep=lambda _seconds: None)
    assert look.watcher.status.frames == 2
    assert look.remark == "untaught"
    look.close()


def test_a_kit_of_the_games_own_comes_before_the_one_for_all(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for folder in (tmp_path / "kit", tmp_path / "kit" / GAME.name):
        (folder / "teachings").mkdir(parents=True)
        (folder / "teachings" / "1.json").write_text("spoilt, so that it is named")
        caplog.clear()
        with pytest.raises(CameraError):
            opener("picture:none.png", tmp_path / "kit")(GAME, GAME.load_box())
        assert [one.args[0] for one in caplog.records if one.args] == [folder / "teachings" / "1.json"]
