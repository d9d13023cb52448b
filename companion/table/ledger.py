"""The line of play: every position with the event that led to it, written to disk before it counts.

A point is a State and its origin. Undo goes to an earlier point and redo to a later one; events are never removed, so
every point stays reachable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple

import msgspec

from companion.journal import Clock, Entry, Event, Head, Joining, Journal, OtherRules, Setup, crc, crc_before
from companion.journal.replay import Carried, Change, Named, set_up, standing, stands_so, taken_over
from companion.kernel.box import Learned
from companion.kernel.game import Game, M, S
from companion.kernel.messages import Signal
from companion.kernel.rules import IllegalMove, Seat
from companion.kernel.views import View


class Seen(msgspec.Struct, frozen=True):
    """A reading as proof: what was visible, and a small JPEG."""

    at: float
    view: View
    picture: bytes = b""


class Told(msgspec.Struct, frozen=True):
    """A person's Command as proof."""

    command: str
    kind: str
    seat: int | None = None


class Answer(NamedTuple):
    """A person's answer to a question."""

    told: Told
    says: dict[str, Any]


Proof = Seen | Told | Signal
_KINDS: dict[type[Any], str] = {Seen: "seen", Told: "told", Signal: "signalled"}
_PROOFS: dict[str, type[Any]] = {kind: proof for proof, kind in _KINDS.items()}

Act = tuple[Proof | None, tuple[Any, ...], View | None]
"""A proof, and either moves accepted together with the pieces described for them, or a table that was adopted."""


class Point(Generic[S]):
    """A position of the game: the State after event `n`, and what led to it."""

    def __init__(
        self,
        n: int,
        state: S,
        parent: Point[S] | None = None,
        move: Any = None,
        first: int = 0,
        proof: Proof | None = None,
        adopted: View | None = None,
    ) -> None:
        self.n = n
        self.state = state
        self.parent = parent
        self.step = move
        """What led here: a move, or a piece that was described."""
        self.first = first or n
        """The first event of the moves that were accepted together with this one."""
        self.proof = proof
        self.adopted = adopted
        """The table that people adopted; then no move led here."""
        self.seen = not isinstance(proof, Told)
        """Whether the table has shown this position. Moves that a person told may still have to be made by hand."""
        self.joined = False
        """Whether the game was joined under way here: earlier points are unrelated."""
        self.carried = False
        """Whether the last known state was carried over here, because the rules have changed. Undo stops here."""

    @property
    def move(self) -> Any:
        """The move that led here; None if no move did."""
        return None if isinstance(self.step, Learned) else self.step

    @property
    def learned(self) -> Learned | None:
        """The piece that was described here."""
        return self.step if isinstance(self.step, Learned) else None


