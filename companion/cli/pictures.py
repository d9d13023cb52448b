"""`companion read`, `teach` and `dice`: single pictures from files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from companion.cli.terminal import Unusable, add_json, print_json, system_language
from companion.kernel.catalogue import Text
from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import Cells, Marks, Pointing

NO_KIT = Text(
    "Das Kit fehlt: Ohne eines liest der Begleiter nur Würfel und Zeiger. Lege eines an mit `companion teach IMAGE "
    "--layout {layout} --kit FOLDER --truth FILE` und gib es hier mit --kit FOLDER an.",
    "The kit is missing: without one the companion reads only dice and dials. Teach one with `companion teach IMAGE "
    "--layout {layout} --kit FOLDER --truth FILE`, and name it here with --kit FOLDER.",
)


def add_to(commands: Any) -> None:
    read: argparse.ArgumentParser = commands.add_parser("read", help="what one picture of a table shows")
    _add_picture(read)
    read.add_argument("--kit", type=Path, metavar="FOLDER", help="what was taught")
    read.add_argument("--overlay", type=Path, metavar="OUT", help="draw what was read over the picture")
    read.set_defaults(run=run_read)
    teach: argparse.ArgumentParser = commands.add_parser("teach", help="teach a kit from one picture and its truth")
    _add_picture(teach)
    teach.add_argument("--kit", type=Path, metavar="FOLDER", required=True)
    what = teach.add_mutually_exclusive_group(required=True)
    what.add_argument("--truth", type=Path, metavar="FILE", help="JSON: what lies where")
    what.add_argument("--mat", action="store_true", help="the picture shows a filled teaching mat")
    teach.set_defaults(run=run_teach)
    _add_dice(commands)


def _add_picture(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("image", type=Path, metavar="IMAGE")
    parser.add_argument("--layout", type=Path, metavar="FILE", required=True)
    parser.add_argument(
        "--corners",
        nargs=4,
        type=_point,
        metavar="X,Y",
        help="pixels of the area's corners: top left, top right, bottom right, bottom left",
    )
    add_json(parser)


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not X,Y") from error
    return x, y


def run_read(arguments: argparse.Namespace) -> int:
    import cv2  # it loads slowly, and only these commands need it

    from vision import layout
    from vision.kit import kit, store
    from vision.picture import preview, table_picture
    from vision.table_reader import TableReader

    table = layout.load(arguments.layout)
    image = table_picture.open_picture(arguments.image)
    taught = store.load(arguments.kit, table) if arguments.kit else kit.Kit(table)
    needs_teaching = any(not isinstance(zone, layout.Dial | layout.Dice) for zone in table.zones.values())
    if needs_teaching and not taught.teachings:
        raise Unusable(NO_KIT.in_(system_language()).format(layout=arguments.layout))
    seen = TableReader(table, taught).look(image, arguments.corners)
    if arguments.overlay:
        drawn = preview.draw(image, table, seen.plane, seen.reading)
        if not cv2.imwrite(str(arguments.overlay), drawn):
            raise Unusable(f"The overlay could not be written to {arguments.overlay}; name a .png or .jpg file.")
    zones = {name: _zone_json(zone) for name, zone in seen.reading.zones.items()}
    if arguments.json:
        plane = {"error_mm": round(seen.plane.error_mm, 3), "markers": seen.plane.markers}
        print_json({"plane": plane, "zones": zones})
    else:
        print(f"plane: {seen.plane.markers} markers, {seen.plane.error_mm:.2f} mm")
        for name, zone in zones.items():
            print(f"{name}: {zone['state']} {json.dumps(zone['contents'], ensure_ascii=False)}")
    return 0


def run_teach(arguments: argparse.Namespace) -> int:
    from vision import layout
    from vision.kit import store

    table = layout.load(arguments.layout)
    if arguments.mat:
        learned, gained = store.teach_mat(arguments.kit, table, arguments.image)
    else:
        truth = _truth(arguments.truth)
        learned, gained = store.teach(arguments.kit, table, arguments.image, truth, arguments.corners or ())
    if arguments.json:
        print_json({"learned": dict(gained), "refused": [], "pictures": len(learned.teachings)})
    else:
        print(f"{sum(gained.values())} examples of {len(gained)} labels from {arguments.image}.")
    return 0


def _truth(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except OSError as error:
        raise Unusable(f"The truth {path} cannot be read: {error.strerror or error}.") from error
    except msgspec.DecodeError as error:
        raise Unusable(f"The truth {path} is not a JSON object of zones: {error}.") from error


def _zone_json(zone: ZoneReading) -> dict[str, Any]:
    state = "unknown" if zone.contents is None else "read"
    return {
        "kind": zone.kind,
        "state": state,
        "contents": _contents(zone),
        "confidence": round(zone.confidence, 3),
    }


def _contents(zone: ZoneReading) -> Any:
    match zone.contents:
        case None:
            return None
        case Cells(at=at):
            return at
        case Marks(field=field):
            return field
        case Pointing(value=value):
            return {"value": value, "angle": zone.found[0].angle if zone.found else None}
        case _:
            return [_piece(piece, zone.kind) for piece in zone.found]


def _piece(piece: Found, kind: str) -> dict[str, Any]:
    told = msgspec.to_builtins(piece)
    if kind == "dice":
        colour, _, value = told.pop("label").rpartition(" ")
        return {"value": int(value), "colour": colour, **told}
    return dict(told)


def _add_dice(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("dice", help="the dice in any photograph")
    parser.add_argument("image", type=Path, metavar="IMAGE")
    parser.add_argument("--overlay", type=Path, metavar="OUT", help="draw what was found over the picture")
    add_json(parser)
    parser.set_defaults(run=dice)


def dice(arguments: argparse.Namespace) -> int:
    import cv2  # imported here, because only the commands with pictures need it

    from vision import dice
    from vision.picture import table_picture

    image = table_picture.open_picture(arguments.image)
    found = dice.find(image)
    if arguments.overlay and not cv2.imwrite(str(arguments.overlay), dice.draw(image, found)):
        raise Unusable(f"The overlay could not be written to {arguments.overlay}; name a .png or .jpg file.")
    if arguments.json:
        print_json({"dice": found})
    else:
        for die in found:
            print(f"{die.colour} {die.value} at {die.x:.0f}, {die.y:.0f} ({die.confidence:.0%})")
        print(f"{len(found)} dice.")
    return 0
