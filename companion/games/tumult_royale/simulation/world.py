"""A simulated table of Tumult Royale: what lies face down, which tiles people grab, and two kinds of bots.

How hands move the pieces is in `habits`, what people do wrong in `mistakes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from companion.games.tumult_royale.box import (
    GOOD_OF,
    GOODS,
    WORTH,
    Box,
    Tile,
    board_fields,
    neighbours,
    tiles_in_play,
)
from companion.games.tumult_royale.moves import (
    MIDDLE,
    DealCard,
    FirstStatue,
    ForgetSpin,
    GiveBack,
    LayDown,
    Look,
    Mix,
    Move,
    Pass,
    Place,
    Rob,
    SetAside,
    ShowBoard,
    ShowField,
    Spin,
    StartRaid,
    Stop,
    TurnUp,
)
from companion.games.tumult_royale.rulebook.phase1_mood import resting_places, spin_due
from companion.games.tumult_royale.rulebook.phase4_statues import ANYWHERE, cost_of, reachable
from companion.games.tumult_royale.simulation import habits
from companion.games.tumult_royale.simulation.habits import habit, in_one_go, signal, sort_of
from companion.games.tumult_royale.simulation.mistakes import mistakes
from companion.games.tumult_royale.state import NO_SEAT, UNNAMED, State
from companion.kernel.simulation import BotName
from companion.kernel.views import View

__all__ = ["done", "habit", "in_one_go", "laid", "mistakes", "options", "signal", "sort_of", "world"]

TICKS_A_SEAT = 9
"""Maximum number of tiles that a person looks at in one raid."""
FORGETS_TO_SPIN = 0.06
ARROW_ON_THE_LINE = 0.04
TILE_IN_HAND_AT_STOP = 0.15
BOARD_TOLD_BY_FIELD = 0.05
CHANGES_MIND = 0.01


def options(rng: Random) -> Mapping[str, Any]:
    """Draw the options of a game."""
    return {
        "oldest": rng.randrange(2),
        "gamblers": rng.random() < 0.25,
        "second_look": rng.random() < 0.75,
        "rank_ties": rng.choice(("before_phase", "before_phase", "card_held")),
        "last_statues": rng.choice(("exact", "exact", "what_is_left")),
        "passing": rng.choice(("may_return", "may_return", "out")),
    }


def world(state: State, bot: BotName, rng: Random) -> TumultWorld:
    """Return the hidden truth of a new game."""
    return TumultWorld(state, bot, rng)


def laid(state: State, world: TumultWorld, rng: Random) -> View:
    """Return the whole table after the set-up."""
    return habits.laid(state, world.faces, rng)


def done(lying: View, state: State, move: Move, world: TumultWorld) -> View:
    """Return the table after a move."""
    return habits.done(lying, state, move, world.faces)


class Person(Protocol):
    """A player: decides which tiles to take in the raid, and chooses among legal moves."""

    def wants(self, state: State, seat: int, tile: Tile, mine: Sequence[Tile]) -> bool: ...

    def choose(self, state: State, moves: Sequence[Move]) -> Move: ...


class Board(NamedTuple):
    """A landscape board in the frame: its name in the box, its quarter turns, and the fields it shows."""

    name: str
    turn: int
    fields: tuple[str, ...]


class TumultWorld:
    """The hidden truth: every face-down tile, board and card, and the people."""

    def __init__(self, state: State, bot: BotName, rng: Random) -> None:
        self._rng = rng
        tiles = tiles_in_play(state.box, state.players)
        self.middle: list[Tile] = [tile for tile, number in tiles.items() for _ in range(number)]
        self.castles: list[list[Tile]] = [[] for _ in state.seats]
        self._tiles = tuple(self.middle)
        self._cards = rng.sample(range(1, state.players + 1), state.players)
        self._boards = rng.sample(list(state.box.boards), len(state.box.boards))
        self._lifted: dict[int, Tile] = {}
        self._ticks = 0
        self._forgets = False
        self._lying: dict[int, Board] = {}
        person = KeenPerson if bot == "keen" else RandomPerson
        self._people: list[Person] = [person(rng) for _ in state.seats]

    def next_move(self, state: State, moves: Sequence[Move]) -> Move:
        """Return what happens next."""
        match state.phase:
            case "cards":
                return next(m for m in moves if isinstance(m, DealCard) and m.rank == self._cards[-1])
            case "boards":
                return self._show_board(state, moves)
            case "mood":
                return self._act_before_raid(state, moves)
            case "raid":
                return self._raid(state)
            case "stopped":
                return self._lay_down(state, moves)
            case "turning_up":
                return self._turn_up(state)
            case "gambling":
                return self._gamble(state, moves)
            case "placing":  # tiles are given back only after all have placed
                return self._one_seat_chooses(state, [move for move in moves if not isinstance(move, GiveBack)])
            case _:
                return self._one_seat_chooses(state, moves)

    def follow(self, before: State, move: Move) -> None:
        """Update the hidden pieces after a move."""
        match move:
            case DealCard():
                self._cards.pop()
            case SetAside():
                for _ in range(move.tiles):
                    self.middle.remove(self._rng.choice(self.middle))
            case StartRaid():
                self._ticks = self._rng.randint(before.players, TICKS_A_SEAT * before.players)
            case Rob() | LayDown(keep=True):
                tile = self._lifted.pop(move.seat)
                self.middle.remove(tile)
                self.castles[move.seat].append(tile)
            case TurnUp():
                (self.middle if move.place == MIDDLE else self.castles[move.place]).remove(move.tile)
            case Mix():
                self.middle = list(self._tiles)
                self.castles = [[] for _ in before.seats]
                self._forgets = self._rng.random() < FORGETS_TO_SPIN
            case _:
                pass

    def faces(self, state: State, place: int) -> tuple[str, ...]:
        """Return the fields of the board at a place, face up or face down."""
        return self._board_at(state, place).fields

    def _board_at(self, state: State, place: int) -> Board:
        """Return the board at a place, drawn when it is first asked for."""
        if place not in self._lying:
            name, turn = self._boards.pop(), self._rng.randrange(4)
            board = Board(name, turn, board_fields(state.box, name, turn))
            told_by_field = self._rng.random() < BOARD_TOLD_BY_FIELD
            self._lying[place] = self._unlisted_board(state.box, board) if told_by_field else board
        return self._lying[place]

    def _unlisted_board(self, box: Box, like: Board) -> Board:
        """Return a board that the box does not hold, with the fields of this one in another order."""
        known = {board_fields(box, name, turn) for name in box.boards for turn in range(4)}
        fields = like.fields
        while fields in known:
            fields = tuple(self._rng.sample(fields, len(fields)))
        return Board(UNNAMED, 0, fields)

    def _show_board(self, state: State, moves: Sequence[Move]) -> Move:
        """Name the next face-up board, or one field of it where the box does not hold it."""
        place = state.boards.index(UNNAMED)
        board = self._board_at(state, place)
        if board.name != UNNAMED:
            return ShowBoard(place, board.name, board.turn)
        field = next(move.field for move in moves if isinstance(move, ShowField))
        return ShowField(field, board.fields[state.place_fields(place).index(field)])

    def _act_before_raid(self, state: State, moves: Sequence[Move]) -> Move:
        """Spin, set tiles aside and get ready in any order, then start the raid."""
        acts: list[Move] = [move for move in moves if not isinstance(move, Spin | StartRaid)]
        if spin_due(state) is not None and not (self._forgets or self._first_spin_forgotten(state)):
            acts.append(self._spin(state))
        return self._rng.choice(acts) if acts else StartRaid(state.king)

    def _first_spin_forgotten(self, state: State) -> bool:
        """Whether the spin of the first round is forgotten; depends on the tiles, so that it stays the same."""
        return state.round == 1 and sum(WORTH[tile] for tile in self.middle[:3]) % 16 == 9

    def _spin(self, state: State) -> Move:
        """Spin the arrow; now and then it stops on a line."""
        disc = state.box.disc
        good = spin_due(state) or ""
        if self._rng.random() < ARROW_ON_THE_LINE:
            lines = [areas for areas in resting_places(disc.areas) if len(areas) > 1]
            return Spin(state.king, self._rng.choice(lines), good)
        return Spin(state.king, tuple(self._rng.choices(disc.areas, disc.chances)), good)

    def _gamble(self, state: State, moves: Sequence[Move]) -> Move:
        """Spin for the next good, or forget it."""
        if self._rng.random() < FORGETS_TO_SPIN:
            return next(move for move in moves if isinstance(move, ForgetSpin))
        return self._spin(state)

    def _raid(self, state: State) -> Move:
        """One tick of the timer: a player lifts a tile, looks, and keeps it or not."""
        self._ticks -= 1
        if self._ticks < 0 or not self.middle:
            return Stop(self._seats_holding(state))
        seat = self._rng.randrange(state.players)
        if state.options.second_look and self.castles[seat] and self._rng.random() < 0.03:
            return Look(seat, seat)
        tile = self._rng.choice(self.middle)
        if self._people[seat].wants(state, seat, tile, self.castles[seat]):
            self._lifted[seat] = tile
            return Rob(seat)
        return Look(seat)

    def _seats_holding(self, state: State) -> tuple[int, ...]:
        """Draw the seats that have a tile in hand at the stop."""
        free = self._rng.sample(self.middle, min(state.players, len(self.middle)))
        holding = []
        for seat, tile in enumerate(free):
            if self._rng.random() < TILE_IN_HAND_AT_STOP:
                self._lifted[seat] = tile
                holding.append(seat)
        return tuple(holding)

    def _lay_down(self, state: State, moves: Sequence[Move]) -> Move:
        """Decide whether a player keeps the tile in its hand."""
        seat = self._rng.choice([move.seat for move in moves if isinstance(move, LayDown)])
        keep = self._people[seat].wants(state, seat, self._lifted[seat], self.castles[seat])
        return LayDown(seat, keep)

    def _turn_up(self, state: State) -> Move:
        """Turn up a tile at any place."""
        places = [seat for seat in range(state.players) if self.castles[seat]]
        if self.middle:
            places.append(MIDDLE)
        place = self._rng.choice(places)
        return TurnUp(place, self._rng.choice(self.middle if place == MIDDLE else self.castles[place]))

    def _one_seat_chooses(self, state: State, moves: Sequence[Move]) -> Move:
        """Let one of the seats that can act choose; moves of the whole table go to seat 0."""
        seats = sorted({getattr(move, "seat", NO_SEAT) for move in moves})
        seat = self._rng.choice(seats)
        mine = [move for move in moves if getattr(move, "seat", NO_SEAT) == seat]
        return self._people[max(seat, 0)].choose(state, mine)


class RandomPerson:
    """Takes tiles without looking, more or less greedily, and makes any legal move."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._greed = rng.choice((0.05, 0.4, 0.6, 0.95))

    def wants(self, _state: State, _seat: int, _tile: Tile, _mine: Sequence[Tile]) -> bool:
        return self._rng.random() < self._greed

    def choose(self, _state: State, moves: Sequence[Move]) -> Move:
        return self._rng.choice(moves)


