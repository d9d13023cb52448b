"""The table plane: which pixel shows which millimetre, found from printed markers or from four corners by hand.

A Plane is a pinhole camera with one radial lens term, above the table. Points may have a height above the table,
because pieces do: the top of a pawn appears further from the point below the camera than its base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Layout, Markers, Point

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

FEWEST_MARKERS: Final = 2
"""Two of the four corner markers (eight points) are enough for a plane; one marker is too short a base."""


GOOD_MM: Final = 0.3
"""Maximum mean error with correct markers from the quick detector."""


FARTHEST_MM: Final = 1.5
"""Maximum mean error with markers; with more, one of them does not lie where the layout says."""
FARTHEST_SHARE: Final = 0.02
"""Maximum mean error with corners, as a share of the area's longer side."""
_STRETCHED: Final = tuple(float(factor) for factor in np.geomspace(0.7, 1.43, 11))
"""By these factors a picture may have been stretched before its corners were given."""


_ROOM: Final = 8
"""Pixels around a marker that are used as well."""
_SEARCHED: Final = 2.6
"""Width of the area in which a marker is searched, in sides of the marker."""
_UNMOVED_PX: Final = 0.33


class NoPlane(Exception):
    """The table cannot be located in a picture; the message is a sentence for a person."""


class Plane(msgspec.Struct, frozen=True, eq=False):
    """Converts table millimetres to pixels and back. `error_mm` is the mean reprojection error on the table."""

    matrix: Points
    lens: Points
    turn: Points
    shift: Points
    size: tuple[int, int]
    error_mm: float
    markers: int

    def to_pixels(self, points: Sequence[Point] | Points, height: float = 0.0) -> Points:
        """The pixels of table points at a height in millimetres."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        lifted = np.column_stack([flat, np.full(len(flat), -height)])
        seen, _ = cv2.projectPoints(lifted, self.turn, self.shift, self.matrix, self.lens)
        return np.asarray(seen, dtype=np.float64).reshape(-1, 2)

    def to_table(self, pixels: Sequence[Point] | Points, height: float = 0.0) -> Points:
        """The table points at these pixels, for things at a height."""
        flat = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(flat, self.matrix, self.lens).reshape(-1, 2)
        rotation, _ = cv2.Rodrigues(self.turn)
        eye = -rotation.T @ self.shift.reshape(3)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ rotation
        steps = (-height - eye[2]) / directions[:, 2]
        return np.asarray(eye[:2] + directions[:, :2] * steps[:, None], dtype=np.float64)

    def eye(self) -> tuple[float, float, float]:
        """The camera's position: table x and y, and its height, in millimetres."""
        rotation, _ = cv2.Rodrigues(self.turn)
        x, y, z = -rotation.T @ self.shift.reshape(3)
        return float(x), float(y), float(-z)

    def scale(self, point: Point, height: float = 0.0) -> float:
        """Pixels per millimetre at a table point."""
        seen = self.to_pixels([(point[0] - 5, point[1]), (point[0] + 5, point[1])], height)
        return float(np.linalg.norm(seen[1] - seen[0]) / 10)

    def near(self, points: Points, height: float = 0.0) -> Points:
        """Pixels around these points, as an array (x and y; points; step of a millimetre right, step down, the
        point)."""
        rotation, _ = cv2.Rodrigues(self.turn)
        focal = self.matrix.diagonal()[:2, None]
        *sides, depth = rotation[:, :2] @ points.T + (self.shift.reshape(3, 1) - height * rotation[:, 2:])
        rays = np.array(sides) / depth
        steps = (rotation[:2, :2, None] - rays[:, None] * rotation[2, :2, None]) / depth
        bend = 1 + self.lens[0] * (rays**2).sum(0)
        # The distortion grows outwards, so a step outwards changes it, too.
        bent = bend * steps + rays[:, None] * (2 * self.lens[0] * (rays[:, None] * steps).sum(0))
        seen = focal * bend * rays + self.matrix[:2, 2:]
        return np.concatenate([focal[:, None] * bent, seen[:, None]], axis=1).transpose(0, 2, 1)

    def patch(self, image: Image, box: Box, pixels_per_mm: float, height: float = 0.0) -> Image:
        """A box of the table as seen from straight above, at a height."""
        width = max(1, round(box.size[0] * pixels_per_mm))
        tall = max(1, round(box.size[1] * pixels_per_mm))
        # Within a patch the distortion is so small that one homography of its corners is exact enough.
        source = self.to_pixels(box.corners(), height).astype(np.float32)
        target = np.array([(0, 0), (width, 0), (width, tall), (0, tall)], np.float32) - np.float32(0.5)
        transform = cv2.getPerspectiveTransform(source, target)
        return np.asarray(cv2.warpPerspective(image, transform, (width, tall), flags=cv2.INTER_LINEAR), np.uint8)

    def sees(self, box: Box) -> bool:
        """Whether the whole box is visible in the picture."""
        return self.sees_each([box])[0]

    def sees_each(self, boxes: Sequence[Box]) -> list[bool]:
        """For each box, whether all of it is visible in the picture."""
        seen = self.to_pixels([corner for box in boxes for corner in box.corners()]).reshape(-1, 4, 2)
        inside = np.logical_and(seen >= 0, seen < self.size).reshape(-1, 8)
        return [bool(one) for one in np.all(inside, axis=1)]


