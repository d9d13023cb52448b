"""The camera page: the camera thread reads the table; other threads show pictures, tap corners and teach."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.daemon.camera_page import CameraPage
from companion.daemon.camera_thread import CameraThread, Look, StoredCorners
from companion.daemon.journal_folder import Opened
from companion.kernel.messages import NewPiece
from tests.vision.readers import test_dice
from tests.vision.test_watcher import LAYOUT, TABLE, photographed
from vision import layout as layouts
from vision.cameras import CameraError, Frame, Image
from vision.kit.kit import Kit
from vision.layout import Layout
from vision.rendered import Scene, picture
from vision.rendered.stage import RenderedCamera
from vision.table_reader import TableReader
from vision.watcher import TableWatcher
from web.backend import Refused

from .tiny import GAME, TWO, TinyTable, now, soon

LABELS = ["bread1", "bread2", "bread3", "marble1", "marble2", "tool1"]
NAMED: Layout = layouts.from_data(
    {
        **msgspec.to_builtins(LAYOUT),
        "pieces": {"tile": {"size": [38, 38], "height": 2, "labels": LABELS}},
    },
    "test",
)
CORNERS = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]


class WatchedTable:
    """A rendered table that a camera thread reads. `image` is its picture."""

    def __init__(self, home: Path) -> None:
        self.image: Image | None = photographed(TABLE)
        self.home, self._frames = home, 0
        self.ignored: list[str] = []
        self.learned: list[NewPiece] = []
        self.camera_thread = CameraThread(self._make, lambda _reading: None)
        self.page = CameraPage(self.camera_thread, home, lambda: self.ignored, lambda: self.learned)
        (home / "games").mkdir(exist_ok=True)
        number = len(list((home / "games").glob("*.journal")))
        table = TinyTable.begin(GAME, home / "games" / f"{number}.journal", TWO.seats, {}, now)
        self.opened = Opened(GAME, table)
        self.camera_thread.start()

    def _make(self, _game: Any, _box: Any) -> Look:
        camera = RenderedCamera(self._full, lambda: Frame(self._full(), 0.0, 0).shrunk().image)
        return Look(TableWatcher(camera, TableReader(NAMED, Kit(NAMED))), camera.close, kit=self.home / "kit")

    def _full(self) -> Image:
        if self.image is None:
            raise CameraError("The cable is loose.")
        self._frames += 1
        noisy = self.image.copy()
        noisy[0, :8] = self._frames % 200  # no two pictures of a real camera are the same
        return noisy

    def look(self) -> None:
        """A game begins, and the camera opens."""
        self.camera_thread.opened(self.opened)
        assert soon(lambda: self.page.camera()["picture"])

    def find_the_table(self) -> None:
        self.look()
        assert soon(lambda: self.page.camera()["plane"]["state"] == "ok")
        # And a picture in which it is found.
        assert soon(lambda: "light" in self.page.camera())


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[WatchedTable]:
    watched = WatchedTable(tmp_path)
    yield watched
    watched.camera_thread.stop()


def bare() -> Image:
    """The table with covered markers."""
    image = photographed(TABLE).copy()
    for number, (x, y) in enumerate([(60, 60), (1220, 60), (1220, 660), (60, 660)]):
        cv2.rectangle(image, (x - 150, y - 150), (x + 150, y + 150), (40 * number, 70, 140), -1)
        cv2.rectangle(image, (x - 60, y - 50), (x + 30, y + 20), (220, 210, 50 * number), -1)
    return np.asarray(image, np.uint8)


def refused(act: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.says["de"] != refusal.value.says["en"]
    return refusal.value.reason


def size(jpeg: bytes | None) -> tuple[int, int]:
    assert jpeg is not None
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.shape[1], image.shape[0]


def test_while_no_game_is_open_the_camera_is_off(watched: WatchedTable) -> None:
    seen = watched.page.camera()
    assert (seen["state"], seen["picture"]) == ("absent", False)
    assert watched.page.picture(True, None, None) is None
    assert refused(lambda: watched.page.tap(CORNERS)) == "no_camera"
    assert refused(lambda: watched.page.teach("yard", None, 0.5, 0.5, "bread1")) == "no_camera"


def test_the_picture_is_shown_with_how_well_the_camera_sees(watched: WatchedTable) -> None:
    watched.find_the_table()
    seen = watched.page.camera()
    assert (seen["state"], seen["size"]) == ("ok", [1280, 720])
    assert (seen["plane"]["markers"], seen["plane"]["by_hand"]) == (4, False)
    assert seen["plane"]["error_mm"] < 1
    assert (seen["light"]["state"], seen["lens"]["state"]) == ("ok", "ok")
    assert soon(lambda: watched.page.camera()["zones"]["dial"]["state"] == "seen")
    assert watched.page.camera()["zones"]["dial"]["contents"] == {"type": "pointing", "value": 2}
    assert watched.page.camera()["zones"]["yard"]["state"] == "unclear", "nothing was taught"
    for part in (seen, seen["plane"], seen["light"], seen["lens"]):
        assert part["says"]["de"] != part["says"]["en"]


def test_a_zone_that_is_ignored_says_so(watched: WatchedTable) -> None:
    watched.find_the_table()
    watched.ignored.append("yard")
    assert watched.page.camera()["zones"]["yard"]["state"] == "ignored"


def test_pictures_are_drawn_once_for_all_phones(watched: WatchedTable) -> None:
    watched.find_the_table()
    watched.image = None  # from here on it stays the same picture
    assert soon(lambda: watched.page.camera()["state"] == "troubled")
    plain, drawn = watched.page.picture(False, None, None), watched.page.picture(True, None, None)
    assert size(plain) == size(drawn) == (1280, 720)
    assert plain != drawn
    assert watched.page.picture(True, None, None) is drawn
    wide, high = size(watched.page.picture(False, "yard", None))
    assert wide > high
    assert size(watched.page.picture(False, "board", "B2"))[0] == size(watched.page.picture(False, "board", "B2"))[1]
    assert watched.page.picture(False, "cellar", None) is None
    assert watched.page.picture(False, "board", "../B2") is None


def test_a_pulled_cable_is_told_in_both_languages(watched: WatchedTable) -> None:
    watched.look()
    watched.image = None
    assert soon(lambda: watched.page.camera()["state"] == "troubled")
    assert "cable" in watched.page.camera()["says"]["en"]
    assert "Kabel" in watched.page.camera()["says"]["de"]


def test_a_camera_that_cannot_be_opened_says_why(watched: WatchedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_game: Any, _box: Any) -> Look:
        raise OSError("the kit is gone.")

    monkeypatch.setattr(watched.camera_thread, "_make_look", fail)
    watched.camera_thread.opened(watched.opened)
    assert soon(lambda: watched.page.camera()["state"] == "failed")
    assert "the kit is gone" in watched.page.camera()["says"]["en"]


# Corners


def test_tapped_corners_find_a_table_without_markers_also_after_a_restart(
    watched: WatchedTable, tmp_path: Path
) -> None:
    watched.image = bare()
    watched.look()
    assert watched.page.camera()["plane"]["state"] == "troubled"
    watched.page.tap([(0.09, 0.02), (0.91, 0.02), (0.95, 0.98), (0.05, 0.98)])
    assert soon(lambda: watched.page.camera()["plane"]["by_hand"])
    assert watched.page.camera()["plane"]["state"] == "ok"
    watched.camera_thread.stop()

    again = WatchedTable(tmp_path)
    again.image = bare()
    again.look()
    assert soon(lambda: again.page.camera()["plane"]["by_hand"])
    again.page.tap([])
    assert soon(lambda: not again.page.camera()["plane"]["by_hand"])
    assert StoredCorners(tmp_path).read(GAME.name) is None
    again.camera_thread.stop()


@pytest.mark.parametrize(
    "points",
    [
        [(0.1, 0.1)] * 3,
        [(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)],
        [(0.1, 0.1)] * 4,
        [(-0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)],
        [(float("nan"), 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)],
    ],
)
def test_what_is_no_four_corners_is_refused_and_not_kept(watched: WatchedTable, points: Any, tmp_path: Path) -> None:
    watched.look()
    assert refused(lambda: watched.page.tap(points)) == "not_corners"
    assert StoredCorners(tmp_path).read(GAME.name) is None


def test_corners_that_cannot_be_kept_are_refused(watched: WatchedTable, tmp_path: Path) -> None:
    watched.look()
    (tmp_path / "corners").write_text("a file where a folder should be")
    assert refused(lambda: watched.page.tap([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)])) == "not_kept"


@pytest.mark.parametrize("spoilt", [b"", b"{", b'{"points":[[0,0]],"picture":""}', b'{"points":"many","picture":""}'])
def test_spoilt_corners_are_as_good_as_none(tmp_path: Path, spoilt: bytes) -> None:
    (tmp_path / "corners").mkdir()
    (tmp_path / "corners" / f"{GAME.name}.json").write_bytes(spoilt)
    assert StoredCorners(tmp_path).read(GAME.name) is None


# Teaching


def test_a_piece_is_taught_by_showing_and_naming_it_and_is_read_from_then_on(
    watched: WatchedTable, tmp_path: Path
) -> None:
    watched.find_the_table()
    assert watched.page.camera()["zones"]["board"]["contents"] is None
    for cell, label in (("A1", "bread1"), ("B2", "tool1"), ("C3", "marble1")):
        learned = watched.page.teach("board", cell, None, None, label)
        assert learned["learned"] == {label: 1}
    assert learned["pictures"] == 3

    def read() -> list[str | None]:
        contents = watched.page.camera()["zones"]["board"]["contents"]
        return [contents["at"][cell] for cell in ("A1", "B2", "C3")] if contents else []

    assert soon(lambda: read() == ["bread1", "tool1", "marble1"])
    assert len(list((tmp_path / "kit" / "teachings").glob("*.json"))) == 3


def test_a_piece_that_people_described_is_taught_under_its_label(watched: WatchedTable) -> None:
    watched.find_the_table()
    assert refused(lambda: watched.page.teach("board", "B2", None, None, "dragon1")) == "unknown_label"
    watched.learned.append(NewPiece("dragon1", "tile", "dragon1"))
    watched.page.teach("board", "B2", None, None, "dragon1")

    def read() -> str | None:
        contents = watched.page.camera()["zones"]["board"]["contents"]
        return contents["at"]["B2"] if contents else None

    assert soon(lambda: read() == "dragon1")


def test_a_place_is_named_by_tapping_it(watched: WatchedTable) -> None:
    watched.find_the_table()
    assert watched.page.teach("board", None, 0.5, 0.5, "tool1")["learned"] == {"tool1": 1}


def test_a_loose_piece_is_named_where_it_was_tapped(watched: WatchedTable) -> None:
    watched.find_the_table()
    learned = watched.page.teach("yard", None, 0.4, 0.6, "bread2")
    assert learned["learned"] == {"bread2": 1}


@pytest.mark.parametrize(
    ("zone", "cell", "x", "y", "label", "reason"),
    [
        ("cellar", None, 0.5, 0.5, "bread1", "nothing_to_teach"),
        ("dial", None, 0.5, 0.5, "bread1", "nothing_to_teach"),
        ("yard", None, None, None, "bread1", "no_place"),
        ("yard", None, 7.5, 0.5, "bread1", "no_place"),
        ("board", "Z9", None, None, "bread1", "no_place"),
        ("board", None, None, None, "bread1", "no_place"),
        ("board", "A1", None, None, "dragon", "unknown_label"),
        ("board", "A1", None, None, "../../bread1", "unknown_label"),
    ],
)
def test_what_cannot_be_taught_is_refused(
    watched: WatchedTable, zone: str, cell: str | None, x: float | None, y: float | None, label: str, reason: str
) -> None:
    watched.find_the_table()
    assert refused(lambda: watched.page.teach(zone, cell, x, y, label)) == reason


def test_learning_keeps_neither_the_camera_nor_other_phones_waiting(watched: WatchedTable) -> None:
    watched.find_the_table()
    with watched.page._learning:  # somebody teaches, and that takes a while
        teaching = threading.Thread(target=watched.page.teach, args=("board", "A1", None, None, "bread1"))
        teaching.start()
        steps = watched.camera_thread.steps
        assert watched.page.picture(True, None, None) is not None
        assert soon(lambda: watched.camera_thread.steps > steps + 2)
        assert teaching.is_alive()
    teaching.join(60)
    assert not teaching.is_alive()


class WatchedDice(WatchedTable):
    """A camera above a tray of dice, one of which stands on its edge."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        leaning = msgspec.structs.replace(test_dice.die("light_grey 2", 360, 200), tilt=30.0)
        scene = Scene((test_dice.die("blue 4", 150, 120), leaning), "felt")
        self.image = picture(test_dice.TABLE, scene, test_dice.RIG.camera, "even", Random(7))

    def _make(self, _game: Any, _box: Any) -> Look:
        camera = RenderedCamera(self._full, lambda: Frame(self._full(), 0.0, 0).shrunk().image)
        return Look(TableWatcher(camera, test_dice.eyes()), camera.close, kit=self.home / "kit")


@pytest.fixture
def dice(tmp_path: Path) -> Iterator[WatchedDice]:
    watched = WatchedDice(tmp_path)
    yield watched
    watched.camera_thread.stop()


def test_phones_are_told_which_die_cannot_be_read_and_where_it_lies(dice: WatchedDice) -> None:
    dice.find_the_table()
    assert soon(lambda: bool(dice.page.camera()["zones"]["tray"]["odd"]))
    zone = dice.page.camera()["zones"]["tray"]
    assert (zone["state"], zone["contents"]) == ("unclear", None)
    (odd,) = zone["odd"]
    assert odd["says"]["de"] == "Ein Würfel scheint auf der Kante zu stehen, tray."
    assert odd["says"]["en"] == "A die seems to be standing on its edge, tray."
    assert (odd["x"], odd["y"]) == (pytest.approx(0.72, abs=0.03), pytest.approx(0.66, abs=0.05))
