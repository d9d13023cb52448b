"""Answers everything that phones ask of the companion.

Any thread may call these methods. Only the game thread touches the table: states are immutable, so other threads read
them without a lock; journals are read through separate connections; only `ask` waits for the table.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from companion.daemon import results, table_map
from companion.daemon.camera_page import CameraPage
from companion.daemon.game_thread import GameThread
from companion.daemon.hardware_link import RaidControl
from companion.daemon.health import Health
from companion.daemon.inbox import Inbox, NotAccepted
from companion.daemon.journal_folder import Opened
from companion.daemon.refusals import refused
from companion.daemon.setup_choices import SetupChoices
from companion.history import LiveHistory
from companion.journal import JournalError
from companion.kernel.catalogue import Language, Text
from companion.kernel.events import EventBus, Snapshot
from companion.kernel.messages import Body, Command
from companion.kernel.rules import seat_of
from companion.text.entry_form import entry_form
from companion.text.move_menu import ByHand, likely, of_seat, places_to_act
from companion.text.sentences import Bilingual, both_words, known
from hardware.table_hardware import TableHardware
from web.backend import Demo, Export, Refused

MOST_LIKELY: Final = 4
"""Number of alternatives to a move that are offered at once; people find all others through the menu of moves."""


class DaemonBackend:
    """The backend of one table."""

    def __init__(
        self,
        inbox: Inbox,
        bus: EventBus,
        game_thread: GameThread,
        setup_choices: SetupChoices,
        hardware: TableHardware | None = None,
        health: Callable[[], Iterable[Health]] = tuple,
        clock: Callable[[], float] = time.monotonic,
        camera: CameraPage | None = None,
        blind: Callable[[], Body | None] = lambda: None,
    ) -> None:
        """`blind` returns why the camera cannot see the table, or None if it can."""
        self.bus, self._game_thread, self._setup_choices, self._clock = bus, game_thread, setup_choices, clock
        self._health, self._camera, self._blind = health, camera, blind
        self._commands = CommandSender(inbox, bus)
        game_thread.answer = self._commands.answered
        self._raids = None if hardware is None else RaidControl(hardware, bus, lambda: game_thread.opened)
        self._turn = threading.Lock()
        self._history: LiveHistory | None = None
        self._listed: tuple[Any, list[Any]] = None, []
        """The position that was asked about last, with its legal moves."""
        self.demo: Demo | None = None

    # Snapshot and updates

    def snapshot(self) -> Snapshot:
        return self.bus.snapshot

    def now(self) -> float:
        return self._clock()

    def ask(self, command: Command, timeout: float) -> int:
        return self._commands.ask(command, timeout)

    def _opened(self) -> Opened:
        opened = self._game_thread.opened
        if opened is None:
            raise refused("no_game")
        return opened

    # Moves by hand

    def choices(self, seat: int | None, chosen: list[str]) -> Body:
        opened = self._opened()
        number, state = self.bus.snapshot.number, opened.table.state
        moves, hand = of_seat(self._legal(opened, state), seat, len(opened.seats)), ByHand(opened.game, opened.seats)
        return {
            "number": number,
            "likely": [_whole(hand, state, move) for move in self._rather(opened, moves)[:MOST_LIKELY]],
            "next": [] if chosen else hand.next_moves(state),
            "entry": None if chosen else self._entry(opened, state),
            **hand.choices(state, moves, chosen),
        }

    @staticmethod
    def _entry(opened: Opened, state: Any) -> Body | None:
        entry, speakers = opened.game.entry(state), Bilingual(opened.game.catalogue, opened.seats)
        if entry is None:
            return None
        return entry_form(speakers, entry, opened.game.view(state).zones, opened.table.entered)

    def acts(self) -> Body:
        """The places where the seat in turn can act."""
        opened = self._opened()
        number, state = self.bus.snapshot.number, opened.table.state
        actor = opened.game.actor(state)
        if not isinstance(actor, int):
            return {"number": number, "places": []}
        moves = [move for move in self._legal(opened, state) if seat_of(move, len(opened.seats)) == actor]
        return {"number": number, "places": [list(place) for place in places_to_act(opened.game, state, moves)]}

    def rules(self, seat: int | None) -> Body:
        """The rules of the game in its book's order, and what this seat can do now, or what any seat
        can do if it has no moves."""
        opened = self._opened()
        state, speakers = opened.table.state, Bilingual(opened.game.catalogue, opened.seats)
        legal = self._legal(opened, state)
        mine = of_seat(legal, seat, len(opened.seats))
        return {
            "number": self.bus.snapshot.number,
            "title": speakers.text(opened.game.catalogue.title),
            "mine": bool(mine) and seat is not None,
            "now": ByHand(opened.game, opened.seats).kinds(state, mine or legal),
            "rules": [
                {
                    "section": speakers.text(rule.section),
                    "says": speakers.text(rule.says),
                    "variant": rule.kind == "option",
                }
                for rule in opened.game.catalogue.rules
            ],
        }

    def _rather(self, opened: Opened, moves: list[Any]) -> list[Any]:
        """The legal moves that people may have meant by the move that the companion objects to."""
        tried = (self.bus.snapshot.table.get("trouble") or {}).get("move")
        return [] if tried is None else likely(moves, msgspec.convert(tried, opened.game.move_type))

    def _legal(self, opened: Opened, state: Any) -> list[Any]:
        """Every legal move, cached because phones ask several times about one position."""
        known_state, moves = self._listed
        if known_state is not state:
            moves = list(opened.game.moves(state))
            self._listed = state, moves
        return moves

    def alternatives(self, event: int, chosen: list[str]) -> Body:
        opened = self._opened()
        before = self._history_of(opened).state_before(event)
        if before is None:
            raise refused("no_event", event)
        (state, instead), hand = before, ByHand(opened.game, opened.seats)
        moves = [move for move in self._legal(opened, state) if move != instead]
        return {
            "number": self.bus.snapshot.number,
            "event": event,
            "instead": hand.move(state, instead),
            "likely": [_whole(hand, state, move) for move in likely(moves, instead)[:MOST_LIKELY]],
            **hand.choices(state, moves, chosen),
        }

    # The game so far

    def _history_of(self, opened: Opened) -> LiveHistory:
        path = opened.table.journal.path
        with self._turn:
            if self._history is None or self._history.path != path:
                self._history = LiveHistory(path, opened.game)
            return self._history

    def history(self, before: int | None, count: int) -> Body:
        opened = self._game_thread.opened
        if opened is None:
            return {"journal": "", "moves": [], "after": [], "more": False}
        try:
            return {"journal": opened.table.journal.id, **self._history_of(opened).history(before, count)}
        except JournalError as error:
            raise refused("no_tale", english=error) from error

    def picture(self, journal: str, event: int) -> bytes | None:
        opened = self._game_thread.opened
        if opened is None or opened.table.journal.id != journal:
            return None
        try:
            return self._history_of(opened).picture(event)
        except JournalError:
            return None

    def scores(self) -> Body:
        opened = self._opened()
        try:
            return results.scores(opened, self._history_of(opened))
        except JournalError as error:
            raise refused("no_tale", english=error) from error

    def export(self, what: Export, language: str) -> tuple[bytes, str, str]:
        opened, spoken = self._opened(), _language(language)
        try:
            history = self._history_of(opened).told(spoken)
            if what == "csv":
                return (
                    results.as_csv(opened, history, spoken),
                    "text/csv; charset=utf-8",
                    results.file_name(opened, "csv"),
                )
            if what == "json":
                return results.as_json(history), "application/json", results.file_name(opened, "json")
            return (
                results.as_page(opened, history, spoken),
                "text/html; charset=utf-8",
                results.file_name(opened, "html"),
            )
        except JournalError as error:
            raise refused("no_tale", english=error) from error

    # The raid

    def raid(self) -> Body | None:
        return None if self._raids is None else self._raids.raid()

    def raid_act(self, act: str, seat: int | None) -> None:
        if self._raids is None:
            raise refused("no_raid")
        self._raids.act(act, seat)

    # The table and the games

    def about(self, seat: int | None, zone: str, spot: str) -> list[Body]:
        opened = self._game_thread.opened
        if opened is None or opened.game.guide is None:
            return []
        speakers = Bilingual(opened.game.catalogue, opened.seats)
        remarks = opened.game.guide.about(opened.table.state, zone, spot, seat)
        return [{"says": speakers.about(remark), "step": remark.step} for remark in remarks]

    def layout(self) -> Body | None:
        opened = self._game_thread.opened
        return None if opened is None else table_map.drawn(opened)

    def setup(self) -> Body:
        opened = self._game_thread.opened
        return self._setup_choices.setup(None if opened is None or opened.over else opened.game.name)

    def keep_fact(self, game: str, fact: str, value: Any) -> None:
        self._setup_choices.keep_fact(game, fact, value)

    def sketch(self, game: str, sketch: str, value: Any, keep: bool, anyway: bool) -> Body:
        return self._setup_choices.sketch(game, sketch, value, keep, anyway)

    def export_box(self, game: str) -> tuple[bytes, str]:
        return self._setup_choices.export_box(game)

    def import_box(self, game: str, file: Any, instead: bool) -> Body:
        return self._setup_choices.import_box(game, file, instead)

    # The camera

    def camera_trouble(self) -> Body | None:
        return self._blind()

    def camera(self) -> Body:
        if self._camera is None:
            return {"state": "absent", "says": both_words("camera.none"), "picture": False, "zones": {}}
        return self._camera.camera()

    def camera_picture(self, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
        return None if self._camera is None else self._camera.picture(overlay, zone, cell)

    def corners(self, points: list[tuple[float, float]]) -> None:
        self._some_camera().tap(points)

    def teach(self, zone: str, cell: str | None, x: float | None, y: float | None, label: str) -> Body:
        return self._some_camera().teach(zone, cell, x, y, label)

    def _some_camera(self) -> CameraPage:
        if self._camera is None:
            raise refused("no_camera")
        return self._camera

    def health(self) -> list[Body]:
        opened = self._game_thread.opened
        colours = {} if opened is None else opened.game.catalogue.words
        return [_part(part, colours) for part in self._health()]

    def close(self) -> None:
        """Release the histories, once the web server has stopped."""
        if self._raids is not None:
            self._raids.close()


def _language(wanted: str) -> Language:
    return "de" if wanted == "de" else "en"


def _whole(hand: ByHand, state: Any, move: Any) -> Body:
    return {"move": msgspec.to_builtins(move), "says": hand.move(state, move)}


def _part(part: Health, colours: Mapping[str, Text]) -> Body:
    """A part with its name and state in both languages. A sentence without German text is shown in English."""
    kind, _, colour = part.name.partition(" of seat ")
    seat = colours.get(colour, Text(colour, colour))
    named = both_words(f"part.{kind}") if known(f"part.{kind}") else {"de": part.name, "en": part.name}
    return {
        "name": part.name,
        "label": {language: words.replace("{seat}", getattr(seat, language)) for language, words in named.items()},
        "state": part.state,
        "state_says": both_words(f"state.{part.state}"),
        "says": {"de": part.german or part.says, "en": part.says},
    }


REMEMBERED: Final = 1000
"""Number of answers that are kept for phones that did not receive them and ask again."""
PASSING: Final = frozenset({"failed", "journal", "no_game", "playing"})
"""Temporary reasons of a refusal: a command that is sent again after one of them is tried again."""


class CommandResult:
    """The result of one command."""

    def __init__(self) -> None:
        self.taken = threading.Event()
        self.number = 0
        self.refusal: dict[str, Any] | None = None


class CommandSender:
    """Puts phones' commands into the inbox and waits for their results. A repeated command is put there only once."""

    def __init__(self, inbox: Inbox, bus: EventBus) -> None:
        self._inbox, self._bus = inbox, bus
        self._changed = threading.Lock()
        self._answers: OrderedDict[str, CommandResult] = OrderedDict()

    def ask(self, command: Command, timeout: float) -> int:
        """Wait for the command, and return the number of the last Update. Raises `Refused`."""
        answer = self._answer_to(command)
        if not answer.taken.wait(timeout):
            raise refused("late")
        if answer.refusal is not None:
            refusal = answer.refusal
            raise Refused(str(refusal.get("reason", "refused")), refusal["says"], refusal.get("detail", ""))
        return answer.number

    def _answer_to(self, command: Command) -> CommandResult:
        with self._changed:
            known = self._answers.get(command.id)
            if known is not None:
                return known
            answer = self._answers[command.id] = CommandResult()
            while len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        try:
            self._inbox.put(command)
        except NotAccepted:
            self._forget(command.id)
            raise refused("busy") from None
        return answer

    def _forget(self, command: str) -> None:
        with self._changed:
            self._answers.pop(command, None)

    def answered(self, command: Command, refusal: dict[str, Any] | None) -> None:
        """Called by the game thread after each command."""
        with self._changed:
            answer = self._answers.get(command.id)
            if refusal is not None and refusal.get("reason") in PASSING:
                self._answers.pop(command.id, None)
        if answer is not None:
            answer.number, answer.refusal = self._bus.snapshot.number, refusal
            answer.taken.set()
