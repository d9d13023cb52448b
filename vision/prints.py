"""The taught faces as pictures: what lies on a place, and how it looks there, whatever stands on it or shades it.

`faces` compares a whole face with its examples. Under a figure, or half in a shadow, the question is another one: which
face explains most of what is seen? A shadow changes brightness alone, and smoothly; a figure hides some of the pixels.
The face that was found, painted where it lies, is the ground on which figures are looked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.faces import Guess
from vision.ground import SCALE, Ground
from vision.layout import Box, Grid, Slots
from vision.light import Patch
from vision.sight import Sight

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SIDE: Final = 28
"""Pixels of a place's longer side when faces are compared."""
_BLOCK: Final = 4
"""At first squares of so many pixels are compared."""
_FINALISTS: Final = 8
"""So many faces are compared pixel by pixel."""
_PLAIN_FINALISTS: Final = 3
"""… and so many pictures of a face that was told before."""
_EDGE: Final = 2
"""The outermost pixels are left out: a face never lies quite in its place."""
_DARK: Final = 0.04
"""Added to what is seen, so that noise in the dark is no colour."""
_TINT: Final = 0.14
"""How far colours of the same print stray between two pictures, in the logarithm."""
_DETAIL: Final = 0.22
"""How far its brightness strays, beside that of its surroundings."""
_BRIGHTER, _DARKER = 0.2, -1.2
"""The light on a face is at most so much brighter than where it was taught, and a shadow at most so dark."""
EXPLAINED, LEAD = 0.2, 0.12
"""A face must explain so much of a place, and so much more than any other."""
_OTHERWISE: Final = 0.7
"""From here on a pixel looks otherwise."""
_AROUND: Final = 13
"""Pixels over which light and shadow are smooth."""
MOST_EXAMPLES: Final = 12
"""So many pictures of a label are kept."""


class Print(msgspec.Struct, frozen=True):
    """What lies on a place: a label, None for an empty place; which picture of it, and how it is turned.

    `explained` is the share of the place that looks so, `lead` how much more of it than with any other label, and
    `hidden` the largest spot (mm²) that looks otherwise: something stands or lies there.
    """

    label: str | None
    explained: float
    lead: float
    hidden: float
    example: int

    @property
    def sure(self) -> bool:
        return self.explained >= EXPLAINED and self.lead >= LEAD


class Laid(msgspec.Struct, frozen=True, eq=False):
    """What lies on the places of a zone, and how the zone would look with nothing on it."""

    prints: dict[str, Print]
    ground: Ground
    seen: dict[str, Patch]
    unlike: dict[str, Floats]


class Prints:
    """The pictures of what lies on the places of one zone."""

    def __init__(self, zone: Grid | Slots, height: float) -> None:
        self.zone = zone
        self.height = height
        width, tall = next(iter(zone.places().values())).size
        self._scale = SIDE / max(width, tall)
        self._quarters = 1 if not zone.turns else 4 if abs(width - tall) < 0.1 * width else 2
        self._taught: dict[str | None, list[Patch]] = {}
        self._examples: _Examples | None = None

    def learn(self, sight: Sight, box: Box, label: str | None) -> None:
        pictures = self._taught.setdefault(label, [])
        if len(pictures) < MOST_EXAMPLES:
            pictures.append(sight.patch(box, self._scale, self.height))
            self._examples = None

    def look(self, sight: Sight, guesses: Mapping[str, Guess]) -> Laid:
        """What lies where; the guesses say how far off their places the faces lie, and plain ones what they are."""
        if self._examples is None:
            self._examples = _Examples(self._taught, self._quarters)
        boxes = _where(self.zone.places(), guesses)
        patches = [sight.patch(box, self._scale, self.height) for box in boxes.values()]
        seen = np.stack([_logs(patch) for patch in patches])
        plain = {number: guess.label for number, guess in enumerate(guesses[name] for name in boxes) if guess.plain}
        found, unlike = self._examples.explain(seen, plain, self._scale)
        prints = dict(zip(boxes, found, strict=True))
        ground = Ground(self.zone.area())
        picture = np.zeros((*ground.shape, 3), np.float32)
        for name, one in prints.items():
            top = sight.plane.to_table(sight.plane.to_pixels(boxes[name].corners(), self.height))
            _paint(picture, self._examples.pictures[one.example], ground.all_to_pixels(np.asarray(top)))
        ground.take(picture)
        inner = (slice(_EDGE, -_EDGE), slice(_EDGE, -_EDGE))
        return Laid(
            prints,
            ground,
            {name: patch[inner] for name, patch in zip(boxes, patches, strict=True)},
            dict(zip(boxes, unlike, strict=True)),
        )


