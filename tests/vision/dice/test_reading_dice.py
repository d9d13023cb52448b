"""Reading dice on rendered tables and in odd pictures, without reading other things as dice."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from vision.dice import Die, draw, find
from vision.training.dice.grounds import cloth, dots, plain, stone, stripes, wood
from vision.training.dice.scenes import Scene, render
from vision.training.dice.shapes import Floats, Shape, stock

SEED = 4711
"""Not the seed of the training pictures: these dice the net has never seen."""


@pytest.fixture(scope="module")
def shapes() -> list[Shape]:
    return stock(SEED, 40)


def scene(shapes: list[Shape], n: int) -> Scene:
    return render(np.random.default_rng([SEED, n]), shapes, side=256, size=18 + 2.0 * (n % 20))


@pytest.fixture(scope="module")
def scenes(shapes: list[Shape]) -> list[Scene]:
    return [scene(shapes, n) for n in range(20)]


def _near(die: Die, x: float, y: float) -> bool:
    return bool(np.hypot(die.x - x, die.y - y) < 0.5 * die.size)


@pytest.mark.parametrize("number", [20, pytest.param(100, marks=pytest.mark.proof)])
def test_thrown_dice_are_read_and_hardly_ever_misread(shapes: list[Shape], number: int) -> None:
    right = wrong = dice = 0
    for thrown in (scene(shapes, n) for n in range(number)):
        whole = [true for true in thrown.dice if true.seen > 0.95]
        dice += len(whole)
        for die in find(thrown.image):
            close = [true for true in thrown.dice if _near(die, true.x, true.y)]
            right += any(true.value == die.value for true in close if true in whole)
            wrong += not any(true.value == die.value for true in close)
    assert dice > 2.5 * number
    assert right / dice > 0.75
    assert wrong / dice < 0.08


@pytest.mark.parametrize("ground", [plain, wood, cloth, stone, stripes, dots])
def test_a_table_without_dice_stays_empty(ground: Callable[[np.random.Generator, int], Floats]) -> None:
    for n in range(3):
        table = ground(np.random.default_rng([SEED, n]), 256)
        assert find((table.clip(0, 1) * 255).astype(np.uint8)) == []


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 400, 3), (40, 30, 3), (40, 30), (64, 64, 1), (64, 64, 4)])
def test_tiny_grey_and_plain_pictures_hold_no_dice(shape: tuple[int, ...]) -> None:
    assert find(np.full(shape, 128, np.uint8)) == []


def test_a_picture_of_the_wrong_kind_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="8 bits a channel"):
        find(np.zeros((40, 40, 3), np.float32))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not empty"):
        find(np.zeros((0, 40, 3), np.uint8))


def test_the_same_picture_gives_the_same_dice(scenes: list[Scene]) -> None:
    assert find(scenes[1].image) == find(scenes[1].image)


def test_a_known_size_finds_tiny_dice_by_magnifying(shapes: list[Shape]) -> None:
    right = dice = 0
    for n in range(12):
        scene = render(np.random.default_rng([SEED, 99, n]), shapes[:20], side=128, size=20)
        whole = [true for true in scene.dice if true.seen > 0.95]
        found = find(scene.image, size_px=20)
        dice += len(whole)
        right += sum(any(die.value == true.value and _near(die, true.x, true.y) for die in found) for true in whole)
    assert right / dice > 0.6


def test_dice_come_from_top_to_bottom_within_the_picture(scenes: list[Scene]) -> None:
    for thrown in scenes[:10]:
        found = find(thrown.image)
        assert [die.y for die in found] == sorted(die.y for die in found)
        for die in found:
            assert 1 <= die.value <= 6
            assert 0 < die.confidence <= 1
            assert -2 <= die.x <= 258
            assert -2 <= die.y <= 258


def test_a_die_is_a_frozen_value_that_travels_as_json() -> None:
    die = Die(value=5, colour="red", x=10.0, y=20.0, size=16.0, confidence=0.9)
    assert msgspec.json.decode(msgspec.json.encode(die), type=Die) == die
    with pytest.raises(AttributeError):
        die.value = 6  # type: ignore[misc]


def test_the_overlay_marks_dice_and_leaves_the_picture_alone() -> None:
    image = np.zeros((120, 160, 3), np.uint8)
    dice = [Die(3, "white", 60.0, 60.0, 30.0, 0.9), Die(6, "blue", 158.0, 2.0, 30.0, 0.8)]
    seen = draw(image, dice)
    assert seen.shape == image.shape
    assert seen.any()
    assert not image.any()
    assert draw(image[..., 0], dice).shape == (120, 160, 3)
    assert not draw(image, []).any()
