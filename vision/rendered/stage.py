"""The stage: a rendered table that people change while a watcher reads it, in a time of its own.

    stage = Stage(layout, camera, "warm", Random(1))
    stage.lay(view)
    watcher = TableWatcher(stage.camera(), reader)
    watch(watcher, stage)
    readings = act(watcher, stage, another_view)

A picture is rendered once for what it shows; each frame only adds fresh noise to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Final

import cv2
import msgspec
import numpy as np

from companion.kernel.messages import Reading
from companion.kernel.views import View
from vision.cameras.camera import SMALL_WIDTH, Clock, Frame
from vision.layout import Layout, Point, boxes
from vision.picture.motion import STILL_FOR
from vision.watcher import TableWatcher

from .camera import GAINS, Camera, Size, add_hands, drawn
from .changes import Changing
from .hands import Hand, Side
from .light import Light, lamp, light_anew, lit, sensed, shining
from .paint import Field, Image, seed_of
from .scene import Piece, Scene, TableTop

PATIENCE: Final = 15.0
"""Seconds after which a watcher that has not read everything waits for something: a hand that stays, a lost plane."""

HANDS_STAY: Final = 2 * STILL_FOR
"""Seconds for which a hand lies over what it changes; it takes two frames to be taken for one."""

_SOFTNESS: Final = 0.7


class RenderedCamera:
    """A camera for the watcher whose pictures are made on demand, by `ask`.

    `ask_small` may make a cheaper small picture; otherwise the full one is shrunk.
    """

    def __init__(
        self,
        ask: Callable[[], Image],
        ask_small: Callable[[], Image] | None = None,
        clock: Clock = time.monotonic,
        name: str = "rendered",
    ) -> None:
        self.name = name
        self._ask = ask
        self._ask_small = ask_small
        self._clock = clock
        self._number = 0

    def small(self) -> Frame | None:
        if self._ask_small is None:
            return self.full().shrunk()
        return self._frame(self._ask_small())

    def full(self) -> Frame:
        return self._frame(self._ask())

    def close(self) -> None:
        """Does nothing, as there is nothing to close."""

    def _frame(self, image: Image) -> Frame:
        self._number += 1
        return Frame(image, self._clock(), self._number)


class _Shot(msgspec.Struct, frozen=True, eq=False):
    """What the camera sees of a scene and hands, full and small, before the noise."""

    scene: Scene
    hands: tuple[Hand, ...]
    image: Image
    full: Field
    small: Field


class Stage:
    """A table under one camera and one lamp. `scene` and `hands` may be replaced at any time."""

    def __init__(
        self,
        layout: Layout,
        camera: Camera,
        light: Light,
        rng: Random,
        table_top: TableTop = "wood",
        size: Size | None = None,
    ) -> None:
        self.layout = layout
        self.scene = Scene((), table_top)
        self.hands: tuple[Hand, ...] = ()
        self.now = 0.0
        self._seen_from = camera
        self._size = size or layout.picture
        self._lamp = lamp(light, rng)
        # Noise has a generator of its own: the number of pictures must not change where pieces are put.
        self._noise = Random(rng.random())
        self._changing = Changing(layout, rng)
        self._table: tuple[Scene, Image] | None = None
        self._shot: _Shot | None = None
        self._shining: Field | None = None

    # What people do

    def lay(self, view: View) -> None:
        """Clear the table and lay it as in the View."""
        self._put(self._changing.to(view, ()))

    def change(self, view: View) -> dict[str, Point]:
        """Make the table show another View; what need not move stays exactly where it lies.

        Returns the zones in which something came, went or was turned over, each with a place where it did.
        Cells that are `UNKNOWN` in the View are left as they are: where something is to be turned up, the View
        must say what it is.
        """
        before = self.scene.pieces
        self._put(self._changing.to(view, before))
        after = self.scene.pieces
        same = {*before} & {*after}
        touched = {piece.zone: (piece.x, piece.y) for piece in (*before, *after) if piece not in same}
        return {name: touched[name] for name in self.layout.zones if name in touched}

    def turn(self, zone: str, value: int | None) -> None:
        """Turn a dial's arrow clearly elsewhere, though it may point at the same value as before."""
        self._put(self._changing.turn(zone, value, self.scene.pieces))

    def spread(self, zones: Collection[str]) -> None:
        """Lay the loose pieces of these zones otherwise than they lie."""
        self._put(self._changing.spread(zones, self.scene.pieces))

    def reach(self, zones: Iterable[str], at: Mapping[str, Point] | None = None) -> None:
        """Hands over these zones, or over places `at` them, each from the side of the table that is nearest."""
        middles = {name: boxes(self.layout.zones[name])[0].centre for name in zones}
        palms = dict.fromkeys((middles | dict(at or {})).values())
        self.hands = tuple(Hand(self._side(palm), palm) for palm in palms)

    def withdraw(self) -> None:
        self.hands = ()

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def _put(self, pieces: tuple[Piece, ...]) -> None:
        self.scene = msgspec.structs.replace(self.scene, pieces=pieces)

    def _side(self, palm: Point) -> Side:
        area = self.layout.area
        away: dict[Side, float] = {
            "left": palm[0],
            "right": area.width - palm[0],
            "top": palm[1],
            "bottom": area.height - palm[1],
        }
        return min(away, key=lambda side: away[side])

    # What the camera sees

    def camera(self) -> RenderedCamera:
        return RenderedCamera(self._full, self._small, lambda: self.now, "stage")

    def _full(self) -> Image:
        return sensed(self._seen().full, self._lamp.noise, self._noise)

    def _small(self) -> Image:
        # A small pixel is the mean of many, and so is its noise.
        return sensed(self._seen().small, self._lamp.noise * SMALL_WIDTH / self._size[0], self._noise)

    def _seen(self) -> _Shot:
        scene, hands = self.scene, self.hands
        shot = self._shot
        if shot is None or shot.scene is not scene or shot.hands != hands:
            image = self._bare(scene)
            if hands:
                image = image.copy()
                add_hands(image, hands, self._seen_from.plane(self.layout.area, self._size), self._lamp)
            full = self._lit(image, shot)
            height = round(self._size[1] * SMALL_WIDTH / self._size[0])
            small = np.asarray(cv2.resize(full, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA), np.float32)
            self._shot = shot = _Shot(scene, hands, image, full, small)
        return shot

    def _lit(self, image: Image, before: _Shot | None) -> Field:
        """The light falls on the whole of the first picture, and then only on what has changed."""
        if before is None:
            return lit(image, self._lamp, _SOFTNESS)
        if self._shining is None:
            self._shining = shining(self._lamp, *self._size)
        light_anew(before.full, image, before.image, self._shining, _SOFTNESS)
        return before.full

    def _bare(self, scene: Scene) -> Image:
        """The table without hands."""
        if self._table is None or self._table[0] is not scene:
            self._table = scene, drawn(self.layout, scene, self._seen_from, self._lamp, _gain, self._size)
        return self._table[1]


def _gain(piece: Piece) -> float:
    """How bright a piece is: the same in every picture, or what did not move would seem to."""
    low, high = GAINS
    return low + (high - low) * (seed_of(f"{piece.x:.3f} {piece.y:.3f}") % 1000) / 999


def watch(watcher: TableWatcher, stage: Stage, seconds: float = PATIENCE) -> list[Reading]:
    """The Readings until the watcher has read all there is to read, or the time is over.

    Time goes in the longest steps that lose none: a zone that keeps still from one to the next is readable.
    """
    told: list[Reading] = []
    until = stage.now + seconds
    while stage.now < until:
        stage.wait(STILL_FOR)
        reading = watcher.step()
        if reading is not None:
            told.append(reading)
        if not watcher.status.unread:
            break
    return told


def act(watcher: TableWatcher, stage: Stage, view: View, seconds: float = PATIENCE) -> list[Reading]:
    """People reach in, change the table, and take their hands away: the Readings until it is read again.

    A piece that changes with no hand near it may go unnoticed where it hardly differs from what it lies on.
    """
    touched = stage.change(view)
    stage.reach(touched, touched)
    told = watch(watcher, stage, HANDS_STAY)
    stage.withdraw()
    return told + watch(watcher, stage, seconds)