class Ledger(Generic[S, M]):
    """One game's journal and the line of play in it."""

    def __init__(self, game: Game[S, M], journal: Journal, start: S) -> None:
        self.game = game
        self.journal = journal
        self.now = Point(0, start)
        self.commands: set[str] = set()
        """The ids of handled Commands: a repeated one changes nothing."""
        self.ignored: set[str] = set()
        """Zones that people excluded."""
        self._points: dict[int, Point[S]] = {0: self.now}
        self.seats = journal.head.setup.seats
        """The players, with the names that they have given since the game began."""
        self.proven: Proof | None = None
        """The newest proof in the journal."""
        self._ahead: list[Point[S]] = []
        self.change: Change | None = None
        """Where the current rules deviate from the journal, if they do."""
        self._written: tuple[Event, S] | None = None
        """The last event with a stored State, and the State it leads to now."""

    @classmethod
    def begin(
        cls, game: Game[S, M], path: Path, box: Any, seats: tuple[Seat, ...], options: dict[str, Any], clock: Clock
    ) -> Ledger[S, M]:
        state = game.setup(box, seats, options)
        # Store all options, so that a later change of a default does not change this game.
        named = msgspec.to_builtins(msgspec.convert(options, game.options_type))
        head = Head(game.name, clock(), Setup.of(box, seats, named))
        return cls(game, Journal.create(path, head, now=clock), state)

    @classmethod
    def reopen(cls, game: Game[S, M], path: Path, clock: Clock) -> Ledger[S, M]:
        """Continue the game of a journal. If the rules have changed, continue from its last stored state."""
        journal = Journal.open(path, now=clock)
        try:
            ledger = cls.read(game, journal)
            if (change := ledger.change) is not None:
                kept = standing(game, ledger.state, ledger.now.n)
                carried = Entry("carried", msgspec.json.encode(Carried(kept, change)), crc(ledger.state))
                journal.append_many([carried], kept)
        except BaseException:
            journal.close()
            raise
        return ledger

    @classmethod
    def read(cls, game: Game[S, M], journal: Journal) -> Ledger[S, M]:
        """The whole line of play of a journal. Raises `DamagedJournal`, or `OtherRules` if the rules have changed."""
        ledger = cls.at_the_start(game, journal)
        for event in journal.events():
            ledger.follow(event)
        ledger.compare()
        return ledger

    @classmethod
    def at_the_start(cls, game: Game[S, M], journal: Journal) -> Ledger[S, M]:
        """The ledger of a written journal before its first event; `follow` applies the events."""
        setup = journal.head.setup
        try:
            return cls(game, journal, set_up(game, setup))
        except Exception as error:  # rules that have changed may stumble over anything
            how = f"it can no longer be set up ({error})"
        try:
            ledger = cls(game, journal, game.setup(game.load_box(), setup.seats))
        except Exception as error:
            raise OtherRules(journal, 0, str(error).rstrip(".")) from error
        ledger.change = Change(0, how)
        return ledger

    # The line of play

    @property
    def state(self) -> S:
        return self.now.state

    def line(self) -> list[Point[S]]:
        """All points of this line of play, the setup first."""
        points = list(self._back())
        points.reverse()
        return points

    def earlier(self) -> list[S]:
        """The states that hands can go back to. A timer's signal and the moves before it cannot be taken back."""
        states: list[S] = []
        point = self.now
        while point.parent is not None and not _stays(point):
            point = point.parent
            states.append(point.state)
        states.reverse()
        return states

    def moves_made(self) -> list[M | None]:
        """The moves made in the states of `earlier`; None where the table was adopted."""
        line = self.line()
        return [point.move for point in line[len(line) - len(self.earlier()) :]]

    def _back(self) -> Iterator[Point[S]]:
        point: Point[S] | None = self.now
        while point is not None:
            yield point
            point = point.parent

    def after(self, point: Point[S]) -> list[list[Point[S]]]:
        """The points after a point of this line, grouped by what was accepted together."""
        groups: list[list[Point[S]]] = []
        for one in self.line():
            if one.n <= point.n:
                continue
            if groups and groups[-1][-1].first == one.first:
                groups[-1].append(one)
            else:
                groups.append([one])
        return groups

    def point(self, n: int) -> Point[S] | None:
        """The point of this line that event `n` led to."""
        return next((point for point in self._back() if point.n == n), None)

    @property
    def can_undo(self) -> bool:
        return self.now.parent is not None and not self.now.carried

    @property
    def can_redo(self) -> bool:
        return bool(self._ahead)

    @property
    def ahead(self) -> tuple[Point[S], ...]:
        """The points that redo leads to, in order."""
        return tuple(reversed(self._ahead))

    # Writing

    def play(self, moves: Sequence[M | Learned], proof: Proof | None, answer: Answer | None = None) -> list[Point[S]]:
        """Write legal moves and the pieces described for them, all or none, with the answer that chose them."""
        said = [] if answer is None else [*_proof(answer.told), Entry("answered", msgspec.json.encode(answer.says))]
        return self._write(said, [(proof, tuple(moves), None)])

    def rewrite(self, start: Point[S], acts: Sequence[Act]) -> list[Point[S]]:
        """Go back to a point and rewrite the line of play from there, all or none."""
        return self._write([*_proof(acts[0][0]), _undo(start)], acts, start)

    def _write(self, entries: list[Entry], acts: Sequence[Act], start: Point[S] | None = None) -> list[Point[S]]:
        state, steps = (start or self.now).state, list[tuple[int, int, S, Any, Act]]()
        for proof, moves, adopted in acts:
            entries += _proof(proof)
            together = len(entries)
            for move in moves if adopted is None else (None,):
                if adopted is None:
                    state, body = state_after(self.game, state, move), move
                else:
                    state, body = self.game.state_from_view(state, adopted), adopted
                steps.append((len(entries), together, state, move, (proof, moves, adopted)))
                kind = "adopt" if adopted is not None else "learn" if isinstance(move, Learned) else "move"
                entries.append(Entry(kind, msgspec.json.encode(body), crc(state)))
        first = self._append(entries, state)
        self.now = start or self.now
        self._ahead.clear()
        return [
            self._step(first + place, state, move, first + together, proof, adopted)
            for place, together, state, move, (proof, _, adopted) in steps
        ]

    def go_to(self, point: Point[S], proof: Proof | None = None) -> None:
        """Go back to a point, or forward again to one that was undone."""
        self._append([*_proof(proof), _undo(point)], point.state)
        self._jump(point, self.journal.last_number)

    def undo(self, proof: Proof | None) -> Point[S] | None:
        """Undo what was accepted last. Returns the point that was undone."""
        left = self.now
        if left.carried:
            return None
        target: Point[S] | None = left
        while target is not None and target.n >= left.first and target.parent is not None:
            target = target.parent
        if target is None or target is left:
            return None
        self.go_to(target, proof)
        return left

    def redo(self, proof: Proof | None) -> Point[S] | None:
        if not self._ahead:
            return None
        self.go_to(self._ahead[-1], proof)
        return self.now

    def take_over(self, view: View, proof: Proof | None) -> None:
        """Adopt the table as the game's state."""
        self._write([], [(proof, (), view)])

    def join(self, joining: Joining, proof: Proof | None) -> None:
        """Continue from one of the states that match the table of a game under way."""
        state = self.joined_state(joining)
        self._append([*_proof(proof), Entry("join", msgspec.json.encode(joining), crc(state))], state)
        self._join(self.journal.last_number, state)

    def joined_state(self, joining: Joining) -> S:
        return self.game.states_matching(self.state, joining.view)[joining.choice]

    def _join(self, n: int, state: S) -> None:
        self._step(n, state, None, 0, None).joined = True
        self._ahead.clear()

    def note(self, kind: str, body: Any, proof: Proof | None = None) -> int:
        """Write an event that changes no State: a verdict, an ignored zone."""
        self._append([*_proof(proof), Entry(kind, msgspec.json.encode(body))])
        return self.journal.last_number

    def close(self) -> None:
        self.journal.close()

    def _append(self, entries: Sequence[Entry], state: S | None = None) -> int:
        """Write entries with the State they lead to. Returns the number of the first."""
        first = self.journal.last_number + 1
        kept = None if state is None else standing(self.game, state, first + len(entries) - 1)
        self.journal.append_many(entries, kept)
        for n in range(first, self.journal.last_number + 1):
            self._points[n] = self.now
        for entry in entries:
            if entry.kind == "told":
                self.commands.add(msgspec.json.decode(entry.body, type=Told).command)
        return first

    def _step(
        self, n: int, state: S, move: Any, first: int, proof: Proof | None, adopted: View | None = None
    ) -> Point[S]:
        # Pictures stay on disk: those of a long game would fill the memory of a small Pi.
        kept = msgspec.structs.replace(proof, picture=b"") if isinstance(proof, Seen) else proof
        self.now = self._points[n] = Point(n, state, self.now, move, first, kept, adopted)
        if adopted is not None:
            self.now.seen = True
        return self.now

    def _jump(self, point: Point[S], n: int) -> None:
        if point in self._back():
            self._ahead.append(self.now)
        else:
            self._ahead = self._ahead[:-1]
        self.now = self._points[n] = point

    # Reading

    def follow(self, event: Event) -> None:
        """Apply an event of the journal; consecutive moves and descriptions were accepted together. If the rules no
        longer lead there, set `change`, and apply the rest as far as possible."""
        self._points[event.n] = self.now
        try:
            self._follow(event)
        except Exception as error:  # rules that have changed may stumble over anything
            self._differs(event, error)
        if event.state_crc:
            self._written = event, self.state

    def _differs(self, event: Event, error: Exception) -> None:
        if isinstance(error, IllegalMove):
            how = f"the rules now refuse the move ({', '.join(breach.rule for breach in error.breaches)})"
        else:
            how = f"the rules now know no such {event.kind} ({error})"
        self.change = self.change or Change(event.n, how)
        self.change.unfollowed += 1

    def compare(self) -> None:
        """After the last event: if it does not lead to its stored state, continue from that state."""
        event, state = self._written or (None, self.state)
        if event is None and self.change is None:
            return
        if event is not None and event.state_crc in (crc(state), crc_before(self.game, state)):
            self.change = None  # the end is the same, so differences on the way do not matter
            return
        kept = self.journal.standing()
        if kept is not None and event is not None and kept.n < event.n:
            kept = None  # a companion that stores no State has played on since
        if self.change is None:
            if kept is not None and stands_so(self.game, self.state, kept):
                return  # equal, only encoded differently
            self.change = Change(0 if event is None else event.n, "the rules now lead to another state")
        self.change.kept = kept is not None
        self._carry(
            self.journal.last_number + 1, self.state if kept is None else taken_over(self.game, self.state, kept)
        )

    def _play_unchecked(self, move: Any) -> S:
        try:
            return self.game.play_unchecked(self.state, move) or self.state
        except Exception:  # rules that have changed may stumble over anything
            return self.state

    def _carry(self, n: int, state: S) -> None:
        self._step(n, state, None, 0, None).carried = True
        self._ahead.clear()

    def _follow(self, event: Event) -> None:
        match event.kind:
            case "move" | "learn":
                kind = Learned if event.kind == "learn" else self.game.move_type
                step = msgspec.json.decode(event.body, type=kind)
                first = self.now.first if self.now.step is not None and self.now.n == event.n - 1 else event.n
                try:
                    state = state_after(self.game, self.state, step)
                except IllegalMove:
                    # The move was made, so play it without its check; if that fails, keep the state.
                    state = self._play_unchecked(step)
                    self._step(event.n, state, step, first, self.proven)
                    raise
                self._step(event.n, state, step, first, self.proven)
                self._ahead.clear()
            case "carried":
                carried = msgspec.json.decode(event.body, type=Carried)
                self._carry(event.n, taken_over(self.game, self.state, carried.standing))
                self.change = None  # it was noticed before, and the history shows it here
            case "adopt":
                view = msgspec.json.decode(event.body, type=View)
                self._step(event.n, self.game.state_from_view(self.state, view), None, event.n, self.proven, view)
                self._ahead.clear()
            case "join":
                self._join(event.n, self.joined_state(msgspec.json.decode(event.body, type=Joining)))
            case "undo":
                self._jump(self._points[msgspec.json.decode(event.body)["to"]], event.n)
            case "ignore":
                self.ignored.add(msgspec.json.decode(event.body)["zone"])
            case "named":
                self.seats = msgspec.json.decode(event.body, type=Named).among(self.seats)
            case "watch":
                self.ignored.discard(msgspec.json.decode(event.body)["zone"])
            case kind if kind in _PROOFS:
                self.proven = msgspec.json.decode(event.body, type=_PROOFS[kind])
                if isinstance(self.proven, Told):
                    self.commands.add(self.proven.command)
            case _:
                pass


def state_after(game: Game[S, M], state: S, step: M | Learned) -> S:
    """The state after a move or a description of a piece. Raises `IllegalMove` or `CannotLearn`."""
    if not isinstance(step, Learned):
        return game.play(state, step)
    assert game.learning is not None
    return game.learning.learn(state, step)


def _undo(point: Point[Any]) -> Entry:
    return Entry("undo", msgspec.json.encode({"to": point.n}), crc(point.state))


def _stays(point: Point[S]) -> bool:
    """Whether hands cannot undo what led here."""
    return point.joined or point.carried or (isinstance(point.proof, Signal) and point.proof.kind == "timer")


def _proof(proof: Proof | None) -> list[Entry]:
    return [] if proof is None else [Entry(_KINDS[type(proof)], msgspec.json.encode(proof))]
