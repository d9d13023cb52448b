"""The Simulation contract of a game, hands that change Views, and the search for legal ways between tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, Final, Literal, Protocol

import msgspec

from companion.kernel.game import Game
from companion.kernel.messages import Signal
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, changed_zones, same_table

BotName = Literal["random", "keen"]
BOTS: tuple[BotName, ...] = ("random", "keen")


class World(Protocol):
    """The hidden facts of one game, and the people at its table."""

    def next_move(self, state: Any, moves: Sequence[Any]) -> Any:
        """The next move: chance according to the hidden facts, or a bot's choice among the legal moves."""

    def follow(self, before: Any, move: Any) -> None:
        """Update the hidden facts after a move."""


class Habit(msgspec.Struct, frozen=True):
    """How people make one kind of move.

    `way` is one of

    - plain: one after another, sometimes two at once,
    - alone: the table is still before and after it,
    - many: any number at once,
    - rush: all at once while a timer runs,
    - silent: no piece moves, so only later moves show it,
    - shown: no piece moves, because it could be seen before.

    `back` means that people can take it back, because nothing hidden was revealed; `told`, that only a person can tell
    the companion; `turns` are the dials that it turns.
    """

    way: Literal["plain", "alone", "many", "rush", "silent", "shown"] = "plain"
    back: bool = False
    told: bool = False
    turns: tuple[str, ...] = ()


class Mistake(msgspec.Struct, frozen=True):
    """An illegal act that a camera can see: the move, the rules it breaks, and the table after it.

    `or_rules` are other correct answers, if it cannot be seen whether the last moves were made.
    """

    kind: str
    move: Any
    rules: frozenset[str]
    view: View
    or_rules: tuple[frozenset[str], ...] = ()


class Simulation(Protocol):
    """How people at the table of one game choose, act and make mistakes."""

    def options(self, rng: Random) -> Mapping[str, Any]:
        """Variants and house rules for one game, chosen so that many games cover them all."""

    def world(self, state: Any, bot: BotName, rng: Random) -> World: ...

    def laid(self, state: Any, world: Any, rng: Random) -> View:
        """The whole table at the start, with pieces that are not part of the State."""

    def done(self, lying: View, state: Any, move: Any, world: Any) -> View:
        """The table after a move, legal or not. Raises `Impossible`."""

    def habit(self, move: Any) -> Habit: ...

    def in_one_go(self, state: Any, move: Any, rng: Random) -> int:
        """The number of moves that people make before the table is still again."""

    def signal(self, state: Any, move: Any) -> Signal | None:
        """The button or the timer that goes with a move."""

    def sort_of(self, zone: str) -> str:
        """The name of a group of zones; pieces that move between zones of one group are moved together."""

    def mistakes(self, state: Any, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Mistake]:
        """One example of each kind of mistake that is possible here and visible to a camera, in any order."""


def of(game: str) -> Simulation:
    simulation: Simulation = import_module(f"companion.games.{game}.simulation.world")
    return simulation


class Impossible(Exception):
    """Something that cannot be done with the pieces there are; the message says what is missing."""


