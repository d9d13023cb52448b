"""The lens: a camera's distortion, calibrated once with photographs of the printed ChArUco sheet.

Without it, a Plane only estimates its lens from the table's few markers. `Lens.known` gives it the calibrated lens.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.kernel import files
from vision.plane.plane import Plane

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

SQUARES: Final = (7, 9)
SQUARE_MM: Final = 25.0
MARKER_MM: Final = 18.0
DICTIONARY: Final = "5X5_100"
"""Different from the table's dictionary, so that a sheet left on the table is never taken for the table's corners."""

FEWEST_PICTURES: Final = 4
FEWEST_CORNERS: Final = 12
LARGEST_ERROR_PX: Final = 3.0
"""Pixels in a picture 1920 pixels wide; a larger error means a bent sheet or blurred pictures."""


class LensError(Exception):
    """Photographs or a file from which no lens can be found; the message is a sentence for a person."""


class Lens(msgspec.Struct, frozen=True, eq=False):
    """A camera's matrix and distortion for one picture size, with the remaining error."""

    matrix: Points
    dist: Points
    size: tuple[int, int]
    error_px: float
    pictures: int

    def at(self, size: tuple[int, int]) -> Lens:
        """The lens for pictures of another size with the same proportions."""
        wide, tall = size[0] / self.size[0], size[1] / self.size[1]
        if abs(wide - tall) > 0.02 * wide:
            raise LensError(f"The lens was found at {_by(self.size)}, and {_by(size)} is another shape of picture.")
        scaled = np.diag([wide, tall, 1.0]) @ self.matrix
        return Lens(scaled, self.dist, size, self.error_px * wide, self.pictures)

    def known(self, size: tuple[int, int] | None = None) -> Plane:
        """A plane with this lens and nothing else, for the argument `known` of `from_markers`."""
        lens = self.at(size or self.size)
        return Plane(lens.matrix, lens.dist, np.zeros((3, 1)), np.zeros((3, 1)), lens.size, 0.0, 0)


def board() -> Any:
    """OpenCV's description of the sheet that `vision.sheets` prints, in millimetres."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{DICTIONARY}"))
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def calibrate(images: Iterable[Image]) -> Lens:
    """Find the lens from photographs of the sheet, taken from several sides, and with it in the picture's corners,
    too."""
    sheet = board()
    detector = cv2.aruco.CharucoDetector(sheet)
    lying: list[Any] = []
    seen: list[Any] = []
    size: tuple[int, int] | None = None
    looked_at = 0
    for image in images:
        looked_at += 1
        now = (image.shape[1], image.shape[0])
        if size is not None and now != size:
            raise LensError(
                f"The pictures differ in size ({_by(size)} and {_by(now)}); take all with the same settings."
            )
        size = now
        corners, ids, _, _ = detector.detectBoard(image)
        if ids is None or len(ids) < FEWEST_CORNERS:
            continue
        where, pixels = sheet.matchImagePoints(corners, ids)
        lying.append(where)
        seen.append(pixels)
    if size is None or len(lying) < FEWEST_PICTURES:
        raise LensError(
            f"Only {len(lying)} of {looked_at} pictures show at least {FEWEST_CORNERS} corners of the ChArUco sheet; "
            f"{FEWEST_PICTURES} are needed, better ten, sharp and from different sides."
        )
    return _fitted(lying, seen, size)


def _fitted(lying: list[Any], seen: list[Any], size: tuple[int, int]) -> Lens:
    guess = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1.0]])
    try:
        # For lenses below 100 degrees, the higher radial term only fits noise.
        flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3
        error, matrix, dist, _, _ = cv2.calibrateCamera(lying, seen, size, guess, np.zeros(5), flags=flags)
    except cv2.error as error_:
        raise LensError("From these pictures no lens can be found; take them from more different sides.") from error_
    if not np.isfinite(matrix).all() or error * 1920 / size[0] > LARGEST_ERROR_PX:
        raise LensError(
            f"The lens fits only to {error:.1f} pixels; lay the sheet on something flat and take sharper pictures."
        )
    return Lens(np.asarray(matrix, np.float64), np.asarray(dist, np.float64).ravel(), size, float(error), len(lying))


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of a lens file."""

    matrix: list[list[float]]
    dist: list[float]
    size: tuple[int, int]
    error_px: float
    pictures: int


def save(lens: Lens, path: Path) -> None:
    """Write a lens to a JSON file."""
    kept = _Kept(lens.matrix.tolist(), lens.dist.tolist(), lens.size, lens.error_px, lens.pictures)
    try:
        files.write(path, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    except OSError as error:
        raise LensError(f"The lens cannot be kept in {path}: {error}.") from error


def load(path: Path) -> Lens:
    """Read a lens from its JSON file."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
    except OSError as error:
        raise LensError(f"The lens {path} cannot be read: {error}.") from error
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise LensError(f"{path} does not hold a lens: {error}.") from error
    matrix, dist = np.array(kept.matrix, np.float64), np.array(kept.dist, np.float64)
    if matrix.shape != (3, 3) or len(dist) not in (4, 5, 8) or min(kept.size) <= 0:
        raise LensError(f"{path} does not hold a lens: its numbers do not make a camera.")
    return Lens(matrix, dist, kept.size, kept.error_px, kept.pictures)


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
