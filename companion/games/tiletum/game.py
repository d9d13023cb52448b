"""Tiletum as the kernel sees it: one object whose methods are pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.kernel import box as kernel_box
from companion.kernel.catalogue import Speaker
from companion.kernel.game import BaseGame
from companion.kernel.messages import Signal, View
from companion.kernel.rules import (
    Actor,
    Breach,
    Expected,
    Fact,
    Paint,
    Scoresheet,
    Seat,
    plain,
)

from . import box, carried, guide, text
from . import piece_forms as learning
from . import sketches as sketching
from . import text as picture
from .moves import Move
from .referee import (
    adopt,
    begun,
    candidates,
    joining,
    missteps,
    pretending,
    view,
)
from .rulebook import phases, scoring
from .rulebook import setup as setting_up
from .rulebook.phases import breaches, carried_out, legal
from .state import OPTIONS_BEFORE, STATE_SINCE, Options, RuleLog, State


class Tiletum(BaseGame[State, Move]):
    """The game object; all its methods are pure functions of what they are given."""

    name = "tiletum"
    box_file = box.FILE
    box_type = box.Box
    state_type = State
    move_type = Move
    options_type = Options
    options_before = OPTIONS_BEFORE
    state_since = STATE_SINCE
    guide = guide.Guide()
    learning = learning.OnSight()
    sketching = sketching.Boards()

    def load_box(self, answers: Mapping[str, Any] | None = None) -> box.Box:
        return learning.with_all(box.load(carried.fitting(answers or {})), kernel_box.learned_in(answers))

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return carried.fitting(answers)

    def setup(self, box: box.Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        return setting_up.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        return text.actor(state)

    def moves(self, state: State) -> Iterator[Move]:
        return legal(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        return tuple(breaches(state, move))

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return text.facts(state, move)

    def carry_out(self, state: State, move: Move, log: RuleLog) -> State:
        return carried_out(state, move, log)

    def view(self, state: State) -> View:
        return view.view(state)

    def picture(self, state: State, speaker: Speaker, paint: Paint = plain) -> str:
        return picture.draw(state, speaker, paint)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.candidates(state, view)

    def illegal_candidates(self, state: State, view: View) -> Iterator[Move]:
        return missteps.missteps(state, view)

    def moves_in_progress(self, state: State, view: View) -> Iterator[Move]:
        return begun.begun(state, view)

    def may_be_partial(self, state: State, move: Move) -> bool:
        return begun.half_of_another(state, move)

    def state_from_view(self, state: State, view: View) -> State:
        return adopt.adopt(state, view)

    def states_matching(self, state: State, view: View) -> tuple[State, ...]:
        return joining.joins(state, view)

    def play_unchecked(self, state: State, move: Move) -> State | None:
        return pretending.pretend(state, move)

    def setting_up(self, state: State) -> bool:
        return state.phase in ("laying_out", "lots")

    def expects(self, state: State) -> Expected:
        return text.expects(state)

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        return phases.signalled(state, signal)

    def score(self, state: State) -> Scoresheet:
        return scoring.score(state)