@cache
def _detector(dictionary: str, quick: bool) -> Any:
    number = getattr(cv2.aruco, f"DICT_{dictionary.removeprefix('DICT_').upper()}", None)
    if number is None:
        raise NoPlane(f"There is no marker dictionary called {dictionary!r}; 4X4_50 is the usual one.")
    parameters = cv2.aruco.DetectorParameters()
    parameters.useAruco3Detection = quick
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(number), parameters)


def find_markers(image: Image, markers: Markers, quick: bool = True) -> dict[str, Points]:
    """The four corners in pixels of each visible marker of the layout.

    The quick detector takes a seventh of the time, but in poor light it misses markers or their exact outline.
    """
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids, _ = _detector(markers.dictionary, quick).detectMarkers(grey)
    found: dict[str, Points] = {}
    for corner, number in zip(corners, [] if ids is None else ids.ravel(), strict=False):
        if str(number) in markers.at and str(number) not in found:
            found[str(number)] = _refined(grey, np.asarray(corner, np.float32))
    return found


def find_near(image: Image, markers: Markers, plane: Plane) -> dict[str, Points]:
    """Like `find_markers`, but only around their expected positions, and with the thorough detector."""
    found: dict[str, Points] = {}
    for name, centre in markers.at.items():
        around = Box(centre, (_SEARCHED * markers.side, _SEARCHED * markers.side)).corners()
        corners = plane.to_pixels(around)
        left, top = np.maximum(np.floor(corners.min(0)), 0).astype(int)
        right, bottom = np.maximum(np.ceil(corners.max(0)), 0).astype(int)
        crop = np.ascontiguousarray(image[top:bottom, left:right])
        if crop.size and (here := find_markers(crop, markers, quick=False)).keys() >= {name}:
            found[name] = here[name] + (left, top)
    return found


def _still_there(image: Image, markers: Markers, known: Plane) -> bool:
    """Whether every marker is visible at its expected position, with an offset of less than a third of a pixel."""
    return all(_slid(image, markers, known, name) <= _UNMOVED_PX for name in markers.at)


def shows_marker(image: Image, markers: Markers, plane: Plane, name: str) -> bool:
    """Whether a marker is visible at its expected position, and nothing lies on it."""
    return _around(image, markers, plane, name) is not None


def _slid(image: Image, markers: Markers, plane: Plane, name: str) -> float:
    """The offset in pixels between a marker and its expected position; infinite if it is not visible."""
    around = _around(image, markers, plane, name)
    if around is None:
        return float("inf")
    grey, corners = around
    # White spills over black edges, which moves all corners inwards a little.
    return float(np.hypot(*np.median(_refined(grey, corners.astype(np.float32)) - corners, axis=0)))


def _around(image: Image, markers: Markers, plane: Plane, name: str) -> tuple[Image, Points] | None:
    """The grey picture around a marker, and its expected corners there; None if the marker is not visible."""
    expected = plane.to_pixels(marker_corners(markers)[name])
    left, top = (np.floor(expected.min(0)) - _ROOM).astype(int)
    right, bottom = (np.ceil(expected.max(0)) + _ROOM).astype(int)
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, plane.size[0]), min(bottom, plane.size[1])
    inside = expected - (left, top)
    if (inside < 0).any() or (inside >= (right - left, bottom - top)).any():
        return None
    grey = np.asarray(cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY), np.uint8)
    return (grey, inside) if _shows(grey, inside, markers.dictionary, int(name)) else None


def _shows(grey: Image, corners: Points, dictionary: str, number: int) -> bool:
    """Whether the marker with this number is between these corners."""
    pattern = _pattern(dictionary, number)
    side = pattern.shape[0]
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    straight = cv2.warpPerspective(
        grey, cv2.getPerspectiveTransform(corners.astype(np.float32), flat), (side, side), flags=cv2.INTER_LINEAR
    )
    seen, should = (cells.ravel() - cells.mean() for cells in (straight, pattern))
    return float(seen @ should) > 0.8 * float(np.sqrt((seen @ seen) * (should @ should)))


@cache
def _pattern(dictionary: str, number: int) -> Image:
    """A marker with one pixel for each cell, including its black border."""
    known = _detector(dictionary, True).getDictionary()
    return np.asarray(known.generateImageMarker(number, int(known.markerSize) + 2), np.uint8)


