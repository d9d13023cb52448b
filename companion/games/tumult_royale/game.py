"""Tumult Royale as the kernel sees it: one object whose methods are pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.kernel.catalogue import Speaker
from companion.kernel.game import BaseGame
from companion.kernel.messages import Signal, View
from companion.kernel.rules import (
    ANYONE,
    CHANCE,
    Actor,
    Breach,
    Countdown,
    Expected,
    Fact,
    Paint,
    Scoresheet,
    Seat,
    broken,
    plain,
)

from . import box, text
from . import text as picture
from .moves import SOMEBODY, GiveBack, Move, SetAside
from .referee import adopt, candidates, joining, pretending, view
from .rulebook import (
    phase3_tumults,
    phase4_statues,
    phase5_ranks,
    phases,
    scoring,
)
from .rulebook import setup as setting_up
from .rulebook.phases import ACTS, LEGAL
from .state import OPTIONS_BEFORE, Options, RuleLog, State


class TumultRoyale(BaseGame[State, Move]):
    """The game object; all its methods are pure functions of what they are given."""

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
        return setting_up.setup(box, seats, options)

    def actor(self, state: State) -> Actor:
        match state.phase:
            case "over":
                return None
            case "first_statues":
                return setting_up.next_first_statue(state)
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
        yield from LEGAL[state.phase](state)
        if state.phase in ACTS[GiveBack].phases:
            yield from phase4_statues.give_back_moves(state)

    def check(self, state: State, move: Move) -> tuple[Breach, ...]:
        act = ACTS[type(move)]
        if state.phase not in act.phases:
            return (self._out_of_order(state, move),)
        seat: int = getattr(move, "seat", 0)
        anonymous = isinstance(move, SetAside) and seat == SOMEBODY
        if not anonymous and not 0 <= seat < len(state.seats):
            return (broken("setup.players", seat=seat + 1, players=len(state.seats)),)
        return tuple(act.check(state, move))

    def _out_of_order(self, state: State, move: Move) -> Breach:
        """What was done belongs to another part of the round: what comes first, and who is to do it."""
        act = type(move).__name__
        if state.phase == "over":
            return broken("end.over", act=act)
        seat: int = getattr(move, "seat", SOMEBODY)
        who = state.colour(seat) if 0 <= seat < state.players else "everybody"
        return broken("round.phases", act=act, seat=who, now=state.phase, next=self._waited_for(state))

    def _waited_for(self, state: State) -> Fact:
        if state.phase == "consolation":
            return tuple(state.colour(seat) for seat in state.to_console)
        actor = setting_up.next_to_draw(state) if state.phase == "cards" else self.actor(state)
        return state.colour(actor) if isinstance(actor, int) else "everybody"

    def facts(self, state: State, move: Move) -> dict[str, Fact]:
        return text.facts(state, move)

    def carry_out(self, state: State, move: Move, log: RuleLog) -> State:
        return ACTS[type(move)].play(state, move, log)

    def picture(self, state: State, speaker: Speaker, paint: Paint = plain) -> str:
        return picture.draw(state, speaker, paint)

    def view(self, state: State) -> View:
        return view.view(state)

    def candidates(self, state: State, view: View) -> Iterator[Move]:
        return candidates.candidates(state, view)

    def state_from_view(self, state: State, view: View) -> State:
        return adopt.adopt(state, view)

    def setting_up(self, state: State) -> bool:
        return not state.round

    def states_matching(self, state: State, view: View) -> tuple[State, ...]:
        return joining.joins(state, view)

    def play_unchecked(self, state: State, move: Move) -> State | None:
        return pretending.pretend(state, move)

    def expects(self, state: State) -> Expected:
        return text.expects(state)

    def signalled(self, state: State, signal: Signal) -> tuple[Move, ...]:
        return phases.signalled(state, signal)

    def countdown(self, state: State) -> Countdown | None:
        return phases.countdown(state)

    def score(self, state: State) -> Scoresheet:
        return scoring.score(state)
