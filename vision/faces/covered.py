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

from vision.faces.examples import Guess
from vision.layout import Box, Grid, Slots
from vision.picture.background import Ground
from vision.picture.table_picture import Patch, TablePicture

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

SIDE: Final = 28
"""Pixels of a place's longer side when faces are compared."""
_BLOCK: Final = 4
"""At first squares of so many pixels are compared."""
_FINALISTS: Final = 5
"""So many faces are compared pixel by pixel."""
_THE_SAME: Final = 0.12
"""A picture less unlike another one teaches nothing new."""
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
_WHOLE: Final = 0.88
"""On a face so like its examples nothing stands: even a grey figure on grey stones would show."""
EXPLAINED, LEAD = 0.2, 0.12
"""A face must explain so much of a place, and so much more than any other."""
_OTHERWISE: Final = 0.7
"""From here on a pixel looks otherwise."""
_AROUND: Final = 13
"""Pixels over which light and shadow are smooth."""
MOST_EXAMPLES: Final = 8
"""So many pictures of a label that differ are kept."""


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
        self._shape = round(tall * self._scale), round(width * self._scale)
        self._quarters = 1 if not zone.turns else 4 if self._shape[0] == self._shape[1] else 2
        self._taught: dict[str | None, list[Patch]] = {}
        self._examples: _Examples | None = None

    def learn(self, sight: TablePicture, box: Box, label: str | None) -> None:
        self._taught.setdefault(label, []).append(self._seen(sight, [box])[0])
        self._examples = None

    def look(self, sight: TablePicture, guesses: Mapping[str, Guess]) -> Laid:
        """What lies where; the guesses say how far off their places the faces lie, and what the plain ones are."""
        if self._examples is None:
            self._examples = _Examples(self._taught, self._quarters)
        boxes = _where(self.zone.places(), guesses)
        patches = self._seen(sight, list(boxes.values()))
        plain = [guesses[name].label if _seen_whole(guesses[name]) else ... for name in boxes]
        prints, unlike = self._examples.explain(patches, plain, self._scale)
        inner = (slice(_EDGE, -_EDGE), slice(_EDGE, -_EDGE))
        return Laid(
            dict(zip(boxes, prints, strict=True)),
            self._ground(sight, list(boxes.values()), prints),
            {name: patch[inner] for name, patch in zip(boxes, patches, strict=True)},
            {name: unlike[number] for number, name in enumerate(boxes) if number in unlike},
        )

    def _seen(self, sight: TablePicture, boxes: Sequence[Box]) -> Patch:
        """The places from straight above, relative to the light, all of them in one go."""
        rows, columns = self._shape
        across, down = np.meshgrid(np.arange(columns) + 0.5 - columns / 2, np.arange(rows) + 0.5 - rows / 2)
        turn = np.radians([box.angle for box in boxes])
        cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
        x, y = across.ravel() / self._scale, down.ravel() / self._scale
        offsets = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1).astype(np.float32)
        centres = np.array([box.centre for box in boxes])
        near = sight.plane.near(centres, self.height).astype(np.float32)
        x, y = (one[:, :1] * offsets[:, 0] + one[:, 1:2] * offsets[:, 1] + one[:, 2:] for one in near)
        pixels = cv2.remap(sight.image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        relative = pixels / sight.light.whites(centres)[:, None]
        return np.asarray(relative.reshape(-1, rows, columns, 3), np.float32)

    def _ground(self, sight: TablePicture, boxes: Sequence[Box], prints: Sequence[Print]) -> Ground:
        """The zone as it would look with these faces and nothing on them."""
        assert self._examples is not None
        ground = Ground(self.zone.area())
        picture = np.zeros((*ground.shape, 3), np.float32)
        corners = np.array([box.corners() for box in boxes]).reshape(-1, 2)
        tops = ground.all_to_pixels(sight.plane.to_table(sight.plane.to_pixels(corners, self.height)))
        for one, top in zip(prints, tops.reshape(-1, 4, 2), strict=True):
            _paint(picture, self._examples.pictures[one.example], top)
        ground.take(picture)
        return ground


class _Examples:
    """Pictures that differ, in every way they may be turned."""

    def __init__(self, taught: Mapping[str | None, Sequence[Patch]], quarters: int) -> None:
        self.labels: list[str | None] = []
        self.pictures: list[Patch] = []
        for label, pictures in taught.items():
            for picture in _different(pictures, quarters):
                turned = _turned(picture, quarters)
                self.labels += [label] * len(turned)
                self.pictures += turned
        self._numbers = {
            label: np.array([number for number, own in enumerate(self.labels) if own == label]) for label in taught
        }
        self._fine = _logs(np.stack(self.pictures))
        self._coarse = _shrunk(self._fine)

    def explain(self, patches: Patch, plain: Sequence[Any], scale: float) -> tuple[list[Print], dict[int, Floats]]:
        """What explains each of these pictures best, and how unlike that its pixels are.

        What is plain has been recognised as a whole, so that nothing can stand on it; which picture of it is nearest
        is all that is asked.
        """
        seen = _logs(patches)
        coarse = _shrunk(seen)
        found = [self._nearest(coarse[number], label) for number, label in enumerate(plain) if label is not ...]
        prints = dict(zip([number for number, label in enumerate(plain) if label is not ...], found, strict=True))
        doubtful = [number for number, label in enumerate(plain) if label is ...]
        chosen = [self._chosen(coarse[number]) for number in doubtful]
        unlike: dict[int, Floats] = {}
        if doubtful:
            places = np.repeat(doubtful, [len(numbers) for numbers in chosen])
            apart = _unlike_finely(seen[places] - self._fine[np.concatenate(chosen)])
            ends = np.cumsum([len(numbers) for numbers in chosen])
            for number, numbers, end in zip(doubtful, chosen, ends, strict=True):
                own = apart[end - len(numbers) : end]
                prints[number], unlike[number] = self._judged(numbers, own, scale)
        return [prints[number] for number in range(len(plain))], unlike

    def _nearest(self, coarse: Floats, label: str | None) -> Print:
        own = self._numbers[label]
        rough = _unlike(coarse - self._coarse[own]).mean((1, 2))
        best = int(rough.argmin())
        return Print(label, 1 - float(rough[best]), 1.0, 0.0, int(own[best]))

    def _chosen(self, coarse: Floats) -> Ints:
        """The examples worth a closer look: the best few, and the best of each label."""
        rough = _unlike(coarse - self._coarse).mean((1, 2))
        best = set(np.argsort(rough)[:_FINALISTS].tolist())
        return np.array(sorted(best | {int(own[rough[own].argmin()]) for own in self._numbers.values()}))

    def _judged(self, numbers: Ints, apart: Floats, scale: float) -> tuple[Print, Floats]:
        costs = apart.mean((1, 2))
        at = int(costs.argmin())
        label, best = self.labels[numbers[at]], float(costs[at])
        others = [float(cost) for number, cost in zip(numbers, costs, strict=True) if self.labels[number] != label]
        hidden = _largest_spot(apart[at]) / scale**2
        return Print(label, 1 - best, min(others, default=1.0) - best, hidden, int(numbers[at])), apart[at]


def _seen_whole(guess: Guess) -> bool:
    return guess.plain and guess.likeness >= _WHOLE


def _different(pictures: Sequence[Patch], quarters: int) -> list[Patch]:
    """Those of several pictures of one face that are not much like another, however turned."""
    kept: list[Patch] = []
    known: list[Floats] = []
    for picture in pictures:
        look = _logs(picture[None])
        if len(kept) < MOST_EXAMPLES and all(_unlike_finely(look - old).mean() > _THE_SAME for old in known):
            kept.append(picture)
            known += [_logs(one[None]) for one in _turned(picture, quarters)]
    return kept


def _turned(picture: Patch, quarters: int) -> list[Patch]:
    return [np.ascontiguousarray(np.rot90(picture, turn * (4 // quarters))) for turn in range(quarters)]


def _where(places: Mapping[str, Box], guesses: Mapping[str, Guess]) -> dict[str, Box]:
    """Where the faces lie: all of them as far off their places as the plain ones are."""
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


def _logs(patches: Patch) -> Floats:
    """Pictures (n, rows, columns, 3) as (n, 3, rows, columns), without the sensor's noise and in the logarithm: there
    a shadow takes off the same everywhere."""
    smooth = np.stack([cv2.blur(patch, (3, 3)) for patch in patches]).transpose(0, 3, 1, 2)
    return np.asarray(np.log(np.ascontiguousarray(smooth, np.float32) + np.float32(_DARK)), np.float32)


def _shrunk(pictures: Floats) -> Floats:
    rows, columns = (side // _BLOCK for side in pictures.shape[2:])
    blocks = pictures[:, :, : rows * _BLOCK, : columns * _BLOCK].reshape(-1, 3, rows, _BLOCK, columns, _BLOCK)
    return np.asarray(blocks.mean((3, 5)), np.float32)


def _unlike(apart: Floats) -> Floats:
    """For each pixel of pictures whose logarithms are so far apart: 0 where they show the same print, 1 where not."""
    return np.minimum(_strangeness(apart, _level(apart)), 1.0)


def _unlike_finely(apart: Floats) -> Floats:
    """The same, and the brightness must follow the print: light and shadow are smooth."""
    level = _level(apart)
    smooth = np.stack([cv2.blur(one, (_AROUND, _AROUND)) for one in level])
    cost = _strangeness(apart, level) + ((level - smooth) / _DETAIL) ** 2
    return np.asarray(np.minimum(cost, 1.0)[:, _EDGE:-_EDGE, _EDGE:-_EDGE], np.float32)


def _level(apart: Floats) -> Floats:
    return np.asarray((apart[:, 0] + apart[:, 1] + apart[:, 2]) / np.float32(3), np.float32)


def _strangeness(apart: Floats, level: Floats) -> Floats:
    blue, green, red = (np.abs(apart[:, channel] - level) for channel in range(3))
    tint = np.maximum(np.maximum(blue, green), red) / _TINT
    beyond = (np.maximum(level - _BRIGHTER, 0) + np.maximum(_DARKER - level, 0)) / _DETAIL
    return np.asarray(tint * tint + beyond * beyond, np.float32)
