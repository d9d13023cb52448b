"""A kit's folder: every teaching picture with what a person said about it (`teachings/`), and what follows from them.

What is derived is kept in `derived`, so that opening a kit is quick. It is made anew when a picture, the layout or the
eyes have changed: a better reader needs no new teaching.
"""

from __future__ import annotations

import hashlib
import importlib
import pickle
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from companion.kernel import files
from vision.kit.kit import Kit, KitError, Teaching, Truth, labelled
from vision.layout import Layout, Point, from_data
from vision.picture import quality
from vision.picture.table_picture import TablePicture, locate, open_picture
from vision.plane.plane import NoPlane
from vision.sheets import mat_page_of

_NUMBERED: Final = re.compile(r"(\d+)\.")
"""The files of a teaching bear its number."""
LAYOUT: Final = "layout.json"
"""The layout that was taught last, so that a kit can be looked at without naming it."""
DERIVED: Final = "derived"
"""The file with what was derived from a kit's pictures."""
_NOT_EYES: Final = ("accuracy", "cameras", "rendered", "training")
"""Parts of `vision` from which nothing is derived."""
_HARMLESS: Final = {
    "builtins": {
        "bool",
        "bytearray",
        "complex",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "slice",
        "str",
        "tuple",
    },
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy.core.numeric": {"_frombuffer"},
}
"""What else than classes of `vision` a file of derived things may name: a kit may come from another person."""


def load(folder: Path, layout: Layout) -> Kit:
    """Open a kit to read with: what its teachings say is derived, or was kept, and the pictures are let go."""
    key = _key(folder, layout)
    kit = _derived(folder, key, layout)
    if kit is None:
        kit = opened(folder, layout)
        kit.let_go()
        # By then a damaged picture may have been moved aside.
        _keep_derived(folder, _key(folder, layout), kit)
    return kit


def taught_layout(folder: Path) -> Layout:
    """The layout that a kit was taught for last."""
    try:
        return from_data(msgspec.json.decode((folder / LAYOUT).read_bytes()), str(folder / LAYOUT))
    except (OSError, msgspec.DecodeError) as error:
        raise KitError(f"The kit in {folder} does not say for which layout it is: name one with --layout.") from error


def opened(folder: Path, layout: Layout) -> Kit:
    """Derive a kit from its teachings; the pictures are still there to learn more from."""
    if not folder.is_dir():
        raise KitError(f"There is no kit in {folder}; make one with `companion teach`.")
    kit = Kit(layout)
    for path in sorted((folder / "teachings").glob("*.json")):
        try:
            teaching = _kept(path)
        except OSError as error:
            raise KitError(f"The kit's {path} cannot be read: {error}; remove it and teach again.") from error
        if teaching is None:
            continue
        kit.teachings.append(teaching)
        image = open_picture(path.with_suffix(".picture"))
        try:
            if teaching.mat:
                kit.show_mat(image, teaching.mat, teaching.paper)
            else:
                kit.show(locate(image, layout, teaching.corners), teaching.truth)
        except (KitError, NoPlane) as error:
            raise KitError(
                f"The kit's picture {teaching.name} cannot be used: {error} It is kept as {path}."
            ) from error
    kit.derive()
    return kit


class Lesson:
    """A picture that is about to be taught. Nothing is written before `keep`."""

    def __init__(self, folder: Path, layout: Layout, picture: Path, corners: Sequence[Point] = ()) -> None:
        image = open_picture(picture)
        self.kit = opened(folder, layout) if folder.is_dir() else Kit(layout)
        self.sight = locate(image, layout, corners)
        self._folder, self._picture = folder, picture
        self._teaching = Teaching(picture.name, _digest(picture), {}, tuple((float(x), float(y)) for x, y in corners))

    @property
    def name(self) -> str:
        return self._teaching.name

    def check(self, truth: Truth) -> None:
        """Refuse what cannot be learned. Raises `KitError`."""
        self.kit.check(truth)
        _refuse_unknown_labels(truth, self.kit.layout)
        _refuse_poor(self.sight)

    def learn(self, truth: Truth) -> Counter[str]:
        """Learn what the picture shows; a picture that was taught before teaches nothing again."""
        for earlier in self.kit.teachings:
            if earlier.digest == self._teaching.digest:
                _refuse_contradiction(earlier, self._picture, truth)
                return Counter()
        self.check(truth)
        gained = self.kit.show(self.sight, truth)
        self.kit.derive()
        self._teaching = msgspec.structs.replace(self._teaching, truth=truth)
        return gained

    def keep(self) -> None:
        if all(earlier.digest != self._teaching.digest for earlier in self.kit.teachings):
            _keep(self._folder / "teachings", self._picture, self._teaching)
            files.write(self._folder / LAYOUT, msgspec.json.encode(self.kit.layout))
            self.kit.teachings.append(self._teaching)


def teach(
    folder: Path, layout: Layout, picture: Path, truth: Truth, corners: Sequence[Point] = ()
) -> tuple[Kit, Counter[str]]:
    """Add a picture to a kit. Nothing is written unless it could be learned."""
    lesson = Lesson(folder, layout, picture, corners)
    gained = lesson.learn(truth)
    lesson.keep()
    return lesson.kit, gained


def teach_mat(folder: Path, layout: Layout, picture: Path, paper: str = "A4") -> tuple[Kit, Counter[str]]:
    """Add a photograph of a filled teaching mat to a kit; which page it is stands on it."""
    image = open_picture(picture)
    kit = opened(folder, layout) if folder.is_dir() else Kit(layout)
    digest = _digest(picture)
    if any(earlier.digest == digest for earlier in kit.teachings):
        return kit, Counter()
    page = mat_page_of(image)
    gained = kit.show_mat(image, page, paper)
    kit.derive()
    teaching = Teaching(picture.name, digest, {}, mat=page, paper=paper)
    _keep(folder / "teachings", picture, teaching)
    files.write(folder / LAYOUT, msgspec.json.encode(layout))
    kit.teachings.append(teaching)
    return kit, gained


