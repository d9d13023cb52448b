"""What a game is to the companion: pure functions over a frozen State, and words for what they say.

Nothing here knows a particular game. A game lives in `companion/games/<name>/` and gives the kernel
one object that satisfies `Game`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.kernel.box import Learned
from companion.kernel.catalogue import Catalogue, Speaker
from companion.kernel.forms import Form
from companion.kernel.messages import NewPiece, Signal, View
from companion.kernel.sketches import Sketching

Fact = int | str | tuple[str, ...]
"""A value inside an explanation: a number, a word of the catalogue (or a seat's colour), or several words."""

SeatNo = int
"""A seat's place in the order around the table, clockwise, from 0."""

CHANCE: Final = "chance"
ANYONE: Final = "anyone"
MOST_BREACHES: Final = 3
"""The most rules that one forbidden act may break: with enough faults any table could be explained."""

Actor = SeatNo | Literal["chance", "anyone"] | None
"""Who acts: a seat, chance (a spin, a tile turned up), anyone (all at once), or nobody: the game is over."""


class Seat(msgspec.Struct, frozen=True):
    """A player's place at the table."""

    colour: str
    name: str = ""


class Note(msgspec.Struct, frozen=True):
    """A rule that was at work in a legal move, with its facts."""

    rule: str
    facts: dict[str, Fact] = {}


class RuleLog:
    """Collects what the rules did while a move was played."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def tell(self, rule: str, **facts: Fact) -> None:
        self.notes.append(Note(rule, facts))


class Breach(msgspec.Struct, frozen=True):
    """A broken rule, with the facts that show it."""

    rule: str
    facts: dict[str, Fact] = {}


def changed(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The same values, but for one place: a new State is made of those of the old one."""
    return (*values[:index], value, *values[index + 1 :])


def broken(rule: str, **facts: Fact) -> Breach:
    return Breach(rule, facts)


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class IllegalMove(Exception):
    """A move that breaks one or more rules; `breaches` says which and why."""

    def __init__(self, move: Any, breaches: tuple[Breach, ...]) -> None:
        super().__init__("; ".join(f"{b.rule} {b.facts}" for b in breaches))
        self.move = move
        self.breaches = breaches


class Line(msgspec.Struct, frozen=True):
    """One line of a score sheet: how many points, for what, by which facts."""

    label: str
    points: int
    because: Note


class SeatScore(msgspec.Struct, frozen=True):
    seat: SeatNo
    lines: tuple[Line, ...]
    total: int


class Scoresheet(msgspec.Struct, frozen=True):
    """Every point with its reason, and how it was decided.

    `winners` is empty while the game runs, and where nobody at the table has won or can be said to have won; several
    share the victory."""

    seats: tuple[SeatScore, ...]
    winners: tuple[SeatNo, ...] = ()
    because: tuple[Note, ...] = ()

    @property
    def winner(self) -> SeatNo | None:
        """Whoever has won alone."""
        return self.winners[0] if len(self.winners) == 1 else None


class Earned(msgspec.Struct, frozen=True):
    """Points that moved a marker on a track during the game, and what they were for.

    A State keeps them beside the marker's field, so that a score sheet can say where each point came from."""

    label: str
    rule: str
    facts: tuple[tuple[str, Fact], ...] = ()
    points: int = 0


def earn(before: tuple[Earned, ...], label: str, points: int, because: Note) -> tuple[Earned, ...]:
    """What was earned so far, and these points. The same reason is one entry, and the order of play does not matter:
    two ways to the same table stay equal."""
    key = (label, because.rule, tuple(sorted(because.facts.items())))
    entries = {(one.label, one.rule, one.facts): one.points for one in before}
    entries[key] = entries.get(key, 0) + points
    return tuple(Earned(*reason, entries[reason]) for reason in sorted(entries, key=str) if entries[reason])


def earned_lines(earned: tuple[Earned, ...], track: int, rest: str) -> Iterator[Line]:
    """A line for each reason, and one more by the rule `rest` for what nobody saw earned: points that were told by hand
    or taken over from the track."""
    for one in earned:
        yield Line(one.label, one.points, Note(one.rule, {**dict(one.facts), "points": one.points}))
    if other := track - sum(one.points for one in earned):
        yield Line("points", other, Note(rest, {"points": other}))


def tally(seat: SeatNo, lines: Iterable[Line]) -> SeatScore:
    kept = tuple(lines)
    return SeatScore(seat, kept, sum(line.points for line in kept))


class Expected(msgspec.Struct, frozen=True):
    """What the table waits for: a sentence of the catalogue's `expects`, its facts, and who is to act.

    `phase` is the part of the game, a word of the catalogue, where a game has parts."""

    key: str
    facts: dict[str, Fact] = {}
    actor: Actor = None
    phase: str = ""


class Remark(msgspec.Struct, frozen=True):
    """Something worth knowing about a place: a sentence of the catalogue's `about`, and its facts.

    Where several things happen one after the other, `step` counts them from 1."""

    key: str
    facts: dict[str, Fact] = {}
    step: int = 0


class Link(msgspec.Struct, frozen=True):
    """Two zones that belong together for a seat: drawn as a line of its colour."""

    one: str
    other: str
    seat: SeatNo


class Section(msgspec.Struct, frozen=True):
    """A section of a ring: the zone whose loose pieces lie there, its word in the catalogue, the number that the disc
    in the middle shows beside it, what it is worth, and what else lies there: cells, or whole zones."""

    zone: str
    word: str
    number: int
    worth: int
    beside: tuple[tuple[str, str], ...] = ()


class Ring(msgspec.Struct, frozen=True):
    """A wheel with sections, clockwise from the top, around a disc that turns; drawn large beside the table.

    `legend` says what a piece stands for wherever it lies in it, by its label: a word of the catalogue."""

    zone: str
    sections: tuple[Section, ...]
    legend: dict[str, str] = {}


class Countdown(msgspec.Struct, frozen=True):
    """A time in which everybody acts at once while a timer runs, and what nobody may do in it.

    Pieces go one at a time from the zone `source` to the zones of `keeps`, each of which belongs to a seat; what lies
    there stays there, and nothing moves after the move `stop`. The rules say so by their ids.
    """

    leader: SeatNo
    seconds: float
    running: bool
    source: str
    keeps: dict[str, SeatNo]
    stop: Any
    stays: str
    one_at_a_time: str
    one_hand: str
    after_stop: str


T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)


