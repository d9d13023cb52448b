"""Tiletum as the kernel sees it: the Game object, which wires the other modules together. No rule lives here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.tiletum.state import OPTIONS_BEFORE, STATE_SINCE, Options, State
from companion.kernel import box as kernel_box
from companion.kernel.catalogue import Speaker
from companion.kernel.game import BaseGame, Paint, plain
from companion.kernel.messages import Signal
from companion.kernel.rules import Actor, Breach, Expected, Fact, Progress, RuleLog, Scoresheet, Seat
from companion.kernel.views import View

from . import box, guide, piece_forms, sketches, text
from .moves import Move
from .referee import candidates, moves_in_progress, play_unchecked, state_from_view, view
from .rulebook import phases, scoring, setup


class Tiletum(BaseGame[State, Move]):
    """The Game object; all its methods are pure functions of their arguments."""

    name = "tiletum"
    box_file = box.FILE
    box_type = box.Box
    state_type = State
    move_type = Move
    options_type = Options
    options_before = OPTIONS_BEFORE
    state_since = STATE_SINCE
    guide = guide.Guide()
    learning = piece_forms.PieceForms()
    sketching = sketches.BoardSketches()
    trivia = frozenset(("EndTurn", "Slide", "TidyUp"))

    def load_box(self, answers: Mapping[str, Any] | None = None) -> box.Box:
        return piece_forms.with_learned_pieces(
            box.load(box.usable_answers(answers or {})), kernel_box.learned_in(answers)
        )

    def fitting(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        return box.usable_answers(answers)

    def setup(self, box: box.Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        return setup.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        return text.actor(state)

    def moves(self, state: State) -> Iterator[Move]:
        return phases.legal_moves(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        return tuple(phases.breaches(state, move))

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return text.facts(state, move)

    def carry_out(self, state: State, move: Move, log: RuleLog) -> State:
        return phases.carry_out(state, move, log)

    def view(self, state: State) -> View:
        return view.view(state)

    def picture(self, state: State, speaker: Speaker, paint: Paint = plain) -> str:
        return text.draw(state, speaker, paint)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.candidates(state, view)

    def illegal_candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.illegal_candidates(state, view)

    def moves_in_progress(self, state: State, view: View) -> Iterator[Move]:
        return moves_in_progress.moves_in_progress(state, view)

    def may_be_partial(self, state: State, move: Move) -> bool:
        return moves_in_progress.may_be_partial(state, move)

    def state_from_view(self, state: State, view: View) -> State:
        return state_from_view.state_from_view(state, view)

    def states_matching(self, state: State, view: View) -> tuple[State, ...]:
        return state_from_view.states_matching(state, view)

    def play_unchecked(self, state: State, move: Move) -> State | None:
        return play_unchecked.play_unchecked(state, move)

    def setting_up(self, state: State) -> bool:
        return state.phase in ("laying_out", "lots")

    def expects(self, state: State) -> Expected:
        return text.expects(state)

    def progress(self, state: State) -> Progress | None:
        return text.progress(state)

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        return phases.signalled(state, signal)

    def score(self, state: State) -> Scoresheet:
        return scoring.score(state)
