"""The watcher sends Readings when the table is still, none if nothing has changed, and never wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import deepcopy
from functools import cache
from random import Random

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.kernel.messages import Reading, ZoneReading
from companion.kernel.views import Cells, Contents, Pieces, Pointing, View
from vision.accuracy.tables import truth_of
from vision.cameras import CameraError, Image, WatchedCamera
from vision.cameras.camera import Frame
from vision.kit.kit import Kit
from vision.layout import Layout, from_data
from vision.picture.table_picture import BadPicture, TablePicture, locate
from vision.plane.plane import Plane, from_corners
from vision.plane.tracker import RECHECK_SECONDS, PlaneState
from vision.rendered import Camera, Hand, picture, scene_of
from vision.rendered.stage import RenderedCamera
from vision.table_reader import TableReader
from vision.watcher import TableWatcher, WatcherStatus

SIZE = (1280, 720)
LAYOUT: Layout = from_data(
    {
        "name": "small table",
        "area": {"width": 640, "height": 400},
        "markers": {"side": 50, "at": {"0": [36, 36], "1": [604, 36], "2": [604, 364], "3": [36, 364]}},
        "pieces": {"tile": {"size": [38, 38], "height": 2}},
        "zones": {
            "board": {"kind": "grid", "rect": [80, 90, 206, 216], "columns": 3, "rows": 3, "holds": "tile"},
            "seals": {"kind": "slots", "at": {"A1": [101, 111], "C3": [185, 195]}, "size": [42, 42], "holds": "tile"},
            "yard": {"kind": "tray", "rect": [340, 80, 500, 190], "holds": "tile"},
            "dial": {
                "kind": "dial",
                "centre": [140, 310],
                "radius": 45,
                "sectors": [{"value": 2, "start": 0, "end": 180}, {"value": 3, "start": 180, "end": 360}],
            },
        },
    },
    "test",
)
RIG = Camera(height_mm=640, tilt_degrees=4, tilt_direction=70, hfov=64, roll=0.5)
CLOSE = Camera(height_mm=560, tilt_degrees=4, hfov=64)
TAUGHT = (("bread1 bread2 tool1", "marble1 bread1"), ("marble1 tool1 bread2", "bread2 tool1"))


def view(board: str = "bread1 tool1 marble1", yard: str = "bread2 tool1", dial: int = 2) -> View:
    on_board: dict[str, str | None] = {f"{letter}{row}": None for row in "123" for letter in "ABC"}
    on_board |= dict(zip(("A1", "B2", "C3"), board.split(), strict=False))
    return View({"board": Cells(on_board), "yard": Pieces(dict.fromkeys(yard.split(), 1)), "dial": Pointing(dial)})


@cache
def shot(seen: bytes, hands: tuple[Hand, ...], rig: Camera) -> Image:
    shown = msgspec.json.decode(seen, type=View)
    scene = scene_of(LAYOUT, shown, Random(4), table_top="wood")
    return picture(LAYOUT, scene, rig, "even", Random(9), hands, SIZE)


def photographed(shown: View, *hands: Hand, rig: Camera = RIG) -> Image:
    return shot(msgspec.json.encode(shown), hands, rig)


@cache
def reader() -> TableReader:
    kit = Kit(LAYOUT)
    for board, yard in TAUGHT:
        shown = view(board, yard)
        scene = scene_of(LAYOUT, shown, Random(11), table_top="wood")
        truth = truth_of(LAYOUT, scene, shown)
        taught = locate(picture(LAYOUT, scene, RIG, "even", Random(9), (), SIZE), LAYOUT)
        kit.show(taught, {name: truth[name] for name in ("board", "yard")})
    kit.derive()
    return TableReader(LAYOUT, kit)


@cache
def noise(shape: tuple[int, ...], seed: int) -> NDArray[np.int16]:
    return np.random.default_rng(seed).normal(0, 1.5, shape).round().astype(np.int16)


class Evening:
    """A watcher over one table, ten steps a second. `odd` pictures take the place of the next full frames."""

    def __init__(self, plane: Plane | None = None, watched: bool = False, look: TableReader | None = None) -> None:
        self.now = 100.0
        self.image: Image | None = None
        self.gain = 1.0
        self.odd: list[Image | None] = []
        self.planes: list[PlaneState] = []
        self._turn = 0
        self._small: tuple[Image, Image] | None = None
        camera = WatchedCamera(self._opened, "test", self.clock, self._sleep) if watched else self._opened()
        self.watcher = TableWatcher(camera, look or reader(), plane)

    @property
    def status(self) -> WatcherStatus:
        return self.watcher.status

    def clock(self) -> float:
        return self.now

    def shows(self, image: Image | None, seconds: float) -> list[Reading]:
        """The Readings while the camera sees this for a while; None is a pulled cable."""
        self.image = image
        told = []
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            reading = self.watcher.step()
            self.planes.append(self.status.plane)
            if reading is not None:
                told.append(reading)
        return told

    def _opened(self) -> RenderedCamera:
        return RenderedCamera(self._full, self._shrunk, self.clock)

    def _sleep(self, seconds: float) -> None:
        """Time passes only from step to step."""

    def _full(self) -> Image:
        odd = self.odd.pop(0) if self.odd else None
        return self._noisy(self._plugged() if odd is None else odd)

    def _shrunk(self) -> Image:
        image = self._plugged()
        if self._small is None or self._small[0] is not image:
            self._small = image, Frame(image, 0.0, 0).shrunk().image
        return self._noisy(self._small[1])

    def _plugged(self) -> Image:
        if self.image is None:
            raise CameraError("The cable is loose.")
        return self.image

    def _noisy(self, image: Image) -> Image:
        lit = image if self.gain == 1.0 else cv2.convertScaleAbs(image, alpha=self.gain)
        self._turn = (self._turn + 1) % 3
        return np.asarray(cv2.add(lit, noise(image.shape, self._turn), dtype=cv2.CV_8U), np.uint8)


def contents(reading: Reading) -> dict[str, Contents | None]:
    assert list(reading.zones) == list(LAYOUT.zones), "a Reading speaks of every zone"
    assert all(zone.kind == LAYOUT.zones[name].kind for name, zone in reading.zones.items())
    return {name: zone.contents for name, zone in reading.zones.items()}


def truth(shown: View) -> dict[str, Contents | None]:
    board = shown.zones["board"]
    assert isinstance(board, Cells)
    return {**shown.zones, "seals": Cells({"A1": board.at["A1"], "C3": board.at["C3"]})}


def covered(reading: Reading) -> tuple[str, ...]:
    return tuple(name for name, zone in reading.zones.items() if zone.covered)


UNSEEN: dict[str, Contents | None] = dict.fromkeys(LAYOUT.zones)
TABLE = view()
BOARD = ("board", "seals")
HAND_OVER_BOARD, HAND_OVER_YARD = Hand("left", (140, 150)), Hand("right", (420, 140))


@cache
def begun(watched: bool) -> Evening:
    evening = Evening(watched=watched)
    told = evening.shows(photographed(TABLE), 2.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]
    return evening


def settled(watched: bool = False) -> Evening:
    """An evening on which the table has been read once: a copy of one, to save time."""
    return deepcopy(begun(watched), {id(reader()): reader()})


def test_a_still_table_is_told_once_and_whole_and_then_costs_nothing() -> None:
    evening = Evening()
    (reading,) = evening.shows(photographed(TABLE), 2.0)
    assert contents(reading) == truth(TABLE)
    assert all(zone.confidence > 0.5 for zone in reading.zones.values())
    assert {piece.label for piece in reading.zones["yard"].found} == {"bread2", "tool1"}
    assert 100 < reading.at < 102
    assert reading.frame > 0
    before = evening.status
    assert (before.plane.state, before.unread, before.readings) == ("locked", (), 1)
    assert evening.shows(photographed(TABLE), RECHECK_SECONDS) == []
    after = evening.status
    assert after.frames - before.frames == RECHECK_SECONDS * 10
    assert after.full_frames - before.full_frames <= 1, "only the watch looks at the markers now and then"
    assert after.age == pytest.approx(after.at - reading.at)


def test_two_full_frames_are_enough_when_they_agree() -> None:
    evening = settled()
    before = evening.status.full_frames
    evening.shows(photographed(TABLE, HAND_OVER_YARD), 1.0)
    evening.shows(photographed(TABLE), 3.0)
    assert evening.status.full_frames - before == 2


def test_a_hand_hides_the_zone_under_it_and_only_that() -> None:
    evening = settled()
    told = evening.shows(photographed(TABLE, HAND_OVER_YARD), 2.0)
    assert [contents(reading) for reading in told] == [truth(TABLE) | {"yard": None}]
    assert covered(told[0]) == ("yard",)
    status = evening.status
    assert [hand.side for hand in status.hands] == ["right"]
    assert (status.zones["yard"].state, status.zones["yard"].side) == ("covered", "right")
    assert status.unread == ("yard",)
    told = evening.shows(photographed(TABLE), 2.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]
    assert covered(told[0]) == ()
    assert evening.status.unread == ()


def test_zones_that_lie_over_each_other_are_hidden_and_read_together() -> None:
    evening = settled()
    told = evening.shows(photographed(TABLE, HAND_OVER_BOARD), 1.0)
    assert all(contents(told[-1])[name] is None for name in BOARD)
    (reading,) = evening.shows(photographed(TABLE), 2.0)
    assert contents(reading) == truth(TABLE)


def test_a_moved_piece_is_told_once_with_the_change_and_nothing_else_is_read() -> None:
    evening = settled()
    moved = view(board="tool1 bread1 marble1")
    read: list[str] = []
    evening.watcher._reader = Noting(read)
    told = evening.shows(photographed(moved, HAND_OVER_BOARD), 1.0) + evening.shows(photographed(moved), 4.0)
    assert [reading for reading in map(contents, told) if reading["board"] is not None] == [truth(moved)]
    assert "yard" not in read
    assert read.count("board") == 2


def test_a_picture_from_before_the_move_has_no_vote_on_what_came_after() -> None:
    evening = settled()
    evening.shows(photographed(TABLE, HAND_OVER_BOARD), 1.0)
    before = evening.status.full_frames
    while evening.status.full_frames == before:
        assert evening.shows(photographed(TABLE), 0.1) == []
    moved = view(board="tool1 bread1 marble1")
    evening.odd = [photographed(TABLE)]
    told = evening.shows(photographed(moved), 2.0)
    assert not evening.odd
    assert [contents(reading) for reading in told] == [truth(moved)], "the odd one agrees only with one that is past"


class Noting(TableReader):
    """A reader that notes which zones it reads."""

    def __init__(self, read: list[str]) -> None:
        super().__init__(LAYOUT, reader().kit)
        self._noted = read

    def read(self, sight: TablePicture, only: Collection[str] | None = None) -> dict[str, ZoneReading]:
        self._noted += only or LAYOUT.zones
        return super().read(sight, only)


def blurred(image: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 9), np.uint8)


@pytest.mark.parametrize(
    ("odd", "first"),
    [
        (lambda: blurred(photographed(TABLE)), True),
        (lambda: photographed(TABLE, HAND_OVER_YARD, HAND_OVER_BOARD), False),
        (lambda: photographed(view(board="tool1 bread2 bread1")), True),
        (lambda: np.full((SIZE[1], SIZE[0], 3), 128, np.uint8), False),
    ],
    ids=["blurred", "hands", "other pieces", "grey"],
)
def test_one_odd_picture_changes_nothing_that_is_told(odd: Callable[[], Image], first: bool) -> None:
    evening = settled()
    evening.shows(photographed(TABLE, HAND_OVER_YARD, HAND_OVER_BOARD), 1.0)
    before = evening.status.full_frames
    evening.odd = [odd()] if first else [None, odd()]
    told = evening.shows(photographed(TABLE), 2.0)
    assert not evening.odd
    assert evening.status.full_frames - before == 3, "a third picture decides"
    assert [contents(reading) for reading in told] == [truth(TABLE)]


@pytest.mark.parametrize("watched", [False, True])
def test_a_pulled_cable_makes_everything_unknown_until_the_camera_is_back(watched: bool) -> None:
    evening = settled(watched=watched)
    told = evening.shows(None, 1.0)
    assert [contents(reading) for reading in told] == [UNSEEN]
    trouble = evening.status.camera
    assert trouble is not None
    assert (trouble.kind, "loose" in trouble.says) == ("unplugged", True)
    assert evening.status.zones == {}
    told = evening.shows(photographed(TABLE), 3.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]
    assert evening.status.camera is None


def test_a_second_look_is_told_though_nothing_changed() -> None:
    evening = settled()
    read: list[str] = []
    evening.watcher._reader = Noting(read)
    evening.watcher.look_again(["yard", "dial", "no such zone"])
    (reading,) = evening.shows(photographed(TABLE), 2.0)
    assert contents(reading) == truth(TABLE)
    assert covered(reading) == ()
    assert sorted(read) == ["dial", "dial", "yard", "yard"], "with fresh votes, and no other zone"
    assert evening.shows(photographed(TABLE), 1.0) == []


def test_until_the_second_look_is_done_what_was_read_stands() -> None:
    evening = settled()
    evening.watcher.look_again(["yard"])
    (lost,) = evening.shows(photographed(TABLE, HAND_OVER_BOARD), 0.1)
    assert "yard" in evening.status.unread
    (again,) = evening.shows(photographed(TABLE, HAND_OVER_BOARD), 1.0)
    assert contents(lost) == contents(again) == truth(TABLE) | dict.fromkeys(BOARD)
    assert covered(lost) == covered(again) == BOARD


def test_a_zone_that_is_covered_gets_its_second_look_when_the_hand_is_gone() -> None:
    evening = settled()
    evening.shows(photographed(TABLE, HAND_OVER_YARD), 1.0)
    evening.watcher.look_again(["yard", "dial"])
    (reading,) = evening.shows(photographed(TABLE, HAND_OVER_YARD), 1.0)
    assert covered(reading) == ("yard",), "the dial does not wait for the hand"
    told = evening.shows(photographed(TABLE), 2.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]


def test_a_second_look_may_see_something_else() -> None:
    evening = settled()
    evening.watcher.look_again(["yard"])
    evening.odd = [photographed(view(yard="bread2 marble1"))] * 2
    (reading,) = evening.shows(photographed(TABLE), 1.0)
    assert contents(reading)["yard"] == Pieces({"bread2": 1, "marble1": 1})


def test_a_reading_shows_a_small_picture_of_the_table_from_above() -> None:
    evening = Evening()
    (reading,) = evening.shows(photographed(TABLE), 2.0)
    image = cv2.imdecode(np.frombuffer(reading.picture, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (300, 480, 3)
    assert len(reading.picture) < 40_000
    # The top left marker's black border lies where the layout has the marker.
    assert image[27 - 16, 27 - 16].mean() < 90
    (hidden,) = evening.shows(photographed(TABLE, HAND_OVER_YARD), 1.0)
    assert hidden.picture == reading.picture, "a hand is no reason for another picture"
    (back,) = evening.shows(photographed(TABLE), 2.0)
    assert back.picture not in (b"", reading.picture)
    (blind,) = evening.shows(None, 1.0)
    assert blind.picture == b""


def test_an_arrow_that_is_turned_within_its_sector_is_told_with_its_angle() -> None:
    evening = settled()

    def arrow(reading: Reading) -> float:
        (found,) = reading.zones["dial"].found
        return found.angle

    evening.watcher.look_again(["dial"])
    (before,) = evening.shows(photographed(TABLE), 1.0)
    scene = scene_of(LAYOUT, TABLE, Random(4), table_top="wood")
    pieces = tuple(
        msgspec.structs.replace(piece, angle=(piece.angle + 90) % 180) if piece.zone == "dial" else piece
        for piece in scene.pieces
    )
    turned = picture(LAYOUT, msgspec.structs.replace(scene, pieces=pieces), RIG, "even", Random(9), (), SIZE)
    told = evening.shows(turned, 2.0)
    assert contents(told[-1]) == truth(TABLE)
    assert (arrow(told[-1]) - arrow(before)) % 180 == pytest.approx(90, abs=2)


def bumped(image: Image, by: float, turn: float = 0.004) -> Image:
    shift = np.array([[1, turn, by], [-turn, 1, -by / 2]])
    return np.asarray(cv2.warpAffine(image, shift, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("by", [3.0, 22.0])
def test_a_bumped_rig_unknows_the_table_finds_it_again_and_reads_the_same(by: float) -> None:
    evening = settled()
    evening.planes.clear()
    told = evening.shows(bumped(photographed(TABLE), by), 3.0)
    assert ("lost", "moved") in [(plane.state, plane.why) for plane in evening.planes]
    assert evening.status.plane.state == "locked"
    *fading, last = [contents(reading) for reading in told]
    assert last == truth(TABLE)
    assert fading[-1] == UNSEEN
    assert all(said in (None, truth(TABLE)[name]) for one in fading for name, said in one.items())


def test_where_small_frames_cannot_show_a_bump_the_full_ones_do_before_anything_is_read() -> None:
    # The markers lie so close to the picture's edge that the watch has no patches of them to follow.
    evening = Evening()
    before = photographed(TABLE, rig=CLOSE)
    assert [contents(reading) for reading in evening.shows(before, 2.0)] == [truth(TABLE)]
    locked_at = evening.status.plane.since
    told = evening.shows(bumped(before, 16.0), 6.0)
    assert all(said in (None, truth(TABLE)[name]) for one in told for name, said in contents(one).items())
    assert contents(told[-1]) == truth(TABLE)
    assert evening.status.plane.since > locked_at


def test_a_camera_that_comes_back_crooked_tells_nothing_before_the_plane_is_found_again() -> None:
    evening = settled()
    evening.shows(None, 0.5)
    told = evening.shows(bumped(photographed(TABLE), 14.0), 4.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]


def test_without_markers_too_a_camera_that_comes_back_crooked_tells_nothing() -> None:
    evening = by_hand()
    evening.shows(None, 0.5)
    # So little that only the watch can tell, and not from the first frame.
    assert evening.shows(bumped(photographed(TABLE), 0.7, 0.0), 2.0) == []
    assert (evening.status.plane.state, evening.status.plane.why) == ("lost", "moved")


def pasted(image: Image, *names: str) -> Image:
    """Cups on these markers."""
    covered = image.copy()
    assert LAYOUT.markers is not None
    plane = RIG.plane(LAYOUT.area, SIZE)
    for name in names:
        x, y = plane.to_pixels([LAYOUT.markers.at[name]])[0]
        cv2.circle(covered, (round(float(x)), round(float(y))), 70, (150, 140, 60), -1)
    return covered


def test_a_covered_marker_is_tolerated_and_four_are_not() -> None:
    evening = settled()
    evening.shows(pasted(photographed(TABLE), "1"), 4.0)
    assert evening.status.plane.state == "locked"
    assert evening.status.unread == ()
    evening.shows(pasted(photographed(TABLE, HAND_OVER_YARD), "1"), 1.0)
    told = evening.shows(pasted(photographed(TABLE), "1"), 2.0)
    assert contents(told[-1]) == truth(TABLE), "a cup on a marker is not taken for white paper"
    told = evening.shows(pasted(photographed(TABLE), "0", "1", "2", "3"), 3.0)
    assert contents(told[-1]) == UNSEEN
    assert (evening.status.plane.state, evening.status.plane.why) == ("lost", "hidden")
    told = evening.shows(photographed(TABLE), 4.0)
    assert contents(told[-1]) == truth(TABLE)
    assert evening.status.plane.state == "locked"


def test_without_a_table_in_sight_nothing_is_told_and_the_search_grows_patient() -> None:
    evening = Evening()
    nothing = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert evening.shows(nothing, 11.0) == []
    assert (evening.status.plane.state, evening.status.plane.why) == ("lost", "not found")
    before = evening.status.full_frames
    evening.shows(nothing, 5.0)
    assert evening.status.full_frames - before <= 6
    told = evening.shows(photographed(TABLE), 4.0)
    assert [contents(reading) for reading in told] == [truth(TABLE)]


def test_a_lamp_has_everything_read_again_and_a_flash_does_not() -> None:
    evening = settled()
    evening.gain = 0.6
    assert evening.shows(photographed(TABLE), 0.2) == []
    evening.gain = 1.0
    assert evening.shows(photographed(TABLE), 2.0) == []
    evening.gain = 0.7
    told = evening.shows(photographed(TABLE), 3.0)
    assert [contents(reading) for reading in told] == [UNSEEN, truth(TABLE)]
    assert evening.shows(photographed(TABLE), 3.0) == []


def by_hand() -> Evening:
    """Four corners were tapped; nothing was taught, so that the dial is all that can be read."""
    bare = msgspec.structs.replace(LAYOUT, markers=None)
    true = RIG.plane(LAYOUT.area, SIZE)
    width, height = LAYOUT.area.width, LAYOUT.area.height
    seen = [(float(x), float(y)) for x, y in true.to_pixels([(0, 0), (width, 0), (width, height), (0, height)])]
    evening = Evening(from_corners(seen, bare, SIZE), look=TableReader(bare))
    told = evening.shows(photographed(TABLE), 2.0)
    assert [contents(reading) for reading in told] == [UNSEEN | {"dial": Pointing(2)}]
    return evening


def test_corners_given_by_hand_are_enough() -> None:
    evening = by_hand()
    assert evening.status.full_frames == 2
    told = evening.shows(bumped(photographed(TABLE), 22.0), 2.0)
    assert contents(told[-1]) == UNSEEN
    assert (evening.status.plane.state, evening.status.plane.why) == ("lost", "moved")
    told = evening.shows(photographed(TABLE), 3.0)
    assert contents(told[-1])["dial"] == Pointing(2)


def test_a_plane_of_another_picture_size_is_said_and_never_read_through() -> None:
    bare = msgspec.structs.replace(LAYOUT, markers=None)
    corners = [(240.0, 62.0), (1700.0, 60.0), (1704.0, 1020.0), (200.0, 1026.0)]
    evening = Evening(from_corners(corners, bare, (1920, 1080)), look=TableReader(bare))
    (reading,) = evening.shows(photographed(TABLE), 1.0)
    assert contents(reading) == UNSEEN
    assert covered(reading) == (), "waiting will not help"
    assert reading.picture == b""
    assert "1280 x 720" in evening.status.says
    assert evening.status.full_frames == 2, "and is not tried for ever"


class Stumbling(TableReader):
    """A reader that fails at the yard."""

    def read(self, sight: TablePicture, only: Collection[str] | None = None) -> dict[str, ZoneReading]:
        if only is None or "yard" in only:
            raise BadPicture("The yard is too bright.")
        return super().read(sight, only)


def test_a_reader_that_fails_leaves_its_zone_unknown_and_is_not_tried_for_ever() -> None:
    evening = Evening(look=Stumbling(LAYOUT, reader().kit))
    told = evening.shows(photographed(TABLE), 2.0)
    assert [contents(reading) for reading in told] == [truth(TABLE) | {"yard": None}]
    assert covered(told[0]) == (), "the yard was looked at; to wait for it is no use"
    assert evening.status.says == "The yard is too bright."
    before = evening.status.full_frames
    evening.shows(photographed(TABLE), 1.0)
    assert evening.status.full_frames == before


def test_the_status_is_a_message() -> None:
    evening = settled()
    evening.shows(photographed(TABLE, HAND_OVER_YARD), 1.0)
    sent = msgspec.json.encode(evening.status)
    assert msgspec.json.decode(sent, type=WatcherStatus) == evening.status


def test_the_loop_keeps_its_pace_tells_what_it_reads_and_stops() -> None:
    evening = Evening()
    evening.image = photographed(TABLE)
    told: list[Reading] = []
    slept: list[float] = []
    slow = iter([0.0] * 3 + [0.35] + [0.04] * 100)

    def clock() -> float:
        return evening.now

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        evening.now += seconds

    step = evening.watcher.step

    def slowed() -> Reading | None:
        evening.now += next(slow)
        return step()

    evening.watcher.step = slowed  # type: ignore[method-assign]
    evening.watcher.run(lambda: len(slept) >= 20, told.append, 0.1, clock, sleep)
    assert [contents(reading) for reading in told] == [truth(TABLE)]
    assert slept == pytest.approx([0.1] * 3 + [0.01] + [0.06] * 16)


def test_what_nobody_could_tell_is_tried_again_when_the_markers_are_checked_anyway() -> None:
    evening = Evening(look=Stumbling(LAYOUT, reader().kit))
    evening.shows(photographed(TABLE), 2.0)
    assert evening.status.unread == ()
    evening.watcher._reader = reader()
    told = evening.shows(photographed(TABLE), RECHECK_SECONDS + 2)
    assert [contents(reading) for reading in told] == [truth(TABLE)]
