"""Cameras get unplugged, freeze and go dark; the watchdog recovers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kernel.camera_source import CAMERAS, FROM_FILES, CameraSource
from vision.cameras import (
    CameraError,
    Frame,
    WatchedCamera,
    open_camera,
    watch_camera,
)
from vision.cameras.camera import Image
from vision.cameras.files import FilmCamera, FolderCamera, PictureCamera
from vision.cameras.open_camera import OPENERS
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera
from vision.rendered.stage import RenderedCamera


class Evening:
    """A clock that only advances during waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds


def a_table(seed: int = 0, brightness: int = 120) -> Image:
    noise = np.random.default_rng(seed).normal(brightness, 4, (45, 80, 3))
    return np.asarray(np.clip(noise, 0, 255), np.uint8)


class Picamera2Double:
    """The part of picamera2's documented interface that we call, recorded, on a table under a lamp."""

    opened: ClassVar[list[Picamera2Double]] = []

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num > 0:
            raise IndexError("list index out of range")
        self.calls: list[str] = []
        self.controls: dict[str, Any] = {}
        self.frames = 0
        self.gone = False
        self.config: dict[str, Any] = {}
        self.camera_controls: dict[str, Any] = {"ExposureTime": (1, 10**6, None)}
        Picamera2Double.opened.append(self)

    def create_video_configuration(self, main: Any = None, lores: Any = None, queue: bool = True) -> dict[str, Any]:
        return {"main": main, "lores": lores, "queue": queue}

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def start(self) -> None:
        self.calls.append("start")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls |= controls

    def capture_metadata(self, wait: float | None = None) -> dict[str, Any]:
        self._frame(wait)
        opening = max(0, 12 - self.frames)
        return {"ExposureTime": 20000 + 900 * opening, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)}

    def capture_array(self, name: str = "main", wait: float | None = None) -> Image:
        self._frame(wait)
        width, height = self.config[name]["size"]
        if name == "main":
            return np.full((height, width, 3), (10, 20, 200), np.uint8)
        planes = cv2.cvtColor(np.full((height, width + 64, 3), (10, 20, 200), np.uint8), cv2.COLOR_BGR2YUV_I420)
        return np.asarray(planes, np.uint8)

    def cancel_all_and_flush(self) -> None:
        self.calls.append("flush")

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")

    def _frame(self, wait: float | None) -> None:
        assert wait is not None, "without a limit, picamera2 waits for ever for a loose cable"
        if self.gone:
            raise TimeoutError
        self.frames += 1


class picamera2:  # noqa: N801 — it stands in for a module
    Picamera2 = Picamera2Double


def test_the_pi_camera_holds_exposure_and_colours_once_they_have_settled() -> None:
    camera = PiCamera(library=picamera2, clock=Evening())
    inside = Picamera2Double.opened[-1]
    assert inside.controls == {
        "AeEnable": False,
        "ExposureTime": 20000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
    }
    assert camera.full().size == (1920, 1080)


def test_the_pi_camera_gives_pictures_as_large_as_the_table_needs() -> None:
    camera = PiCamera(size=(3840, 2160), library=picamera2, clock=Evening())
    assert camera.full().size == (3840, 2160)


class WithAMotor(Picamera2Double):
    """A camera that focuses: after it is asked to, its lens searches for a while."""

    def __init__(self, camera_num: int = 0) -> None:
        super().__init__(camera_num)
        self.camera_controls["AfMode"] = (0, 2, 0)
        self.searched = 0

    def capture_metadata(self, wait: float | None = None) -> dict[str, Any]:
        facts = super().capture_metadata(wait)
        if self.controls.get("AfMode") == 1:
            self.searched += 1
        searching = 0 < self.searched < 25
        return facts | {"AfState": 1 if searching else 2, "LensPosition": 3.0 + 0.1 * min(self.searched, 25)}


class picamera2_with_a_motor:  # noqa: N801
    Picamera2 = WithAMotor


def test_a_lens_with_a_motor_is_focused_once_and_then_held() -> None:
    PiCamera(library=picamera2_with_a_motor, clock=Evening())
    inside = Picamera2Double.opened[-1]
    assert inside.controls["AfMode"] == 0
    assert inside.controls["LensPosition"] == pytest.approx(5.5)


def test_the_pi_cameras_small_stream_has_true_colours_and_no_padding() -> None:
    camera = PiCamera(library=picamera2, clock=Evening())
    small = camera.small()
    assert small is not None
    assert small.size == (320, 180)
    assert np.abs(small.image.astype(int) - (10, 20, 200)).max() <= 3


