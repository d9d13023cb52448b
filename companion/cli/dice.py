"""`companion dice IMAGE`: the dice in any photograph."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.cli.terminal import Unusable, add_json, print_json


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("dice", help="the dice in any photograph")
    parser.add_argument("image", type=Path, metavar="IMAGE")
    parser.add_argument("--overlay", type=Path, metavar="OUT", help="draw what was found over the picture")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import cv2  # loaded here: only the commands that look at pictures need it

    from vision import dice
    from vision.picture import sight

    image = sight.open_picture(arguments.image)
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
