"""The table watcher: from a camera to Readings, step by step, in one thread.

Small frames tell whether the plane is still right and which zones are still. A full frame is taken only to find the
markers, or to read zones that have changed. Several full frames vote, so that one bad picture changes nothing.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.kernel.camera_source import without_password
from companion.kernel.messages import Reading, ZoneReading
from companion.kernel.views import Contents
from vision.cameras import (
    Camera,
    CameraError,
    CameraTrouble,
    Frame,
    Image,
    WatchedCamera,
)
from vision.kit.kit import Kit
from vision.layout import Layout, Point
from vision.picture.motion import (
    CELLS,
    LIGHT_STEP,
    STILL_FOR,
    Hand,
    Lookout,
    Stillness,
    ZoneStillness,
)
from vision.picture.preview import Shown, from_above
from vision.picture.table_picture import BadPicture, through
from vision.plane.plane import NoPlane, Plane
from vision.plane.tracker import PlaneState, PlaneWatch
from vision.table_reader import TableReader
from vision.votes import agreed, enough

MOST_VOTES: Final = 3
"""Maximum number of pictures of a zone. Two pictures that agree are enough."""

LIGHT_LASTS: Final = 1.0
"""Seconds for which the light must stay different before everything is read again."""

SEARCHES_KEENLY: Final = 10.0
SEARCHES_EVERY: Final = 1.0
"""After SEARCHES_KEENLY seconds without the plane (the lamp is off), it is searched only every SEARCHES_EVERY
seconds."""

SHOWS_EVERY: Final = 1.0
"""Minimum number of seconds between full pictures that are taken only to be shown."""

PACE: Final = 0.1

_UNUSABLE: Final = (NoPlane, BadPicture, cv2.error, np.linalg.LinAlgError)
"""Errors that a picture of something other than the table may cause."""


class WatcherStatus(msgspec.Struct, frozen=True):
    """What the watcher is doing, for people: trouble, the plane, hands, each zone, and how much was done."""

    plane: PlaneState
    at: float = 0.0
    """Time of the newest frame. `age` is how much older the last Reading is."""
    age: float | None = None
    camera: CameraTrouble | None = None
    hands: tuple[Hand, ...] = ()
    zones: dict[str, ZoneStillness] = {}
    unread: tuple[str, ...] = ()
    """Zones that have to be read: they are covered, moving, or have changed."""
    says: str = ""
    """What was wrong with the last full picture, for people."""
    frames: int = 0
    full_frames: int = 0
    readings: int = 0
    knocks: int = 0
    """How often the camera was found to have moved."""


class TableWatcher:
    """Watches one table. `step` handles one small frame; each step replaces the whole `status`."""

    def __init__(
        self,
        camera: Camera | WatchedCamera,
        reader: TableReader,
        plane: Plane | None = None,
        known: Plane | None = None,
        most_votes: int = MOST_VOTES,
    ) -> None:
        """`plane` comes from corners entered by hand; `known` is a plane with a calibrated lens."""
        self._camera = camera
        self._reader = reader
        self._layout = reader.layout
        self._most_votes = most_votes
        self._watch = PlaneWatch(reader.layout, plane, known)
        self._plane = plane
        self._lookout = Lookout(reader.layout, plane)
        self._stillness: Stillness | None = None
        self._kept: dict[str, ZoneReading] = {}
        self._votes: dict[str, list[ZoneReading]] = {}
        self._asked_again: deque[str] = deque()
        self._again: set[str] = set()
        self._stands: dict[str, ZoneReading] = {}
        self._told: dict[str, tuple[Contents | None, bool]] = dict.fromkeys(reader.layout.zones, (None, True))
        self._read_last: Image | None = None
        self._picture = b""
        self._trouble: CameraTrouble | None = None
        self._newest: tuple[float, int] = 0.0, 0
        self._settled_at = -math.inf
        self._light: NDArray[np.float32] | None = None
        self._other_light_since: float | None = None
        self._lost_since: float | None = None
        self._searched_at = -math.inf
        self._says = ""
        self._read_at: float | None = None
        self._frames = self._full_frames = self._readings = 0
        self._newest_full: Frame | None = None
        self._asked_for_us: deque[Callable[[], None]] = deque()
        self._asked_to_show = False
        self.shown: Shown | None = None
        """The newest full picture to show. It is replaced as a whole, like the status."""
        self.status = self._summed_up()

    def run(
        self,
        stop: Callable[[], bool],
        publish: Callable[[Reading], None],
        pace: float = PACE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Step every `pace` seconds until `stop` returns True. After a long step, other threads get some time, too."""
        while not stop():
            begun = clock()
            reading = self.step()
            if reading is not None:
                publish(reading)
            sleep(max(pace - (clock() - begun), pace / 10))

    def step(self) -> Reading | None:
        """Handle one small frame. Returns a Reading of the whole table if anything has changed."""
        while self._asked_for_us:
            self._asked_for_us.popleft()()
        small = self._asked(self._camera.small)
        voting = False
        if small is not None:
            self._frames += 1
            voting = self._look(small)
        elif self._trouble is not None:
            self._go_blind()
        reading = self._news(voting)
        self.status = self._summed_up()
        if small is not None:
            self._show(small)
        return reading

    def look_again(self, zones: Collection[str]) -> None:
        """Read these zones again, and report it even if nothing has changed. May be called from any thread."""
        self._asked_again.extend(name for name in zones if name in self._layout.zones)

    @property
    def layout(self) -> Layout:
        return self._layout

    # Requests of people. They may come from any thread, and are carried out in the next step.

    def show(self) -> None:
        """Ask for a full picture to show, even if nothing has to be read."""
        self._asked_to_show = True

    def use_corners(self, points: Sequence[Point], seen: Frame | None = None) -> None:
        """Use corners that a person tapped, as fractions of the picture; see `PlaneWatch.use_corners`."""
        self._asked_for_us.append(lambda: self._watch.use_corners(points, seen))

    def tapped_corners(self) -> list[Point]:
        """The corners of the area in the newest full picture, if they were entered by hand."""
        plane, area = self._watch.plane, self._layout.area
        if plane is None or not self._watch.by_hand:
            return []
        corners = [(0.0, 0.0), (area.width, 0.0), (area.width, area.height), (0.0, area.height)]
        return [(float(x), float(y)) for x, y in plane.to_pixels(corners)]

    def use_kit(self, kit: Kit) -> None:
        """Use another kit, and read everything again."""

        def use() -> None:
            self._reader.kit = kit
            self._forget()

        self._asked_for_us.append(use)

    def _show(self, small: Frame) -> None:
        """Keep the newest full picture. Since taking one costs time, at most one per second is taken only to be
        shown."""
        fresh = self._newest_full
        if self._asked_to_show and (fresh is None or small.at - fresh.at >= SHOWS_EVERY):
            fresh = self._asked(self._camera.full) or fresh
            self._asked_to_show = False
        if fresh is not None and (self.shown is None or self.shown.full is not fresh):
            zones = {name: self._known(name) for name in self._layout.zones}
            self._newest_full = fresh
            self.shown = Shown(fresh, small, self._plane if self._watch.state.state == "locked" else None, zones)

    # Frames

    def _asked(self, ask: Callable[[], Frame | None]) -> Frame | None:
        try:
            frame = ask()
        except (CameraError, OSError) as error:
            since = self._newest[0] if self._trouble is None else self._trouble.since
            self._trouble = CameraTrouble("unplugged", since, without_password(str(error)))
            return None
        if isinstance(self._camera, WatchedCamera):
            self._trouble = self._camera.trouble
        elif frame is not None:
            self._trouble = None
        if frame is not None:
            self._newest = frame.at, frame.number
        return frame

    def _full_frame(self) -> Frame | None:
        """A full frame, if its own markers show that the plane is right."""
        frame = self._asked(self._camera.full)
        if frame is None:
            return None
        self._full_frames += 1
        self._newest_full = frame
        self._says = ""
        try:
            self._watch.full(frame)
        except _UNUSABLE as error:
            self._says = str(error)
            return None
        return frame if self._plane_holds() else None

    def _go_blind(self) -> None:
        self._forget()
        self._stillness = None

    def _forget(self) -> None:
        """Forget all zones, so that everything is read again."""
        self._kept.clear()
        self._stands.clear()
        self._votes.clear()
        self._light = None
        self._read_last, self._picture = None, b""

    def _asked_for(self) -> set[str]:
        asked = {self._asked_again.popleft() for _ in range(len(self._asked_again))}
        self._again |= asked
        return asked

    def _set_aside(self, zones: Iterable[str]) -> None:
        """Read these zones again. Their present contents stay valid until then."""
        for name in zones:
            self._votes.pop(name, None)
            if name in self._kept:
                self._stands[name] = self._kept.pop(name)

    # One step

    def _look(self, small: Frame) -> bool:
        """Follow plane, hands and light, and read the zones that have changed. Returns whether a zone needs more
        votes."""
        if self._stillness is None:
            # A camera that comes back may have been moved, which takes a moment to notice.
            self._settled_at = small.at + STILL_FOR
        # Before any full frame is taken, since another look needs a later picture.
        self._set_aside(self._asked_for())
        self._watch.small(small)
        full = self._full_frame() if self._watch.wants_full and self._searches(small.at) else None
        holds = self._plane_holds()
        if full is not None:
            # Since there is a new picture anyway, zones that could not be read are tried again.
            self._set_aside([name for name, zone in self._kept.items() if zone.contents is None])
        self._stillness = self._lookout.look(small)
        for name, zone in self._stillness.zones.items():
            if zone.state != "still":
                self._kept.pop(name, None)
                self._stands.pop(name, None)
            if not zone.readable:
                self._votes.pop(name, None)
        if self._light_changed(small):
            self._forget()
        if not holds or small.at < self._settled_at:
            return False
        wanted = [name for name in self._stillness.readable() if name not in self._kept]
        if not wanted:
            return False
        full = full or self._full_frame()
        return full is not None and self._read(full, wanted)

    def _plane_holds(self) -> bool:
        """Whether the plane is still the one that all zones were read with; if not, all zones are forgotten."""
        if self._watch.plane is not self._plane:
            self._plane = self._watch.plane
            self._lookout.use(self._plane)
        elif self._plane is not None and self._watch.state.state == "locked":
            return True
        self._forget()
        return False

    def _searches(self, at: float) -> bool:
        """Whether to take a full frame to find the plane: always, unless the plane has been lost for a long time."""
        if self._watch.state.state == "locked":
            self._lost_since = None
            return True
        self._lost_since = at if self._lost_since is None else self._lost_since
        if at - self._lost_since > SEARCHES_KEENLY and at - self._searched_at < SEARCHES_EVERY:
            return False
        self._searched_at = at
        return True

    def _light_changed(self, small: Frame) -> bool:
        """Whether most of the picture has been brighter, darker or of another colour for a while."""
        cells = _light_of(small.image)
        if self._light is None:
            self._light, self._other_light_since = cells, None
        # The median of all cells: hands and pieces change some of them, a lamp changes nearly all.
        if float(np.median(np.abs(cells - self._light).max(axis=2))) < LIGHT_STEP:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = small.at
        elif small.at - self._other_light_since >= LIGHT_LASTS:
            return True
        return False

    def _read(self, full: Frame, wanted: Collection[str]) -> bool:
        """Add a vote for each of these zones. Returns whether some need more votes."""
        for name, vote in self._seen(full, wanted).items():
            cast = self._votes.setdefault(name, [])
            cast.append(vote)
            if enough(cast, self._most_votes):
                self._kept[name] = agreed(self._layout.zones[name], self._votes.pop(name))
                self._stands.pop(name, None)
        return bool(self._votes)

    def _seen(self, full: Frame, wanted: Collection[str]) -> dict[str, ZoneReading]:
        """The vote of one picture for these zones. A useless picture votes for unknown, so that this ends at some
        time."""
        assert self._plane is not None
        try:
            if full.size == self._plane.size:
                self._read_last = full.image
                # The tracked plane is right even if only one marker is visible, or none.
                return self._reader.read(through(full.image, self._layout, self._plane), wanted)
            self._says = f"The picture is {full.size[0]} x {full.size[1]} pixels, and the plane was found in another."
        except _UNUSABLE as error:
            self._says = str(error)
            if len(wanted) > 1:
                # An error in one zone must not affect the others.
                return {name: vote for one in wanted for name, vote in self._seen(full, [one]).items()}
        return {name: ZoneReading(self._layout.zones[name].kind, None, 0.0) for name in wanted}

    # What is reported

    def _news(self, voting: bool) -> Reading | None:
        """A Reading of all zones, if any has changed. A zone that is lost is reported at once; other changes wait until
        all votes are complete."""
        zones = {name: self._known(name) for name in self._layout.zones}
        tells = {name: (zone.contents, zone.covered) for name, zone in zones.items()}
        looked_again = self._again & self._kept.keys()
        if tells == self._told and not looked_again:
            return None
        lost = any(tells[name][0] is None and told[0] is not None for name, told in self._told.items())
        if voting and not lost:
            return None
        self._told = tells
        self._again -= looked_again
        self._readings += 1
        at, number = self._newest
        self._read_at = at
        reaching = () if self._stillness is None else self._stillness.hands
        return Reading(zones, at, number, self._pictured(), tuple(hand.side for hand in reaching if hand.side))

    def _known(self, name: str) -> ZoneReading:
        zone = self._kept.get(name) or self._stands.get(name)
        return zone or ZoneReading(self._layout.zones[name].kind, None, 0.0, covered=True)

    def _pictured(self) -> bytes:
        """The last full frame that was read, as a small JPEG; drawn only for a Reading."""
        if self._read_last is not None and self._plane is not None:
            self._picture = from_above(self._read_last, self._layout, self._plane)
            self._read_last = None
        return self._picture

    def _summed_up(self) -> WatcherStatus:
        now = self._stillness
        return WatcherStatus(
            plane=self._watch.state,
            at=self._newest[0],
            age=None if self._read_at is None else self._newest[0] - self._read_at,
            camera=self._trouble,
            hands=() if now is None else now.hands,
            zones={} if now is None else now.zones,
            unread=tuple(name for name in self._layout.zones if name not in self._kept),
            says=self._says,
            frames=self._frames,
            full_frames=self._full_frames,
            readings=self._readings,
            knocks=self._watch.knocks,
        )


def _light_of(image: Image) -> NDArray[np.float32]:
    cells = cv2.resize(image, CELLS, interpolation=cv2.INTER_AREA)
    return np.log(np.asarray(cells, np.float32) + 4)