def _refined(grey: Image, corners: NDArray[np.float32]) -> Points:
    """Refine corners to a fraction of a pixel, as the quick detector works on a reduced picture."""
    side = float(np.linalg.norm(corners.reshape(4, 2)[0] - corners.reshape(4, 2)[1]))
    reach = max(2, min(6, int(side / 12)))
    enough = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
    fine = cv2.cornerSubPix(grey, corners.reshape(-1, 1, 2).copy(), (reach, reach), (-1, -1), enough)
    return np.asarray(fine, np.float64).reshape(4, 2)


def marker_corners(markers: Markers) -> dict[str, Points]:
    """The corners of each marker on the table, in the detector's order."""
    half = markers.side / 2
    around = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return {name: np.asarray(centre) + around for name, centre in markers.at.items()}


def from_markers(image: Image, layout: Layout, known: Plane | None = None) -> Plane:
    """Find the plane from the markers in a picture.

    If every marker is at its expected position in a known plane, which is quickly checked, that plane is returned.
    Otherwise only its lens is used, and fewer markers are enough.
    """
    if layout.markers is None:
        raise NoPlane("The layout names no markers; give the four corners of its area instead.")
    size = (image.shape[1], image.shape[0])
    if known is not None and known.size == size and _still_there(image, layout.markers, known):
        return known
    found = find_markers(image, layout.markers)
    if len(found) == len(layout.markers.at):
        plane = from_found(found, layout, size, known)
        if plane.error_mm <= GOOD_MM:
            return plane
    found = find_markers(image, layout.markers, quick=False)
    plane = from_found(found, layout, size, known)
    _refuse_misplaced(plane, found, layout, known)
    return plane


def _refuse_misplaced(plane: Plane, found: Mapping[str, Points], layout: Layout, known: Plane | None) -> None:
    """Refuse markers that do not lie where the layout says, with the name of one that explains it alone."""
    if plane.error_mm <= FARTHEST_MM:
        return
    without = {
        name: from_found({n: found[n] for n in found if n != name}, layout, plane.size, known).error_mm
        for name in found
        if len(found) > FEWEST_MARKERS
    }
    guilty = min(without, key=lambda name: without[name], default="")
    alone = bool(guilty) and without[guilty] <= FARTHEST_MM
    which = f"marker {guilty} lies elsewhere" if alone else f"at least one of {', '.join(sorted(found))} lies elsewhere"
    raise NoPlane(
        f"The markers do not lie as the layout says: they are {plane.error_mm:.1f} mm off on average; {which}. "
        "Put it where it belongs, or correct its place in the layout."
    )


def from_found(found: Mapping[str, Points], layout: Layout, size: tuple[int, int], known: Plane | None = None) -> Plane:
    assert layout.markers is not None
    if len(found) < FEWEST_MARKERS:
        wanted = ", ".join(layout.markers.at)
        seen = ", ".join(found) or "none"
        raise NoPlane(f"Of the markers {wanted} only {seen} can be seen; uncover them or give the corners by hand.")
    centres = np.repeat([layout.markers.at[name] for name in found], 4, axis=0)
    around = np.concatenate([marker_corners(layout.markers)[name] for name in found]) - centres
    pixels = np.concatenate([found[name] for name in found])
    return _fitted(centres, around, pixels, size, len(found), known)


def from_corners(corners: Sequence[Point], layout: Layout, size: tuple[int, int]) -> Plane:
    """Find the plane from the area's corners: top left, top right, bottom right, bottom left."""
    area = layout.area
    table = np.array([(0, 0), (area.width, 0), (area.width, area.height), (0, area.height)], np.float64)
    pixels = np.asarray(corners, np.float64).reshape(4, 2)
    sides = np.roll(pixels, -1, 0) - pixels
    crossed = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not (crossed > 0).all():
        raise NoPlane("The four corners do not make a quadrilateral; give them clockwise from the top left.")
    plane = _fitted(table, np.zeros_like(table), pixels, size, 0, None)
    most = FARTHEST_SHARE * max(area.width, area.height)
    if plane.error_mm > most / 2:
        stretched = (_stretched(table, pixels, size, factor) for factor in _STRETCHED)
        plane = min((plane, *stretched), key=lambda one: one.error_mm)
    if plane.error_mm > most:
        raise NoPlane(
            f"The four corners do not fit a table of {area.width:.0f} x {area.height:.0f} mm: they are "
            f"{plane.error_mm:.0f} mm off on average. Give them clockwise from the top left of its area, in pixels of "
            "this picture."
        )
    return plane


