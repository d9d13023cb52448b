"""`companion read`, `teach`, `kit` and `dice`: single pictures from files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.cli.terminal import Unusable, add_json, print_json, system_language
from companion.kernel.catalogue import Text
from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import Cells, Marks, Pointing

if TYPE_CHECKING:
    from vision.kit_check import Checked

NO_KIT = Text(
    "Das Kit fehlt: Ohne eines liest der Begleiter nur Würfel und Zeiger. Lege eines an mit `companion teach IMAGE "
    "--layout {layout} --kit FOLDER --truth FILE` und gib es hier mit --kit FOLDER an.",
    "The kit is missing: without one the companion reads only dice and dials. Teach one with `companion teach IMAGE "
    "--layout {layout} --kit FOLDER --truth FILE`, and name it here with --kit FOLDER.",
)
NOTHING = Text("nichts", "nothing")
CONFUSED = Text(
    "In „{zone}“ liest das Kit {label} auf seinem eigenen Bild als {other}, {number} von {of} Mal. Prüfe, was dort "
    "liegt, und lege das Teil auf weiteren Bildern an andere Stellen.",
    "In “{zone}” the kit reads {label} in its own picture as {other}, {number} of {of} times. Check what lies there, "
    "and teach more pictures with the piece in other places.",
)
UNREADABLE = Text(
    "In „{zone}“ erkennt das Kit {label} auf seinem eigenen Bild nur {number} von {of} Mal.",
    "In “{zone}” the kit recognizes {label} in its own picture only {number} of {of} times.",
)
SELDOM = Text(
    "Erst einmal gesehen: {labels}. Ein zweites Bild, auf dem diese Teile woanders liegen, macht sie sicherer.",
    "Seen only once so far: {labels}. A second picture with these pieces in other places makes them safer.",
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
    kit: argparse.ArgumentParser = commands.add_parser("kit", help="how well a kit tells its pieces apart")
    kit.add_argument("kit", type=Path, metavar="KIT", help="the folder of the kit")
    kit.add_argument("--layout", type=Path, metavar="FILE", help="default: the layout that was taught last")
    add_json(kit)
    kit.set_defaults(run=run_kit)
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
    from vision import kit_check, layout
    from vision.kit import store

    table = layout.load(arguments.layout)
    if arguments.mat:
        learned, gained = store.teach_mat(arguments.kit, table, arguments.image)
        checked = kit_check.check(learned)
    else:
        truth = _truth(arguments.truth)
        lesson = store.Lesson(arguments.kit, table, arguments.image, arguments.corners or ())
        gained, checked = kit_check.learn(lesson, truth)
        learned = lesson.kit
        lesson.keep()
    learned.let_go()
    says = list(_findings(checked))
    readable = kit_check.readable(checked)
    if arguments.json:
        told = {"learned": dict(gained), "refused": [], "pictures": len(learned.teachings)}
        print_json({**told, "readable": readable, "says": says, "zones": _checked(checked)})
    else:
        print(f"{sum(gained.values())} examples of {len(gained)} labels from {arguments.image}.")
        for sentence in says:
            print(sentence)
    return 0 if readable else 1


def run_kit(arguments: argparse.Namespace) -> int:
    from vision import kit_check, layout
    from vision.kit import store

    table = layout.load(arguments.layout) if arguments.layout else store.taught_layout(arguments.kit)
    checked = kit_check.check(store.opened(arguments.kit, table), apart=True)
    if not checked:
        raise Unusable(f"The kit in {arguments.kit} has no picture of the table, so there is nothing to read in it.")
    says, readable = list(_findings(checked)), kit_check.readable(checked)
    labels = kit_check.by_label(checked)
    if arguments.json:
        told = {label: one.figures() for label, one in labels.items()}
        print_json({"labels": told, "zones": _checked(checked), "readable": readable, "says": says})
        return 0
    for zone, of_zone in _checked(checked).items():
        print(f"{zone}:")
        for label, figures in of_zone.items():
            error = figures["expected_error"]
            expected = "" if error is None else f", at most {error:.1%} wrong at the table"
            print(f"  {label or '-'}: {figures['examples']} examples, {figures['told_apart']:.0%} told{expected}")
    for sentence in says:
        print(sentence)
    return 0


def _checked(checked: Checked) -> dict[str, dict[str, Any]]:
    return {zone: {label: one.figures() for label, one in labels.items()} for zone, labels in checked.items()}


def _findings(checked: Checked) -> Iterator[str]:
    """What a kit cannot read of its own pictures, what it confuses, and what it saw too seldom, in sentences."""
    from vision.kit_check import FEW

    language = system_language()
    seldom: list[str] = []
    for zone, labels in checked.items():
        for label, told in labels.items():
            facts = {"zone": zone, "label": label or NOTHING.in_(language), "of": told.examples}
            for other, number in told.confused_with.most_common():
                yield CONFUSED.in_(language).format(**facts, other=other or NOTHING.in_(language), number=number)
            if 2 * told.exact < told.examples - told.confused_with.total():
                yield UNREADABLE.in_(language).format(**facts, number=told.exact)
            if told.examples < FEW and label:
                seldom.append(label)
    if seldom:
        yield SELDOM.in_(language).format(labels=", ".join(sorted(set(seldom))))


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
