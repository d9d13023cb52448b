"""How a piece looks, whichever way it is turned: rings around its centre, compared in all rotations at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Point
from vision.light import Patch

ANGLES: Final = 48
RINGS: Final = 12
WAVES: Final = ANGLES // 2 + 1
_COARSE: Final = 8
NOISE: Final = 0.9
"""The energy of detail that is only noise and paper grain: about three hundredths of white at each point."""
_TWICE: Final = np.array([1.0] + [2.0] * (_COARSE - 1), np.float32)
"""All waves but the constant one stand for two in a real spectrum."""
_SHORT: Final = WAVES - 6
_TWICE_ALL: Final = np.array([1.0] + [2.0] * (WAVES - 2) + [1.0], np.float32)
_THE_SAME: Final = 0.96
"""Looks more alike than this teach nothing new."""

Spectra = NDArray[np.complex64]
Colours = NDArray[np.float32]


class Looks(msgspec.Struct, frozen=True, eq=False):
    """Several looks: the spectrum of each ring around the circle, how much detail there is, and the mean colour."""

    spectra: Spectra
    energy: NDArray[np.float32]
    colours: Colours

    def chosen(self, numbers: Sequence[int]) -> Looks:
        return Looks(self.spectra[numbers], self.energy[numbers], self.colours[numbers])

    def __len__(self) -> int:
        return len(self.spectra)


def looks(patch: Patch, centres: Sequence[Point] | NDArray[np.float64], radius: float) -> Looks:
    """The looks around these pixel centres, out to a radius in pixels."""
    across, down = _circle(radius)
    where = np.asarray(centres, np.float32).reshape(-1, 2)
    x = across.reshape(1, -1) + where[:, :1]
    y = down.reshape(1, -1) + where[:, 1:]
    rings = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rings = rings.reshape(len(where), RINGS, ANGLES, -1).transpose(0, 3, 1, 2)
    weights = _weights()
    colours = (rings * weights**2).sum((2, 3)) / (weights**2).sum() / ANGLES
    detail = (rings - colours[:, :, None, None]) * weights
    spectra = _waves(detail.reshape(len(where), -1, ANGLES), WAVES)
    # The shortest waves are hardly more than the sensor's noise, which is in all the others just as much.
    power = np.abs(spectra) ** 2
    noise = power[:, :, _SHORT:-1].mean(2, keepdims=True)
    energy = np.maximum(power - noise, 0.0).sum(1) @ _TWICE_ALL / ANGLES
    return Looks(spectra, energy.astype(np.float32), colours.astype(np.float32))


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


def roughly(patch: Patch, centres: NDArray[np.float64], radius: float) -> Looks:
    """Looks by half the rings and angles and the long waves only: cheap enough for thousands of places."""
    across, down = _circle(radius)
    where = np.asarray(centres, np.float32)
    x = across[1::2, ::2].reshape(1, -1) + where[:, :1]
    y = down[1::2, ::2].reshape(1, -1) + where[:, 1:]
    rings = cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rings = rings.reshape(len(where), RINGS // 2, ANGLES // 2, -1).transpose(0, 3, 1, 2)
    return _rough(_waves(np.asarray(rings, np.float32), _COARSE), _weights()[:, :, 1::2])


def rough_examples(examples: Looks) -> Looks:
    """Examples as `roughly` would see them."""
    detail = examples.spectra.reshape(len(examples), -1, RINGS, examples.spectra.shape[-1])
    weights = _weights()[:, :, 1::2]
    spectra = detail[:, :, 1::2, :_COARSE] / weights / 2
    rough = _rough(spectra, weights)
    return Looks(rough.spectra, rough.energy, examples.colours)


def _rough(spectra: NDArray[Any], weights: NDArray[np.float32]) -> Looks:
    half = ANGLES // 2
    means = spectra[..., :1].real / half
    colours = (means * weights**2).sum((2, 3)) / (weights**2).sum()
    detail = (spectra * weights).astype(np.complex64)
    detail[..., :1] -= colours[:, :, None, None] * half * weights
    energy = (np.abs(detail) ** 2 * _TWICE).sum((1, 2, 3)) / half
    return Looks(detail.reshape(len(detail), -1, _COARSE), energy.astype(np.float32), colours.astype(np.float32))


def likeness_roughly(seen: Looks, examples: Looks) -> NDArray[np.float32]:
    """The highest likeness of rough looks over the rotations."""
    half = ANGLES // 2
    shared = _rotations(_products(seen, examples, _COARSE), tuple(range(half)), half).max(2)
    return _alike(shared, seen, examples, NOISE / 4)


def _products(seen: Looks, examples: Looks, waves: int) -> Spectra:
    """Each look with each example, wave by wave: one matrix product a wave."""
    left = seen.spectra[:, :, :waves].transpose(2, 0, 1)
    right = np.conj(examples.spectra[:, :, :waves]).transpose(2, 1, 0)
    return np.asarray(np.matmul(left, right).transpose(1, 2, 0), np.complex64)


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
    return np.sqrt((np.arange(RINGS, dtype=np.float32) + 0.7) / RINGS)[None, None, :, None]


@cache
def _circle(radius: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    reach = (np.arange(RINGS) + 0.7) / RINGS * radius
    return (
        (np.cos(angles)[None] * reach[:, None]).astype(np.float32),
        (np.sin(angles)[None] * reach[:, None]).astype(np.float32),
    )
