"""Light and sensor: how bright each part of the table is, what the sensor adds, and what JPEG takes away."""

from __future__ import annotations

import math
from functools import lru_cache
from random import Random
from typing import Final, Literal, get_args

import cv2
import msgspec
import numpy as np

from .paint import Field, Image
from .solids import Floats

Light = Literal["even", "dim", "warm", "one_sided", "flicker"]
LIGHTS: Final[tuple[Light, ...]] = get_args(Light)

_COARSE: Final = 8
"""Light changes slowly over a picture: it is computed for every eighth pixel."""
_BLUR: Final = 5
_ROWS: Final = 16
TILE: Final = 120
"""Pixels across the parts in which a picture is brought up to date."""
Tile = tuple[slice, slice]
_USUAL: Final = 1920
"""Pixels across for which blur and noise are given; smaller pixels of a finer picture show more of both."""


class Lamp(msgspec.Struct, frozen=True, eq=False):
    """One evening's light: where it comes from, how hard its shadows are, its brightness and colour."""

    kind: Light
    azimuth: float
    slant: float
    shadow: float
    level: float
    gains: tuple[float, float, float]
    noise: float
    phase: float

    @property
    def towards(self) -> Floats:
        """The unit vector from the table towards the lamp; its last part points up."""
        flat = math.sin(math.atan(self.slant))
        return np.array([flat * math.cos(self.azimuth), flat * math.sin(self.azimuth), math.cos(math.atan(self.slant))])

    @property
    def cast(self) -> tuple[float, float]:
        """Where a shadow falls, per millimetre of height."""
        return -self.slant * math.cos(self.azimuth), -self.slant * math.sin(self.azimuth)


def lamp(kind: Light, rng: Random) -> Lamp:
    azimuth = rng.uniform(0, 2 * math.pi)
    # Automatic white balance is never quite right.
    blue, green, red = (1 + rng.uniform(-0.035, 0.035) for _ in range(3))
    slant, shadow, level, noise = rng.uniform(0.25, 0.5), 0.36, rng.uniform(0.98, 1.07), rng.uniform(1.4, 2.2)
    match kind:
        case "dim":
            level, noise, shadow = rng.uniform(0.36, 0.48), rng.uniform(3.6, 5.2), 0.4
        case "warm":
            level = rng.uniform(0.92, 1.04)
            blue, green, red = blue * rng.uniform(0.55, 0.68), green * 0.9, red * rng.uniform(1.06, 1.14)
        case "one_sided":
            slant, shadow, level = rng.uniform(0.9, 1.3), 0.55, rng.uniform(0.86, 0.98)
        case "even" | "flicker":
            pass
    return Lamp(kind, azimuth, slant, shadow, level, (blue, green, red), noise, rng.uniform(0, 2 * math.pi))


def fineness(width: int) -> float:
    """How many times finer a picture of this width is than the usual one."""
    return max(1.0, width / _USUAL)


