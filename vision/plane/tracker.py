"""Tracks the plane: notices within a second that the camera was bumped, and corrects the plane or reports it.

In small frames, only the movement of the patches around the markers is measured, which is cheap. In case of doubt,
`wants_full` asks for a full frame, in which the markers are searched and compared with their expected positions. If no
markers can be found, corners that a person tapped are used, until markers are found or the camera is bumped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import Frame, Image
from vision.layout import Layout, Markers, Point
from vision.plane.plane import (
    FEWEST_MARKERS,
    NoPlane,
    Plane,
    Points,
    find_markers,
    find_near,
    from_corners,
    from_found,
    marker_corners,
)

Why = Literal["", "not found", "moved", "hidden", "unclear"]

MOVED_PX: Final = 0.7
"""Maximum movement of the markers, in pixels of a picture 1920 pixels wide; more means that the camera was bumped."""
MOVED_MM: Final = 1.5
"""The same in millimetres on the table. Either limit counts."""

STEADY_PX: Final = 0.5
STEADY_SECONDS: Final = 0.2
DOUBT_SECONDS: Final = 0.25
HIDDEN_SECONDS: Final = 0.7
RECHECK_SECONDS: Final = 20.0
ASK_EVERY: Final = 0.15
LARGEST_ERROR_MM: Final = 3.0

MISSING_SECONDS: Final = 2.0
"""Seconds for which the markers must be missing before tapped corners are used."""

MISFIT: Final = 0.35
"""A patch that differs by more than this share of its contrast is covered, or has moved too far."""


class PlaneState(msgspec.Struct, frozen=True):
    """Whether the plane is known. `markers` is the number seen last; `shifted` are markers that were moved on the
    table."""

    state: Literal["locked", "lost"]
    since: float
    why: Why = ""
    error_mm: float = 0.0
    markers: int = 0
    shifted: tuple[str, ...] = ()


class _Anchor(msgspec.Struct, eq=False):
    """A patch of the small picture that is not part of the game, with what is needed to measure its movement."""

    window: tuple[slice, slice]
    solve: NDArray[np.float32]
    design: NDArray[np.float32]
    contrast: float

    def slid(self, grey: NDArray[np.float32]) -> tuple[float, float] | None:
        """How far the patch has moved, in pixels of the small picture; None if it is covered or has moved too far."""
        patch = grey[self.window].ravel()
        along_x, along_y, gain, level = self.solve @ patch
        if not 0.25 < gain < 4:
            return None
        residual = patch - self.design @ np.array([along_x, along_y, gain, level], np.float32)
        if float(residual @ residual) > (MISFIT * self.contrast * gain) ** 2 * residual.size:
            return None
        return -float(along_x / gain), -float(along_y / gain)


class PlaneWatch:
    """Tracks the plane of one table. It needs every small frame, and a full one whenever `wants_full` is set."""

    _anchors: list[_Anchor] | None
    _size: tuple[int, int]
    _rest: dict[str, Points]
    _doubt_since: float | None
    _hidden_since: float | None
    _last: tuple[float, dict[str, Points]] | None

    def __init__(self, layout: Layout, plane: Plane | None = None, known: Plane | None = None) -> None:
        self._layout = layout
        self._known = known
        self.plane: Plane | None = None
        self.state = PlaneState("lost", 0.0, "not found")
        self.knocks = 0
        """How often the rig was found to have been bumped."""
        self.wants_full = layout.markers is not None
        self._tapped: tuple[Point, ...] = ()
        self._tapped_on: Frame | None = None
        self._missing_since: float | None = None
        self._forget()
        if plane is not None:
            self.adopt(plane, 0.0)

    @property
    def by_hand(self) -> bool:
        """Whether the plane comes from corners that a person tapped."""
        return self.plane is not None and not self.plane.markers

    def use_corners(self, points: Sequence[Point], seen: Frame | None = None) -> None:
        """Use corners of the area that a person tapped, as fractions of the picture. Without any, use the markers
        again.

        `seen` is the small picture in which they were tapped some time ago: then they are valid only if the camera has
        not moved since. Without it they are valid at once.
        """
        self._tapped, self._tapped_on, self._missing_since = tuple(points), seen, None
        if self.by_hand:
            self._forget()
            self.plane, self.state = None, PlaneState("lost", self.state.since, "not found")
        self.wants_full = bool(points) or self._layout.markers is not None

    def adopt(self, plane: Plane, at: float, rest: Mapping[str, Points] | None = None) -> None:
        """Start tracking a plane, found from markers or given by hand."""
        self._forget()
        self.plane = plane
        self._rest = dict(rest or {})
        self._checked_at = at
        self.state = PlaneState("locked", at, "", plane.error_mm, plane.markers, self.state.shifted)
        self.wants_full = self._layout.markers is not None

    def small(self, frame: Frame) -> PlaneState:
        """Check a small frame. It only decides whether a full frame is needed, unless the layout has no markers."""
        if self.plane is None:
            return self.state
        grey = _grey(frame.image)
        if self._anchors is None or self._size != frame.size:
            self._anchors = self._chosen(grey, self.plane)
            self._size = frame.size
            return self.state
        if self._doubtful(grey, frame):
            self._doubt_since = frame.at if self._doubt_since is None else self._doubt_since
            if frame.at - self._doubt_since >= DOUBT_SECONDS:
                self._in_doubt(frame.at)
        else:
            self._doubt_since = None
            if self.by_hand and self.state.why == "moved":
                self.state = PlaneState("locked", frame.at)
        if self._layout.markers is not None and frame.at - self._checked_at >= RECHECK_SECONDS:
            self.wants_full = True
        return self.state

    def full(self, frame: Frame) -> PlaneState:
        """Check a full frame: find the markers, compare them, and find the plane again if it has changed."""
        if self._layout.markers is None:
            self._without_markers(frame)
            return self.state
        found = self._found(frame, self._layout.markers)
        self._checked_at = frame.at
        if len(found) >= FEWEST_MARKERS:
            self._tapped = ()  # markers are more exact than tapped corners
        elif self._without_markers(frame):
            return self.state
        if self.by_hand or self.plane is None or self.plane.size != frame.size or self.state.state == "lost":
            self._relock(found, frame)
        else:
            self._compare(found, frame)
        return self.state

    def _found(self, frame: Frame, markers: Markers) -> dict[str, Points]:
        """The markers in a full frame, first searched at their expected positions, then everywhere."""
        locked = self.state.state == "locked"
        if locked and self.plane is not None and not self.by_hand and self.plane.size == frame.size:
            near = find_near(frame.image, markers, self.plane)
            if len(near) == len(markers.at):
                return near
        # The quick detector sometimes confuses corners, so a new plane is found with the thorough one.
        return find_markers(frame.image, markers, quick=locked)

    def _forget(self) -> None:
        self._anchors = None
        self._size = (0, 0)
        self._rest = {}
        self._doubt_since = None
        self._hidden_since = None
        self._last = None
        self._checked_at = 0.0
        self._asked_at = float("-inf")

    def _without_markers(self, frame: Frame) -> bool:
        """Use tapped corners, if there are any. Returns whether the plane comes from them now."""
        if self.by_hand:
            self.wants_full = self._layout.markers is not None and self.state.state == "lost"
            return True
        if not self._tapped or not self._missing_long(frame.at):
            return False
        width, height = frame.size
        try:
            plane = from_corners([(x * width, y * height) for x, y in self._tapped], self._layout, frame.size)
        except NoPlane:
            self._tapped, self.wants_full = (), self._layout.markers is not None
            return False
        self.adopt(plane, frame.at)
        if self._tapped_on is not None:
            self._size = self._tapped_on.size
            self._anchors = self._chosen(_grey(self._tapped_on.image), plane)
        self.wants_full = False
        return True

    def _missing_long(self, at: float) -> bool:
        """Whether markers have been missing for long enough. Corners that were tapped just now need no waiting."""
        self._missing_since = at if self._missing_since is None else self._missing_since
        just_tapped = self._tapped_on is None
        return self._layout.markers is None or just_tapped or at - self._missing_since >= MISSING_SECONDS

    def _in_doubt(self, at: float) -> None:
        if self.by_hand:
            if self.state.state == "locked":
                # Tapped corners are wrong after the camera was bumped; markers may be found later.
                self.knocks += 1
                self.state = PlaneState("lost", at, "moved")
                self._tapped = ()
                self.wants_full = self._layout.markers is not None
        elif at - self._asked_at >= ASK_EVERY:
            self._asked_at = at
            self.wants_full = True

    def _doubtful(self, grey: NDArray[np.float32], frame: Frame) -> bool:
        assert self._anchors is not None
        slides = [slide for anchor in self._anchors if (slide := anchor.slid(grey)) is not None]
        if not self._anchors:
            return False
        if not slides:
            return True
        allowed = MOVED_PX * frame.size[0] / 1920 * 0.8
        # A patch under a hand does not fit anywhere; one that fits at another place has really moved.
        moved = sum(float(np.hypot(*slide)) > allowed for slide in slides)
        return moved * 2 >= len(slides) if self.by_hand else moved > 0

    def _chosen(self, grey: NDArray[np.float32], plane: Plane) -> list[_Anchor]:
        """Patches to track: the markers, or, without markers, corners of things outside all zones."""
        height, width = grey.shape
        scale = np.array([width / plane.size[0], height / plane.size[1]])
        if self._layout.markers is not None and plane.markers:
            markers = self._layout.markers
            points = plane.to_pixels(list(markers.at.values())) * scale
            sides = [plane.scale(point) * markers.side * float(scale[0]) for point in markers.at.values()]
            spots = [(x, y, max(6, round(side * 0.75) + 2)) for (x, y), side in zip(points, sides, strict=True)]
        else:
            free = np.full(grey.shape, 255, np.uint8)
            for zone in self._layout.zones.values():
                corners = plane.to_pixels(zone.area().grown(15).corners()) * scale
                cv2.fillConvexPoly(free, np.round(corners).astype(np.int32), 0)
            corners_seen = cv2.goodFeaturesToTrack(grey, 12, 0.05, 24, mask=free, blockSize=5)
            spots = [(x, y, 9) for x, y in (np.empty((0, 2)) if corners_seen is None else corners_seen.reshape(-1, 2))]
        anchors = (_anchor(grey, round(x), round(y), half) for x, y, half in spots)
        return [anchor for anchor in anchors if anchor is not None]

    def _compare(self, found: dict[str, Points], frame: Frame) -> None:
        """Compare the markers with the plane: either the camera, single markers, or nothing has moved."""
        assert self.plane is not None
        moves = {name: self._moved(name, corners) for name, corners in found.items()}
        if len(found) < FEWEST_MARKERS and not any(not moved for moved in moves.values()):
            self._hidden(frame.at)
            return
        self._hidden_since = None
        deviating = tuple(name for name, moved in moves.items() if moved)
        if len(deviating) * 2 >= len(found):
            self.knocks += 1
            self.state = PlaneState("lost", frame.at, "moved", self.plane.error_mm, len(found))
            self._last = frame.at, found
            self.wants_full = True
            return
        better = len(found) - len(deviating) > self.plane.markers and self._known is None
        self.wants_full = False
        if better:
            # More markers are visible than the plane was found from, so plane and lens can be improved.
            assert self._layout.markers is not None
            self._lock(find_markers(frame.image, self._layout.markers, quick=False), frame, None)
            return
        for name in found:
            self._rest.setdefault(name, self._deviation(name, found[name]))
        if self._doubt_since is not None:
            # A shadow or a cup beside a marker changes its patch permanently, so patches are taken again.
            self._anchors, self._doubt_since = None, None
            self.wants_full = True
        since = self.state.since
        self.state = PlaneState("locked", since, "", self.plane.error_mm, len(found), deviating)

    def _hidden(self, at: float) -> None:
        assert self.plane is not None
        self._hidden_since = at if self._hidden_since is None else self._hidden_since
        self.wants_full = False
        if at - self._hidden_since >= HIDDEN_SECONDS:
            self.state = PlaneState("lost", at, "hidden", self.plane.error_mm, 0)
            self.wants_full = True

    def _relock(self, found: dict[str, Points], frame: Frame) -> None:
        """Find the plane again, once two full frames show that the camera is steady."""
        self.wants_full = True
        before, self._last = self._last, (frame.at, found)
        if self.state.why == "hidden" and self.plane is not None and self.plane.size == frame.size:
            unmoved = [name for name in found if not self._moved(name, found[name])]
            if unmoved and len(unmoved) * 2 > len(found):
                plane, rest = self.plane, self._rest
                self.adopt(plane, frame.at, rest)
                return
        if len(found) < FEWEST_MARKERS or before is None or not _steady(before[1], found, frame.size):
            return
        if frame.at - before[0] < STEADY_SECONDS - 1e-6:
            # Too soon to be sure; keep the earlier frame for comparison.
            self._last = before
            return
        known = self._known if self._known is not None and self._known.size == frame.size else None
        if self.plane is not None and not self.by_hand and self.plane.size == frame.size:
            known = known or self.plane
        self._lock(found, frame, known)

    def _lock(self, found: dict[str, Points], frame: Frame, known: Plane | None) -> None:
        try:
            plane, deviating = _fitted(found, self._layout, frame.size, known)
        except NoPlane:
            self.state = PlaneState("lost", frame.at, "unclear", 0.0, len(found))
            return
        if plane.error_mm > LARGEST_ERROR_MM:
            self.state = PlaneState("lost", frame.at, "unclear", plane.error_mm, len(found), deviating)
            return
        assert self._layout.markers is not None
        self.plane = plane
        rest = {name: self._deviation(name, corners) for name, corners in found.items() if name not in deviating}
        self.adopt(plane, frame.at, rest)
        self.state = PlaneState("locked", frame.at, "", plane.error_mm, len(found), deviating)

    def _deviation(self, name: str, corners: Points) -> Points:
        """The offset of a marker from its expected position, in pixels."""
        assert self.plane is not None
        assert self._layout.markers is not None
        should = self.plane.to_pixels(marker_corners(self._layout.markers)[name])
        return _slide(should, corners)

    def _moved(self, name: str, corners: Points) -> bool:
        assert self.plane is not None
        assert self._layout.markers is not None
        wandered = float(np.linalg.norm(self._deviation(name, corners) - self._rest.get(name, np.zeros(2))))
        in_mm = wandered / self.plane.scale(self._layout.markers.at[name])
        return wandered > MOVED_PX * self.plane.size[0] / 1920 or in_mm > MOVED_MM


def _fitted(
    found: dict[str, Points], layout: Layout, size: tuple[int, int], known: Plane | None
) -> tuple[Plane, tuple[str, ...]]:
    """Find the plane, without one marker if that one is not where the layout says."""
    plane = from_found(found, layout, size, known)
    if plane.error_mm <= MOVED_MM or len(found) <= FEWEST_MARKERS:
        return plane, ()
    without = {
        name: from_found({other: corners for other, corners in found.items() if other != name}, layout, size, known)
        for name in found
    }
    # Any three markers fit quite well; one is wrong only if leaving out any other helps far less.
    (name, best), (_, next_best), *_ = sorted(without.items(), key=lambda item: item[1].error_mm)
    return (best, (name,)) if best.error_mm < min(plane.error_mm, next_best.error_mm) / 3 else (plane, ())


def _steady(before: Mapping[str, Points], now: Mapping[str, Points], size: tuple[int, int]) -> bool:
    both = before.keys() & now.keys()
    if len(both) < FEWEST_MARKERS:
        return False
    return all(float(np.linalg.norm(_slide(before[name], now[name]))) <= STEADY_PX * size[0] / 1920 for name in both)


def _slide(before: Points, now: Points) -> Points:
    """How far a marker has moved. The median ignores a single corner that was found a pixel off."""
    return np.asarray(np.median(now - before, axis=0))


def _anchor(grey: NDArray[np.float32], x: int, y: int, half: int) -> _Anchor | None:
    """The patch around a point; None if half of it is outside the picture, or if it has no contrast."""
    left, right = max(1, x - half), min(grey.shape[1] - 1, x + half + 1)
    top, bottom = max(1, y - half), min(grey.shape[0] - 1, y + half + 1)
    if min(right - left, bottom - top) <= half:
        return None
    window = slice(top, bottom), slice(left, right)
    patch = grey[window]
    contrast = float(patch.std())
    if contrast < 8:
        return None
    # To first order, moving a patch by (dx, dy) subtracts its slopes times the movement; light is a gain and a level.
    around = grey[top - 1 : bottom + 1, left - 1 : right + 1]
    slopes = (around[1:-1, 2:] - around[1:-1, :-2]).ravel() / 2, (around[2:, 1:-1] - around[:-2, 1:-1]).ravel() / 2
    design = np.column_stack([*slopes, patch.ravel(), np.ones(patch.size)]).astype(np.float32)
    return _Anchor(window, np.linalg.pinv(design).astype(np.float32), design, contrast)


def _grey(image: Image) -> NDArray[np.float32]:
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32)
