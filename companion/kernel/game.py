"""What most games have in common: the parts of `Game` that follow from other parts, or that few games need.

A game derives from `BaseGame` and overrides what is different. `at_table` and `chosen` check seats and options, and
`Looked` reads a View. There are no rules of games here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from companion.kernel import box as kernel_box
from companion.kernel.catalogue import Catalogue
from companion.kernel.catalogue import load as load_catalogue
from companion.kernel.entries import Entry, asked_places
from companion.kernel.hauls import Haul
from companion.kernel.messages import UNKNOWN, Cells, Marks, Pieces, Pointing, View
from companion.kernel.rules import (
    CHANCE,
    NO_BLOCKS,
    Actor,
    BadSetup,
    Blocks,
    Breach,
    Countdown,
    Guide,
    IllegalMove,
    Learning,
    M,
    Note,
    RuleLog,
    S,
    Seat,
    SeatNo,
    seat_of,
)
from companion.kernel.sketches import Sketching

Options = TypeVar("Options", bound=msgspec.Struct)


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


# Seen


class Looked:
    """Reads a View: what lies where. A zone that was not seen is unknown."""

    def __init__(self, view: View) -> None:
        self._zones = view.zones

    def cell(self, zone: str, cell: str) -> str | None:
        """What lies in a cell; `UNKNOWN` if it was not seen."""
        contents = self._zones.get(zone)
        return contents.at.get(cell, UNKNOWN) if isinstance(contents, Cells) else UNKNOWN

    def pieces(self, zone: str) -> Counter[str] | None:
        contents = self._zones.get(zone)
        return Counter(contents.count) if isinstance(contents, Pieces) else None

    def mark(self, zone: str, marker: str) -> int | None:
        contents = self._zones.get(zone)
        return contents.field.get(marker) if isinstance(contents, Marks) else None

    def pointing(self, zone: str) -> int | None:
        contents = self._zones.get(zone)
        return contents.value if isinstance(contents, Pointing) else None