def shadowed(image: Image, mask: Image, strength: float, softness: float) -> None:
    """Darken the picture where a (smaller) mask is white, with soft edges."""
    soft = cv2.GaussianBlur(mask, (0, 0), softness)
    factor = cv2.resize(soft, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    keep = cv2.convertScaleAbs(factor, alpha=-strength, beta=255.0)
    cv2.multiply(image, cv2.merge([keep, keep, keep]), dst=image, scale=1 / 255)


def exposed(image: Image, light: Lamp, rng: Random) -> Image:
    """What the sensor makes of the scene under this light: brightness, colour cast, blur, noise, JPEG."""
    picture = sensed(lit(image, light, rng.uniform(0.55, 0.85)), light.noise, rng)
    return _jpeg(picture, rng.randrange(86, 96))


def lit(image: Image, light: Lamp, softness: float) -> Field:
    """Brightness, colour cast and blur: the same in every picture that is taken of one scene."""
    height, width = image.shape[:2]
    return _blurred(image, shining(light, width, height), softness * math.sqrt(fineness(width)))


def shining(light: Lamp, width: int, height: int) -> Field:
    """How bright each pixel of a picture of this size is under a lamp."""
    coarse = _brightness(light, width, height)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def light_anew(picture: Field, image: Image, before: Image, bright: Field, softness: float) -> None:
    """Bring a picture that was `lit` up to date, where its scene has changed since."""
    height, width = image.shape[:2]
    softness *= math.sqrt(fineness(width))
    tiles = [
        (slice(top, min(top + TILE, height)), slice(left, min(left + TILE, width)))
        for top in range(0, height, TILE)
        for left in range(0, width, TILE)
    ]
    for tile in tiles:
        around = _grown(tile)
        if not np.array_equal(image[around], before[around]):
            fresh = _blurred(image[around], bright[around], softness)
            picture[tile] = fresh[
                tuple(
                    slice(own.start - more.start, own.stop - more.start) for own, more in zip(tile, around, strict=True)
                )
            ]


def _grown(tile: Tile) -> Tile:
    """A tile and what its blur takes from its neighbours."""
    rows, columns = (slice(max(0, own.start - _BLUR // 2), own.stop + _BLUR // 2) for own in tile)
    return rows, columns


def _blurred(image: Image, bright: Field, softness: float) -> Field:
    picture = image.astype(np.float32)
    cv2.multiply(picture, bright, dst=picture)
    return np.asarray(cv2.GaussianBlur(picture, (_BLUR, _BLUR), softness), np.float32)


def sensed(picture: Field, strength: float, rng: Random) -> Image:
    """Noise, which is another in every picture."""
    height, width = picture.shape[:2]
    field = _sensor_noise(max(width, _USUAL), max(height, 1080))
    strength *= math.sqrt(fineness(width))
    left, top = rng.randrange(256), rng.randrange(256)
    noise = field[: height + 256, : width + 256][top : top + height, left : left + width]
    if noise.shape[:2] != (height, width):
        noise = np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_NEAREST), np.float32)
    photograph = np.empty((height, width, 3), np.uint8)
    # A few rows at a time stay in the processor's cache.
    for row in range(0, height, _ROWS):
        some = slice(row, row + _ROWS)
        noisy = cv2.scaleAdd(np.ascontiguousarray(noise[some]), strength, picture[some])
        np.clip(noisy, 0, 255, out=noisy)
        cv2.convertScaleAbs(noisy, dst=photograph[some])
    return photograph


def _brightness(light: Lamp, width: int, height: int) -> Field:
    """The light of the room, the fall-off of the lens and the beat of mains light, coarsely."""
    wide, tall = math.ceil(width / _COARSE), math.ceil(height / _COARSE)
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    across, down = (x + 0.5) / wide * 2 - 1, (y + 0.5) / tall * 2 - 1
    # The edges of a picture are darker, as with any lens; corners most.
    field = 1 - 0.11 * (across**2 + down**2)
    slope = {"one_sided": 0.42, "warm": 0.1, "dim": 0.12}.get(light.kind, 0.05)
    field = field * (1 + slope * (across * math.cos(light.azimuth) + down * math.sin(light.azimuth)))
    if light.kind == "flicker":
        bands = 3 + light.phase
        field = field * (1 + 0.13 * np.sin(down * math.pi * bands / 2 + light.phase))
    gains = np.asarray(light.gains, np.float32) * light.level
    return np.asarray(field[..., None] * gains, np.float32)


@lru_cache(maxsize=2)
def _sensor_noise(width: int, height: int) -> Field:
    """Noise for a picture of this size and a margin to slide in; blue is noisiest, as in real sensors."""
    noise = np.random.default_rng(11).standard_normal((height + 256, width + 256, 3), np.float32)
    grey = noise[..., 1:2].copy()
    return np.asarray((0.7 * noise + 0.6 * grey) * np.array([1.15, 0.85, 1.0], np.float32), np.float32)


def _jpeg(image: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)
