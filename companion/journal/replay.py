"""Replaying a journal: the State after its last event, or where today's rules lead elsewhere.

Events can be replayed only with the rules that they were played by. After an update, a move may be refused or unknown,
or the same moves may lead to another State. Then the game continues from the standing that the journal keeps beside
its events.
"""

from __future__ import annotations

import zlib
from itertools import islice
from typing import Any, Generic, Literal

import msgspec

from companion import __version__
from companion.journal.file import JournalError, NotAJournal
from companion.journal.journal import Event, Journal, Setup, Standing
from companion.kernel.box import BoxError, Learned
from companion.kernel.forms import CannotLearn
from companion.kernel.game import BadSetup, Game, M, S
from companion.kernel.rules import Breach, IllegalMove, Seat, SeatNo
from companion.kernel.views import View


class OtherRules(JournalError):
    """Today's rules do not lead to the States that a journal was written with."""

    def __init__(self, journal: Journal, number: int, how: str, breaches: tuple[Breach, ...] = ()) -> None:
        where = f"event {number}" if number else "the set-up"
        rules = f"companion {journal.head.rules}, this is {__version__}"
        fact = f"comes from other rules ({rules}): at {where} {how}"
        super().__init__(journal.path, fact, "open it with the companion that wrote it")
        self.number = number
        self.breaches = breaches


class Change(msgspec.Struct):
    """Today's rules differ from those of a journal.

    `n` is the first event that differs and `how` the reason, `unfollowed` counts moves that could not be replayed, and
    `kept` says that the game continues from its standing.
    """

    n: int
    how: str
    unfollowed: int = 0
    kept: bool = False

    @property
    def sentence(self) -> str:
        """The key of the sentence for people."""
        if self.kept:
            return "changed.carried"
        return "changed.followed" if self.unfollowed else "changed.told_anew"


class Carried(msgspec.Struct, frozen=True):
    """The body of an event: the rules had changed, and the game continued from this standing."""

    standing: Standing
    change: Change


def standing(game: Game[S, Any], state: S, n: int) -> Standing:
    totals = tuple(seat.total for seat in game.score(state).seats)
    return Standing(n, game.view(state), game.actor(state), totals, zlib.compress(msgspec.json.encode(state), 1))


def stands_so(game: Game[S, Any], state: S, kept: Standing) -> bool:
    """Whether a State looks the same to people as a standing, even if it is encoded in another way."""
    try:
        now = standing(game, state, kept.n)
    except Exception:  # changed rules may fail in any way on an old State
        return False
    return (now.actor, now.totals) == (kept.actor, kept.totals) and _looks_so(now.view, kept.view)


def _looks_so(view: View, kept: View) -> bool:
    """Whether two Views agree in every zone that both have. Other rules may have other zones."""
    return all(contents == view.zones.get(zone, contents) for zone, contents in kept.zones.items())


def taken_over(game: Game[S, Any], state: S, kept: Standing) -> S:
    """The State of a standing, if it can still be decoded; otherwise `state`, adapted to the View of the standing."""
    try:
        read: S = msgspec.json.decode(zlib.decompress(kept.state), type=game.state_type)
        if _looks_so(standing(game, read, kept.n).view, kept.view) and game.expects(read):
            return read
    except Exception:  # in a State of other rules anything may be missing
        pass
    try:
        return game.state_from_view(state, kept.view)
    except Exception:  # a View of other rules: the result of the moves is all there is
        return state


def options_of(game: Game[Any, Any], setup: Setup) -> dict[str, Any]:
    """All options of a journal's game. Those that it does not name are taken from `options_before`, and those that the
    game no longer has are left out."""
    known = {field.encode_name for field in msgspec.structs.fields(game.options_type)}
    return {name: value for name, value in {**game.options_before, **setup.options}.items() if name in known}


def set_up(game: Game[S, Any], setup: Setup) -> S:
    """The State before the first event of a journal. Raises `BoxError` or `BadSetup`."""
    box = game.box_from_json(msgspec.json.decode(setup.box))
    return game.setup(box, setup.seats, options_of(game, setup))


def crc(state: msgspec.Struct) -> int:
    """The checksum that an event keeps of the State after it."""
    return zlib.crc32(msgspec.json.encode(state))


def crc_before(game: Game[S, M], state: S) -> int:
    """The checksum without the fields that were added after companion 0.1.0, as in journals of that version."""
    if not game.state_since:
        return crc(state)
    written = msgspec.to_builtins(state)
    for path in game.state_since:
        *around, name = path.split(".")
        part = written
        for one in around:
            part = part[one]
        part.pop(name, None)
    return zlib.crc32(msgspec.json.encode(written))


class Joining(msgspec.Struct, frozen=True):
    """The body of an event: a game was joined that had begun unwatched. `choice` is the index of the State among those
    that match `view`."""

    view: View
    choice: int