def _refuse_poor(sight: TablePicture) -> None:
    """Refuse a picture in which the pieces would be learnt as other than they are."""
    white = quality.light(sight.image, sight.plane, sight.layout).white
    if white < quality.DARK:
        raise KitError(
            f"The picture is too dark to teach from: what is white has a brightness of {white:.0f} in it, and needs "
            f"{quality.DARK:.0f} of 255. Put more light on the table, and take the picture again."
        )
    smallest = min((min(piece.size) for piece in sight.layout.pieces.values()), default=0.0)
    wide, most = quality.edges(sight.image, sight.plane, sight.layout), max(quality.SMALLEST_MM, smallest / 4)
    if wide > most:
        raise KitError(
            f"The picture is too blurred to teach from: an edge is {wide:.1f} mm wide in it, and at most {most:.1f} mm "
            "are good enough. Focus the lens, keep the camera still, and take the picture again."
        )


def _refuse_unknown_labels(truth: Truth, layout: Layout) -> None:
    for name, contents in truth.items():
        zone = layout.zones.get(name)
        piece = layout.piece(zone) if zone is not None else None
        if zone is None or piece is None or not piece.labels:
            continue
        for label, where in labelled(name, zone, contents):
            if label not in piece.labels and label not in zone.labels:
                raise KitError(
                    f"The truth puts {label!r} {where}, and the layout has no such piece; "
                    f"{zone.holds!r} has {', '.join(piece.labels)}."
                )


def _key(folder: Path, layout: Layout) -> str:
    """What a kit's derived file depends on: its teachings, the layout and the eyes."""
    seen = hashlib.sha256(_eyes() + msgspec.json.encode(layout))
    for path in sorted((folder / "teachings").glob("*")):
        with suppress(OSError):
            stat = path.stat()
            seen.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return seen.hexdigest()


@cache
def _eyes() -> bytes:
    """The version of everything that things are derived by."""
    seen = hashlib.sha256(f"{cv2.__version__} {np.__version__}".encode())
    vision = Path(__file__).parents[1]
    for path in sorted(vision.rglob("*")):
        inside = path.relative_to(vision)
        if inside.parts[0] in _NOT_EYES or not path.is_file() or "__pycache__" in inside.parts:
            continue
        seen.update(path.read_bytes() if path.suffix == ".py" else f"{inside} {path.stat().st_size}".encode())
    return seen.digest()


class _Reader(pickle.Unpickler):
    """Reads what was derived, and nothing that could do anything else: a kit may come from another person."""

    def find_class(self, module: str, name: str) -> Any:
        if name in _HARMLESS.get(module, ()):
            return getattr(importlib.import_module(module), name)
        if module.startswith("vision.") and "." not in name:
            found = getattr(importlib.import_module(module), name)
            if isinstance(found, type) and found.__module__.startswith("vision."):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a kit")


def _derived(folder: Path, key: str, layout: Layout) -> Kit | None:
    """The kit as it was kept, if it was made from the same teachings by the same eyes."""
    try:
        with (folder / DERIVED).open("rb") as file:
            if file.readline().decode("ascii").strip() != key:
                return None
            kit = Kit(layout)
            kit.__dict__.update(_Reader(file).load())
    except (
        OSError,
        ValueError,
        EOFError,
        AttributeError,
        ImportError,
        IndexError,
        KeyError,
        TypeError,
        pickle.PickleError,
    ):
        return None
    return kit


def _keep_derived(folder: Path, key: str, kit: Kit) -> None:
    """Keep a kit whose pictures were let go; where nothing can be written it is derived each time."""
    state = {name: value for name, value in kit.__dict__.items() if name != "layout"}
    with suppress(OSError):
        files.write(folder / DERIVED, key.encode() + b"\n" + pickle.dumps(state, protocol=5))


def _kept(path: Path) -> Teaching | None:
    """A teaching; None for one that was moved aside, because it or its picture is damaged."""
    teaching = files.read(path, msgspec.json.Decoder(Teaching).decode)
    picture = path.with_suffix(".picture")
    if teaching is not None and _digest(picture) != teaching.digest:
        files.move_aside(picture, f"it is not the picture that {path.name} was taught from")
        files.move_aside(path, "its picture is damaged")
        return None
    return teaching


def _digest(picture: Path) -> str:
    return hashlib.sha256(picture.read_bytes()).hexdigest()[:16]


def _refuse_contradiction(earlier: Teaching, picture: Path, truth: Truth) -> None:
    for zone in truth.keys() & earlier.truth.keys():
        if truth[zone] != earlier.truth[zone]:
            raise KitError(
                f"Zone {zone!r} was taught from {earlier.name} with another truth than {picture.name} now gives, "
                "and they are the same picture; correct one of them."
            )


def _keep(folder: Path, picture: Path, teaching: Teaching) -> None:
    """Under the next number: another phone or a shell may teach at the same time, each from its own picture."""
    with files.changing(folder / "new"):
        last = max((int(name[1]) for path in folder.iterdir() if (name := _NUMBERED.match(path.name))), default=0)
        kept = folder / f"{last + 1:03}.json"
        files.write(kept.with_suffix(".picture"), picture.read_bytes())
        files.write(kept, msgspec.json.format(msgspec.json.encode(teaching), indent=1))
