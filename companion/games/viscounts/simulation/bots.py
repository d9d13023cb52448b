"""Two kinds of bots at a simulated table of Viscounts: one plays at random, the other looks for points."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from companion.games.viscounts import moves
from companion.games.viscounts.box import BUILDINGS, SILVER, Effect
from companion.games.viscounts.components import card_symbols
from companion.games.viscounts.moves import Move
from companion.games.viscounts.rulebook.actions import action_moves
from companion.games.viscounts.rulebook.movement import price
from companion.games.viscounts.rulebook.scoring import best_sets
from companion.games.viscounts.rulebook.trade import exchange
from companion.games.viscounts.state import State, board, card, manuscript, number_built, script_at

WORTH: Final = {
    "ink": 1.0,
    "gold": 1.0,
    "stone": 1.0,
    "silver": 0.5,
    "corruption": -0.3,
    "virtue": 0.8,
    "debt": -1.5,
    "deed": 1.5,
    "any": 1.2,
    "flip": 2.5,
    "flip_debt": 2.5,
    "flip_deed": 2.0,
    "discard": 0.2,
    "destroy": 0.8,
    "hire": 1.5,
    "move": 0.5,
    "workers": 1.5,
}
ACTS: Final = 0.9
"""How often a main action is taken if it may be left out."""


class RandomPerson:
    """Makes any move: first chooses a kind of move, so that many ways to pay do not crowd out the rest."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, _state: State, legal: Sequence[Move]) -> Move:
        kinds: dict[type[Any], list[Move]] = {}
        for move in legal:
            kinds.setdefault(type(move), []).append(move)
        if moves.Trade in kinds and self._rng.random() < ACTS:
            kinds = {kind: found for kind, found in kinds.items() if kind not in (moves.Skip, moves.DrawUp)}
        return self._rng.choice(kinds[self._rng.choice(list(kinds))])


class KeenPerson:
    """Makes the move that looks best, with some chance."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, state: State, legal: Sequence[Move]) -> Move:
        return max(legal, key=lambda move: benefit(state, move) + self._rng.random() * 0.5)


def benefit(state: State, move: Move) -> float:
    """Return how good a move looks."""
    match move:
        case moves.PlayCard():
            return sum(card_symbols(state.box)[move.card]) + effect_worth(card(state, move.card).played)
        case moves.Travel():
            return _journey(state, move)
        case moves.Trade():
            return move.times * (effect_worth(exchange(state, move.seat).gives) - 0.2)
        case moves.Build():
            return _building(state, move)
        case moves.Employ():
            return 2.2 * move.number - 0.8 * sum(move.pays)
        case moves.Copy():
            return _copying(state, move)
        case moves.Hire():
            mine = card_symbols(state.box)[state.offer[move.segment]]
            return 1.0 + sum(mine) + effect_worth(card(state, state.offer[move.segment]).hired)
        case moves.Dismiss():
            return 1.0
        case _:
            return _lesser_benefit(state, move)


def _lesser_benefit(state: State, move: Move) -> float:
    match move:
        case moves.TakeGood():
            good = ("ink", "gold", "stone").index(move.good)
            return 5.0 - state.goods[move.seat][good]
        case moves.Flip():
            return 3.0 if move.paper == "debt" else 2.5
        case moves.Destroy():
            return 2.0 - sum(card_symbols(state.box)[move.card]) + 0.5 * card(state, move.card).silver
        case moves.Discard():
            return 0.8 - 0.2 * sum(card_symbols(state.box)[move.card])
        case moves.Push():
            return 0.0 if move.owner == move.seat else 1.0
        case moves.Choose():
            return 1.0
        case moves.Decline():
            return 0.6
        case _:
            return 0.5


def effect_worth(effect: Effect) -> float:
    either = max(map(effect_worth, effect.either), default=0.0)
    return either + sum(worth * float(getattr(effect, name)) for name, worth in WORTH.items())


def _journey(state: State, move: moves.Travel) -> float:
    """Return the value of the best action at the end of the way, less what the way costs."""
    cost = price(state, move.seat, move.space)
    goods = tuple(had - cost * (good == SILVER) for good, had in enumerate(state.goods[move.seat]))
    there = msgspec.structs.replace(
        state,
        phase="action",
        viscounts=tuple(move.space if seat == move.seat else at for seat, at in enumerate(state.viscounts)),
        goods=tuple(goods if seat == move.seat else had for seat, had in enumerate(state.goods)),
    )
    best = max((benefit(there, one) for one in action_moves(there) if not isinstance(one, moves.Skip)), default=0.0)
    return best - 0.6 * cost


def _building(state: State, move: moves.Build) -> float:
    points: tuple[int, ...] = getattr(state.box.buildings, BUILDINGS[move.building]).points
    built = number_built(state, move.seat, move.building)
    gain = points[built] - (points[built - 1] if built else 0)
    return gain + 2.0 + effect_worth(board(state)[move.segment].plots[move.plot]) - 0.8 * sum(move.pays)


def _copying(state: State, move: moves.Copy) -> float:
    name = script_at(state, move.segment)
    before, _ = best_sets(state, move.seat)
    mine = (*state.manuscripts[move.seat], name) if state.scripts[move.segment] else state.manuscripts[move.seat]
    more = tuple(mine if seat == move.seat else had for seat, had in enumerate(state.manuscripts))
    after, _ = best_sets(msgspec.structs.replace(state, manuscripts=more), move.seat)
    counts = 2.0 if manuscript(state, name).counts else 0.0
    return after - before + counts + effect_worth(manuscript(state, name).effect) - 0.8 * sum(move.pays)
