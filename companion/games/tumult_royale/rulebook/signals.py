"""What buttons and the raid timer mean, and what is watched while the timer runs."""

from __future__ import annotations

from companion.kernel.messages import Signal
from companion.kernel.rules import Rush

from ..moves import Move, Pass, Ready, Spin, StartRaid, Stop
from ..state import State
from .phase1_mood import spin_due
from .phase4_statues import whose_turn


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    """A press is "I pass" in one's turn; being ready, the start and the stop of the raid come from the timer."""
    seat = signal.seat
    match signal.kind, signal.source, state.phase:
        case "timer", "raid ready", "mood" if seat is not None:
            return (Ready(seat),)
        case "timer", "raid started", "mood":
            return (StartRaid(state.king),)
        case "timer", "raid stopped", "raid":
            return (Stop(),)
        case "press", _, "placing" if seat == whose_turn(state):
            return (Pass(seat),)
        case "dial", _, "mood" | "gambling":
            return _spun(state, signal.value)
        case _:
            return ()


def _spun(state: State, number: int | None) -> tuple[Move, ...]:
    good = spin_due(state)
    return () if good is None or number is None else (Spin(state.king, (number,), good),)


def rush(state: State) -> Rush | None:
    """The raid: due once everybody has set tiles aside, running until the stop."""
    due = state.phase == "mood" and all(state.aside)
    if not due and state.phase != "raid":
        return None
    return Rush(
        leader=state.king,
        seconds=state.box.raid_seconds,
        running=not due,
        source="middle",
        keeps={f"castle {seat.colour}": number for number, seat in enumerate(state.seats)},
        stop=Stop(),
        stays="raid.no-return",
        one_at_a_time="raid.one-tile",
        one_hand="raid.one-hand",
        after_stop="raid.stop",
    )
