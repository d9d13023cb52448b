"""`companion doctor` and `companion pin`: small checks of what the companion needs, and the host's PIN."""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import sys
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from companion.cli.rig import rig_file
from companion.cli.run import PORT
from companion.cli.terminal import Terminal, add_json, home, port, print_json

Result = Literal["ok", "info", "warning", "issue"]

PATIENCE: Final = 3.0
"""Seconds that the program at the port has to answer."""


class Check(msgspec.Struct, frozen=True):
    """One check and its result. An `issue` prevents the companion from working."""

    name: str
    result: Result
    says: str
    hint: str = ""


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("doctor", help="what is well and what is not, and the PIN")
    parser.add_argument("--port", type=port, default=PORT, help=f"of the web page, default: {PORT}")
    add_json(parser)
    parser.set_defaults(run=run)
    add_pin(commands)


def run(arguments: argparse.Namespace) -> int:
    checks = [check(arguments) for check in CHECKS]
    if arguments.json:
        print_json({"checks": checks})
    else:
        terminal = Terminal(sys.stdout)
        colours = {"ok": "good", "info": "dim", "warning": "yellow", "issue": "alarm"}
        for check in checks:
            terminal.say(f"  {terminal.paint(f'{check.result:8}', colours[check.result])}{check.name:8}{check.says}")
            if check.hint:
                terminal.say(f"{'':18}{check.hint}")
    return 1 if any(check.result == "issue" for check in checks) else 0


def folder(_arguments: argparse.Namespace) -> Check:
    """Whether games, answers and seats can be written."""
    place, probe = home(), home() / ".doctor"
    try:
        place.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        hint = "Check whose folder it is, and whether the disk is full."
        return Check("folder", "issue", f"Nothing can be written to {place} ({error.strerror}).", hint)
    return Check("folder", "ok", f"The companion keeps its things in {place}.")


def rig(_arguments: argparse.Namespace) -> Check:
    from hardware import rig as rigs

    path = rig_file()
    if not path.is_file():
        hint = f"With hardware, copy hardware/rig.example.toml to {path}."
        return Check("rig", "info", "There is no rig file: no camera, no buttons and no lights.", hint)
    try:
        rigs.load(path)
    except rigs.RigError as error:
        return Check("rig", "issue", str(error), "companion rig check says more.")
    return Check("rig", "ok", f"The rig file {path} is usable.", "companion rig test tries every button and light.")


def pin(_arguments: argparse.Namespace) -> Check:
    from web import phones

    try:
        known = phones.read_pin(home())
    except phones.NoPin as error:
        return Check("pin", "issue", str(error), "Without a PIN the page is not opened.")
    if known is None:
        return Check("pin", "info", "There is no PIN yet.", "companion run makes one when it first starts.")
    hint = "companion pin --new makes another, at once."
    return Check("pin", "ok", f"The host's PIN is {known.digits}.", hint)


def page(arguments: argparse.Namespace) -> Check:
    """Whether the page is served, or its port is free."""
    from web import address

    port = arguments.port
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            pass
    except OSError:
        return Check("page", "ok", f"Port {port} is free for the page.", "companion run opens it.")
    if _is_ours(port):
        return Check("page", "ok", f"A companion's page is at {address.url(address.own_address(), port)}.")
    hint = "Stop that program, or start the companion with another --port."
    return Check("page", "warning", f"Another program has port {port}.", hint)


def _is_ours(port: int) -> bool:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request("GET", "/healthz")
        return "edition" in json.loads(line.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError, TypeError):
        return False
    finally:
        line.close()


CHECKS: Final[tuple[Callable[[argparse.Namespace], Check], ...]] = (folder, rig, pin, page)


# The PIN


def add_pin(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("pin", help="the host's PIN; --new makes another")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new", action="store_true", help="draw another PIN; every host has to type it")
    which.add_argument("--set", type=_digits, metavar="DIGITS", help="choose it; no log tells it then")
    add_json(parser)
    parser.set_defaults(run=tell_pin)


def _digits(text: str) -> str:
    from web.phones import DIGITS, is_pin

    if not is_pin(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no PIN of {DIGITS} digits")
    return text


def tell_pin(arguments: argparse.Namespace) -> int:
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
