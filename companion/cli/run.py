"""`companion run`: runs the companion at a real table until it is stopped."""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion import __version__, games
from companion.cli.rig import RIG_FILE, rig_file
from companion.cli.terminal import Unusable, home, host, number, port
from companion.journal import JournalError, JournalInUse
from companion.kernel.box import Answers
from companion.kernel.messages import NewPiece, Signal
from companion.kernel.rules import Seat

if TYPE_CHECKING:
    from companion.daemon.app import Daemon, Source
    from companion.daemon.camera_page import CameraPage
    from companion.daemon.demo.demo import Demo
    from companion.daemon.game_thread import Follower, GameThread
    from companion.daemon.health import Health
    from companion.daemon.inbox import Inbox
    from companion.daemon.journal_folder import Begin
    from companion.kernel.events import EventBus
    from companion.table import Table
    from hardware.rig import Rig
    from hardware.table_hardware import TableHardware
    from web.server import WebServer

_log = logging.getLogger(__name__)

PORT: Final = 8080
KIT: Final = "kit"
"""The subfolder of the companion's folder for the kit, if the rig file names none."""


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("run", help="the companion at a real table")
    parser.add_argument("--rig", type=Path, metavar="FILE", help=f"default: {RIG_FILE} in the companion's folder")
    add_page(parser)
    parser.add_argument(
        "--game", metavar="GAME", help=f"begin this one, unless the last is not over: {', '.join(games.NAMES)}"
    )
    parser.add_argument("--players", type=number, metavar="N")
    parser.add_argument("--colours", metavar="A,B", help="who plays, clockwise; default: as the rig file seats them")
    parser.add_argument("--options", type=_options, default={}, metavar="JSON", help="variants and house rules")
    parser.add_argument("--new", action="store_true", help="begin even though a game is not over, and put that away")
    parser.add_argument("--json-log", action="store_true", help="one JSON object for each line of the log")
    parser.set_defaults(run=run)


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add the options for the web page's address."""
    parser.add_argument("--port", type=port, default=PORT, help=f"of the web page, default: {PORT}")
    parser.add_argument(
        "--host", type=host, metavar="ADDRESS", help="show the page on this address only; default: on all"
    )