class KeenPerson:
    """RaidControl for what the next fields cost and builds where it pays; some plan for more fields than others."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._ambition = rng.choice((1, 2, 2, 3, 5))
        self._list: Mapping[str, int] = {}
        self._listed_for = (0, 0)

    def wants(self, state: State, seat: int, tile: Tile, mine: Sequence[Tile]) -> bool:
        if self._listed_for != (state.round, seat):
            self._listed_for = (state.round, seat)
            self._list = self._shopping_list(state, seat)
        good = GOOD_OF[tile]
        have = sum(WORTH[own] for own in mine if GOOD_OF[own] == good)
        if have >= self._list[good]:
            return WORTH[tile] == 3 and have == 0 and self._rng.random() < 0.3
        return True

    def _shopping_list(self, state: State, seat: int) -> Mapping[str, int]:
        """Return the goods that the best fields in reach cost together, as many fields as this person plans."""
        near = reachable(state, seat)
        priced = [
            (
                state.box.fields[state.land[field]].statues + self._rng.random() / 2,
                cost_of(state, state.land[field], True),
            )
            for field in near
        ]
        priced += [
            (0.5 + self._rng.random() / 2, cost_of(state, kind, False))
            for kind in ANYWHERE
            if not near and kind in state.land
        ]
        best = sorted(priced, reverse=True)[: self._ambition]
        return {good: sum(cost[index] for _, cost in best) for index, good in enumerate(GOODS)}

    def choose(self, state: State, moves: Sequence[Move]) -> Move:
        if isinstance(moves[-1], Pass) and self._rng.random() < CHANGES_MIND:
            return moves[-1]
        return max(moves, key=lambda move: (self._benefit(state, move), self._rng.random()))

    def _benefit(self, state: State, move: Move) -> float:
        """Estimate what a move is worth."""
        match move:
            case Place():
                return 10 * move.statues + 1.5 * move.followers - len(move.tiles) + self._prospects(state, move.field)
            case FirstStatue():
                return self._prospects(state, move.field)
            case _:
                return 0.0

    def _prospects(self, state: State, field: int) -> float:
        """Count the statues that the free neighbouring fields would take."""
        return sum(
            state.box.fields[state.land[beside]].statues
            for beside in neighbours(state.columns)[field]
            if state.owner[beside] == NO_SEAT and state.land[beside] in state.box.fields
        )
