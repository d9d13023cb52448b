"""The networks at work: where figures stand, where in a window one is, and what shape it has."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

FINDER: Final = "finder.onnx"
MASKS: Final = "masks.onnx"
SHAPES: Final = "shapes.onnx"
STRAYS: Final = "strays.npy"
DIRECTIONS: Final = 64
"""Dimensions in which shapes are told apart."""


class Masks(msgspec.Struct, frozen=True, eq=False):
    """For each window: how likely each square shows the place's figure, or something above the table."""

    figure: Floats
    cover: Floats


@lru_cache(maxsize=8)
def _net(name: str, _shape: tuple[int, ...]) -> Any:
    """A network for inputs of one shape: with every other shape it would have to be laid out anew."""
    path = Path(__file__).parent / name
    if not path.is_file():
        raise FileNotFoundError(f"The figures' network {path} is missing; install the project again.")
    return cv2.dnn.readNetFromONNX(str(path))


def cells(planes: Floats, leans: Floats) -> Floats:
    """Views of one size to cells (n, 6, rows, columns): foot, nothing, figure, cover, and where the foot is."""
    net = _net(FINDER, planes.shape)
    net.setInput(np.ascontiguousarray(planes, np.float32), "planes")
    net.setInput(np.ascontiguousarray(leans, np.float32), "leans")
    return np.asarray(net.forward("cells"), np.float32).copy()


def masks(windows: Floats) -> Masks:
    """All windows in one go."""
    net = _net(MASKS, windows.shape)
    net.setInput(np.ascontiguousarray(windows, np.float32))
    mask = net.forward("mask")
    return Masks(mask[:, 1].copy(), mask[:, 2].copy())


def shapes(close_ups: Floats, name: str = SHAPES) -> Floats:
    """The shape in each close-up as a unit vector."""
    net = _net(name, close_ups.shape)
    net.setInput(np.ascontiguousarray(close_ups, np.float32))
    found = net.forward("shapes")
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9), np.float32)


@lru_cache(maxsize=1)
def strays() -> NDArray[np.float64]:
    """How shapes of one kind usually stray, as a covariance: turned, lit, placed and painted in any way."""
    path = Path(__file__).with_name(STRAYS)
    if not path.is_file():
        raise FileNotFoundError(f"The figures' usual strays {path} are missing; install the project again.")
    return np.asarray(np.load(path), np.float64)
