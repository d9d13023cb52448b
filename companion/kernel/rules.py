"""The Game contract: pure functions over a frozen State, and the data that they take and return.

A game lives in `companion/games/<name>/` and provides one object that satisfies `Game`. Nothing here knows a particular
game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.kernel.box import Learned
from companion.kernel.catalogue import Catalogue, Speaker
from companion.kernel.entries import Entry
from companion.kernel.forms import Form
from companion.kernel.hauls import Haul
from companion.kernel.messages import NewPiece, Signal, View
from companion.kernel.sketches import Sketching

Fact = int | str | tuple[str, ...]
"""A value in an explanation: a number, a word of the catalogue (or a seat's colour), or several words."""

SeatNo = int
"""The number of a seat, clockwise around the table, from 0."""

CHANCE: Final = "chance"
ANYONE: Final = "anyone"
MOST_BREACHES: Final = 3
"""Maximum number of rules that one forbidden act may break: with enough of them any table could be explained."""

Actor = SeatNo | Literal["chance", "anyone"] | None
"""Who acts: a seat, chance (a spin, a tile turned up), or anyone (all at once). None means that the game is over."""


class Seat(msgspec.Struct, frozen=True):
    """A player's place at the table."""

    colour: str
    name: str = ""


class Note(msgspec.Struct, frozen=True):
    """A rule that applied in a legal move, with its facts."""

    rule: str
    facts: dict[str, Fact] = {}


class RuleLog:
    """Collects the rules that apply while a move is played."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def tell(self, rule: str, **facts: Fact) -> None:
        self.notes.append(Note(rule, facts))


class Breach(msgspec.Struct, frozen=True):
    """A broken rule, with the facts that prove it."""

    rule: str
    facts: dict[str, Fact] = {}


def changed(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced, as a new State needs them."""
    return (*values[:index], value, *values[index + 1 :])


def broken(rule: str, **facts: Fact) -> Breach:
    return Breach(rule, facts)


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class IllegalMove(Exception):
    """A move that breaks one or more rules; `breaches` says which, and why."""

    def __init__(self, move: Any, breaches: tuple[Breach, ...]) -> None:
        super().__init__("; ".join(f"{b.rule} {b.facts}" for b in breaches))
        self.move = move
        self.breaches = breaches


class Line(msgspec.Struct, frozen=True):
    """One line of a score sheet: points, what they are for, and the rule and facts behind them."""

    label: str
    points: int
    because: Note


class SeatScore(msgspec.Struct, frozen=True):
    seat: SeatNo
    lines: tuple[Line, ...]
    total: int


class Scoresheet(msgspec.Struct, frozen=True):
    """Every point with its reason, and how the winner was decided.

    `winners` is empty while the game runs, and if no seat has won or the winner cannot be known. Several winners share
    the victory.
    """

    seats: tuple[SeatScore, ...]
    winners: tuple[SeatNo, ...] = ()
    because: tuple[Note, ...] = ()

    @property
    def winner(self) -> SeatNo | None:
        """The only winner, if there is one."""
        return self.winners[0] if len(self.winners) == 1 else None


class Earned(msgspec.Struct, frozen=True):
    """Points that moved a marker on a track during the game, and what they were for.

    A State keeps them beside the marker's field, so that a score sheet can say where each point came from.
    """

    label: str
    rule: str
    facts: tuple[tuple[str, Fact], ...] = ()
    points: int = 0


def earn(before: tuple[Earned, ...], label: str, points: int, because: Note) -> tuple[Earned, ...]:
    """Add points to those earned before. The same reason is one entry, and the order of play does not matter, so that
    two ways to the same table lead to equal States."""
    key = (label, because.rule, tuple(sorted(because.facts.items())))
    entries = {(one.label, one.rule, one.facts): one.points for one in before}
    entries[key] = entries.get(key, 0) + points
    return tuple(Earned(*reason, entries[reason]) for reason in sorted(entries, key=str) if entries[reason])


def earned_lines(earned: tuple[Earned, ...], track: int, rest: str) -> Iterator[Line]:
    """A line for each reason, and one by the rule `rest` for points without a known reason, which were told by hand or
    taken over from the track."""
    for one in earned:
        yield Line(one.label, one.points, Note(one.rule, {**dict(one.facts), "points": one.points}))
    if other := track - sum(one.points for one in earned):
        yield Line("points", other, Note(rest, {"points": other}))


def tally(seat: SeatNo, lines: Iterable[Line]) -> SeatScore:
    kept = tuple(lines)
    return SeatScore(seat, kept, sum(line.points for line in kept))


class Expected(msgspec.Struct, frozen=True):
    """What the table waits for: a sentence of the catalogue's `expects`, its facts, and who has to act.

    `phase` is a word of the catalogue for the part of the game, if the game has parts.
    """

    key: str
    facts: dict[str, Fact] = {}
    actor: Actor = None
    phase: str = ""


class Remark(msgspec.Struct, frozen=True):
    """Something worth knowing about a place: a sentence of the catalogue's `about`, and its facts.

    If several things happen one after the other, `step` counts them from 1.
    """

    key: str
    facts: dict[str, Fact] = {}
    step: int = 0


class Link(msgspec.Struct, frozen=True):
    """Two zones that are connected for a seat; drawn as a line of its colour."""

    one: str
    other: str
    seat: SeatNo


class Section(msgspec.Struct, frozen=True):
    """A section of a ring.

    `zone` is the zone of its loose pieces, `word` its word in the catalogue, `number` what the disc in the middle shows
    beside it, and `worth` its value. `beside` are other cells or whole zones that lie there.
    """

    zone: str
    word: str
    number: int
    worth: int
    beside: tuple[tuple[str, str], ...] = ()


class Ring(msgspec.Struct, frozen=True):
    """A wheel with sections, clockwise from the top, around a disc that turns; drawn large beside the table.

    `legend` gives, by label, a word of the catalogue for what a piece means anywhere in the ring.
    """

    zone: str
    sections: tuple[Section, ...]
    legend: dict[str, str] = {}


class Countdown(msgspec.Struct, frozen=True):
    """A phase in which all players act at once while a timer runs, and what is forbidden in it.

    Pieces go one at a time from the zone `source` to the zones of `keeps`, each of which belongs to a seat. They stay
    there, and nothing moves after the move `stop`. The last four fields are the ids of the rules that say so.
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
"""Gives a text a colour by its name, for terminals."""


def plain(text: str, _colour: str) -> str:
    """Paint for output without colours."""
    return text


Blocks = Mapping[str, tuple[tuple[str, ...], ...]]
"""Cells that belong together, by zone."""

NO_BLOCKS: Final[Blocks] = {}


class Family(msgspec.Struct, frozen=True):
    """Pieces of one kind that are described when they first turn up.

    `fact` is the fact of the box that holds them, or below which each has a fact of its own. `known` of `number` pieces
    are known so far.
    """

    fact: str
    known: int
    number: int


class Learning(Protocol, Generic[S]):
    """How people add pieces to a box, for games whose boxes differ. States of such a game have a `box`."""

    def form(self, state: S, move: Any, field: str) -> Form | None:
        """The questions about a piece that the box lacks, if a field of a move can name such a piece."""

    def learn(self, state: S, learned: Learned) -> S:
        """The state with this piece added to its box. Raises `CannotLearn`."""

    def pieces(self, box: Any) -> tuple[NewPiece, ...]:
        """The pieces of a box that people described, in that order."""

    def families(self, box: Any) -> tuple[Family, ...]:
        """The facts of the box that need no check before the game, since their pieces are described when they turn
        up."""


class Guide(Protocol):
    """What people may want to know about places and pieces of the table."""

    def about(self, state: Any, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        """A place in a few sentences, for a seat or for a spectator. `spot` is a cell of the zone, the label of a loose
        piece in it, or empty. Any place may be asked about; the answer may be empty."""

    def piece(self, state: Any, label: str) -> Remark | None:
        """What a piece is for, in a few words, if its name does not say it. It is shown in lists to choose from."""

    def answer(self, state: Any, move: Any, field: str) -> Remark | None:
        """What the value of a field means as an answer, in a few words, if its name does not say it. Other fields of
        the move may still be open."""

    def links(self, state: Any) -> tuple[Link, ...]:
        """The zones that are connected, and for which seat."""

    def rings(self, state: Any) -> tuple[Ring, ...]:
        """The rings of the table; most tables have none."""

    def printed(self, state: Any) -> Mapping[str, str]:
        """What is printed where no piece says it, by a zone, a zone with its cell, or a label: the colour of a place,
        the points on a tile."""


class Game(Protocol, Generic[S, M]):
    """One game, as pure functions. `moves` and `check` agree in every state."""

    @property
    def name(self) -> str: ...

    @property
    def guide(self) -> Guide | None:
        """Explains places to people; None if the table explains itself."""

    @property
    def learning(self) -> Learning[S] | None:
        """How people describe pieces that the box lacks; None if all boxes are the same."""

    @property
    def sketching(self) -> Sketching | None:
        """The maps and tracks of the box that people enter by drawing; None if there are none."""

    @property
    def blocks(self) -> Blocks:
        """Cells that are put right together: the fields of a board that is turned as a whole, a row that slides."""

    @property
    def catalogue(self) -> Catalogue: ...

    @property
    def box_file(self) -> Path:
        """The shipped box."""

    @property
    def state_type(self) -> type[S]: ...

    @property
    def move_type(self) -> Any:
        """The union of all moves, for decoding."""

    @property
    def options_type(self) -> type[msgspec.Struct]:
        """What a table may choose before the game: booleans, numbers and choices, each with a default."""

    @property
    def options_before(self) -> Mapping[str, Any]:
        """The value of each option that a journal does not name.

        Journals of companion 0.1.0 name only the options that were changed, so this has the defaults of 0.1.0; for an
        option that was added later, it has what was played before. These values never change, even if defaults do.
        """

    @property
    def state_since(self) -> tuple[str, ...]:
        """Paths of fields that were added to the State after companion 0.1.0, as in `options.rule`: the checksums in
        journals of 0.1.0 do not include them."""

    def load_box(self, answers: Mapping[str, Any] | None = None) -> Any:
        """The shipped box, corrected by a person's answers."""

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """The answers that still belong to a question of the box. Others were given to an earlier box that knew less;
        they are not used, and what is still open is asked again."""

    def box_from_json(self, raw: Any) -> Any:
        """A box from a journal."""

    def setup(self, box: Any, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> S:
        """The state before the first move. Raises `BadSetup` with a sentence."""

    def actor(self, state: S) -> Actor: ...

    def moves(self, state: S) -> Iterator[M]:
        """Every legal move."""

    def check(self, state: S, move: M) -> tuple[Breach, ...]:
        """Every reason why the move is illegal; empty if it is legal."""

    def play(self, state: S, move: M) -> S:
        """The state after the move. Raises `IllegalMove`."""

    def tell(self, state: S, move: M) -> tuple[Note, ...]:
        """The rules that apply in a legal move, in order, with what they did."""

    def facts(self, state: S, move: M) -> dict[str, Fact]:
        """The facts for the move's sentence in the catalogue."""

    def picture(self, state: S, speaker: Speaker, paint: Paint = ...) -> str:
        """The table as text, for a terminal."""

    def view(self, state: S) -> View:
        """What the table should look like."""

    def candidates(self, state: S, view: View) -> Iterator[M]:
        """Moves, legal or not, that may have led from `state` to what `view` shows."""

    def illegal_candidates(self, state: S, view: View) -> Iterator[M]:
        """More illegal moves that may have led there. They are used only if nothing legal explains the view."""

    def moves_in_progress(self, state: S, view: View) -> Iterator[M]:
        """The legal moves that may be half done in `view`. Too many of them only cost time."""

    def may_be_partial(self, state: S, move: M) -> bool:
        """Whether the table after a legal move may as well show the first half of another one: cards laid on cards that
        look the same, a reward that is part of another reward."""

    def state_from_view(self, state: S, view: View) -> S:
        """The state as the table shows it, whether or not the rules lead to it."""

    def setting_up(self, state: S) -> bool:
        """Whether the game is still being set up. Only then can a game be joined that began without the companion."""

    def states_matching(self, state: S, view: View) -> tuple[S, ...]:
        """The states whose table looks like `view`, to join a game that was not watched so far.

        Of `state`, only seats, box and options are used. The states differ only in what cannot be seen, such as whose
        turn it is; the likeliest come first. There are none if `view` fits no game in progress.
        """

    def play_unchecked(self, state: S, move: M) -> S | None:
        """The state after a move that may be illegal; None if it cannot be done with the pieces there are."""

    def expects(self, state: S) -> Expected:
        """What the table waits for, in one sentence."""

    def signalled(self, state: S, signal: Signal) -> tuple[M, ...]:
        """The moves that a button, timer or dial may mean in this state, the likeliest first; empty if none."""

    def countdown(self, state: S) -> Countdown | None:
        """The countdown that is due or running, or None."""

    def haul(self, state: S) -> Haul | None:
        """What was taken in a rush, from its stop until nothing of it is decided any more; else None."""

    def entry(self, state: S) -> Entry | None:
        """What people without a camera may enter in one form now, or None."""

    def entered_moves(self, state: S, view: View) -> Sequence[M] | None:
        """The moves that lead to what was entered for `entry`, legal or not; None if the referee finds them."""

    def only_move(self, state: S) -> M | None:
        """The move that comes next if the players have no choice, or None."""

    def score(self, state: S) -> Scoresheet: ...


def new_pieces(game: Game[Any, Any], state: Any) -> tuple[NewPiece, ...]:
    """The pieces of this state's box that people described, in that order."""
    return () if game.learning is None else game.learning.pieces(state.box)


def seat_of(move: Any, seats: int) -> SeatNo | None:
    """The seat that makes a move; None for chance, for the table's own acts, and if the seat is unknown."""
    seat = getattr(move, "seat", None)
    return seat if isinstance(seat, int) and 0 <= seat < seats else None


def colour_of_maker(facts: Mapping[str, Fact]) -> str | None:
    """The colour of the player who makes a move, from its facts. An automatic opponent has a colour, but no seat."""
    colour = facts.get("seat")
    return colour if isinstance(colour, str) and colour != "nobody" else None


class BadSetup(Exception):
    """A game that cannot be set up like this; the message is a sentence for a person."""