def test_a_loose_ribbon_cable_is_a_sentence_and_not_a_wait_for_ever() -> None:
    camera = PiCamera(library=picamera2, clock=Evening())
    inside = Picamera2Double.opened[-1]
    inside.gone = True
    with pytest.raises(CameraError, match="nothing came for 3 seconds"):
        camera.full()
    camera.close()
    assert inside.calls == ["start", "flush", "stop", "close"]
    with pytest.raises(CameraError, match="closed"):
        camera.small()


def test_a_pi_without_that_camera_says_to_check_the_cable() -> None:
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera(1, library=picamera2)


class UsbDouble:
    """An OpenCV capture with a will of its own: it lets us hold exposure, and nothing else."""

    def __init__(self, source: int | str) -> None:
        self.there = source == 0
        self.values = {cv2.CAP_PROP_EXPOSURE: 157.0}
        self.grabs = 0

    def isOpened(self) -> bool:  # noqa: N802 — OpenCV's name
        return self.there

    def set(self, what: int, value: float) -> bool:
        if what in (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS):
            return False
        self.values[what] = 3.0 if what == cv2.CAP_PROP_EXPOSURE and value == 3.0 else value
        return True

    def get(self, what: int) -> float:
        return self.values.get(what, -1.0)

    def grab(self) -> bool:
        self.grabs += 1
        return self.there

    def read(self) -> tuple[bool, Image | None]:
        self.grabs += 1
        return (True, a_table(self.grabs)) if self.there else (False, None)

    def release(self) -> None:
        self.there = False


def test_a_usb_camera_holds_what_it_lets_us_hold() -> None:
    camera = UsbCamera(0, capture=UsbDouble, clock=Evening())
    assert camera.held == ("exposure",)
    assert camera._capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert camera._capture.values[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert camera.full().image.shape == (45, 80, 3)


def test_a_usb_camera_pulled_out_says_so() -> None:
    camera = UsbCamera(0, capture=UsbDouble, clock=Evening())
    camera._capture.there = False
    with pytest.raises(CameraError, match="cable may be loose"):
        camera.full()
    with pytest.raises(CameraError, match="no camera at usb:7"):
        UsbCamera(7, capture=UsbDouble)


def test_a_folder_shows_its_pictures_by_name_and_skips_a_broken_one(tmp_path: Path) -> None:
    for name, brightness in (("b.png", 150), ("a.png", 50), ("d.png", 200)):
        cv2.imwrite(str(tmp_path / name), a_table(brightness=brightness))
    (tmp_path / "c.jpg").write_bytes(b"\xff\xd8 not a picture")
    (tmp_path / "notes.txt").write_text("not shown")
    camera = FolderCamera(tmp_path, hold=0.2)
    seen = list(iter(camera.small, None))
    assert [round(float(frame.image.mean()), -1) for frame in seen] == [50, 50, 150, 150, 200, 200]
    assert [frame.at for frame in seen] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert camera.over
    assert camera.full().number == 6
    assert [path.name for path in camera.skipped] == ["c.jpg"]


def test_full_is_the_frame_that_small_just_showed(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "big.png"), np.zeros((360, 640, 3), np.uint8))
    camera = PictureCamera(tmp_path / "big.png")
    for _ in range(3):
        small, full = camera.small(), camera.full()
        assert small is not None
        assert (small.number, small.at) == (full.number, full.at)
        assert (small.size, full.size) == ((320, 180), (640, 360))


def test_a_film_plays_once_in_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "evening.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (80, 45))
    for brightness in (40, 80, 120, 160):
        film.write(a_table(brightness=brightness))
    film.release()
    camera = FilmCamera(path, start=50.0)
    seen = list(iter(camera.small, None))
    assert [frame.at for frame in seen] == pytest.approx([50, 50.05, 50.1, 50.15])
    assert camera.over
    camera.close()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("webcam", "is not a camera; write pi"),
        ("", "is not a camera"),
        ("pi:first", "pi:1 for the second"),
        ("video:", "names no file"),
        ("video:/nowhere/film.mp4", "There is no film"),
        ("folder:/nowhere", "There is no folder"),
        ("picture:/nowhere.png", "There is no picture"),
        ("pi", "python3-picamera2"),
    ],
)
def test_words_that_mean_no_camera_are_answered_with_a_sentence(spec: str, says: str) -> None:
    with pytest.raises(CameraError, match=says) as caught:
        open_camera(spec)
    assert str(caught.value).endswith(".")


