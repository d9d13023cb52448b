"""Tumult Royale as the kernel sees it: the Game object, which wires the other modules together. No rule lives here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.tumult_royale.state import OPTIONS_BEFORE, Options, State
from companion.kernel.capabilities import Countdown, Entry, Haul
from companion.kernel.catalogue import Speaker
from companion.kernel.game import BaseGame, Paint, plain
from companion.kernel.messages import Signal
from companion.kernel.rules import Actor, Breach, Expected, Fact, Progress, RuleLog, Scoresheet, Seat
from companion.kernel.views import View

from . import box, entry, text
from .moves import Move
from .referee import candidates, play_unchecked, state_from_view, view
from .rulebook import phase3_tumults, phases, scoring, setup


class TumultRoyale(BaseGame[State, Move]):
    """The Game object; all its methods are pure functions of their arguments."""

    name = "tumult_royale"
    box_file = box.FILE
    box_type = box.Box
    state_type = State
    move_type = Move
    options_type = Options
    options_before = OPTIONS_BEFORE
    blocks = view.BOARDS
    trivia = frozenset(("DealCard", "SetAside", "Ready", "Rob", "PutBack", "LayDown", "Look", "Mix"))

    def load_box(self, answers: Mapping[str, Any] | None = None) -> box.Box:
        return box.load(answers)

    def setup(self, box: box.Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        return setup.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        return phases.actor(state)

    def moves(self, state: State) -> Iterator[Move]:
        return phases.legal_moves(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        return tuple(phases.breaches(state, move))

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return text.facts(state, move)

    def carry_out(self, state: State, move: Move, log: RuleLog) -> State:
        return phases.carry_out(state, move, log)

    def picture(self, state: State, speaker: Speaker, paint: Paint = plain) -> str:
        return text.draw(state, speaker, paint)

    def view(self, state: State) -> View:
        return view.view(state)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.candidates(state, view)

    def state_from_view(self, state: State, view: View) -> State:
        return state_from_view.state_from_view(state, view)

    def setting_up(self, state: State) -> bool:
        return not state.round

    def states_matching(self, state: State, view: View) -> tuple[State, ...]:
        return state_from_view.states_matching(state, view)

    def play_unchecked(self, state: State, move: Move) -> State | None:
        return play_unchecked.play_unchecked(state, move)

    def expects(self, state: State) -> Expected:
        return text.expects(state)

    def progress(self, state: State) -> Progress | None:
        return text.progress(state)

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        return phases.signalled(state, signal)

    def countdown(self, state: State) -> Countdown | None:
        return phases.countdown(state)

    def haul(self, state: State) -> Haul | None:
        return phase3_tumults.haul(state)

    def entry(self, state: State) -> Entry | None:
        return entry.entry(state)

    def entered_moves(self, state: State, view: View) -> tuple[Move, ...] | None:
        return entry.entered_moves(state, view)

    def only_move(self, state: State) -> Move | None:
        return entry.only_move(state)

    def score(self, state: State) -> Scoresheet:
        return scoring.score(state)
