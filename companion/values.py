"""Frozen values with something changed: what every game does to the tuples of its state."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def changed(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The same values, but for one place."""
    return (*values[:index], value, *values[index + 1 :])
