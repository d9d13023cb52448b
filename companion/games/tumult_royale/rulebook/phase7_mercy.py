"""Phase 7, mercy (Gnade des Volkes erhalten): mercy cards are turned, and tiles are mixed for the next round.

How mercy protects in a tumult is in `phase3_tumults`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import State
from companion.kernel.rules import Breach, RuleLog, broken, changed

from ..box import tiles_in_play
from ..moves import Mix, Move, TurnMercy


def mercy_due(state: State) -> tuple[bool, ...]:
    """Return by seat whether the people have mercy: with the fewest statues, unless all have the same number."""
    fewest = min(state.placed)
    if fewest == max(state.placed):
        return (False,) * state.players
    return tuple(placed == fewest for placed in state.placed)


def begin_mercy(state: State, log: RuleLog) -> State:
    """Begin the phase of mercy."""
    due = mercy_due(state)
    if not any(due):
        log.tell("mercy.all-equal", statues=state.placed[0])
    return next_mercy(replace(state, phase="mercy"))


def mercy_moves(state: State) -> Iterator[Move]:
    """Yield each mercy card that has to be turned."""
    due = mercy_due(state)
    return (TurnMercy(seat) for seat in range(state.players) if state.mercy[seat] != due[seat])


def check_turn_mercy(state: State, move: TurnMercy) -> Iterator[Breach]:
    """Check that the card has to be turned."""
    if state.mercy[move.seat] == mercy_due(state)[move.seat]:
        if not any(mercy_due(state)):
            rule = "mercy.all-equal"
        else:
            rule = "mercy.fewest" if state.mercy[move.seat] else "mercy.others"
        yield broken(rule, seat=state.colour(move.seat), statues=state.placed[move.seat], fewest=min(state.placed))


def turn_mercy(state: State, move: TurnMercy, log: RuleLog) -> State:
    """Turn a seat's mercy card."""
    gains = not state.mercy[move.seat]
    log.tell(
        "mercy.fewest" if gains else "mercy.others",
        seat=state.colour(move.seat),
        statues=state.placed[move.seat],
    )
    return next_mercy(replace(state, mercy=changed(state.mercy, move.seat, gains)))


def next_mercy(state: State) -> State:
    """Go on to the next round once all mercy cards are right."""
    return state if state.mercy != mercy_due(state) else replace(state, phase="mixing")


# Preparation of the next round


def check_mix(_state: State, _move: Mix) -> Iterator[Breach]:
    """Allow always; the phase is checked before."""
    return iter(())


def mix(state: State, _move: Mix, log: RuleLog) -> State:
    """Put all tiles face down in the middle, and begin the next round."""
    count = state.players
    tiles = sum(tiles_in_play(state.box, count).values())
    for seat, unused in enumerate(state.castles):
        if unused:
            log.tell("placing.expiry", seat=state.colour(seat), tiles=unused)
    log.tell("next.all-tiles-back", tiles=tiles)
    log.tell("round.phases", round=state.round + 1)
    none_yet = (False,) * count
    return replace(
        state,
        phase="mood",
        round=state.round + 1,
        demand=(0, 0, 0),
        last_demand=state.demand,
        arrow=0,
        aside=none_yet,
        aside_unseen=0,
        ready=none_yet,
        hidden_middle=tiles,
        hidden_castles=(0,) * count,
        middle=(),
        castles=((),) * count,
        punished=none_yet,
    )