class Named(msgspec.Struct, frozen=True):
    """The body of an event: what a player wants to be called from now on."""

    seat: SeatNo
    name: str

    def among(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """These seats, this one with its new name."""
        return tuple(Seat(seat.colour, self.name) if n == self.seat else seat for n, seat in enumerate(seats))


def named_seats(journal: Journal) -> tuple[Seat, ...]:
    """The players of a journal, with the last name that each has given."""
    seats = journal.head.setup.seats
    for event in journal.events():
        if event.kind == "named":
            seats = msgspec.json.decode(event.body, type=Named).among(seats)
    return seats


class _Undo(msgspec.Struct, frozen=True):
    """The body of an event: back to the State after event `to`, where 0 is the set-up."""

    to: int


def replay(journal: Journal, game: Game[S, M], upto: int | None = None, verify: Literal["last", "all"] = "last") -> S:
    """The State after event `upto`, or after the last one. Raises `OtherRules` if the rules lead elsewhere.

    `verify="last"` compares only the checksum of the last State, which is cheap. If it differs, all are compared, to
    name the first event that differs.
    """
    if journal.head.game != game.name:
        raise NotAJournal(journal.path, f"holds {journal.head.game}, not {game.name}", "check the name")
    if upto is not None and not 0 <= upto <= journal.last_number:
        raise JournalError(journal.path, f"has no event {upto}", f"its last is {journal.last_number}")
    through = _Replay(journal, game)
    if verify == "last":
        try:
            return through.play(upto, compare_all=False)
        except OtherRules:
            pass
    return through.play(upto, compare_all=True)


class _Replay(Generic[S, M]):
    """Replays one journal with one game's rules."""

    def __init__(self, journal: Journal, game: Game[S, M]) -> None:
        self._journal = journal
        self._game = game
        self._move = msgspec.json.Decoder(game.move_type)
        self._view = msgspec.json.Decoder(View)
        self._undo = msgspec.json.Decoder(_Undo)
        self._joining = msgspec.json.Decoder(Joining)
        self._learned = msgspec.json.Decoder(Learned)
        self._carried = msgspec.json.Decoder(Carried)

    def play(self, upto: int | None, compare_all: bool) -> S:
        states = [self._set_up()]
        uncompared: Event | None = None
        for event in islice(self._journal.events(), upto):
            states.append(self._after(event, states))
            if event.state_crc and compare_all:
                self._compare(event, states[-1])
            elif event.state_crc:
                uncompared = event
        if uncompared is not None:
            self._compare(uncompared, states[uncompared.n])
        return states[-1]

    def _set_up(self) -> S:
        setup = self._journal.head.setup
        try:
            return set_up(self._game, setup)
        except (BadSetup, BoxError, msgspec.ValidationError) as error:
            raise OtherRules(self._journal, 0, str(error).rstrip(".")) from error

    def _after(self, event: Event, states: list[S]) -> S:
        try:
            match event.kind:
                case "move":
                    return self._game.play(states[-1], self._move.decode(event.body))
                case "adopt":
                    return self._game.state_from_view(states[-1], self._view.decode(event.body))
                case "join":
                    return self._joined(event, states[-1])
                case "learn":
                    return self._taught(event, states[-1])
                case "carried":
                    return taken_over(self._game, states[-1], self._carried.decode(event.body).standing)
                case "undo":
                    return states[self._earlier(event)]
                case _:
                    return states[-1]
        except IllegalMove as error:
            ids = ", ".join(breach.rule for breach in error.breaches)
            refused = f"the rules now refuse the move ({ids})"
            raise OtherRules(self._journal, event.n, refused, error.breaches) from error
        except msgspec.ValidationError as error:
            unknown = f"the rules now know no such {event.kind} ({error})"
            raise OtherRules(self._journal, event.n, unknown) from error

    def _joined(self, event: Event, state: S) -> S:
        joining = self._joining.decode(event.body)
        moments = self._game.states_matching(state, joining.view)
        if not 0 <= joining.choice < len(moments):
            raise OtherRules(self._journal, event.n, "the rules now know no such moment of the game")
        return moments[joining.choice]

    def _taught(self, event: Event, state: S) -> S:
        learning = self._game.learning
        if learning is None:
            raise OtherRules(self._journal, event.n, "the rules now learn nothing")
        try:
            return learning.learn(state, self._learned.decode(event.body))
        except CannotLearn as error:
            raise OtherRules(self._journal, event.n, f"the rules now know no such piece ({error.reason})") from error

    def _earlier(self, event: Event) -> int:
        to = self._undo.decode(event.body).to
        if not 0 <= to < event.n:
            raise OtherRules(self._journal, event.n, f"no event {to} comes before it")
        return to

    def _compare(self, event: Event, state: S) -> None:
        if crc(state) != event.state_crc:
            raise OtherRules(self._journal, event.n, "the rules now lead to another state")
