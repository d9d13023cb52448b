"""`companion pin`: shows or changes the host's PIN. A running companion uses a new PIN at once."""

from __future__ import annotations

import argparse
from typing import Any

from companion.cli.terminal import add_json, home, print_json


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("pin", help="the host's PIN; --new makes another")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="draw another PIN; every host has to type it")
    which.add_argument("--set", type=_digits, metavar="DIGITS", help="choose it; no log tells it then")
    add_json(parser)
    parser.set_defaults(run=run)


def _digits(text: str) -> str:
    from web.phones import DIGITS, is_pin

    if not is_pin(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no PIN of {DIGITS} digits")
    return text


def run(arguments: argparse.Namespace) -> int:
    from web import phones
    from web.phones import Phones

    found, removed = phones.kept_pin(home()), 0
    renewed = bool(arguments.new or arguments.set)
    if renewed:
        # A running companion removes its hosts itself when it sees the new PIN; this is for one that is not running.
        removed = Phones(home()).remove_hosts()
        found.renew(arguments.set or "")
    if arguments.json:
        print_json({"pin": found.digits, "renewed": renewed, "hosts_removed": removed})
    else:
        print(f"The host's PIN is {found.digits}. It is valid until another is made.")
        if removed:
            print(f"Hosts that have to type it again: {removed}.")
    return 0