Paint = Callable[[str, str], str]
"""Gives a text a colour by name, as the place where it is shown can."""


def plain(text: str, _colour: str) -> str:
    """For a place that shows no colours."""
    return text


Blocks = Mapping[str, tuple[tuple[str, ...], ...]]
"""Cells that belong together, by zone."""

NO_BLOCKS: Final[Blocks] = {}


class Family(msgspec.Struct, frozen=True):
    """Pieces of a kind that are described on sight: the fact of the box that holds them, or below which each has its
    own; how many are known so far, and how many there are."""

    fact: str
    known: int
    number: int


class Learning(Protocol, Generic[S]):
    """How a box grows, for games whose boxes are not the same everywhere. States of such a game have a `box`."""

    def form(self, state: S, move: Any, field: str) -> Form | None:
        """What is asked about a piece that the box does not hold, where a field of a move would name it."""

    def learn(self, state: S, learned: Learned) -> S:
        """The state with a box that holds this piece too. Raises `CannotLearn`."""

    def pieces(self, box: Any) -> tuple[NewPiece, ...]:
        """The pieces of a box that people described, in that order."""

    def families(self, box: Any) -> tuple[Family, ...]:
        """The facts of the box that nobody needs to compare, for their pieces are described when they turn up."""


class Guide(Protocol):
    """What people may want to know when they look at the table, besides what lies there."""

    def about(self, state: Any, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        """A place in a few sentences, for a seat or for whoever looks on. `spot` is a cell of the zone, or the label of
        a loose piece in it, or empty. Anything may be asked; where there is nothing to say, nothing is said."""

    def piece(self, state: Any, label: str) -> Remark | None:
        """What a piece is good for, in a few words, where its name does not say it: people choose it from a list."""

    def answer(self, state: Any, move: Any, field: str) -> Remark | None:
        """What the value of a field would mean as an answer, in a few words, where its name does not say it; the other
        fields of the move may still be open."""

    def links(self, state: Any) -> tuple[Link, ...]:
        """What is connected, for whom."""

    def rings(self, state: Any) -> tuple[Ring, ...]:
        """The wheels of the table; most tables have none."""

    def printed(self, state: Any) -> Mapping[str, str]:
        """What is printed where no piece says it, by a zone, a zone with its cell, or a label: the colour of a place,
        the points on a tile."""


class Game(Protocol, Generic[S, M]):
    """One game, as pure functions. `moves` and `check` agree on every state."""

    @property
    def name(self) -> str: ...

    @property
    def guide(self) -> Guide | None:
        """What people are told about places; None where what lies there says it all."""

    @property
    def learning(self) -> Learning[S] | None:
        """How people describe pieces that the box does not hold; None where every box holds the same."""

    @property
    def sketching(self) -> Sketching | None:
        """What of the box is entered by drawing it: maps and tracks; None where nothing is."""

    @property
    def blocks(self) -> Blocks:
        """Cells that people put right together: the fields of a board that is turned as a whole, a row that slides."""

    @property
    def catalogue(self) -> Catalogue: ...

    @property
    def box_file(self) -> Path:
        """The box as we ship it."""

    @property
    def state_type(self) -> type[S]: ...

    @property
    def move_type(self) -> Any:
        """The union of all moves, for decoding."""

    @property
    def options_type(self) -> type[msgspec.Struct]:
        """What a table may choose before it begins: booleans, numbers and choices, each with a default."""

    @property
    def options_before(self) -> Mapping[str, Any]:
        """What was played where a journal does not name an option: every option, with its default in companion 0.1.0,
        whose journals named only what was chosen; one that came later with what was played before there was a choice.
        Nothing here ever changes, whatever becomes of the defaults."""

    @property
    def state_since(self) -> tuple[str, ...]:
        """What came into the State after companion 0.1.0, and the field that holds it before it, as in `options.rule`:
        journals of 0.1.0 have checksums without it."""

    def load_box(self, answers: Mapping[str, Any] | None = None) -> Any:
        """The shipped box with a person's answers laid over it."""

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """The answers that the box still asks for. Others were given while less of it was known: they are not used, and
        what is still open is asked again."""

    def box_from_json(self, raw: Any) -> Any:
        """A box as a journal keeps it."""

    def setup(self, box: Any, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> S:
        """The table before the first act. Raises `BadSetup` with a sentence."""

    def actor(self, state: S) -> Actor: ...

    def moves(self, state: S) -> Iterator[M]:
        """Every legal move."""

    def check(self, state: S, move: M) -> tuple[Breach, ...]:
        """Empty means legal; otherwise every reason why not."""

    def play(self, state: S, move: M) -> S:
        """The state after the move. Raises `IllegalMove`."""

    def tell(self, state: S, move: M) -> tuple[Note, ...]:
        """The rules a legal move sets to work, in order, with what they did."""

    def facts(self, state: S, move: M) -> dict[str, Fact]:
        """The move itself in words of the catalogue, for its sentence."""

    def picture(self, state: S, speaker: Speaker, paint: Paint = ...) -> str:
        """The table as text, for a terminal."""

    def view(self, state: S) -> View:
        """What the table should look like."""

    def candidates(self, state: S, view: View) -> Iterator[M]:
        """Moves, legal or not, that could have led from `state` to what `view` shows."""

    def illegal_candidates(self, state: S, view: View) -> Iterator[M]:
        """Further forbidden moves that could have; they are asked for only where nothing legal explains the view."""

    def moves_in_progress(self, state: S, view: View) -> Iterator[M]:
        """The legal moves of which `view` may show a part; more of them cost time only."""

    def may_be_partial(self, state: S, move: M) -> bool:
        """Whether a table after a legal move may just as well show the first half of another one: cards laid on cards
        that look the same, a reward that is a part of another reward."""

    def state_from_view(self, state: S, view: View) -> S:
        """The state as the table shows it, whatever the rules say about how it came to be."""

    def setting_up(self, state: S) -> bool:
        """Whether the game is still being set up. Until then a game that has long begun can be joined."""

    def states_matching(self, state: S, view: View) -> tuple[S, ...]:
        """The moments of a game whose table looks like `view`, for a table that nobody has watched so far.

        `state` is the set-up: its seats, box and options count, nothing else. The moments differ only in what nobody
        can see, such as whose turn it is; the likeliest come first. None of them: the look fits no game under way.
        """

    def play_unchecked(self, state: S, move: M) -> S | None:
        """The state after a move that may be forbidden, as if it counted; None when no hand could do it."""

    def expects(self, state: S) -> Expected:
        """What the table waits for, in one sentence."""

    def signalled(self, state: S, signal: Signal) -> tuple[M, ...]:
        """What a button or the timer may mean here, the likeliest first; empty when it means nothing."""

    def rush(self, state: S) -> Countdown | None:
        """The rush that is due or running, or None."""

    def score(self, state: S) -> Scoresheet: ...


def new_pieces(game: Game[Any, Any], state: Any) -> tuple[NewPiece, ...]:
    """The pieces of this table's box that people described, in that order."""
    return () if game.learning is None else game.learning.pieces(state.box)


def seat_of(move: Any, seats: int) -> SeatNo | None:
    """Who makes a move; None for chance, the table's own acts, and what nobody saw who did."""
    seat = getattr(move, "seat", None)
    return seat if isinstance(seat, int) and 0 <= seat < seats else None


def colour_of_maker(facts: Mapping[str, Fact]) -> str | None:
    """The colour of whoever makes a move, by its facts. An opponent whom nobody plays has one too, and no seat."""
    colour = facts.get("seat")
    return colour if isinstance(colour, str) and colour != "nobody" else None


class BadSetup(Exception):
    """A game that cannot be set up as asked; the message is a sentence for a person."""