def _stretched(table: Points, pixels: Points, size: tuple[int, int], factor: float) -> Plane:
    """The plane of a picture that is the wider by a factor, with pixels that are not square here."""
    plane = _fitted(table, np.zeros_like(table), pixels * (factor, 1.0), (round(size[0] * factor), size[1]), 0, None)
    matrix = np.diag([1 / factor, 1.0, 1.0]) @ plane.matrix
    return msgspec.structs.replace(plane, matrix=matrix, size=size)


# Prior values of a camera, each with its spread: field of view, lens term, and how much white spills over black.
_USUAL_HFOV, _HFOV_SPREAD = 63.0, 12.0
_K1_SPREAD = 0.04
_SHRINK_SPREAD = 0.02
_PIXEL_SPREAD = 0.25


def _fitted(
    centres: Points, around: Points, pixels: Points, size: tuple[int, int], markers: int, known: Plane | None
) -> Plane:
    """Fit a camera to the pixels of points, by least squares.

    From nearly straight above, focal length and distance have almost the same effect, and a white border spills into a
    black marker. So field of view, lens and the markers' shrinking are fitted as well, but kept close to usual values.
    """
    focal = _focal(_USUAL_HFOV, size) if known is None else float(known.matrix[0, 0])
    k1 = 0.0 if known is None else float(known.lens[0])
    flat = centres + around
    pose = _pose(flat, pixels, _matrix(focal, size), np.array([k1, 0, 0, 0.0]))
    start = np.concatenate([pose, [np.degrees(2 * np.arctan(size[0] / 2 / focal)), k1, 0.0]])
    free = 6 if known is not None or markers == 0 else 9

    def residuals(values: Points) -> Points:
        seen = _seen(centres + around * (1 - values[8]), values, size)
        priors = np.array(
            [(values[6] - _USUAL_HFOV) / _HFOV_SPREAD, values[7] / _K1_SPREAD, values[8] / _SHRINK_SPREAD]
        )
        return np.concatenate([((seen - pixels) / _PIXEL_SPREAD).ravel(), priors])

    values = _least_squares(residuals, start, free)
    plane = Plane(
        matrix=_matrix(_focal(float(values[6]), size), size),
        lens=np.array([values[7], 0, 0, 0.0]),
        turn=values[:3].copy(),
        shift=values[3:6].copy(),
        size=size,
        error_mm=0.0,
        markers=markers,
    )
    expected = centres + around * (1 - values[8])
    error = float(np.linalg.norm(plane.to_table(pixels) - expected, axis=1).mean())
    return msgspec.structs.replace(plane, error_mm=error)


def _focal(hfov: float, size: tuple[int, int]) -> float:
    return float(size[0] / 2 / np.tan(np.radians(hfov) / 2))


def _matrix(focal: float, size: tuple[int, int]) -> Points:
    return np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])


def _seen(flat: Points, values: Points, size: tuple[int, int]) -> Points:
    lifted = np.column_stack([flat, np.zeros(len(flat))])
    lens = np.array([values[7], 0, 0, 0.0])
    seen, _ = cv2.projectPoints(lifted, values[:3], values[3:6], _matrix(_focal(float(values[6]), size), size), lens)
    return np.asarray(seen, np.float64).reshape(-1, 2)


def _pose(flat: Points, pixels: Points, matrix: Points, lens: Points) -> Points:
    lifted = np.column_stack([flat, np.zeros(len(flat))])
    # The quick method fails if the table is seen exactly square; the other one needs a guess, and is slower.
    for method in (cv2.SOLVEPNP_IPPE, cv2.SOLVEPNP_ITERATIVE):
        ok, turn, shift = cv2.solvePnP(lifted, pixels, matrix, lens, flags=method)
        if ok and np.isfinite(turn).all() and np.isfinite(shift).all():
            break
    else:
        raise NoPlane("These points do not fit a table seen by a camera; check the markers' places in the layout.")
    return np.concatenate([turn.ravel(), shift.ravel()])


def _least_squares(residuals: Callable[[Points], Points], start: Points, free: int) -> Points:
    """The Levenberg-Marquardt algorithm for the first `free` values, with numerical derivatives."""
    values, damping = start.copy(), 1e-3
    steps = np.array([1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-3, 1e-3, 1e-6, 1e-6])
    current = residuals(values)
    for _ in range(40):
        slopes = np.empty((len(current), free))
        for index in range(free):
            moved = values.copy()
            moved[index] += steps[index]
            slopes[:, index] = (residuals(moved) - current) / steps[index]
        normal, pull = slopes.T @ slopes, slopes.T @ current
        tried = values.copy()
        tried[:free] -= np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), pull)
        after = residuals(tried)
        better = float(current @ current - after @ after)
        if better > 0:
            values, current, damping = tried, after, damping / 5
            if better < 1e-6:
                break
        else:
            damping *= 5
            if damping > 1e8:
                break
    return values