def _options(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise argparse.ArgumentTypeError(f'{text!r} is no JSON object such as {{"oldest": 2}}') from error


def tables() -> type[Table[Any, Any]]:
    """The class that opens tables; tests replace it by a smaller one."""
    from companion.table import Table

    return Table


class Parts(msgspec.Struct, frozen=True, eq=False):
    """The parts of a table, simulated or not, before they are connected to the game thread."""

    rig: Rig
    inbox: Inbox
    bus: EventBus
    hardware: TableHardware
    sources: list[Source]
    followers: list[Follower]
    demo: Demo | None = None


def run(arguments: argparse.Namespace) -> int:
    """Make the parts of a real table, and run them."""
    from companion.daemon.hardware_link import DialLabels
    from companion.daemon.inbox import Inbox
    from companion.kernel.events import EventBus

    start_log(arguments.json_log)
    rig = _rig(arguments.rig)
    wanted = _wanted(arguments, rig)
    inbox, bus = Inbox(), EventBus()
    dials = DialLabels(inbox.put)
    hardware = _hardware(rig, dials.put)
    try:
        sources, camera_thread = _sources(rig, inbox, bus)
        parts = Parts(rig, inbox, bus, hardware, sources, [dials, *camera_thread])
        where = arguments.host or "", arguments.port
        return serve(home(), parts, where, lambda game_thread: _open_a_game(game_thread, wanted, arguments.new))
    finally:
        hardware.close()


def serve(
    place: Path,
    parts: Parts,
    where: tuple[str, int],
    open_a_game: Callable[[GameThread], None],
    raid_pace: float = 1.0,
) -> int:
    """Connect the parts of a table and run them until the daemon is stopped. `place` is the folder for its files,
    `where` the page's address and port."""
    from companion.daemon.app import Daemon, WebPage
    from companion.daemon.backend import DaemonBackend
    from companion.daemon.camera_page import CameraTroubles, SightStatus
    from companion.daemon.game_thread import GameThread
    from companion.daemon.hardware_link import HardwareFollower
    from companion.daemon.journal_folder import JournalFolder
    from companion.daemon.new_pieces import NewPieceKeeper
    from companion.daemon.results import ResultKeeper
    from companion.daemon.setup_choices import SetupChoices
    from companion.daemon.systemd import Systemd
    from web.server import WebServer

    rig, inbox, bus, hardware = parts.rig, parts.inbox, parts.bus, parts.hardware
    journals = JournalFolder(place, tables(), _now, rig.sides)
    camera = _camera(place, bus, parts.sources)
    lessons = NewPieceKeeper(place, None if camera is None else camera.teach)
    game_thread = GameThread(
        inbox, bus, journals, [HardwareFollower(hardware, raid_pace), lessons, ResultKeeper(), *parts.followers]
    )
    open_a_game(game_thread)
    setup_choices = SetupChoices(place, [(seat.colour, seat.side) for seat in rig.seats])
    sight = next((source for source in parts.sources if isinstance(source, SightStatus)), None)
    blind = (lambda: None) if sight is None else CameraTroubles(sight).now
    backend = DaemonBackend(
        inbox, bus, game_thread, setup_choices, hardware, lambda: daemon.health(), camera=camera, blind=blind
    )
    page = WebPage(WebServer(backend, place, where[1], where[0]))
    if parts.demo is not None:
        backend.demo = parts.demo
        parts.demo.leave_to_phones(page.seated)
        parts.demo.wait_for_visitors(page.joined)
    sources = [*parts.sources, page]
    daemon = Daemon(place, inbox, bus, game_thread, sources, Systemd.from_environment(), _rig_health(rig, hardware))
    stop_on_signals(daemon.stop)
    try:
        return 0 if daemon.run(lambda: _hello(daemon, rig, page.server)) else 1
    finally:
        backend.close()


def _camera(place: Path, bus: EventBus, sources: Iterable[Source]) -> CameraPage | None:
    """The camera page, if there is a camera."""
    from companion.daemon.camera_page import CameraPage
    from companion.daemon.camera_thread import CameraThread

    camera_thread = next((source for source in sources if isinstance(source, CameraThread)), None)
    if camera_thread is None:
        return None

    def learned() -> list[NewPiece]:
        return msgspec.convert(bus.snapshot.table.get("learned", []), list[NewPiece])

    return CameraPage(camera_thread, place, lambda: bus.snapshot.table.get("ignored", []), learned)


def _sources(rig: Rig, inbox: Inbox, bus: EventBus) -> tuple[list[Source], list[Follower]]:
    """The sources of messages besides buttons and phones, and those of them that follow the table."""
    from companion.daemon.camera_thread import CameraThread, opener
    from companion.daemon.reading_socket import ReadingsSocket

    source = rig.camera.names
    if source.kind == "none":
        return [], []
    if source.kind == "readings":
        return [ReadingsSocket(Path(source.place).expanduser(), inbox.put, bus)], []
    camera_thread = CameraThread(
        opener(rig.camera.source, home() / Path(rig.camera.kit or KIT).expanduser()), inbox.put
    )
    return [camera_thread], [camera_thread]


def _rig_health(rig: Rig, hardware: TableHardware) -> Callable[[], Iterable[Health]]:
    from companion.daemon.health import Health, told
    from companion.text.sentences import both_words

    def parts() -> Iterable[Health]:
        if rig.camera.names.kind == "none":
            yield told("camera", "absent", "camera.none")
        for part in hardware.health():
            # The English sentence names the pin, for people who build the table; the German one only says the state.
            yield Health(part.part, part.state, part.says, both_words(f"hardware.{part.state}")["de"])

    return parts


def _rig(path: Path | None) -> Rig:
    from hardware import rig

    if path is None:
        path = rig_file()
        if not path.is_file():
            _log.warning("There is no rig file %s: this table has no camera, no buttons and no lights.", path)
            return rig.Rig(camera=rig.SourceAndKit("none"), pins=rig.Pins("none"))
    return rig.load(path)


def _hardware(rig: Rig, put: Callable[[Signal], None]) -> TableHardware:
    from hardware.mock import Desk
    from hardware.table_hardware import TableHardware

    return Desk(put, rig).hardware if rig.pins.backend == "mock" else TableHardware(rig, put)


def _wanted(arguments: argparse.Namespace, rig: Rig) -> Begin | None:
    """The game in the command line's arguments."""
    from companion.daemon.journal_folder import Begin

    if arguments.game is None:
        if arguments.new or arguments.players or arguments.colours or arguments.options:
            raise Unusable(f"Which game? Say --game too, for example --game {games.NAMES[0]}.")
        return None
    game = games.load(arguments.game)
    if arguments.colours:
        colours = [colour.strip() for colour in arguments.colours.split(",")]
        if arguments.players not in (None, len(colours)):
            raise Unusable(f"--players says {arguments.players}, and --colours names {len(colours)}.")
    elif arguments.players:
        known = game.load_box(Answers(home(), game.name).read()).colours
        seated = [seat.colour for seat in rig.seats if seat.colour in known]
        colours = list(dict.fromkeys((*seated, *known)))[: arguments.players]
    else:
        raise Unusable("Who plays? Say --players N, or --colours blue,yellow.")
    return Begin(game.name, tuple(Seat(colour) for colour in colours), arguments.options)


def _open_a_game(game_thread: GameThread, wanted: Begin | None, new: bool) -> None:
    """Reopen the newest game, or begin the wanted one. Otherwise wait without a game, or show the last score."""
    if not new:
        try:
            if game_thread.reopen():
                if wanted is not None:
                    _log.warning("The last game is not over and goes on; to put it away, say --new.")
                return
        except JournalInUse:
            raise  # another companion has this folder
        except Exception as error:  # an unusable journal must not prevent a new game
            unknown = not isinstance(error, JournalError)
            _log.error("The last game cannot be gone on with: %s", error, exc_info=unknown)
    if wanted is not None:
        game_thread.begin(wanted)


def _hello(daemon: Daemon, rig: Rig, page: WebServer) -> None:
    """Print the game, the page's address with its QR code, the PIN and the health."""
    from companion.daemon.health import summed_up
    from web import address

    opened = daemon.game_thread.opened
    journal = f" ({opened.table.journal.path})" if opened else ""
    print(f"Table Companion {__version__} at {rig.name!r}")
    print(f"  game    {opened.game.name if opened else 'none yet'}{journal}")
    print(f"  camera  {rig.camera.names}")
    print(f"  page    {page.trouble or page.address}")
    if not page.trouble and page.address_here != page.address:
        print(f"  here    {page.address_here} (on this machine)")
    if not page.trouble and page.pin is not None:
        print(f"  or      {address.url(address.local_name(), page.port)} (where the network knows names)")
        # This goes to the system's journal, which must not contain a PIN that a person chose.
        known = "the one you chose; companion pin tells it" if page.pin.chosen else page.pin.digits
        print(f"  PIN     {known}")
    print(f"  health  {summed_up(daemon.health())}")
    if not page.trouble:
        print(f"\n{address.qr_text(page.address)}\n")
    sys.stdout.flush()


def stop_on_signals(stop: Callable[[], None]) -> None:
    """Stop cleanly at the first SIGTERM or SIGINT, and at once at the second."""
    asked: list[int] = []

    def handle(number: int, _frame: FrameType | None) -> None:
        if asked:
            os._exit(128 + number)
        asked.append(number)
        stop()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {"at": _now(), "level": record.levelname.lower(), "part": record.name, "says": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def start_log(as_json: bool, level: int = logging.INFO) -> None:
    """Log to stderr. Under systemd that is the system's journal, which adds the time itself."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if as_json else logging.Formatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
