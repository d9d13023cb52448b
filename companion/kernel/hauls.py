"""What everybody took in a rush, as it can be seen once the rush was stopped."""

from __future__ import annotations

import msgspec


class GoodLeft(msgspec.Struct, frozen=True):
    """What is left of one good, and how much is asked for. `greediest` is the seat that pays if that is too little."""

    good: str
    left: int
    demand: int
    greediest: int | None = None
    most: int = 0
    """What counts against that seat."""


class Haul(msgspec.Struct, frozen=True):
    """The zones of the seats, in their order, what each holds in all (None while something lies face down there), and
    what is left of each good (nothing while anything lies face down)."""

    source: str
    keeps: tuple[str, ...]
    sums: tuple[int | None, ...]
    goods: tuple[GoodLeft, ...] = ()
