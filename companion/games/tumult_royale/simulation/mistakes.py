"""The kinds of forbidden acts that a camera can see on the table of Tumult Royale, with the phases they occur in.

How each is made is in `mistakes_acts` and `mistakes_places`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Final, NamedTuple, Protocol, get_args

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import board_fields
from companion.games.tumult_royale.moves import Move
from companion.games.tumult_royale.simulation import mistakes_acts as acts
from companion.games.tumult_royale.simulation import mistakes_places as places
from companion.games.tumult_royale.simulation.habits import Faces, done, habit
from companion.games.tumult_royale.state import Phase, State
from companion.kernel.simulation import Impossible, LegalWays, Mistake
from companion.kernel.views import View, differences, same_table

PLACING: Final[tuple[Phase, ...]] = ("placing",)
TUMULTS: Final[tuple[Phase, ...]] = ("tumults",)
AFTER_STOP: Final[tuple[Phase, ...]] = ("stopped", "turning_up")
SET_UP: Final[tuple[Phase, ...]] = ("laying_out", "cards", "boards", "first_statues")
TRIES: Final = 8
"""Maximum number of acts of a kind that are tried until a camera can see one."""


def _other(*phases: Phase) -> tuple[Phase, ...]:
    """Return the phases of a round except these; the raid is left out because it is never still."""
    return tuple(phase for phase in get_args(Phase) if phase not in (*phases, *SET_UP, "raid", "stopped", "over"))


class Kind(NamedTuple):
    """Acts of one kind: when they occur, how to make them, and which rules one of them must break at least."""

    phases: tuple[Phase, ...]
    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


KINDS: Final[dict[str, Kind]] = {
    "card out of order": Kind(("cards",), acts.card_out_of_order, ("setup.cards-dealt",)),
    "first statue out of order": Kind(("first_statues",), acts.first_statue_out_of_order, ("first.order",)),
    "first statue off the meadow": Kind(("first_statues",), acts.first_statue_off_the_meadow, ("first.meadow",)),
    "first statue on a hidden board": Kind(
        ("first_statues",), acts.first_statue_on_a_hidden_board, ("placing.face-up",)
    ),
    "second spin": Kind(("mood",), acts.other_spin, ("mood.one-spin",)),
    "spin in another phase": Kind(_other("mood", "gambling"), acts.other_spin, ("round.phases",)),
    "wrong number set aside": Kind(("mood",), acts.wrong_number_set_aside, ("raid.set-aside",)),
    "robbed before the raid": Kind(("mood",), acts.robbed_before_the_raid, ("round.phases",)),
    "turned up before the raid": Kind(("mood",), acts.turned_up_early, ("round.phases",)),
    "robbed after the stop": Kind(AFTER_STOP, acts.robbed_after_the_stop, ("raid.stop",)),
    "robbed from a castle": Kind(AFTER_STOP, acts.robbed_from_a_castle, ("raid.castle-safe",)),
    "put back after the stop": Kind(AFTER_STOP, acts.put_back_after_the_stop, ("raid.no-return",)),
    "wrong one atones": Kind(
        TUMULTS, acts.wrong_one_atones, ("tumult.greediest", "tumult.rank-tie", "whatif.nobody-greedy")
    ),
    "too few tiles back": Kind(TUMULTS, acts.too_few_tiles_back, ("tumult.keeps-smallest",)),
    "too many tiles back": Kind(TUMULTS, acts.too_many_tiles_back, ("tumult.keeps-smallest",)),
    "wrong tiles back": Kind(TUMULTS, acts.wrong_tiles_back, ("tumult.keeps-smallest",)),
    "wrong followers atoned": Kind(TUMULTS, acts.wrong_followers_atoned, ("tumult.followers",)),
    "atoned without a tumult": Kind(TUMULTS, acts.atoned_without_a_tumult, ("tumult.content",)),
    "atoned in another phase": Kind(_other("tumults"), acts.atoned_without_a_tumult, ("round.phases",)),
    "tile too few": Kind(PLACING, places.tile_too_few, ("placing.cost", "placing.anywhere")),
    "tile too many": Kind(PLACING, places.tile_too_many, ("placing.no-extra-tile",)),
    "wrong tile": Kind(PLACING, places.wrong_tile, ("placing.cost", "placing.anywhere")),
    "too many statues": Kind(PLACING, places.too_many_statues, ("placing.count",)),
    "too few statues": Kind(PLACING, places.too_few_statues, ("placing.count",)),
    "too many followers": Kind(PLACING, places.too_many_followers, ("placing.overpaid",)),
    "too few followers": Kind(PLACING, places.too_few_followers, ("placing.overpaid",)),
    "not beside own statues": Kind(PLACING, places.not_beside_own, ("placing.adjacent",)),
    "half the double cost": Kind(PLACING, places.half_the_double_cost, ("placing.anywhere",)),
    "out of turn": Kind(PLACING, places.out_of_turn, ("placing.order",)),
    "on a hidden board": Kind(PLACING, places.on_a_hidden_board, ("placing.face-up",)),
    "on an own field": Kind(PLACING, places.on_an_own_field, ("placing.free-field",)),
    "rest of a tile": Kind(PLACING, places.rest_of_a_tile, ("placing.no-split",)),
    "others' tiles": Kind(PLACING, places.others_tiles, ("placing.own-tiles",)),
    "not enough statues left": Kind(PLACING, places.not_enough_statues_left, ("placing.too-few-statues",)),
    "statues in another phase": Kind(_other("placing"), places.in_another_phase, ("round.phases",)),
    "wrong consolation": Kind(("consolation",), acts.wrong_consolation, ("placing.consolation",)),
    "consolation for others": Kind(
        ("consolation",), acts.consolation_for_others, ("placing.consolation", "placing.no-consolation")
    ),
    "consolation in another phase": Kind(_other("consolation"), acts.consolation_for_others, ("round.phases",)),
    "tiles back in another phase": Kind(("tumults", "placing", "gambling"), acts.tiles_given_back, ("round.phases",)),
    "wrong cards swapped": Kind(
        ("ranks",), acts.cards_swapped, ("ranks.king-first", "ranks.ties", "ranks.most-followers")
    ),
    "cards swapped in another phase": Kind(_other("ranks"), acts.cards_swapped, ("round.phases",)),
    "wrong one crowned": Kind(("coronation",), acts.wrong_one_crowned, ("crown.new-king",)),
    "wrong statues crowned": Kind(("coronation",), acts.wrong_statues_crowned, ("crown.statue", "crown.double-field")),
    "wrong followers crowned": Kind(("coronation",), acts.wrong_followers_crowned, ("crown.followers",)),
    "crowned in another phase": Kind(_other("coronation"), acts.crowned, ("round.phases",)),
    "board uncovered in another phase": Kind(_other("uncovering"), acts.board_uncovered, ("round.phases",)),
    "wrong mercy turned": Kind(("mercy",), acts.mercy_turned, ("mercy.fewest", "mercy.others", "mercy.all-equal")),
    "mercy turned in another phase": Kind(_other("mercy"), acts.mercy_turned, ("round.phases",)),
    "tiles mixed in another phase": Kind(_other("mixing", "mood"), acts.tiles_mixed, ("round.phases",)),
}


class WrongActs:
    """The forbidden acts of one state, each with the table it leaves."""

    def __init__(self, state: State, lying: View, faces: Faces, ways: LegalWays, rng: Random) -> None:
        self._state = state
        self._lying = lying
        self._faces = faces
        self._ways = ways
        self._rng = rng
        self._should = GAME.view(state)

    def __iter__(self) -> Iterator[Mistake]:
        for name in self._rng.sample(list(KINDS), len(KINDS)):
            if self._state.phase in KINDS[name].phases:
                yield from islice(self._of_kind(name, KINDS[name]), 1)

    def _of_kind(self, name: str, kind: Kind) -> Iterator[Mistake]:
        for move in islice(kind.make(self._state, self._rng), TRIES):
            rules = frozenset(breach.rule for breach in GAME.check(self._state, move))
            if rules.isdisjoint(kind.breaks):
                continue
            try:
                view = done(self._lying, self._state, move, self._faces)
            except Impossible:
                continue
            if self._shows(view) and not self._ways.lead_to(view):
                yield Mistake(name, move, rules, view)

    def _shows(self, view: View) -> bool:
        """Whether the table looks different than before, and different than it should."""
        return not same_table(view, self._lying) and bool(differences(view, self._should))


class KnowsBoards(Protocol):
    """A world that knows what the hidden boards show."""

    def faces(self, state: State, place: int) -> tuple[str, ...]: ...


def mistakes(
    state: State, rng: Random, lying: View | None = None, world: KnowsBoards | None = None
) -> Iterator[Mistake]:
    """Yield each kind of forbidden act that this state allows and a camera can see, once, in random order."""
    faces = world.faces if world else _unused_board
    table = lying or GAME.view(state)
    ways = LegalWays(GAME, habit, lambda before, at, move: done(before, at, move, faces), state, table)
    return iter(WrongActs(state, table, faces, ways, rng))


def _unused_board(state: State, place: int) -> tuple[str, ...]:
    """Return a face for a hidden board, if there is no world that knows it."""
    spare = [name for name in state.box.boards if name not in state.boards]
    return board_fields(state.box, spare[place % len(spare)], place % 4)
