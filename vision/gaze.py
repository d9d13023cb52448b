"""The gaze: from a camera to Readings, step by step, in one thread.

Small frames tell whether the plane holds and which zones are still. A full frame is asked for only to find the
markers, or to read zones that have changed; several of them vote, so that one odd picture changes nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.messages import UNKNOWN, Cells, Contents, Found, Marks, Reading, ZoneReading
from vision.cameras import Camera, CameraError, CameraTrouble, Frame, Image, WatchedCamera
from vision.eyes import Eyes
from vision.layout import Grid, Slots, Zone
from vision.plane import NoPlane, Plane
from vision.sight import BadPicture, through
from vision.stillness import CELLS, LIGHT_STEP, STILL_FOR, Hand, Lookout, Stillness, ZoneStillness
from vision.watch import PlaneState, PlaneWatch

MOST_VOTES: Final = 3
"""Two pictures that agree are enough; so many are taken at most when they do not."""

LIGHT_LASTS: Final = 1.0
"""Seconds for which the light must stay different before everything is read again in it."""

SEARCHES_KEENLY: Final = 10.0
SEARCHES_EVERY: Final = 1.0
"""A plane lost for longer than this (nobody at home, the lamp off) is looked for only now and then."""

PACE: Final = 0.1

Said = TypeVar("Said")

_UNUSABLE: Final = (NoPlane, BadPicture, cv2.error, np.linalg.LinAlgError)
"""What a picture of something else than a table may lead to."""


class GazeStatus(msgspec.Struct, frozen=True):
    """What the gaze is doing, for people: trouble, the plane, hands, each zone, and how much was done."""

    plane: PlaneState
    at: float = 0.0
    """Of the newest frame; `age` is how much older the last Reading is."""
    age: float | None = None
    camera: CameraTrouble | None = None
    hands: tuple[Hand, ...] = ()
    zones: dict[str, ZoneStillness] = {}
    unread: tuple[str, ...] = ()
    """Zones that wait to be read: covered, moving, or changed since they were."""
    says: str = ""
    """What was wrong with the last full picture."""
    frames: int = 0
    full_frames: int = 0
    readings: int = 0


class Gaze:
    """Watches one table. `step` does one small frame's work; `status` is replaced as a whole by every step."""

    def __init__(
        self,
        camera: Camera | WatchedCamera,
        eyes: Eyes,
        plane: Plane | None = None,
        known: Plane | None = None,
        most_votes: int = MOST_VOTES,
    ) -> None:
        """`plane` comes from corners given by hand; `known` is a plane whose lens was measured."""
        self._camera = camera
        self._eyes = eyes
        self._layout = eyes.layout
        self._most_votes = most_votes
        self._watch = PlaneWatch(eyes.layout, plane, known)
        self._plane = plane
        self._lookout = Lookout(eyes.layout, plane)
        self._stillness: Stillness | None = None
        self._kept: dict[str, ZoneReading] = {}
        self._votes: dict[str, list[ZoneReading]] = {}
        self._told: dict[str, Contents | None] = dict.fromkeys(eyes.layout.zones)
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
        self.status = self._summed_up()

    def run(
        self,
        stop: Callable[[], bool],
        publish: Callable[[Reading], None],
        pace: float = PACE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Step by step until told to stop, `pace` seconds apart; after a long step the others get a turn too."""
        while not stop():
            begun = clock()
            reading = self.step()
            if reading is not None:
                publish(reading)
            sleep(max(pace - (clock() - begun), pace / 10))

    def step(self) -> Reading | None:
        """Look once. Returns the whole table when something that is known of it has changed."""
        small = self._asked(self._camera.small)
        voting = False
        if small is not None:
            self._frames += 1
            voting = self._look(small)
        elif self._trouble is not None:
            self._go_blind()
        reading = self._news(voting)
        self.status = self._summed_up()
        return reading

    # Frames

    def _asked(self, ask: Callable[[], Frame | None]) -> Frame | None:
        try:
            frame = ask()
        except (CameraError, OSError) as error:
            since = self._newest[0] if self._trouble is None else self._trouble.since
            self._trouble = CameraTrouble("unplugged", since, str(error))
            return None
        if isinstance(self._camera, WatchedCamera):
            self._trouble = self._camera.trouble
        elif frame is not None:
            self._trouble = None
        if frame is not None:
            self._newest = frame.at, frame.number
        return frame

    def _full_frame(self) -> Frame | None:
        """A full frame, if the plane holds in it: whatever is read, the markers in the same picture vouch for it."""
        frame = self._asked(self._camera.full)
        if frame is None:
            return None
        self._full_frames += 1
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
        """Everything may be different now, and is read again."""
        self._kept.clear()
        self._votes.clear()
        self._light = None

    # One look

    def _look(self, small: Frame) -> bool:
        """Follow plane, hands and light, and read what needs reading; whether some zone waits for more votes."""
        if self._stillness is None:
            # A camera that comes back may hang elsewhere, and the watch needs a moment to notice.
            self._settled_at = small.at + STILL_FOR
        self._watch.small(small)
        full = self._full_frame() if self._watch.wants_full and self._searches(small.at) else None
        holds = self._plane_holds()
        if full is not None:
            # A picture is at hand anyway: what nobody could tell from the last ones may be clearer in this one.
            self._kept = {name: zone for name, zone in self._kept.items() if zone.contents is not None}
        self._stillness = self._lookout.look(small)
        for name, zone in self._stillness.zones.items():
            if zone.state != "still":
                self._kept.pop(name, None)
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
        """Whether the plane is the one that everything was seen through; if not, all of it is forgotten."""
        if self._watch.plane is not self._plane:
            self._plane = self._watch.plane
            self._lookout.use(self._plane)
        elif self._plane is not None and self._watch.state.state == "locked":
            return True
        self._forget()
        return False

    def _searches(self, at: float) -> bool:
        """Whether a full frame is worth its cost: always, unless the plane has been lost for long."""
        if self._watch.state.state == "locked":
            self._lost_since = None
            return True
        self._lost_since = at if self._lost_since is None else self._lost_since
        if at - self._lost_since > SEARCHES_KEENLY and at - self._searched_at < SEARCHES_EVERY:
            return False
        self._searched_at = at
        return True

    def _light_changed(self, small: Frame) -> bool:
        """Whether most of the picture has looked brighter, darker or of another colour for a while now."""
        cells = _light_of(small.image)
        if self._light is None:
            self._light, self._other_light_since = cells, None
        # Of all cells the median: hands and pieces change some of them, a lamp changes nearly all.
        if float(np.median(np.abs(cells - self._light).max(axis=2))) < LIGHT_STEP:
            self._other_light_since = None
        elif self._other_light_since is None:
            self._other_light_since = small.at
        elif small.at - self._other_light_since >= LIGHT_LASTS:
            return True
        return False

    def _read(self, full: Frame, wanted: Collection[str]) -> bool:
        """One more vote for each of these zones; whether some need yet another."""
        for name, vote in self._seen(full, wanted).items():
            cast = self._votes.setdefault(name, [])
            cast.append(vote)
            if _enough(cast, self._most_votes):
                self._kept[name] = agreed(self._layout.zones[name], self._votes.pop(name))
        return bool(self._votes)

    def _seen(self, full: Frame, wanted: Collection[str]) -> dict[str, ZoneReading]:
        """What one picture says of these zones. A useless one votes for unknown, or it would be tried for ever."""
        assert self._plane is not None
        try:
            if full.size == self._plane.size:
                # The watch's plane, not one found anew: it holds with a single marker in sight, and with none at all.
                return self._eyes.read(through(full.image, self._layout, self._plane), wanted)
            self._says = f"The picture is {full.size[0]} x {full.size[1]} pixels, and the plane was found in another."
        except _UNUSABLE as error:
            self._says = str(error)
            if len(wanted) > 1:
                # One zone's trouble is not the others'.
                return {name: vote for one in wanted for name, vote in self._seen(full, [one]).items()}
        return {name: ZoneReading(self._layout.zones[name].kind, None, 0.0) for name in wanted}

    # What is told

    def _news(self, voting: bool) -> Reading | None:
        """All zones, if any changed. A zone lost from sight is told at once; a new one waits for its neighbours."""
        zones = {
            name: self._kept.get(name) or ZoneReading(zone.kind, None, 0.0) for name, zone in self._layout.zones.items()
        }
        contents = {name: zone.contents for name, zone in zones.items()}
        if contents == self._told:
            return None
        lost = any(contents[name] is None and told is not None for name, told in self._told.items())
        if voting and not lost:
            return None
        self._told = contents
        self._readings += 1
        at, number = self._newest
        self._read_at = at
        return Reading(zones, at, number)

    def _summed_up(self) -> GazeStatus:
        now = self._stillness
        return GazeStatus(
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
        )


def _light_of(image: Image) -> NDArray[np.float32]:
    cells = cv2.resize(image, CELLS, interpolation=cv2.INTER_AREA)
    return np.log(np.asarray(cells, np.float32) + 4)


# Votes


def _enough(votes: Sequence[ZoneReading], most: int) -> bool:
    """Two that agree, even on what neither could see, or as many as there may be."""
    return len(votes) >= most or (len(votes) > 1 and all(vote.contents == votes[0].contents for vote in votes))


def agreed(zone: Zone, votes: Sequence[ZoneReading]) -> ZoneReading:
    """What most of several readings of a zone say: cell by cell, marker by marker, or about the zone as a whole."""
    seen = [vote for vote in votes if vote.contents is not None]
    contents = _majority(votes) if 2 * len(seen) > len(votes) else None
    if contents is None:
        return ZoneReading(zone.kind, None, 0.0)
    # Pictures of one still moment share their faults, so agreement does not make them surer than the least sure.
    agreeing = [vote for vote in seen if vote.contents == contents] or seen
    best = max(agreeing, key=lambda vote: vote.confidence)
    return ZoneReading(zone.kind, contents, min(vote.confidence for vote in agreeing), _upheld(zone, best, contents))


def _majority(votes: Sequence[ZoneReading]) -> Contents | None:
    """What more than half of the votes say of each thing; None when nothing is left that they agree on."""
    contents = [vote.contents for vote in votes]
    cells = [one.at for one in contents if isinstance(one, Cells)]
    fields = [one.field for one in contents if isinstance(one, Marks)]
    if cells:
        at = {cell: _most([one.get(cell, UNKNOWN) for one in cells], len(votes), UNKNOWN) for cell in _keys(cells)}
        return Cells(at) if any(label != UNKNOWN for label in at.values()) else None
    if fields:
        field = {marker: _most([one.get(marker) for one in fields], len(votes), None) for marker in _keys(fields)}
        return Marks({marker: number for marker, number in field.items() if number is not None})
    return _most(contents, len(votes), None)


def _most(says: Sequence[Said], votes: int, otherwise: Said) -> Said:
    return next((one for one in says if 2 * says.count(one) > votes), otherwise)


def _keys(ballots: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for ballot in ballots for key in ballot))


def _upheld(zone: Zone, best: ZoneReading, contents: Contents) -> tuple[Found, ...]:
    """The pieces that a reading found, without those that it was outvoted on."""
    match best.contents, contents:
        case Cells(at=says), Cells(at=won) if isinstance(zone, Grid | Slots):
            places = zone.places()

            def place(piece: Found) -> str:
                return min(places, key=lambda name: math.dist(places[name].centre, (piece.x, piece.y)))

            return tuple(piece for piece in best.found if says.get(place(piece)) == won.get(place(piece)))
        case Marks(field=says_field), Marks(field=won_field):
            return tuple(piece for piece in best.found if says_field.get(piece.label) == won_field.get(piece.label))
        case _:
            return best.found
