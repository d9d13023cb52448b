"""How a piece looks, whichever way it is turned: rings around its centre, compared in all rotations at once.

Everything is laid out angle by angle (or wave by wave), and within each look by look: so the many short circles are
transformed, turned and compared in a few large matrix products, and nothing is ever put in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.picture.table_picture import TablePicture
from vision.plane.plane import Points

ANGLES: Final = 48
RINGS: Final = 12
WHOLE: Final = (RINGS, ANGLES)
WAVES: Final = ANGLES // 2 + 1
_COARSE: Final = 8
NOISE: Final = 0.9
"""The energy of detail that is only noise and paper grain: about three hundredths of white at each point."""
_SHORT: Final = WAVES - 6
_THE_SAME: Final = 0.96
"""Looks more alike than this teach nothing new."""

Floats = NDArray[np.float32]
Spectra = NDArray[np.float32]
"""Waves around circles: (cosines and sines, waves, looks, circles of a look)."""


class RingSignatures(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Several looks: the spectrum of each ring in each channel, how much detail there is, and the mean colour."""

    spectra: Spectra
    energy: Floats
    colours: Floats

    def chosen(self, numbers: Sequence[int]) -> RingSignatures:
        return RingSignatures(self.spectra[:, :, numbers], self.energy[numbers], self.colours[numbers])

    def __len__(self) -> int:
        return len(self.energy)

    @cached_property
    def squares(self) -> Spectra:
        """The waves of the squared detail, all channels together, around each ring."""
        waves = self.spectra.shape[1]
        angles = ANGLES if waves == WAVES else ANGLES // 2
        circles = _rotations(self.spectra, angles)
        return _waves((circles**2).reshape(angles, len(self), -1, 3).sum(3), waves)


def looks(sight: TablePicture, centres: Points, radius: float, height: float = 0.0) -> RingSignatures:
    """The looks around these table points, out to a radius in millimetres, at a height above the table."""
    return _measured(_waves(_sampled(sight, centres, height, radius), WAVES), _whites(sight, centres), ANGLES)


