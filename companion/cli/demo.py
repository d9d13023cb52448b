"""`companion demo`: a whole simulated table with the dashboard and no hardware; what `make run` starts."""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion import games
from companion.cli import run as companion_run
from companion.cli.terminal import Unusable, number
from companion.kernel.rules import Seat
from companion.simulation.live import CALM, MISCHIEF, PACE, time_factor

if TYPE_CHECKING:
    from companion.cli.run import Parts
    from companion.daemon.journal_folder import Begin


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo", help="a whole simulated table with its dashboard, without any hardware"
    )
    parser.add_argument("--game", default=games.NAMES[0], metavar="GAME", help=f"one of: {', '.join(games.NAMES)}")
    parser.add_argument("--players", type=number, default=3)
    companion_run.add_page(parser)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pace", type=_pace, default=PACE, metavar="X", help=f"1 is as people do; default: {PACE:g}")
    parser.add_argument(
        "--mischief", action="store_true", help="a mistake about once a minute; default: every few minutes"
    )
    parser.add_argument("--no-pixels", action="store_true", help="no pictures: what lies there, with seeded noise")
    parser.add_argument("--wait", action="store_true", help="players wait until a phone continues the demo")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the journal here; default: it is thrown away")
    parser.set_defaults(run=run)


def _pace(text: str) -> float:
    pace = float(text)
    if not 0.1 <= pace <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.1 and 100")
    return pace


def run(arguments: argparse.Namespace) -> int:
    companion_run.start_log(False, logging.WARNING)  # visitors need no log of each press
    wanted = _wanted(arguments)
    _check_port(arguments.host or "", arguments.port)
    # Until the daemon handles these signals, they exit at once: there is nothing to lose yet.
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda _number, _frame: sys.exit(0))
    with _place(arguments.keep) as place:
        parts = _simulated(arguments, place)
        try:
            where = arguments.host or "", arguments.port
            return companion_run.serve(
                place, parts, where, lambda game_thread: game_thread.begin(wanted), time_factor(arguments.pace)
            )
        finally:
            parts.hardware.close()


def _check_port(host: str, port: int) -> None:
    """Fail if the port is busy. A real table would wait for it, but a demo without its page shows nothing."""
    from web.server import open_port

    try:
        open_port(host, port).close()
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise Unusable(f"The page cannot be opened on port {port} ({why}); choose another --port.") from error


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    """The folder for the journal; a temporary one unless it is kept."""
    if keep is not None:
        try:
            keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unusable(f"The folder {keep} cannot be made: {error.strerror or error}.") from error
        print(f"The game is kept in {keep}.")
        yield keep
        return
    place = Path(tempfile.mkdtemp(prefix="companion-demo-"))
    try:
        print(f"The game is kept in {place} until the demo ends; --keep FOLDER keeps it longer.", flush=True)
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _wanted(arguments: argparse.Namespace) -> Begin:
    from companion.daemon.journal_folder import Begin

    game = games.load(arguments.game)
    colours = game.load_box().colours[: arguments.players]
    if len(colours) < arguments.players:
        raise Unusable(f"{game.name} has pieces for {len(colours)} players, not for {arguments.players}.")
    return Begin(game.name, tuple(Seat(colour) for colour in colours))


def _simulated(arguments: argparse.Namespace, place: Path) -> Parts:
    """The parts of a simulated table."""
    from companion.daemon.demo.demo import seated
    from companion.daemon.inbox import Inbox
    from companion.kernel.events import EventBus
    from hardware.rig import DEFAULT, SourceAndKit

    inbox, bus = Inbox(), EventBus()
    rig = msgspec.structs.replace(
        DEFAULT, name="demo", camera=SourceAndKit("onlooker" if arguments.no_pixels else "rendered")
    )
    pictures = None if arguments.no_pixels else place
    every = MISCHIEF if arguments.mischief else CALM
    table = seated(inbox, bus, rig, arguments.pace, f"{arguments.seed}", pictures, mistakes_every=every)
    if arguments.wait:
        table.demo.sit_still()
    return companion_run.Parts(rig, inbox, bus, table.desk.hardware, table.sources, table.followers, table.demo)