class Hands:
    """Takes pieces off a table and puts them down again. In between they are held in the hand."""

    def __init__(self, table: View) -> None:
        self._zones: dict[str, Contents] = dict(table.zones)
        self.held: Counter[str] = Counter()

    @property
    def view(self) -> View:
        """The table now, without the pieces in the hand."""
        return View(dict(self._zones))

    def count(self, zone: str, label: str) -> int:
        return self._loose(zone).get(label, 0)

    def labels(self, zone: str) -> Mapping[str, int]:
        """All loose pieces of a zone."""
        return dict(self._loose(zone))

    def cell(self, zone: str, cell: str) -> str | None:
        cells = self._cells(zone)
        if cell not in cells:
            raise Impossible(f"{zone} has no place {cell}.")
        return cells[cell]

    def take(self, zone: str, label: str, number: int = 1) -> None:
        """Take loose pieces into the hand."""
        lying = self.count(zone, label)
        if not 0 <= number <= lying:
            raise Impossible(f"{number} of {label} cannot be taken from {zone}, where {lying} lie.")
        self._lay(zone, label, lying - number)
        self.held[label] += number

    def put(self, zone: str, label: str, number: int = 1) -> None:
        """Put down loose pieces that are in the hand."""
        self._spend(label, number)
        self._lay(zone, label, self.count(zone, label) + number)

    def carry(self, source: str, to: str, label: str, number: int = 1) -> None:
        self.take(source, label, number)
        self.put(to, label, number)

    def bring(self, label: str, number: int = 1) -> None:
        """Take pieces from beside the table into the hand."""
        self.held[label] += number

    def put_away(self, label: str, number: int = 1) -> None:
        """Put pieces of the hand beside the table, out of sight."""
        self._spend(label, number)

    def take_cell(self, zone: str, cell: str, piece: str = "", number: int = 1) -> str:
        """Take the contents of a cell into the hand, as `number` of `piece`, and return the cell's label."""
        label = self.cell(zone, cell)
        if label is None or label == UNKNOWN:
            raise Impossible(f"Nothing can be taken from {zone} {cell}.")
        self._set_cell(zone, cell, None)
        self.held[piece or label] += number
        return label

    def put_cell(self, zone: str, cell: str, label: str, piece: str = "", number: int = 1) -> None:
        """Put pieces of the hand into an empty cell, which gets `label`."""
        if self.cell(zone, cell) is not None:
            raise Impossible(f"{zone} {cell} is not empty.")
        self._spend(piece or label, number)
        self._set_cell(zone, cell, label)

    def flip(self, zone: str, was: str, shows: str, number: int = 1) -> None:
        """Turn loose pieces over in their zone."""
        self.take(zone, was, number)
        self.turn_in_hand(was, shows, number)
        self.put(zone, shows, number)

    def flip_cell(self, zone: str, cell: str, shows: str) -> None:
        """Turn over the contents of a cell."""
        if self.cell(zone, cell) is None:
            raise Impossible(f"Nothing lies in {zone} {cell} to be turned.")
        self._set_cell(zone, cell, shows)

    def turn_in_hand(self, was: str, shows: str, number: int = 1) -> None:
        self._spend(was, number)
        self.held[shows] += number

    def swap_cells(self, zone: str, one: str, other: str) -> None:
        first, second = self.take_cell(zone, one), self.take_cell(zone, other)
        self.put_cell(zone, one, second)
        self.put_cell(zone, other, first)

    def point(self, zone: str, value: int) -> None:
        if not isinstance(self._zones.get(zone), Pointing):
            raise Impossible(f"{zone} has nothing that points.")
        self._zones[zone] = Pointing(value)

    def _loose(self, zone: str) -> dict[str, int]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Pieces):
            raise Impossible(f"{zone} has no loose pieces.")
        return contents.count

    def _cells(self, zone: str) -> dict[str, str | None]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Cells):
            raise Impossible(f"{zone} has no cells.")
        return contents.at

    def _lay(self, zone: str, label: str, number: int) -> None:
        count = {name: lying for name, lying in self._loose(zone).items() if name != label}
        self._zones[zone] = Pieces({**count, label: number})

    def _set_cell(self, zone: str, cell: str, label: str | None) -> None:
        self._zones[zone] = Cells({**self._cells(zone), cell: label})

    def _spend(self, label: str, number: int) -> None:
        if not 0 <= number <= self.held[label]:
            raise Impossible(f"{number} of {label} cannot be put down: {self.held[label]} are in the hand.")
        self.held[label] -= number


def pieces_in(contents: Contents) -> int:
    """The number of pieces in a zone."""
    match contents:
        case Pieces(count=count):
            return sum(count.values())
        case Cells(at=cells):
            return sum(label is not None for label in cells.values())
        case Marks(field=field):
            return len(field)
        case Pointing():
            return 0


def done(game: Game[Any, Any], lying: View, state: Any, move: Any) -> View:
    """The table after a move, from the State and the table before it. Raises `Impossible`."""
    if game.setting_up(state):
        return lying  # everything is there from the beginning
    after = game.play(state, move) if not game.check(state, move) else game.play_unchecked(state, move)
    if after is None:
        raise Impossible(f"No hand can do {move}.")
    before, then = game.view(state), game.view(after)
    return View({**lying.zones, **{zone: then.zones[zone] for zone in changed_zones(before, then)}})


