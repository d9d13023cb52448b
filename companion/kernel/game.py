"""The Game contract: pure functions over a frozen State; and `BaseGame`, which has what most games share.

A game lives in `companion/games/<name>/` and provides one object that satisfies `Game`. It derives from `BaseGame` and
overrides what is different. Nothing here knows a particular game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from companion.kernel import box as kernel_box
from companion.kernel.capabilities import Countdown, Entry, Guide, Haul, Learning, asked_places
from companion.kernel.catalogue import Catalogue, Speaker
from companion.kernel.catalogue import load as load_catalogue
from companion.kernel.messages import NewPiece, Signal
from companion.kernel.rules import (
    CHANCE,
    Actor,
    Breach,
    Expected,
    Fact,
    IllegalMove,
    Note,
    Progress,
    RuleLog,
    Scoresheet,
    Seat,
    SeatNo,
    seat_of,
)
from companion.kernel.sketches import Sketching
from companion.kernel.views import View

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
Options = TypeVar("Options", bound=msgspec.Struct)

Paint = Callable[[str, str], str]
"""Gives a text a colour by its name, for terminals."""


def plain(text: str, _colour: str) -> str:
    """Paint for output without colours."""
    return text


Blocks = Mapping[str, tuple[tuple[str, ...], ...]]
"""Cells that belong together, by zone."""

NO_BLOCKS: Final[Blocks] = {}


class BadSetup(Exception):
    """A game that cannot be set up like this; the message is a sentence for a person."""


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

    def progress(self, state: S) -> Progress | None:
        """How far the game is; None before the first round and after the last."""

    @property
    def trivia(self) -> frozenset[str]:
        """Kinds of moves that a history folds, because they say little by themselves."""

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


class BaseGame(ABC, Generic[S, M]):
    """A game with box and catalogue in one folder, whose moves are checked before they are played."""

    box_file: Path
    box_type: type[Any]
    guide: Guide | None = None
    learning: Learning[S] | None = None
    sketching: Sketching | None = None
    blocks: Blocks = NO_BLOCKS
    options_before: Mapping[str, Any] = {}
    state_since: tuple[str, ...] = ()
    trivia: frozenset[str] = frozenset()

    @cached_property
    def catalogue(self) -> Catalogue:
        return load_catalogue(self.box_file.with_name("rules.toml"))

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """All answers: by default the box still asks everything it ever asked."""
        return dict(answers)

    def box_from_json(self, raw: Any) -> Any:
        return kernel_box.from_journal(raw, self.box_type, self.box_file)

    # Moves are checked before they are played or explained

    @abstractmethod
    def moves(self, state: S) -> Iterator[M]: ...

    @abstractmethod
    def check(self, state: S, move: M) -> tuple[Breach, ...]: ...

    @abstractmethod
    def carry_out(self, state: S, move: M, log: RuleLog) -> S:
        """The state after a legal move; the log collects the rules that applied."""

    def play(self, state: S, move: M) -> S:
        return self._played(state, move, RuleLog())

    def tell(self, state: S, move: M) -> tuple[Note, ...]:
        log = RuleLog()
        self._played(state, move, log)
        return tuple(log.notes)

    def _played(self, state: S, move: M, log: RuleLog) -> S:
        breaches = self.check(state, move)
        if breaches:
            raise IllegalMove(move, breaches)
        return self.carry_out(state, move, log)

    # What few games need

    def illegal_candidates(self, _state: S, _view: View) -> Iterator[M]:
        """None by default: `candidates` includes the mistakes that people make."""
        return iter(())

    def moves_in_progress(self, state: S, _view: View) -> Iterator[M]:
        """Any legal move may be half done."""
        return self.moves(state)

    def may_be_partial(self, _state: S, _move: M) -> bool:
        return False

    def states_matching(self, _state: S, _view: View) -> tuple[S, ...]:
        """None by default: too much is hidden to join such a game by looking at the table."""
        return ()

    def countdown(self, _state: S) -> Countdown | None:
        return None

    def haul(self, _state: S) -> Haul | None:
        return None

    # Entering by hand

    @abstractmethod
    def actor(self, state: S) -> Actor: ...

    @abstractmethod
    def view(self, state: S) -> View: ...

    def entry(self, state: S) -> Entry | None:
        """Everything that chance lays out in this state."""
        if self.actor(state) != CHANCE:
            return None
        seats = len(state.seats)  # type: ignore[attr-defined]
        lots = (move for move in self.moves(state) if seat_of(move, seats) is None)
        outcomes = ((type(move).__name__, self.view(self.carry_out(state, move, RuleLog())).zones) for move in lots)
        return asked_places(self.view(state).zones, outcomes)

    def entered_moves(self, _state: S, _view: View) -> Sequence[M] | None:
        """None by default: the referee finds the moves."""
        return None

    def only_move(self, state: S) -> M | None:
        """The legal move, if there is just one."""
        moves = list(islice(self.moves(state), 2))
        return moves[0] if len(moves) == 1 else None


# Before it begins


def at_table(title: str, least: int, colours: Sequence[str], seats: Sequence[Seat]) -> None:
    """Check the number of seats and that each has a colour of its own. Raises `BadSetup`."""
    if not least <= len(seats) <= len(colours):
        raise BadSetup(f"{title} is for {least} to {len(colours)} players, not {len(seats)}.")
    taken = [seat.colour for seat in seats]
    for colour in taken:
        if colour not in colours:
            raise BadSetup(f"{title} has no seat of the colour {colour}; choose from {', '.join(colours)}.")
        if taken.count(colour) > 1:
            raise BadSetup(f"Two seats cannot both play {colour}.")


def chosen(kind: type[Options], options: Mapping[str, Any] | None) -> Options:
    """The options that a table chose. Raises `BadSetup`."""
    try:
        return msgspec.convert(dict(options or {}), kind)
    except msgspec.ValidationError as error:
        raise BadSetup(f"These options cannot be used: {kernel_box.fact_named(str(error))}.") from error


def one_of_them(what: str, seat: SeatNo, seats: Sequence[Seat]) -> None:
    """Check that a chosen seat exists. Raises `BadSetup`."""
    if not 0 <= seat < len(seats):
        raise BadSetup(f"The {what} player must be one of the seats 0 to {len(seats) - 1}, not {seat}.")
