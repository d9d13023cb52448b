"""The line of play: every position with the event that led to it, on disk before it counts.

A point is a State and where it came from. Undoing goes to an earlier point and redoing to a later one; nothing that was
written is ever taken out, so any point can be gone back to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple

import msgspec

from companion.box import Learned
from companion.journal import Clock, Entry, Event, Head, Joining, Journal, Setup, crc, replay
from companion.messages import Signal, View
from companion.rules import Game, M, S, Seat


class Seen(msgspec.Struct, frozen=True):
    """A reading that proved something: what could be seen, and a small JPEG of it."""

    at: float
    view: View
    picture: bytes = b""


class Told(msgspec.Struct, frozen=True):
    """A person said so on a phone."""

    command: str
    kind: str
    seat: int | None = None


class Answer(NamedTuple):
    """What a person said to a question."""

    told: Told
    says: dict[str, Any]


Proof = Seen | Told | Signal
_KINDS: dict[type[Any], str] = {Seen: "seen", Told: "told", Signal: "signalled"}
_PROOFS: dict[str, type[Any]] = {kind: proof for proof, kind in _KINDS.items()}


Act = tuple[Proof | None, tuple[Any, ...], View | None]
"""What proves it, and moves that were made together, with the pieces that were described for them; or what the table
showed when it was taken as right."""


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
        """What the table showed when people said that it is right; then no move led here."""
        self.seen = not isinstance(proof, Told)
        """The table has looked like this since. What a person told, hands may still have to do."""
        self.joined = False
        """The game had begun unwatched: what came before this point has nothing to do with it."""

    @property
    def move(self) -> Any:
        """The move that led here; None where no move did."""
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
        """Commands that were taken: a repeated one changes nothing."""
        self.ignored: set[str] = set()
        """Zones that people asked not to be looked at."""
        self._points: dict[int, Point[S]] = {0: self.now}
        self.proven: Proof | None = None
        """What was seen, told or signalled last."""
        self._ahead: list[Point[S]] = []

    @classmethod
    def begin(
        cls, game: Game[S, M], path: Path, box: Any, seats: tuple[Seat, ...], options: dict[str, Any], clock: Clock
    ) -> Ledger[S, M]:
        state = game.setup(box, seats, options)
        head = Head(game.name, clock(), Setup.of(box, seats, options))
        return cls(game, Journal.create(path, head, now=clock), state)

    @classmethod
    def reopen(cls, game: Game[S, M], path: Path, clock: Clock) -> Ledger[S, M]:
        journal = Journal.open(path, now=clock)
        try:
            replay(journal, game)  # first of all: do the rules still lead where it was written?
            ledger = cls.at_the_start(game, journal)
            for event in journal.events():
                ledger.follow(event)
        except BaseException:
            journal.close()
            raise
        return ledger

    @classmethod
    def at_the_start(cls, game: Game[S, M], journal: Journal) -> Ledger[S, M]:
        """A journal that holds a game already, before its first event: `follow` leads through it."""
        setup = journal.head.setup
        box = game.box_from_json(msgspec.json.decode(setup.box))
        return cls(game, journal, game.setup(box, setup.seats, setup.options))

    # What was

    @property
    def state(self) -> S:
        return self.now.state

    def line(self) -> list[Point[S]]:
        """All points of this line of play, the set-up first."""
        points = list(self._back())
        points.reverse()
        return points

    def earlier(self) -> list[S]:
        """The states that hands could go back to: what a timer said cannot be taken back, nor what came before it."""
        states: list[S] = []
        point = self.now
        while point.parent is not None and not _stays(point):
            point = point.parent
            states.append(point.state)
        states.reverse()
        return states

    def made(self) -> list[M | None]:
        """The moves that led on from the states in `earlier`; None where the table was taken as it was."""
        line = self.line()
        return [point.move for point in line[len(line) - len(self.earlier()) :]]

    def _back(self) -> Iterator[Point[S]]:
        point: Point[S] | None = self.now
        while point is not None:
            yield point
            point = point.parent

    def after(self, point: Point[S]) -> list[list[Point[S]]]:
        """What was accepted after a point of this line: the moves that were accepted together, together."""
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
    def can_redo(self) -> bool:
        return bool(self._ahead)

    @property
    def ahead(self) -> tuple[Point[S], ...]:
        """Where redoing leads, step by step."""
        return tuple(reversed(self._ahead))

    # What is written down

    def play(self, moves: Sequence[M | Learned], proof: Proof | None, answer: Answer | None = None) -> list[Point[S]]:
        """Legal moves and pieces that were described for them, all or none, and with them the answer that chose them.
        Raises `IllegalMove`, `CannotLearn`, or what a journal raises, and nothing has changed."""
        said = [] if answer is None else [*_proof(answer.told), Entry("answered", msgspec.json.encode(answer.says))]
        return self._write(said, [(proof, tuple(moves), None)])

    def rewrite(self, start: Point[S], acts: Sequence[Act]) -> list[Point[S]]:
        """Go back to a point and write the line of play anew from there, all or none."""
        return self._write([*_proof(acts[0][0]), _undo(start)], acts, start)

    def _write(self, entries: list[Entry], acts: Sequence[Act], start: Point[S] | None = None) -> list[Point[S]]:
        state, steps = (start or self.now).state, list[tuple[int, int, S, Any, Act]]()
        for proof, moves, adopted in acts:
            entries += _proof(proof)
            together = len(entries)
            for move in moves if adopted is None else (None,):
                state = led(self.game, state, move) if adopted is None else self.game.adopt(state, adopted)
                steps.append((len(entries), together, state, move, (proof, moves, adopted)))
                kind = "adopt" if adopted is not None else "learn" if isinstance(move, Learned) else "move"
                body = move if adopted is None else adopted
                entries.append(Entry(kind, msgspec.json.encode(body), crc(state)))
        first = self._append(entries)
        self.now = start or self.now
        self._ahead.clear()
        return [
            self._step(first + place, state, move, first + together, proof, adopted)
            for place, together, state, move, (proof, _, adopted) in steps
        ]

    def go_to(self, point: Point[S], proof: Proof | None = None) -> None:
        """Back to a point, or forward again to one that was left."""
        self._append([*_proof(proof), _undo(point)])
        self._jump(point, self.journal.last_number)

    def undo(self, proof: Proof | None) -> Point[S] | None:
        """To before what was accepted last; the point that was left comes back."""
        left = self.now
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

    def adopt(self, view: View, proof: Proof | None) -> None:
        """The table's word for it."""
        self._write([], [(proof, (), view)])

    def join(self, joining: Joining, proof: Proof | None) -> None:
        """One of the moments of a game under way that look like the table."""
        state = self.moment(joining)
        self._append([*_proof(proof), Entry("join", msgspec.json.encode(joining), crc(state))])
        self._join(self.journal.last_number, state)

    def moment(self, joining: Joining) -> S:
        return self.game.joins(self.state, joining.view)[joining.choice]

    def _join(self, n: int, state: S) -> None:
        self._step(n, state, None, 0, None).joined = True
        self._ahead.clear()

    def note(self, kind: str, body: Any, proof: Proof | None = None) -> int:
        """Something that changes no State: a verdict, a zone that is ignored."""
        self._append([*_proof(proof), Entry(kind, msgspec.json.encode(body))])
        return self.journal.last_number

    def close(self) -> None:
        self.journal.close()

    def _append(self, entries: Sequence[Entry]) -> int:
        """Write down, and the number of the first."""
        first = self.journal.last_number + 1
        self.journal.append_many(entries)
        for n in range(first, self.journal.last_number + 1):
            self._points[n] = self.now
        for entry in entries:
            if entry.kind == "told":
                self.commands.add(msgspec.json.decode(entry.body, type=Told).command)
        return first

    def _step(
        self, n: int, state: S, move: Any, first: int, proof: Proof | None, adopted: View | None = None
    ) -> Point[S]:
        # Pictures stay on disk: a long game would fill the memory of a small Pi with them.
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

    # What was written before

    def follow(self, event: Event) -> None:
        """Go on to an event that was written; consecutive moves and descriptions were accepted together."""
        self._points[event.n] = self.now
        match event.kind:
            case "move" | "learn":
                kind = Learned if event.kind == "learn" else self.game.move_type
                step = msgspec.json.decode(event.body, type=kind)
                first = self.now.first if self.now.step is not None and self.now.n == event.n - 1 else event.n
                self._step(event.n, led(self.game, self.state, step), step, first, self.proven)
                self._ahead.clear()
            case "adopt":
                view = msgspec.json.decode(event.body, type=View)
                self._step(event.n, self.game.adopt(self.state, view), None, event.n, self.proven, view)
                self._ahead.clear()
            case "join":
                self._join(event.n, self.moment(msgspec.json.decode(event.body, type=Joining)))
            case "undo":
                self._jump(self._points[msgspec.json.decode(event.body)["to"]], event.n)
            case "ignore":
                self.ignored.add(msgspec.json.decode(event.body)["zone"])
            case "watch":
                self.ignored.discard(msgspec.json.decode(event.body)["zone"])
            case kind if kind in _PROOFS:
                self.proven = msgspec.json.decode(event.body, type=_PROOFS[kind])
                if isinstance(self.proven, Told):
                    self.commands.add(self.proven.command)
            case _:
                pass


def led(game: Game[S, M], state: S, step: M | Learned) -> S:
    """The state after a move, or after a piece was described. Raises `IllegalMove` or `CannotLearn`."""
    if not isinstance(step, Learned):
        return game.play(state, step)
    assert game.learning is not None
    return game.learning.learn(state, step)


def _undo(point: Point[Any]) -> Entry:
    return Entry("undo", msgspec.json.encode({"to": point.n}), crc(point.state))


def _stays(point: Point[S]) -> bool:
    """Hands cannot undo what led here."""
    return point.joined or (isinstance(point.proof, Signal) and point.proof.kind == "timer")


def _proof(proof: Proof | None) -> list[Entry]:
    return [] if proof is None else [Entry(_KINDS[type(proof)], msgspec.json.encode(proof))]