def test_files_that_are_no_pictures_are_answered_with_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    for content in (b"", b"hello", cv2.imencode(".png", a_table())[1].tobytes()[:40]):
        broken.write_bytes(content)
        with pytest.raises(CameraError, match="not a picture"):
            open_camera(f"picture:{broken}")
        with pytest.raises(CameraError, match="not a film"):
            open_camera(f"video:{broken}")
    with pytest.raises(CameraError, match="no pictures in the folder"):
        open_camera(f"folder:{_empty(tmp_path)}")


def test_a_kept_picture_may_stand_still_for_ever(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), a_table())
    evening = Evening()
    camera = watch_camera(f"picture:{tmp_path / 'table.png'}", clock=evening, sleep=evening.sleep)
    for _ in range(50):
        assert camera.small() is not None
        evening.now += 1.0
    assert camera.trouble is None


def test_every_kind_of_camera_has_its_opener() -> None:
    assert list(OPENERS) == list(CAMERAS)
    assert set(CAMERAS) > FROM_FILES


ADDRESS = "http://anna:ge@heim@table.local:8080/live?user=anna&pwd=geheim"


class NewKind:
    """A kind of camera that the program does not have: it is opened by an address, freezes, and fails."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.addresses: list[str] = []
        self.frozen = self.gone = False

    def open(self, source: CameraSource, _: tuple[int, int]) -> RenderedCamera:
        self.addresses.append(source.place)
        return RenderedCamera(self._ask, clock=self.evening)

    def _ask(self) -> Image:
        if self.gone:
            raise OSError(f"no route to {ADDRESS}")
        return a_table(0 if self.frozen else int(self.evening.now * 1000))

    def watched(self) -> WatchedCamera:
        return watch_camera(f" Net:{ADDRESS} ", self.evening, self.evening.sleep, openers={**OPENERS, "net": self.open})

    def passes(self, watched: WatchedCamera, seconds: int) -> None:
        for _ in range(seconds * 10):
            watched.small()
            self.evening.now += 0.1


def test_a_new_kind_of_camera_is_opened_again_when_it_fails_and_when_it_freezes() -> None:
    kind = NewKind(Evening())
    watched = kind.watched()
    kind.passes(watched, 2)
    assert kind.addresses == [ADDRESS]
    for fault, said in (("gone", "unplugged"), ("frozen", "frozen")):
        opened = len(kind.addresses)
        setattr(kind, fault, True)
        kind.passes(watched, 10)
        assert watched.trouble is not None
        assert watched.trouble.kind == said
        setattr(kind, fault, False)
        kind.passes(watched, 30)
        assert watched.trouble is None
        assert len(kind.addresses) > opened


def test_no_sentence_about_a_camera_tells_its_password(tmp_path: Path) -> None:
    kind = NewKind(Evening())
    kind.gone = True
    watched = kind.watched()
    kind.passes(watched, 1)
    assert watched.trouble is not None
    assert watched.trouble.says == (
        "Camera net:http://…@table.local:8080/live?…: no route to http://…@table.local:8080/live?…."
    )
    for refused in (f"net:{ADDRESS}", ADDRESS, f"pi:{ADDRESS}"):
        with pytest.raises(CameraError) as caught:
            open_camera(refused)
        assert "heim" not in str(caught.value)
        assert "table.local" in str(caught.value)


class Rig:
    """A watched camera on a scripted table: each picture comes from `shows`, and None means pulled out."""

    def __init__(self, shows: Callable[[float], Image | None]) -> None:
        self.evening = Evening()
        self.begun = self.evening.now
        self.shows = shows
        self.opened: list[float] = []
        self.settled: list[float] = []
        self.watched = WatchedCamera(self._open, "usb:0", clock=self.evening, sleep=self.evening.sleep)

    def _open(self) -> RenderedCamera:
        self.opened.append(self.evening.now - self.begun)
        self._ask()
        rig = self

        class Settles(RenderedCamera):
            def settle(self) -> None:
                rig.settled.append(rig.evening.now - rig.begun)

        return Settles(self._ask, clock=self.evening)

    def _ask(self) -> Image:
        image = self.shows(self.evening.now - self.begun)
        if image is None:
            raise CameraError("there is no camera at usb:0; plug it in")
        return image

    def watch(self, seconds: float, every: float = 0.1) -> Iterator[tuple[float, Frame | None]]:
        end = self.evening.now + seconds
        while self.evening.now < end:
            yield self.evening.now - self.begun, self.watched.small()
            self.evening.now += every

    def kinds(self, seconds: float) -> dict[str, tuple[float, float]]:
        """Each trouble with the first and last second at which it was known."""
        known: dict[str, tuple[float, float]] = {}
        for at, _ in self.watch(seconds):
            if self.watched.trouble:
                kind = self.watched.trouble.kind
                known[kind] = known.get(kind, (at, at))[0], at
        return known


def noisy(at: float, brightness: int = 120) -> Image:
    return a_table(int(at * 1000), brightness)


def test_a_camera_pulled_out_and_plugged_in_again_is_used_again() -> None:
    rig = Rig(lambda at: None if 2 <= at < 12 else noisy(at))
    known = rig.kinds(30)
    assert list(known) == ["unplugged"]
    begun, ended = known["unplugged"]
    assert begun == pytest.approx(2.0, abs=0.3)
    assert 12 <= ended < 22
    assert rig.watched.trouble is None
    assert rig.watched.small() is not None


def test_retries_come_at_growing_pauses_and_the_trouble_is_told_in_a_sentence() -> None:
    rig = Rig(lambda at: None)
    rig.kinds(100)
    pauses = np.diff(rig.opened)
    assert pauses[0] == pytest.approx(0.5, abs=0.2)
    assert (np.diff(pauses[:6]) > 0).all()
    assert pauses.max() <= 30.3
    assert rig.watched.trouble is not None
    assert rig.watched.trouble.says == "Camera usb:0: there is no camera at usb:0; plug it in."
    assert rig.watched.trouble.since == pytest.approx(rig.begun)
    assert rig.watched.trouble.tries == len(rig.opened) - 1
    assert rig.watched.full() is None


def test_a_frozen_camera_is_noticed_reopened_and_trusted_again_when_it_moves() -> None:
    rig = Rig(lambda at: noisy(min(at, 5.0)) if at < 15 else noisy(at))
    frames = {round(at, 1): frame for at, frame in rig.watch(30)}
    assert frames[4.0] is not None
    assert frames[12.0] is None, "a picture that may be old is not given out"
    assert len(rig.opened) > 2
    assert rig.watched.trouble is None
    assert rig.watched.small() is not None


def test_a_table_where_nobody_moves_is_not_a_frozen_camera() -> None:
    rig = Rig(noisy)
    assert rig.kinds(20) == {}


def test_a_lens_cap_is_named_black_and_exposure_is_found_anew_afterwards() -> None:
    rig = Rig(lambda at: np.zeros((45, 80, 3), np.uint8) if 2 <= at < 10 else noisy(at))
    known = rig.kinds(12)
    assert list(known) == ["black"]
    assert known["black"][0] == pytest.approx(3.0, abs=0.3)
    assert known["black"][1] == pytest.approx(10.0, abs=0.3)
    assert rig.settled[-1] >= 10
    assert len(rig.opened) == 1


def test_a_short_blink_is_no_trouble() -> None:
    rig = Rig(lambda at: np.zeros((45, 80, 3), np.uint8) if 2 <= at < 2.5 else noisy(at))
    assert rig.kinds(5) == {}


def test_exposure_follows_the_evening_but_not_a_passing_sleeve() -> None:
    passing = Rig(lambda at: noisy(at, 60 if 2 <= at < 4 else 130))
    assert passing.kinds(8) == {}
    assert passing.settled == []
    dusk = Rig(lambda at: noisy(at, 60 if at >= 2 else 130))
    assert dusk.kinds(20) == {}
    assert dusk.settled == [pytest.approx(7.0, abs=0.3)]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["fine", "gone", "black", "same", "odd"]), min_size=1, max_size=12))
def test_whatever_a_camera_does_the_loop_goes_on(evening: list[str]) -> None:
    def shows(at: float) -> Image | None:
        match evening[min(int(at), len(evening) - 1)]:
            case "fine":
                return noisy(at)
            case "black":
                return np.zeros((45, 80, 3), np.uint8)
            case "same":
                return a_table(1)
            case "odd":
                raise ZeroDivisionError("a driver had a bad day")
            case _:
                return None

    rig = Rig(shows)
    for _ in rig.watch(len(evening)):
        rig.watched.full()
    rig.shows = noisy
    for _ in rig.watch(45, every=0.5):
        pass
    assert rig.watched.trouble is None
    rig.watched.close()


def _empty(folder: Path) -> Path:
    empty = folder / "empty"
    empty.mkdir()
    return empty
