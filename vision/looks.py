"""How a piece looks, whichever way it is turned: rings around its centre, compared in all rotations at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.plane import Points
from vision.sight import Sight

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

Spectra = NDArray[np.complex64]
Colours = NDArray[np.float32]


class Looks(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Several looks: the spectrum of each ring around the circle, how much detail there is, and the mean colour."""

    spectra: Spectra
    energy: NDArray[np.float32]
    colours: Colours

    def chosen(self, numbers: Sequence[int]) -> Looks:
        return Looks(self.spectra[numbers], self.energy[numbers], self.colours[numbers])

    def __len__(self) -> int:
        return len(self.spectra)

    @cached_property
    def squares(self) -> Spectra:
        """The waves of the squared detail, all channels together, around each ring."""
        waves = self.spectra.shape[-1]
        rings, angles = (RINGS, ANGLES) if waves == WAVES else (RINGS // 2, ANGLES // 2)
        circles = np.fft.irfft(self.spectra, angles).astype(np.float32)
        return _waves((circles**2).reshape(len(self), -1, rings, angles).sum(1), waves)


def looks(sight: Sight, centres: Points, radius: float, height: float = 0.0) -> Looks:
    """The looks around these table points, out to a radius in millimetres, at a height above the table."""
    rings = _sampled(sight, centres, height, _points() * radius)
    return _measured(_waves(rings.reshape(-1, RINGS, ANGLES), WAVES), _whites(sight, centres), ANGLES, _weights())


def roughly(sight: Sight, centres: Points, radius: float, height: float = 0.0) -> Looks:
    """Looks at half the picture's size, by half the rings and angles, and the long waves only.

    They are cheap enough for thousands of places, and blurred enough to be alike a millimetre beside the right one.
    """
    half = ANGLES // 2
    rings = _sampled(sight, centres, height, _points(rough=True) * radius, rough=True)
    waves = _waves(rings.reshape(-1, RINGS // 2, half), _COARSE)
    return _measured(waves, _whites(sight, centres), half, _weights()[1::2])


def _sampled(
    sight: Sight, centres: Points, height: float, circle: NDArray[np.float32], rough: bool = False
) -> NDArray[np.float32]:
    """What the camera saw on circles around these points, straight from its picture: (points, channels, circle)."""
    seen, slopes = sight.plane.near(centres, height)
    picture = sight.image
    if rough:
        picture, seen, slopes = sight.half, seen / 2 - 0.25, slopes / 2
    where = slopes.astype(np.float32) @ circle.reshape(-1, 2).T + seen.astype(np.float32)[:, :, None]
    # Rings that reach out of the picture repeat its edge; whoever asks knows by `Plane.sees`.
    rings = cv2.remap(picture, where[:, 0], where[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(rings.transpose(0, 2, 1), np.float32)


def _whites(sight: Sight, centres: Points) -> NDArray[np.float32]:
    return sight.light.whites(centres)[:, :, None, None]


def _measured(waves: Spectra, whites: NDArray[np.float32], angles: int, weights: NDArray[np.float32]) -> Looks:
    """Looks from the waves around their rings: relative to the light, the mean colour apart from the detail."""
    count, channels, rings = len(whites), whites.shape[1], len(weights)
    spectra = waves.reshape(count, channels, rings, -1) * (weights[:, None] / whites)
    means = spectra[..., 0].real @ weights / (angles * float(weights @ weights))
    spectra[..., 0] -= means[:, :, None] * (angles * weights)
    detail = spectra.reshape(count, channels * rings, -1)
    return Looks(detail, _energy(detail, angles), np.asarray(means, np.float32))


def _energy(detail: Spectra, angles: int) -> NDArray[np.float32]:
    """How much detail there is beyond the sensor's noise."""
    power = np.square(detail.real) + np.square(detail.imag)
    waves = power.shape[2]
    if waves == WAVES:
        # The shortest waves are hardly more than the sensor's noise, which is in all the others just as much.
        power = np.maximum(power - power[:, :, _SHORT:-1].mean(2, keepdims=True), 0.0)
    return np.asarray(power.sum(1) @ _twice(waves) / angles, np.float32)


def together(several: Sequence[Looks]) -> Looks:
    return Looks(
        np.concatenate([one.spectra for one in several]),
        np.concatenate([one.energy for one in several]),
        np.concatenate([one.colours for one in several]),
    )


def _alike(shared: NDArray[np.float32], seen: Looks, examples: Looks, noise: float) -> NDArray[np.float32]:
    """Shared detail against all detail. Plain things are alike too: below the noise, detail says nothing."""
    return np.asarray((2 * shared + noise) / (seen.energy[:, None] + examples.energy[None] + noise), np.float32)


def likeness(
    seen: Looks, examples: Looks, turning: bool = True, finely: int = 1
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How alike each look is to each example (1 is the same, 0 unrelated), and by how many degrees it is turned.

    `finely` looks at so many rotations between two steps of the circle.
    """
    steps = ANGLES * finely
    reach = 2 * finely
    angles = np.arange(steps) if turning else np.r_[0 : reach + 1, steps - reach : steps]
    turned = _rotations(_products(seen, examples, WAVES), tuple(angles * (ANGLES / steps)), ANGLES)
    best = turned.argmax(2)
    shared = np.take_along_axis(turned, best[:, :, None], 2)[:, :, 0]
    return _alike(shared, seen, examples, NOISE), (angles[best] * (360 / steps)).astype(np.float32)


def likeness_roughly(seen: Looks, examples: Looks, turning: bool = True) -> NDArray[np.float32]:
    """The highest likeness of rough looks over the rotations."""
    half = ANGLES // 2
    steps = range(half) if turning else (0, 1, half - 1)
    shared = _rotations(_products(seen, examples, _COARSE), tuple(steps), half).max(2)
    return _alike(shared, seen, examples, NOISE / 4)


def likeness_of_parts(
    sight: Sight, centres: Points, radius: float, height: float, shown: NDArray[np.bool_], examples: Looks
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """How alike what shows of each look is to each example, by how many degrees it is turned, and how far colours are.

    `shown` says for each point of each circle (looks, rings, angles) whether anything hides it; whether the looks are
    rough ones follows from it. Every sum over a circle, the examples' own detail and colour too, is taken over what
    shows, in all rotations at once.
    """
    count, rings, angles = shown.shape
    rough = rings < RINGS
    weights = (_weights()[1::2] if rough else _weights())[:, None]
    seen = _sampled(sight, centres, height, _points(rough) * radius, rough).reshape(count, -1, rings, angles)
    seen = seen / _whites(sight, centres)
    mask = shown.astype(np.float32)[:, None]
    area = np.maximum((mask * weights**2).sum((1, 2, 3)), 1e-6)
    means = (seen * mask * weights**2).sum((2, 3)) / area[:, None]
    detail = (seen - means[:, :, None, None]) * mask * weights
    shared = _turned(detail, examples.spectra)
    power = _turned(mask, examples.squares)
    hues = np.stack([_turned(mask * weights, channel) for channel in np.split(examples.spectra, 3, axis=1)], axis=-1)
    power = power - (hues**2).sum(-1) / area[:, None, None]
    noise = (NOISE / 4 if rough else NOISE) * area / (angles * float(np.square(weights).sum()))
    own = np.square(detail).sum((1, 2, 3))
    alike = (2 * shared + noise[:, None, None]) / (own[:, None, None] + power + noise[:, None, None])
    best = alike.argmax(2)[:, :, None]
    colours = examples.colours[None] + np.take_along_axis(hues, best[..., None], 2)[:, :, 0] / area[:, None, None]
    apart = np.abs(means[:, None] - colours).mean(2)
    return np.take_along_axis(alike, best, 2)[:, :, 0], best[:, :, 0] * np.float32(360 / angles), apart


def ring_points(centres: Points, radius: float, rough: bool = False) -> Points:
    """Where on the table the points of all rings lie: (looks, rings, angles, 2)."""
    return np.asarray(centres[:, None, None] + _points(rough) * radius)


def _turned(circles: NDArray[np.float32], examples: Spectra) -> NDArray[np.float32]:
    """Sums of products over the circles of each look and of each example, at each rotation."""
    angles = circles.shape[-1]
    waves = _waves(circles.reshape(len(circles), -1, angles), examples.shape[-1])
    return _rotations(_multiplied(waves, examples), tuple(range(angles)), angles)


def _products(seen: Looks, examples: Looks, waves: int) -> Spectra:
    """Each look with each example, wave by wave: one matrix product a wave."""
    return _multiplied(seen.spectra[:, :, :waves], examples.spectra[:, :, :waves])


def _multiplied(seen: Spectra, examples: Spectra) -> Spectra:
    products = np.matmul(seen.transpose(2, 0, 1), np.conj(examples).transpose(2, 1, 0))
    return np.asarray(products.transpose(1, 2, 0), np.complex64)


# Circles are short and many, so the Fourier transforms are plain matrix products: several times as fast here.


def _waves(rings: NDArray[np.float32], waves: int) -> Spectra:
    """The first waves around each ring (the last axis)."""
    count = rings.shape[-1]
    flat = np.ascontiguousarray(rings, np.float32).reshape(-1, count) @ _forward(count, waves)
    return flat.view(np.complex64).reshape(*rings.shape[:-1], waves)


def _rotations(products: Spectra, steps: tuple[float, ...], count: int) -> NDArray[np.float32]:
    """The sum of waves at each rotation, given in steps of a circle of `count`."""
    first, second, waves = products.shape
    flat = np.ascontiguousarray(products).reshape(-1, waves).view(np.float32)
    return np.asarray((flat @ _backward(steps, count, waves)).reshape(first, second, -1), np.float32)


@cache
def _forward(count: int, waves: int) -> NDArray[np.float32]:
    turns = 2 * np.pi * np.outer(np.arange(count), np.arange(waves)) / count
    return np.stack([np.cos(turns), -np.sin(turns)], axis=-1).reshape(count, 2 * waves).astype(np.float32)


@cache
def _backward(steps: tuple[float, ...], count: int, waves: int) -> NDArray[np.float32]:
    turns = 2 * np.pi * np.outer(np.arange(waves), np.asarray(steps)) / count
    # All waves but the constant one and the shortest stand for two in a real signal.
    twice = np.where((np.arange(waves) == 0) | (2 * np.arange(waves) == count), 1.0, 2.0)[:, None] / count
    pair = np.stack([np.cos(turns) * twice, -np.sin(turns) * twice], axis=1)
    return pair.reshape(2 * waves, len(steps)).astype(np.float32)


def distinct(several: Looks, most: int) -> list[int]:
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


def colour_distance(seen: Looks, examples: Looks) -> NDArray[np.float32]:
    """How far the mean colours are apart, as a share of white."""
    return np.asarray(np.abs(seen.colours[:, None] - examples.colours[None]).mean(2), np.float32)


@cache
def _weights() -> NDArray[np.float32]:
    """Outer rings stand for more of the piece than inner ones."""
    return np.sqrt((np.arange(RINGS, dtype=np.float32) + 0.7) / RINGS)


@cache
def _twice(waves: int) -> NDArray[np.float32]:
    """All waves but the constant one (and the shortest, if it is there) stand for two in a real spectrum."""
    twice = np.full(waves, 2.0, np.float32)
    twice[0] = 1.0
    if waves == WAVES:
        twice[-1] = 1.0
    return twice


@cache
def _points(rough: bool = False) -> NDArray[np.float32]:
    """Points of all rings within a circle of radius 1 (rings, angles, 2), or of every other one."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    reach = (np.arange(RINGS) + 0.7) / RINGS
    circle = np.stack([np.outer(reach, np.cos(angles)), np.outer(reach, np.sin(angles))], axis=-1).astype(np.float32)
    return circle[1::2, ::2] if rough else circle
