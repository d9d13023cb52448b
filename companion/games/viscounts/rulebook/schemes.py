"""The piles of schemes of the solo game's opponent: what may lie in them, and what may stay in the box."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ..box import Box, Rival, Scheme
from ..state import State


def future_pile(state: State) -> int:
    """How many future schemes still lie there."""
    return len(state.futures) - state.mixed


def in_its_pile(state: State) -> tuple[str, ...]:
    """Schemes that may lie on top of its pile; an empty one is made of its discards."""
    if state.schemes or state.mixed:
        starting = (*state.schemes, *boxed(state, state.box.solo.starting)) if state.schemes else ()
        return (*starting, *(in_the_future(state) if state.mixed else ()))
    return state.discards[state.rival]


def in_the_future(state: State) -> tuple[str, ...]:
    """Future schemes that may come to light."""
    return (*state.futures, *boxed(state, state.box.solo.future))


def boxed(state: State, kind: Mapping[str, Scheme]) -> tuple[str, ...]:
    """Those of a kind that we take to be in the box."""
    return tuple(one for one in state.boxed if one in kind)


def doubtful(box: Box, opponent: Rival) -> tuple[str, ...]:
    """The schemes that its board puts back to the box, as long as nobody has confirmed which these are."""
    facts = f"solo.boards.{opponent}"
    return box.solo.boards[opponent].removed if {facts, f"{facts}.removed"} & {*box.unverified} else ()


def after_all(state: State, scheme: str) -> State:
    """A scheme that we took to be in the box has come to light: so another one is there, of its pile and unseen."""
    if scheme not in state.boxed:
        return state
    pile = "schemes" if scheme in state.box.solo.starting else "futures"
    *others, instead = getattr(state, pile)
    out = (*without(state.boxed, scheme), instead)
    return replace(state, boxed=out, **{pile: tuple(sorted((*others, scheme)))})


def without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(one for one in names if one != name)