def laid(game: Game[Any, Any], state: Any, world: Any, lay_out: Any) -> View:
    """The whole table of a new game, with everything that chance has laid out."""
    state = game.play(state, lay_out)
    while game.setting_up(state):
        state = game.play(state, world.chance(state))
    return game.view(state)


LONGEST: Final = 4
"""Maximum number of visible moves between two still moments."""
MOST_POSITIONS: Final = 300

HabitOf = Callable[[Any], Habit]
Done = Callable[[View, Any, Any], View]
"""The table after a move, from the table and the state before it."""
Step = tuple[Any, View, bool]
"""A legal move, the table after it, and whether a piece moved."""


class Playable(Protocol):
    """The part of a game that the search needs."""

    def moves(self, state: Any) -> Iterator[Any]: ...

    def play(self, state: Any, move: Any) -> Any: ...


class LegalWays:
    """Searches for legal ways from one position to other tables, and remembers legal moves of the positions it has
    seen."""

    def __init__(self, game: Playable, habit: HabitOf, done: Done, state: Any, lying: View) -> None:
        self._game = game
        self._habit = habit
        self._done = done
        self._start = (state, lying)
        self._steps: dict[Any, list[Step]] = {}

    def lead_to(self, target: View) -> bool:
        """Whether a short legal sequence ends at this table; True as well if the search takes too long to say no."""
        todo = [(*self._start, LONGEST)]
        known = {self._start[0]}
        while todo:
            state, lying, left = todo.pop()
            for move, view, moved in self._legal(state, lying):
                if moved and not _on_the_way(lying, view, target):
                    continue
                if moved and same_table(view, target):
                    return True
                if left - moved < 1:
                    continue
                after = self._game.play(state, move)
                if after not in known:
                    known.add(after)
                    todo.append((after, view, left - moved))
            if len(known) > MOST_POSITIONS:
                return True
        return False

    def _legal(self, state: Any, lying: View) -> list[Step]:
        if state not in self._steps:
            self._steps[state] = list(self._make_steps(state, lying))
        return self._steps[state]

    def _make_steps(self, state: Any, lying: View) -> Iterator[Step]:
        """Legal moves, visible or not, without those that a timer or a dial announces."""
        for move in self._game.moves(state):
            try:
                view = self._done(lying, state, move)
            except Impossible:
                continue
            moved = not same_table(view, lying)
            habit = self._habit(move)
            if moved or not (habit.way == "rush" or habit.turns):
                yield move, view, moved


def _on_the_way(lying: View, view: View, target: View) -> bool:
    """Whether a step changes only what must change, and not further than the target.

    This is not `views.on_the_way`: it prunes a search over exact tables. A step may swap all cells of a zone, and what
    was paid may come back.
    """
    for zone in changed_zones(lying, view):
        was, now, goal = lying.zones[zone], view.zones[zone], target.zones[zone]
        if isinstance(now, Marks):
            continue  # what was paid may have come back later
        if was == goal:
            return False
        if isinstance(now, Cells) and isinstance(was, Cells) and isinstance(goal, Cells):
            swapped = sorted(map(str, was.at.values())) == sorted(map(str, now.at.values()))
            if not swapped and any(now.at[cell] not in (was.at.get(cell), goal.at.get(cell)) for cell in now.at):
                return False
        if isinstance(now, Pieces) and isinstance(was, Pieces) and isinstance(goal, Pieces):
            labels = was.count.keys() | now.count.keys() | goal.count.keys()
            # The number of pieces of one kind may go up and down on the way; different tiles never come back.
            if len(labels) > 1 and any(_beyond(was, now, goal, label) for label in labels):
                return False
    return True


def _beyond(was: Pieces, now: Pieces, goal: Pieces, label: str) -> bool:
    wanted = goal.count.get(label, 0)
    return abs(now.count.get(label, 0) - wanted) > abs(was.count.get(label, 0) - wanted)
