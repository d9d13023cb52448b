"""What people may be in the middle of: the legal moves that change all the zones which do not look as they should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from companion.kernel.messages import View, differences

from ..box import COUNCILS, Bonus, letters
from ..moves import (
    Build,
    BuildWithKing,
    BuyAction,
    BuyPermit,
    CopyPermit,
    CopyToken,
    Elect,
    Hire,
    Move,
    Send,
    Swap,
    Sweep,
    TakeFree,
    TurnUp,
)
from ..rulebook.cards import COUNTED
from ..rulebook.councils import bribe_price
from ..rulebook.nobility import choice_moves
from ..rulebook.permits import unseen_swaps
from ..rulebook.phases import breaches, legal
from ..state import UNSEEN_PERMIT, State, open_permits, permit_bonus, region_of
from .seeing import Seen
from .view import view as should_be


def begun(state: State, view: View) -> Iterator[Move]:
    seen = Seen(state, view)
    changed = differences(view, should_be(state)).keys()
    told = set[Any]()
    unseen = (swap for swap in unseen_swaps(state) if not any(breaches(state, swap)))
    for move in chain(legal(state), unseen):
        if not changed <= _zones(state, move):
            continue
        cards: tuple[str, ...] | None = getattr(move, "cards", None)
        if cards is not None:
            # Of cards that do not lie there yet, only what they cost can be told.
            sort = (type(move), getattr(move, "place", 0), getattr(move, "city", 0))
            how = cards if "bribe" in changed else (len(cards), bribe_price(state.box, cards))
            if (*sort, how) in told or ("bribe" in changed and not _on_the_way(seen, cards)):
                continue
            told.add((*sort, how))
        yield move


def _on_the_way(seen: Seen, cards: tuple[str, ...]) -> bool:
    """Whether what lies there are some of these cards, or some of the last bribe that are not put away yet."""
    lying = seen.cards()
    return lying is None or not Counter(lying) - (Counter(cards) | Counter(seen.state.bribe))


def _zones(state: State, move: Move) -> frozenset[str]:
    """Where a move may change something."""
    colour = state.colour(getattr(move, "seat", 0))
    hired = {f"assistants {colour}", "supply"}
    gains = {"gold", "points", "nobility", *hired}
    built = {f"stock {colour}", "bonuses", "reward", f"honours {colour}", *gains}
    names = letters(state.box)
    match move:
        case Elect():
            return frozenset({f"council {COUNCILS[move.council]}", "pool", "gold"})
        case Send():
            return frozenset({f"council {COUNCILS[move.council]}", "pool", *hired})
        case BuyPermit():
            return frozenset({"permits", f"permits {colour}", "bribe", *gains})
        case TakeFree():
            return frozenset({"permits", f"permits {colour}", *gains})
        case Build():
            return frozenset({f"city {names[move.city]}", f"permits {colour}", *built})
        case BuildWithKing():
            return frozenset({f"city {names[move.city]}", f"city {names[state.king]}", "bribe", *built})
        case Hire():
            return frozenset({"gold", *hired})
        case Swap():
            return frozenset({"permits", *hired})
        case BuyAction():
            return frozenset(hired)
        case CopyToken() | CopyPermit():
            return frozenset(gains)
        case TurnUp():
            return frozenset({"permits"})
        case Sweep():
            return frozenset({"bribe"})
        case _:
            return frozenset()


def half_of_another(state: State, move: Move) -> bool:
    """Cards laid on just such cards, a reward that is a part of another one that could be chosen, or a swap of which
    only the assistant was seen, who may have been sent for something else."""
    if isinstance(move, Swap | TurnUp):
        return _unseen_whole(state, move)
    if isinstance(move, CopyToken | CopyPermit):
        return any(_more(_reward(state, one), _reward(state, move)) for one in choice_moves(state))
    return bool(state.bribe) and getattr(move, "cards", ()) == state.bribe


def _unseen_whole(state: State, move: Swap | TurnUp) -> bool:
    """Whether nobody saw any of the permits that were swapped."""
    if isinstance(move, Swap):
        return move.unseen and not open_permits(state, move.region)
    below = state.below[region_of(move.place)]
    return state.quick and bool(below) and set(below[-1]) == {UNSEEN_PERMIT}


def _reward(state: State, move: Move) -> Bonus:
    match move:
        case CopyToken():
            return state.box.tokens[state.tokens[move.city]].bonus
        case CopyPermit():
            return permit_bonus(state, move.permit)
        case _:
            return Bonus()


def _more(one: Bonus, other: Bonus) -> bool:
    """Whether one reward brings all that can be seen of the other, and more."""
    gains = [(getattr(one, what), getattr(other, what)) for what in COUNTED]
    return all(many >= few for many, few in gains) and any(many > few for many, few in gains)