class _Examples:
    """Every picture in every way it may be turned."""

    def __init__(self, taught: Mapping[str | None, Sequence[Patch]], quarters: int) -> None:
        self.labels: list[str | None] = []
        self.pictures: list[Patch] = []
        for label, pictures in taught.items():
            for picture in pictures:
                for turn in range(quarters):
                    self.labels.append(label)
                    self.pictures.append(np.ascontiguousarray(np.rot90(picture, turn * (4 // quarters))))
        self._numbers = {
            label: np.array([number for number, own in enumerate(self.labels) if own == label]) for label in taught
        }
        self._fine = np.stack([_logs(picture) for picture in self.pictures])
        self._coarse = _shrunk(self._fine)

    def explain(self, seen: Floats, plain: Mapping[int, str | None], scale: float) -> tuple[list[Print], list[Floats]]:
        """What explains each of these pictures best, and how unlike that each pixel is; what plain ones are is known."""
        coarse = _shrunk(seen)
        chosen = [self._chosen(coarse[number], plain.get(number, ...)) for number in range(len(seen))]
        places = np.repeat(np.arange(len(seen)), [len(numbers) for numbers in chosen])
        unlike = _unlike_finely(seen[places] - self._fine[np.concatenate(chosen)])
        costs = unlike.mean((1, 2))
        found, kept, start = [], [], 0
        for numbers in chosen:
            own = costs[start : start + len(numbers)]
            at = int(own.argmin())
            label, best = self.labels[numbers[at]], float(own[at])
            others = [float(cost) for number, cost in zip(numbers, own, strict=True) if self.labels[number] != label]
            hidden = _largest_spot(unlike[start + at]) / scale**2
            found.append(Print(label, 1 - best, min(others, default=1.0) - best, hidden, int(numbers[at])))
            kept.append(unlike[start + at])
            start += len(numbers)
        return found, kept

    def _chosen(self, coarse: Floats, label: Any) -> Ints:
        """The examples worth a closer look: of a known label the best few, else the best and each label's best."""
        own = self._numbers[label] if label is not ... else np.arange(len(self.labels))
        rough = _unlike(coarse - self._coarse[own]).mean((1, 2))
        if label is not ...:
            return own[np.argsort(rough)[:_PLAIN_FINALISTS]]
        best = set(np.argsort(rough)[:_FINALISTS].tolist())
        return np.array(sorted(best | {int(ns[rough[ns].argmin()]) for ns in self._numbers.values()}))


def _where(places: Mapping[str, Box], guesses: Mapping[str, Guess]) -> dict[str, Box]:
    """Where the faces lie: as seen where they are plain, and elsewhere as far off as most are."""
    off = [
        (guesses[name].x - box.centre[0], guesses[name].y - box.centre[1])
        for name, box in places.items()
        if guesses[name].plain
    ]
    x, y = np.median(np.array(off), axis=0) if off else (0.0, 0.0)
    return {
        name: Box((box.centre[0] + float(x), box.centre[1] + float(y)), box.size, box.angle)
        for name, box in places.items()
    }


def _paint(picture: Patch, face: Patch, corners: NDArray[np.float64]) -> None:
    """Lay a face into a picture; its corners are those of the face, clockwise from the top left."""
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, picture.shape[1::-1])
    if (high <= low).any():
        return
    rows, columns = face.shape[:2]
    source = np.array([(0, 0), (columns, 0), (columns, rows)], np.float32) - np.float32(0.5)
    onto = cv2.getAffineTransform(source, (corners[:3] - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    picture[low[1] : high[1], low[0] : high[0]] = cv2.warpAffine(
        face, onto, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _largest_spot(unlike: Floats) -> float:
    """The pixels of the largest spot that looks otherwise."""
    spots = cv2.morphologyEx((unlike > _OTHERWISE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(spots)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _logs(patch: Patch) -> Floats:
    """In the logarithm a shadow takes off the same everywhere; without the sensor's noise."""
    return np.asarray(np.log(cv2.blur(patch, (3, 3)) + _DARK), np.float32)


def _shrunk(pictures: Floats) -> Floats:
    rows, columns = (side // _BLOCK for side in pictures.shape[1:3])
    blocks = pictures[:, : rows * _BLOCK, : columns * _BLOCK].reshape(-1, rows, _BLOCK, columns, _BLOCK, 3)
    return np.asarray(blocks.mean((2, 4)), np.float32)


def _unlike(apart: Floats) -> Floats:
    """For each pixel of pictures whose logarithms are so far apart: 0 where they show the same print, 1 where not."""
    return np.minimum(_strangeness(apart, apart.mean(-1)), 1.0)


def _unlike_finely(apart: Floats) -> Floats:
    """The same, and the brightness must follow the print: light and shadow are smooth."""
    level = apart.mean(-1)
    smooth = np.stack([cv2.blur(one, (_AROUND, _AROUND)) for one in level])
    cost = _strangeness(apart, level) + ((level - smooth) / _DETAIL) ** 2
    return np.minimum(cost, 1.0)[:, _EDGE:-_EDGE, _EDGE:-_EDGE]


def _strangeness(apart: Floats, level: Floats) -> Floats:
    tint = np.abs(apart - level[..., None]).max(-1) / _TINT
    beyond = (np.maximum(level - _BRIGHTER, 0) + np.maximum(_DARKER - level, 0)) / _DETAIL
    return np.asarray(tint * tint + beyond * beyond, np.float32)
