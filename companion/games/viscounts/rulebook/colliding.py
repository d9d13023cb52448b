"""Phase 5: Kollision abwickeln, in four steps, and only now."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, Story, broken

from ..box import Effect
from ..components import rival_does
from ..moves import Collide, Move
from ..state import (
    NOBODY,
    Due,
    State,
    clockwise,
    collided,
    criminals,
    does,
    row_cards,
)
from .effects import apply, apply_all, off_breaches, put_first
from .markers import parted, purify


def collide_moves(state: State) -> Iterator[Move]:
    if collided(state, state.turn):
        yield Collide(state.turn)


def check_collide(state: State, move: Collide) -> Iterator[Breach]:
    if not collided(state, move.seat):
        yield broken("collision.due", seat=state.colour_of(move.seat))
        return
    yield from off_breaches(state, move.seat, move.off)


def collide(state: State, move: Collide, story: Story) -> State:
    """Second workshops, then townsfolk on all boards; the rewards wait until that is done."""
    story.tell("collision.due", seat=state.colour_of(move.seat))
    phase = state.phase if move.seat == state.rival else "drawing"
    state = put_first(replace(state, phase=phase), Due(move.seat, "reward"))
    everybody = clockwise(state, move.seat)
    for seat in everybody:
        if does(state, seat, "virtue"):
            if criminals(state, seat):
                story.tell("collision.criminal", seat=state.colour_of(seat))
            else:
                story.tell("collision.workshop", seat=state.colour_of(seat))
                state = purify(state, seat, 1, story)
    found: list[tuple[SeatNo, Effect]] = []
    if state.rival != NOBODY and has_collision_slot(state) and not criminals(state, state.rival):
        found.append((state.rival, Effect(flip_debt=1)))
    found += [
        (seat, card.collision) for seat in everybody for card in row_cards(state, seat) if card.collision != Effect()
    ]
    for seat, _ in found:
        story.tell("collision.townsfolk", seat=state.colour_of(seat))
    return apply_all(state, found, story)


def has_collision_slot(state: State) -> bool:
    """Whether the solo game's opponent flips a debt with every collision."""
    return "collision" in rival_does(state.box, state.options.opponent, state.built[state.rival])


def rewarded(state: State, due: Due, story: Story) -> State:
    """Step 3: what stands above the field of both markers. The same field counts for the others."""
    field = state.corruption[due.seat]
    story.tell("collision.reward", seat=state.colour_of(due.seat), field=field)
    state = put_first(state, Due(due.seat, "others", where=field))
    if due.seat == state.rival:
        return apply(state, due.seat, state.box.solo.track.fields[field - 1], story)
    return apply(state, due.seat, state.box.track.fields[field - 1].gains, story)


def others_rewarded(state: State, due: Due, story: Story) -> State:
    """Step 4: what stands below it, for all others of whom it is true."""
    facts = state.box.track.fields[due.where - 1]
    got = [
        seat
        for seat in clockwise(state, due.seat)[1:]
        if facts.criminals == "any" or (facts.criminals == "some") == bool(criminals(state, seat))
    ]
    for seat in got:
        story.tell("collision.others", seat=state.colour_of(seat), field=due.where)
    state = put_first(state, Due(due.seat, "part"))
    return apply_all(state, ((seat, facts.others) for seat in got), story)


def markers_parted(state: State, due: Due, story: Story) -> State:
    story.tell("collision.part", seat=state.colour_of(due.seat))
    return parted(state, due.seat)
