"""Tumult Royale as the kernel sees it: the Game object, which wires the other modules together. No rule lives here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.tumult_royale.state import OPTIONS_BEFORE, Options, State
from companion.kernel.capabilities import Countdown, Entry, Haul
from companion.kernel.catalogue import Speaker
from companion.kernel.game import BaseGame, Paint, plain
from companion.kernel.messages import Signal
from companion.kernel.rules import ANYONE, CHANCE, Actor, Breach, Expected, Fact, RuleLog, Scoresheet, Seat, broken
from companion.kernel.views import View

from . import box, entry, text
from .moves import UNKNOWN_SEAT, GiveBack, Move, SetAside
from .referee import candidates, play_unchecked, state_from_view, view
from .rulebook import (
    phase3_tumults,
    phase4_statues,
    phase5_ranks,
    phases,
    scoring,
    setup,
)
from .rulebook.phases import ACTS, LEGAL_MOVES


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

    def load_box(self, answers: Mapping[str, Any] | None = None) -> box.Box:
        return box.load(answers)

    def setup(self, box: box.Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
        return setup.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        match state.phase:
            case "over":
                return None
            case "first_statues":
                return setup.next_first_statue(state)
            case "placing":
                return phase4_statues.whose_turn(state)
            case "tumults":
                return phase3_tumults.greediest(state, state.tumults[0])
            case "ranks":
                due = phase5_ranks.exchange_due(state)
                return due.seat if due else ANYONE
            case "coronation" | "uncovering":
                return state.king
            case "cards" | "boards" | "turning_up" | "gambling":
                return CHANCE
            case _:
                return ANYONE

    def moves(self, state: State) -> Iterator[Move]:
        yield from LEGAL_MOVES[state.phase](state)
        if state.phase in ACTS[GiveBack].phases:
            yield from phase4_statues.give_back_moves(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        act = ACTS[type(move)]
        if state.phase not in act.phases:
            return (self._out_of_order(state, move),)
        seat: int = getattr(move, "seat", 0)
        anonymous = isinstance(move, SetAside) and seat == UNKNOWN_SEAT
        if not anonymous and not 0 <= seat < len(state.seats):
            return (broken("setup.players", seat=seat + 1, players=len(state.seats)),)
        return tuple(act.check(state, move))

    def _out_of_order(self, state: State, move: Move) -> Breach:
        """Return the breach of a move in the wrong phase: which phase comes first, and who acts in it."""
        act = type(move).__name__
        if state.phase == "over":
            return broken("end.over", act=act)
        seat: int = getattr(move, "seat", UNKNOWN_SEAT)
        who = state.colour(seat) if 0 <= seat < state.players else "everybody"
        return broken("round.phases", act=act, seat=who, now=state.phase, next=self._waited_for(state))

    def _waited_for(self, state: State) -> Fact:
        """Name the seat or seats that the game waits for, by colour."""
        if state.phase == "consolation":
            return tuple(state.colour(seat) for seat in state.to_console)
        actor = setup.next_to_draw(state) if state.phase == "cards" else self.actor(state)
        return state.colour(actor) if isinstance(actor, int) else "everybody"

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return text.facts(state, move)

    def carry_out(self, state: State, move: Move, log: RuleLog) -> State:
        return ACTS[type(move)].play(state, move, log)

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
