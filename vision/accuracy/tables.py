"""Measures how well tables are read in rendered scenes with known truth: exact, wrong or unknown."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import cv2
import msgspec

from companion.kernel.messages import ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Marks, Pieces, Pointing, View
from vision.accuracy.suite import Suite, one_picture, thinned
from vision.kit.kit import Kit, Truth
from vision.kit.teaching_tables import everything
from vision.layout import Dial, Grid, Layout, Markers, Slots, Track, from_data
from vision.picture.table_picture import BadPicture, locate, open_picture
from vision.plane.plane import find_markers
from vision.rendered import (
    LIGHTS,
    TABLE_TOPS,
    Camera,
    Light,
    Scene,
    TableTop,
    any_camera,
    picture,
    scene_of,
)
from vision.table_reader import TableReader

Tally = Counter[tuple[str, str]]
"""Counts by kind of zone and result: ("tray", "exact"), ("grid", "unknown"), …"""

_BESIDE = 10.0
"""Maximum distance in millimetres between a found die and a real one."""
SCENES_A_RIG = 10
"""Number of pictures that are read with one kit."""


class Rig(msgspec.Struct, frozen=True):
    """One camera over one table top."""

    camera: Camera
    table_top: TableTop


def rendered(
    layout: Layout,
    views: Sequence[View],
    scenes: int,
    seed: int,
    on_scene: Callable[[int], None] = lambda _done: None,
    only: str | None = None,
) -> dict[str, Tally]:
    """Teach a kit for each rig in one light, read scenes in every light with it, and count by light.

    With `only`, just zones of that kind are taught and read, on the tables with most pieces in them.
    """
    rng = Random(seed)
    wanted = [name for name, zone in layout.zones.items() if only in (None, zone.kind)]
    views = views if only is None else _fullest(views, wanted)
    tallies: dict[str, Tally] = {light: Counter() for light in LIGHTS}
    for done in range(scenes):
        if done % SCENES_A_RIG == 0:
            rig = Rig(any_camera(rng, layout), rng.choice(TABLE_TOPS))
            reader = TableReader(layout, taught(layout, rig, rng.choice(LIGHTS), rng, wanted=wanted))
        light = LIGHTS[done % len(LIGHTS)]
        view = rng.choice(views)
        scene, image = shot(layout, view, rig, light, rng)
        read = reader.look(image, only=wanted).reading.zones
        tallies[light] += compared(layout, truth_of(layout, scene, view), read, stood_on(layout, scene))
        on_scene(done + 1)
    return tallies


def taught(
    layout: Layout,
    rig: Rig,
    light: Light,
    rng: Random,
    more: Sequence[View] = (),
    wanted: Collection[str] | None = None,
) -> Kit:
    """Teach a kit with the fewest scenes that show every piece (usually one), and with `more`; only `wanted` zones, if
    given."""
    kit = Kit(layout)
    for view in (*everything(layout), *more):
        scene, image = shot(layout, view, rig, light, rng)
        truth = taught_truth(layout, scene, view)
        kit.show(locate(image, layout), {name: truth[name] for name in truth if wanted is None or name in wanted})
    kit.derive()
    return kit


def _fullest(views: Sequence[View], zones: Collection[str]) -> list[View]:
    """The quarter of these tables with most pieces in some zones."""

    def pieces(view: View) -> int:
        shown = [view.zones.get(name) for name in zones]
        loose = sum(sum(one.count.values()) for one in shown if isinstance(one, Pieces))
        return loose + sum(label is not None for one in shown if isinstance(one, Cells) for label in one.at.values())

    return sorted(views, key=pieces, reverse=True)[: max(1, len(views) // 4)]


def taught_truth(layout: Layout, scene: Scene, view: View) -> Truth:
    """The truth that is used for teaching, without dials, which need none."""
    truth = truth_of(layout, scene, view)
    return {name: truth[name] for name in truth if not isinstance(layout.zones[name], Dial)}


def shot(layout: Layout, view: View, rig: Rig, light: Light, rng: Random) -> tuple[Scene, Any]:
    scene = scene_of(layout, view, rng, table_top=rig.table_top)
    return scene, picture(layout, scene, rig.camera, light, rng)


def truth_of(layout: Layout, scene: Scene, view: View) -> Truth:
    """The truth of a scene, as in a truth file. Places that the View does not name are left out."""
    truth: Truth = {}
    for name, zone in layout.zones.items():
        pieces = scene.of_zone(name)
        match zone:
            case Grid() | Slots():
                together = Counter(piece.cell for piece in pieces)
                shown = view.zones.get(name)
                named = shown.at if isinstance(shown, Cells) else {}
                cells: dict[str, str | None] = {place: None for place in zone.places() if place in named}
                for piece in pieces:
                    number = together[piece.cell]
                    cells[piece.cell] = piece.label if number == 1 else f"{piece.label} x{number}"
                truth[name] = cells
            case Track():
                truth[name] = {piece.label: int(piece.cell) for piece in pieces}
            case Dial():
                truth[name] = int(pieces[0].cell) if pieces and pieces[0].cell else None
            case _:
                truth[name] = [
                    {"label": piece.label, "x": piece.x, "y": piece.y, "angle": piece.angle} for piece in pieces
                ]
    return truth


def stood_on(layout: Layout, scene: Scene) -> frozenset[tuple[str, str]]:
    """Places of flat pieces on which a figure stands, which hides much of the piece with its shadow."""
    # An arrow lies on its dial, whose numbers are not places.
    standing = [piece for piece in scene.pieces if piece.lift > 0 and not isinstance(layout.zones[piece.zone], Dial)]
    feet = {(piece.cell, round(piece.lift, 3)) for piece in standing if piece.cell}
    return frozenset(
        (name, cell)
        for name, zone in layout.zones.items()
        if isinstance(zone, Grid | Slots) and (piece := layout.piece(zone)) is not None
        for cell in zone.places()
        if (cell, round(piece.height, 3)) in feet
    )


def compared(
    layout: Layout, truth: Truth, seen: dict[str, ZoneReading], covered: frozenset[tuple[str, str]] = frozenset()
) -> Tally:
    """Count for each visible thing whether it was read exactly, wrong, or not at all. `covered` are pairs of zone and
    place that need not be read, but a wrong result there counts, too."""
    tally: Tally = Counter()
    for name, expected in truth.items():
        if name in seen and (name, "") not in covered:
            zone = layout.zones[name]
            for verdict, number in _verdicts(expected, seen[name], {c for z, c in covered if z == name}):
                tally[zone.kind, verdict] += number
    return tally


def _verdicts(expected: Any, seen: ZoneReading, covered: set[str]) -> Iterator[tuple[str, int]]:
    match seen.contents:
        case Cells(at=at):
            for place, label in expected.items():
                verdict = _verdict(at.get(place, UNKNOWN), label)
                if place not in covered or verdict == "wrong":
                    yield verdict, 1
        case Marks(field=field):
            for marker, number in expected.items():
                verdict = _verdict(field.get(marker, UNKNOWN), number)
                if str(number) not in covered or verdict == "wrong":
                    yield verdict, 1
            yield "wrong", len(field.keys() - expected.keys())
        case Pointing(value=value) if expected is not None:
            yield _verdict(value, expected), 1
        case Pieces(count=count) if seen.kind == "pool":
            # A pool is read as the number of each kind.
            counts = Counter(piece["label"] for piece in expected)
            shown = Counter(piece.label for piece in seen.found) if count else Counter[str]()
            kinds = counts.keys() | shown.keys()
            right = sum(counts[label] == shown[label] for label in kinds)
            yield "exact", right + (not kinds)
            yield "wrong", len(kinds) - right
        case Pieces():
            want = Counter(piece["label"] for piece in expected)
            got = Counter(piece.label for piece in seen.found)
            yield "exact", (want & got).total()
            yield "wrong", max((want - got).total(), (got - want).total())
        case None if seen.kind == "pool":
            yield "unknown", len({piece["label"] for piece in expected}) or 1
        case None if isinstance(expected, dict):
            yield "unknown", sum(not {place, str(what)} & covered for place, what in expected.items())
        case None if isinstance(expected, list):
            yield "unknown", len(expected)
        case None if expected is not None:
            yield "unknown", 1
        case _:
            return


def _verdict(seen: Any, expected: Any) -> str:
    return "unknown" if seen == UNKNOWN else "exact" if seen == expected else "wrong"


# Bench tables: pictures from another renderer, with two teaching pictures for each rig, and their truth


def measure(folder: Path, part: float = 1.0) -> dict[str, Suite]:
    """Teach and read the bench tables of every renderer, or a part of their rigs, and count by renderer."""
    suites = {}
    for renderer in sorted(path.parent for path in folder.glob("*/layout.json")):
        suites[renderer.name] = Suite()
        for one in _pictures(renderer, part):
            things, empty = (Counter[str](), Counter[str]())
            for (_, verdict), number in one.things.items():
                things[verdict] += number
            for (_, verdict), number in one.empty.items():
                empty[verdict] += number
            suites[renderer.name].add(one_picture(things, empty, Counter(), one.cpu_ms))
    return suites


def tables(folder: Path) -> Tally:
    """Teach and read every rig of a folder of bench tables, and count by kind of zone."""
    return sum((one.things + one.empty for one in _pictures(folder)), Tally())


class _Picture(msgspec.Struct, frozen=True):
    """The counts of one picture of a bench table: of what lies there, and of the places where nothing lies."""

    things: Tally
    empty: Tally
    cpu_ms: float


def _pictures(folder: Path, part: float = 1.0) -> Iterator[_Picture]:
    """Teach every rig of a folder of bench tables, or a part of them, and read its other pictures."""
    layout = bench_layout(folder / "layout.json")
    rigs = [path.name for path in sorted(folder.iterdir()) if path.is_dir()]
    for rig in (folder / name for name in thinned(rigs, part)):
        truths = json.loads((rig / "truth.json").read_text(encoding="utf-8"))["pictures"]
        kit = Kit(layout)
        for name in sorted(truths):
            if name.startswith("teach"):
                truth = bench_truth(truths[name])
                kit.show(locate(open_picture(rig / f"{name}.jpg"), layout), {z: truth[z] for z in truth if z != "dial"})
        kit.derive()
        for name in sorted(truths):
            if name.startswith("test"):
                image = open_picture(rig / f"{name}.jpg")
                began = process_time()
                seen = TableReader(layout, kit).look(image).reading.zones
                cpu_ms = 1000 * (process_time() - began)
                hidden = _hidden(truths[name])
                occupied, free = _apart(bench_truth(truths[name]), layout)
                things = compared(layout, occupied, seen, hidden)
                if ("dice", "") not in hidden:
                    things += _dice(truths[name]["dice"], seen["dice"])
                yield _Picture(things, compared(layout, free, seen, hidden), cpu_ms)


def _apart(truth: Truth, layout: Layout) -> tuple[Truth, Truth]:
    """A truth without its empty places, and the empty places alone."""
    occupied, free = dict(truth), {}
    for name, contents in truth.items():
        if isinstance(layout.zones[name], Grid | Slots):
            occupied[name] = {place: label for place, label in contents.items() if label is not None}
            free[name] = {place: None for place, label in contents.items() if label is None}
    return occupied, free


def _dice(truth: Sequence[dict[str, Any]], seen: ZoneReading) -> Tally:
    """Compare dice by position and value; their colours have other names here."""
    found = list(seen.found)
    tally: Tally = Counter()
    for die in truth:
        near = [one for one in found if math.dist((one.x, one.y), (die["x"], die["y"])) < _BESIDE]
        if not near:
            tally["dice", "unknown"] += 1
            continue
        found.remove(near[0])
        tally["dice", "exact" if near[0].label.split()[-1] == str(die["value"]) else "wrong"] += 1
    tally["dice", "wrong"] += len(found)
    return tally


def markers(folder: Path) -> dict[str, int]:
    """Count printed markers in photographs: those that exist, those that were found, and those found without
    existing."""
    counts = Counter(markers=0, found=0, false=0)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for name, known in sorted(truth.items()):
        if known.get("ids") and hasattr(cv2.aruco, str(known.get("dictionary"))):
            asked = Markers(1.0, {str(number): (0.0, 0.0) for number in range(1000)}, known["dictionary"])
            seen = Counter(int(number) for number in find_markers(open_picture(folder / name), asked, quick=False))
            there = Counter(set(known["ids"]))
            counts["markers"] += there.total()
            counts["found"] += (there & seen).total()
            counts["false"] += (seen - there).total()
    return dict(counts)


def bench_truth(picture_truth: dict[str, Any]) -> Truth:
    return {
        "grid": picture_truth["grid"],
        "tray": [{"label": t["face"], "x": t["x"], "y": t["y"], "angle": t["angle"]} for t in picture_truth["tray"]],
        "slots": picture_truth["slots"],
        "track": picture_truth["track"],
        "dial": picture_truth["dial"]["sector"],
    }


def _hidden(picture_truth: dict[str, Any]) -> frozenset[tuple[str, str]]:
    """Places under a hand, and markers under other markers. A partly covered tray is hidden as a whole."""
    hidden = {(entry["zone"], str(entry.get("id", ""))) for entry in picture_truth["covered"]}
    return frozenset(hidden)


def bench_layout(path: Path) -> Layout:
    """The layout of a bench table, from the bench's own format."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadPicture(f"There are no bench tables beside {path}: {error}.") from error
    zones, pieces = raw["zones"], raw["pieces"]
    grid = zones["grid"]
    (x, y), pitch = grid["first_cell_centre"], grid["pitch"]
    rect = [x - pitch / 2, y - pitch / 2, x + (grid["columns"] - 0.5) * pitch, y + (grid["rows"] - 0.5) * pitch]
    sectors = [{"value": int(v), "start": s["from"], "end": s["to"]} for v, s in zones["dial"]["sectors"].items()]
    return from_data(
        {
            "name": raw["name"],
            "area": raw["play_area"],
            "markers": {"side": raw["markers"]["side"], "at": raw["markers"]["centres"]},
            "pieces": {
                "tile": {"size": pieces["tile"]["size"][:2], "height": pieces["tile"]["size"][2]},
                "die": {"size": pieces["die"]["size"][:2], "height": pieces["die"]["size"][2]},
                "figure": {"size": [12.0, 12.0], "height": 14.0},
                "disc": {"size": [pieces["disc"]["diameter"]] * 2, "height": pieces["disc"]["height"], "round": True},
            },
            "zones": {
                "grid": {
                    "kind": "grid",
                    "rect": rect,
                    "columns": grid["columns"],
                    "rows": grid["rows"],
                    "names": "r{row}c{column}",
                    "holds": "tile",
                },
                "tray": {"kind": "tray", "rect": zones["tray"]["rect"], "holds": "tile"},
                "dice": {"kind": "dice", "rect": zones["dice"]["rect"], "holds": "die"},
                "slots": {"kind": "slots", "at": zones["slots"]["slots"], "size": [40.0, 40.0], "holds": "figure"},
                "track": {
                    "kind": "track",
                    "at": zones["track"]["fields"],
                    "size": zones["track"]["field_size"],
                    "holds": "disc",
                },
                "dial": {
                    "kind": "dial",
                    "centre": zones["dial"]["centre"],
                    "radius": zones["dial"]["radius"],
                    "sectors": sectors,
                },
            },
        },
        str(path),
    )
