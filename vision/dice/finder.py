"""From a picture to its dice: the net looks at several sizes of the picture, and what agrees is a die.

`draw` marks the dice in a copy of the picture.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.dice.colours import COLOURS, body_colour, light_of

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("finder.onnx")
STRIDE = 4
UNIT = 28.0
"""The net tells sizes as multiples of this many pixels."""
COMFORT = (15.0, 44.0)
"""Edges in pixels that the net reads well; each die is judged at the sizes of the picture that bring it there."""
FAVOURITE = 34.0
"""The edge that dice of known size are brought to: one look is enough for them, and a table is read often."""
STEP = 2**0.5
LONGEST, SHORTEST = 1344, 96
"""Longest side of the largest and of the smallest copy of the picture."""
SURE = 0.45
"""Confidence below which a die is left out."""


WORTH_A_LOOK = 0.25
"""Confidence after the first look from which a second one is worth its time."""
_VIEW = 64
_LOOKS = ((28.0, 0.0, True), (24.0, 12.0, False), (32.0, -12.0, False), (28.0, 8.0, True), (20.0, -6.0, False))
"""The second looks: edge in pixels, turned by degrees, mirrored."""


class Die(msgspec.Struct, frozen=True):
    """One die in a picture, in pixels; `size` is its edge, `x` and `y` the middle of the face that counts."""

    value: int
    colour: str
    x: float
    y: float
    size: float
    confidence: float


class _Glimpse(msgspec.Struct, frozen=True):
    """What one copy of the picture says about one place, in the pixels of the original."""

    x: float
    y: float
    size: float
    heat: float
    values: tuple[float, ...]
    level: int


_turn = threading.Lock()
"""A net of `cv2.dnn` serves one caller at a time."""


@functools.cache
def _net() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))


def find(
    image: Picture,
    size_px: float | None = None,
    sure: float = SURE,
    colours: Collection[str] = COLOURS,
    light: Floats | None = None,
) -> list[Die]:
    """The dice in a picture (BGR or grey, 8 bit), from top to bottom.

    `size_px` tells how large the dice are, where that is known (a zone of a table): only copies of the picture
    that suit this size are looked at, which is quicker and lets tiny dice be magnified. Dice less certain than
    `sure` are left out. `colours` are the words to choose from, where the colours of the dice are known, or none where
    the colour does not matter; `light` is the light's colour (`colours.light_of` the whole frame), where the picture
    is only a part of one.
    """
    picture = _three_channels(image)
    if min(picture.shape[:2]) < 12:
        return []
    scales = _scales(picture.shape[:2], size_px)
    glimpses = [g for level, scale in enumerate(scales) for g in _look(picture, scale, level)]
    if size_px is not None:
        glimpses = [g for g in glimpses if size_px / 1.6 < g.size < size_px * 1.6]
    dice = []
    for x, y, size, value, first in _one_per_die(glimpses, scales):
        if first >= WORTH_A_LOOK:
            again = float(_second_look(picture, x, y, size)[value - 1])
            dice.append(
                Die(value, "", round(x, 1), round(y, 1), round(size, 1), _confidence(value, (first + again) / 2))
            )
    seen = [die for die in _doubt_odd_sizes(dice) if die.confidence >= sure]
    if colours:
        lamp = light_of(picture) if light is None else light
        seen = [
            msgspec.structs.replace(die, colour=body_colour(picture, die.x, die.y, die.size, lamp, colours))
            for die in seen
        ]
    return sorted(seen, key=lambda die: (die.y, die.x))


def _confidence(value: int, agreement: float) -> float:
    """The net's agreement with itself as a confidence, less for a one: tables are full of single round spots."""
    return round(float(min(1.0, agreement) ** 0.75) * (0.85 if value == 1 else 1.0), 3)


def _doubt_odd_sizes(dice: Sequence[Die]) -> list[Die]:
    """Dice of one throw have much the same size: one far larger or smaller than the sure ones has to be surer."""
    sure = [die.size for die in dice if die.confidence >= 1.2 * SURE]
    if not sure:
        return list(dice)
    usual = float(np.median(sure))
    return [
        die
        if 0.45 < die.size / usual < 2.2
        else msgspec.structs.replace(die, confidence=round(0.65 * die.confidence, 3))
        for die in dice
    ]