def roughly(sight: TablePicture, centres: Points, radius: float, height: float = 0.0) -> RingSignatures:
    """Looks at half the picture's size, by half the rings and angles, and the long waves only.

    They are cheap enough for thousands of places, and blurred enough to be alike a millimetre beside the right one.
    """
    rings = _sampled(sight, centres, height, radius, rough=True)
    return _measured(_waves(rings, _COARSE), _whites(sight, centres), ANGLES // 2)


def _sampled(sight: TablePicture, centres: Points, height: float, radius: float, rough: bool = False) -> Floats:
    """What the camera saw on rings around these points, straight from its picture: (angles, looks, rings, channels)."""
    around = sight.plane.near(centres, height)
    picture = sight.image
    if rough:
        picture, around = sight.half, around / 2 - (0.0, 0.0, 0.25)
    circle = _points(rough)
    rings, angles, _ = circle.shape
    offsets = np.concatenate([circle * radius, np.ones((rings, angles, 1))], axis=2).transpose(1, 2, 0)
    x, y = (around.astype(np.float32)[:, None] @ offsets.astype(np.float32)).reshape(2, len(centres), -1)
    # Every point is on its own, so their order does not matter, but a picture's side has its limits (32767).
    # Rings that reach out of the picture repeat its edge; callers check `Plane.sees`.
    colours = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return colours.astype(np.float32).reshape(angles, len(centres), rings, 3)


def _whites(sight: TablePicture, centres: Points) -> Floats:
    """The light at each look, for all of its rings."""
    return sight.light.whites(centres)[:, None]


def _measured(waves: Spectra, whites: Floats, angles: int) -> RingSignatures:
    """Looks from the waves around their rings: relative to the light, the mean colour apart from the detail."""
    rough = angles < ANGLES
    detail = (waves * (_weights(rough) / whites)).reshape(*waves.shape[:3], -1)
    plain = _plain(rough)
    means = detail[0, 0] @ plain / (angles * np.square(_weights(rough)).sum())
    detail[0, 0] -= means @ (angles * plain.T)
    return RingSignatures(detail, _energy(detail, angles), means)


def _energy(detail: Spectra, angles: int) -> Floats:
    """How much detail there is beyond the sensor's noise."""
    power = np.square(detail).sum(0)
    waves, count, _ = power.shape
    if waves == WAVES:
        # The shortest waves are hardly more than the sensor's noise, which is in all the others just as much.
        power = np.maximum(power - power[_SHORT:-1].mean(0), 0.0)
    return np.asarray((_twice(waves, angles) @ power.reshape(waves, -1)).reshape(count, -1).sum(1), np.float32)


def together(several: Sequence[RingSignatures]) -> RingSignatures:
    return RingSignatures(
        np.concatenate([one.spectra for one in several], axis=2),
        np.concatenate([one.energy for one in several]),
        np.concatenate([one.colours for one in several]),
    )


def _alike(shared: Floats, seen: RingSignatures, examples: RingSignatures, noise: float) -> Floats:
    """Shared detail against all detail. Plain things are alike too: below the noise, detail says nothing."""
    return np.asarray((2 * shared + noise) / (seen.energy[:, None] + examples.energy[None] + noise), np.float32)


def likeness(
    seen: RingSignatures, examples: RingSignatures, turning: bool = True, finely: int = 1
) -> tuple[Floats, Floats]:
    """How alike each look is to each example (1 is the same, 0 unrelated), and by how many degrees it is turned.

    `finely` looks at so many rotations between two steps of the circle.
    """
    products = _products(seen.spectra, examples.spectra)
    # Here the best rotation itself is asked for, which is found quickest among neighbours: rotations come last.
    turned = products.reshape(2 * WAVES, -1).T @ _backward(ANGLES, WAVES, turning, finely).T
    best = turned.argmax(1)
    shared = turned[np.arange(len(best)), best].reshape(products.shape[2:])
    degrees = _steps(ANGLES, turning, finely)[best] * np.float32(360 / ANGLES)
    return _alike(shared, seen, examples, NOISE), degrees.reshape(shared.shape)


def likeness_roughly(seen: RingSignatures, examples: RingSignatures, turning: bool = True) -> Floats:
    """The highest likeness of rough looks over the rotations."""
    shared = _rotations(_products(seen.spectra, examples.spectra), ANGLES // 2, turning).max(0)
    return _alike(shared, seen, examples, NOISE / 4)


def likeness_of_parts(
    sight: TablePicture,
    centres: Points,
    radius: float,
    height: float,
    shown: NDArray[np.bool_],
    examples: RingSignatures,
) -> tuple[Floats, Floats, Floats]:
    """How alike what shows of each look is to each example, by how many degrees it is turned, and how far colours are.

    `shown` says for each point of each circle (rings, angles) whether anything hides it, by look, or once for several
    looks in a row; whether the looks are rough ones follows from it. Every sum over a circle, the examples' own detail
    and colour too, is taken over what shows, in all rotations at once.
    """
    count, rings, angles = shown.shape
    rough = rings < RINGS
    weights = _weights(rough)
    mask = shown.transpose(2, 0, 1)[..., None].astype(np.float32)
    weighed = mask * weights
    area = np.maximum((weighed * weights).sum((0, 2, 3)), 1e-6)[:, None]
    hues = np.stack([_turned(weighed, examples.spectra[..., channel::3]) for channel in range(3)]) / area
    power = _turned(mask, examples.squares) - (hues**2).sum(0) * area
    noise = (NOISE / 4 if rough else NOISE) * area / (angles * float(np.square(weights).sum()))

    sharing = len(centres) // count
    weighed, area, hues, power, noise = (
        np.repeat(each, sharing, axis) for each, axis in ((weighed, 1), (area, 0), (hues, 2), (power, 1), (noise, 0))
    )
    seen = _sampled(sight, centres, height, radius, rough) / _whites(sight, centres)
    means = (seen * (weighed * weights)).sum((0, 2)) / area
    detail = (seen - means[:, None]) * weighed
    own = np.square(detail).sum((0, 2, 3))[:, None]
    alike = (2 * _turned(detail, examples.spectra) + noise) / (own + power + noise)
    best = alike.argmax(0)[None]
    hue = np.take_along_axis(hues, best[None], 1)[:, 0]
    apart = np.abs(means.T[:, :, None] - examples.colours.T[:, None] - hue).mean(0)
    return np.take_along_axis(alike, best, 0)[0], best[0] * np.float32(360 / angles), apart


def ring_points(centres: Points, radius: float, rough: bool = False) -> Points:
    """Where on the table the points of all rings lie: (looks, rings, angles, 2)."""
    return np.asarray(centres[:, None, None] + _points(rough) * radius)


def _turned(circles: Floats, examples: Spectra) -> Floats:
    """Sums of products over the circles of each look and of each example, at each rotation."""
    angles, count = circles.shape[:2]
    waves = _waves(circles, examples.shape[1]).reshape(2, -1, count, examples.shape[3])
    return _rotations(_products(waves, examples), angles)


def _products(seen: Spectra, examples: Spectra) -> Spectra:
    """Each look with each example, wave by wave: one matrix product a wave."""
    cosines, sines = examples.transpose(0, 1, 3, 2)
    return np.stack([seen[0] @ cosines + seen[1] @ sines, seen[1] @ cosines - seen[0] @ sines])


def _waves(circles: Floats, waves: int) -> Spectra:
    """The first waves around circles whose angles are the first axis."""
    angles = len(circles)
    flat = _forward(angles, waves) @ circles.reshape(angles, -1)
    return np.asarray(flat.reshape(2, waves, *circles.shape[1:]), np.float32)


def _rotations(waves: Spectra, angles: int, turning: bool = True) -> Floats:
    """The sum of waves at each rotation of a circle of so many angles; rotations are the first axis."""
    flat = _backward(angles, waves.shape[1], turning) @ waves.reshape(2 * waves.shape[1], -1)
    return np.asarray(flat.reshape(-1, *waves.shape[2:]), np.float32)


@cache
def _steps(angles: int, turning: bool, finely: int) -> Floats:
    """The rotations worth a look, in steps of a circle of so many angles: all, or those next to none."""
    every, reach = np.arange(angles * finely), 2 * finely * angles // ANGLES
    chosen = every if turning else np.r_[every[: reach + 1], every[-reach:]]
    return (chosen / finely).astype(np.float32)


@cache
def _forward(angles: int, waves: int) -> Floats:
    turns = 2 * np.pi * np.outer(np.arange(waves), np.arange(angles)) / angles
    return np.concatenate([np.cos(turns), -np.sin(turns)]).astype(np.float32)


@cache
def _backward(angles: int, waves: int, turning: bool = True, finely: int = 1) -> Floats:
    turns = 2 * np.pi * np.outer(_steps(angles, turning, finely), np.arange(waves)) / angles
    twice = _twice(waves, angles)
    return np.concatenate([np.cos(turns) * twice, -np.sin(turns) * twice], axis=1).astype(np.float32)


@cache
def _twice(waves: int, angles: int) -> Floats:
    """What each wave counts: all but the constant one and the shortest stand for two in a real signal."""
    number = np.arange(waves)
    return (np.where((number == 0) | (2 * number == angles), 1.0, 2.0) / angles).astype(np.float32)


def distinct(several: RingSignatures, most: int) -> list[int]:
    """The numbers of those looks that differ most from each other, at most so many."""
    alike, _ = likeness(several, several)
    chosen = [int(alike.sum(1).argmax())]
    while len(chosen) < min(most, len(several)):
        nearest = alike[:, chosen].max(1)
        nearest[chosen] = 9.0
        number = int(nearest.argmin())
        if nearest[number] > _THE_SAME:
            break
        chosen.append(number)
    return chosen


def colour_distance(seen: RingSignatures, examples: RingSignatures) -> Floats:
    """How far the mean colours are apart, as a share of white."""
    channels = zip(seen.colours.T, examples.colours.T, strict=True)
    return np.asarray(sum(np.abs(one[:, None] - other) for one, other in channels) / np.float32(3), np.float32)


@cache
def _weights(rough: bool = False) -> Floats:
    """Outer rings stand for more of the piece than inner ones (rings, 1)."""
    weights = np.sqrt((np.arange(RINGS, dtype=np.float32) + 0.7) / RINGS)[:, None]
    return weights[1::2] if rough else weights


@cache
def _plain(rough: bool) -> Floats:
    """A look of one colour all over: how much of it each ring has in each channel (rings and channels, channels)."""
    return np.kron(_weights(rough), np.eye(3, dtype=np.float32))


@cache
def _points(rough: bool = False) -> Floats:
    """Points of all rings within a circle of radius 1 (rings, angles, 2), or of every other one."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    reach = (np.arange(RINGS) + 0.7) / RINGS
    circle = np.stack([np.outer(reach, np.cos(angles)), np.outer(reach, np.sin(angles))], axis=-1).astype(np.float32)
    return circle[1::2, ::2] if rough else circle