def _second_look(picture: Picture, x: float, y: float, size: float) -> Floats:
    """How sure the net is of each value when it sees one die alone: turned a little, mirrored, larger and smaller."""
    reach = int(2.4 * size) + 2
    left, top = int(x) - reach, int(y) - reach
    patch = cv2.copyMakeBorder(
        picture[max(0, top) : int(y) + reach, max(0, left) : int(x) + reach],
        max(0, -top), max(0, int(y) + reach - picture.shape[0]),
        max(0, -left), max(0, int(x) + reach - picture.shape[1]),
        cv2.BORDER_REPLICATE,
    )  # fmt: skip
    # Shrinking by area first keeps the pips round; the turn that follows only shrinks a little more.
    shrink = min(1.0, 48.0 / size)
    patch = cv2.resize(patch, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    at = ((x - left) * shrink, (y - top) * shrink)
    views = []
    for edge, angle, mirrored in _LOOKS:
        scale = edge / (size * shrink)
        matrix: npt.NDArray[Any] = cv2.getRotationMatrix2D(at, angle, scale)
        matrix[:, 2] += _VIEW / 2 - np.array(at, matrix.dtype)
        view = cv2.warpAffine(patch, matrix, (_VIEW, _VIEW), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        views.append(view[:, ::-1] if mirrored else view)
    answers = _ask(cv2.dnn.blobFromImages(views, 1 / 255, swapRB=True))
    total = np.zeros(6, np.float32)
    for (edge, _, _), answer in zip(_LOOKS, answers, strict=True):
        middle, near = _VIEW // STRIDE // 2, max(1, round(0.25 * edge / STRIDE))
        around = slice(middle - near, middle + near)
        heat = 1 / (1 + np.exp(-answer[0, around, around]))
        row, column = np.unravel_index(int(heat.argmax()), heat.shape)
        logits = answer[1:7, around, around][:, row, column]
        share = np.exp(logits - logits.max())
        total += heat.max() * share / share.sum()
    return np.asarray(total / len(_LOOKS), np.float32)


def _ask(blob: npt.NDArray[Any]) -> Floats:
    """The net's answers to a batch of pictures."""
    with _turn:
        net = _net()
        net.setInput(blob)
        return np.array(net.forward(), np.float32)


def _three_channels(image: Picture) -> Picture:
    """The picture as BGR, whatever kind of picture it was."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or image.size == 0:
        raise ValueError("The dice reader needs a picture with 8 bits a channel that is not empty.")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image[..., 0], cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(image[..., :3])


def _scales(shape: tuple[int, ...], size_px: float | None) -> list[float]:
    """How much to enlarge or shrink the picture for each look, largest first."""
    if size_px is not None:
        return [FAVOURITE / size_px]
    longest = max(shape)
    scale = min(LONGEST, 2 * longest) / longest
    scales: list[float] = []
    while longest * scale >= SHORTEST or not scales:
        scales.append(scale)
        scale /= STEP
    return scales


def _look(picture: Picture, scale: float, level: int) -> list[_Glimpse]:
    """What the net sees in one copy of the picture."""
    height, width = picture.shape[:2]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    copy = cv2.resize(picture, (max(8, round(width * scale)), max(8, round(height * scale))), interpolation=method)
    fx, fy = copy.shape[1] / width, copy.shape[0] / height
    # The net halves the picture four times; a margin gives dice at the border a surrounding.
    right, below = 16 + -copy.shape[1] % 16, 16 + -copy.shape[0] % 16
    padded = cv2.copyMakeBorder(copy, 16, below, 16, right, cv2.BORDER_REPLICATE)
    blob = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
    answer = _ask(blob)[0]
    heat = 1 / (1 + np.exp(-answer[0]))
    raised = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    glimpses = []
    for row, column in np.argwhere((heat >= 0.15) & (heat >= raised)):
        y0, y1, x0, x1 = max(0, row - 1), row + 2, max(0, column - 1), column + 2
        weight = heat[y0:y1, x0:x1] ** 2
        weight = weight / weight.sum()
        around = answer[1:7, y0:y1, x0:x1]
        share = np.exp(around - around.max(0))
        values = ((share / share.sum(0)) * weight).sum((1, 2))
        size = UNIT * float(np.exp((answer[7, y0:y1, x0:x1] * weight).sum()))
        rows, columns = np.mgrid[y0 : y0 + weight.shape[0], x0 : x0 + weight.shape[1]]
        x = (float((columns * weight).sum()) + 0.5) * STRIDE - 16
        y = (float((rows * weight).sum()) + 0.5) * STRIDE - 16
        if -2 <= x <= copy.shape[1] + 2 and -2 <= y <= copy.shape[0] + 2:
            glimpses.append(
                _Glimpse(x / fx, y / fy, size / scale, float(heat[row, column]), tuple(map(float, values)), level)
            )
    return glimpses


def _one_per_die(glimpses: Sequence[_Glimpse], scales: Sequence[float]) -> list[tuple[float, float, float, int, float]]:
    """Glimpses of the same die made one: x, y, size, value and confidence, the surest first.

    A confidence is the mean over all copies of the picture that show a die of this size well; a copy in which the
    die was overlooked counts as doubt.
    """
    rest = sorted(glimpses, key=lambda g: -g.heat)
    found: list[tuple[float, float, float, int, float]] = []
    while rest:
        best = rest[0]
        same = [g for g in rest if _same(best, g)]
        rest = [g for g in rest if not _same(best, g)]
        by_level: dict[int, _Glimpse] = {}
        for glimpse in same:
            by_level.setdefault(glimpse.level, glimpse)
        weights = np.array([g.heat for g in by_level.values()])
        size = float(np.exp(np.average([np.log(g.size) for g in by_level.values()], weights=weights)))
        levels = [n for n, s in enumerate(scales) if COMFORT[0] <= size * s <= COMFORT[1]] or list(by_level)
        judged = {n: by_level[n] for n in levels if n in by_level}
        if not judged:
            continue
        values = np.sum([np.array(g.values) * g.heat for g in judged.values()], axis=0)
        values /= values.sum()
        heat = sum(g.heat for g in judged.values()) / len(levels)
        x = float(np.average([g.x for g in by_level.values()], weights=weights))
        y = float(np.average([g.y for g in by_level.values()], weights=weights))
        found.append((x, y, size, int(values.argmax()) + 1, float(heat * values.max())))
    return _apart(found)


def _apart(found: Sequence[tuple[float, float, float, int, float]]) -> list[tuple[float, float, float, int, float]]:
    """Without what lies on another die: its pips taken for small dice, its side faces, a second opinion of it."""
    kept: list[tuple[float, float, float, int, float]] = []
    for die in sorted(found, key=lambda one: -one[4]):
        x, y, size, value, confidence = die
        # Four dice in a square make a fine large four, so only a one, a pip on its own, yields to what is around it.
        within = value == 1 and any(
            np.hypot(x - large[0], y - large[1]) < 0.7 * large[2]
            and size * 1.7 < large[2]
            and large[4] > 0.5 * confidence
            for large in found
        )
        if not within and not any(np.hypot(x - k[0], y - k[1]) < 0.6 * max(k[2], size) for k in kept):
            kept.append(die)
    return kept


def _same(one: _Glimpse, other: _Glimpse) -> bool:
    """Whether two glimpses show the same die."""
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 0.35 * one.size and 1 / 1.7 < one.size / other.size < 1.7)


def draw(image: Picture, dice: Iterable[Die]) -> Picture:
    """A copy of the picture with a ring, the value and the colour at every die."""
    seen = np.array(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image[..., :3], np.uint8)
    thick = max(1, round(max(seen.shape[:2]) / 600))
    for die in dice:
        middle = (round(die.x), round(die.y))
        cv2.circle(seen, middle, max(3, round(0.6 * die.size)), (80, 220, 60), thick, cv2.LINE_AA)
        _caption(seen, f"{die.value} {die.colour}", (middle[0], round(die.y - 0.7 * die.size)), thick)
    return seen


def _caption(image: Picture, text: str, at: tuple[int, int], thick: int) -> None:
    """Text on a dark plate, so that it can be read on any table, moved inside the picture."""
    scale = 0.45 * thick
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x = int(np.clip(at[0] - width // 2, 0, max(0, image.shape[1] - width)))
    y = int(np.clip(at[1], height + 2, max(height + 2, image.shape[0] - 4)))
    cv2.rectangle(image, (x - 2, y - height - 3), (x + width + 2, y + 4), (30, 30, 30), -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), thick, cv2.LINE_AA)
