"""Tugend, Korruption & Verbrecher: two markers walk towards each other, and stay together once they have met."""

from __future__ import annotations

from msgspec.structs import replace

from companion.kernel.rules import SeatNo, Story, changed

from ..state import State, collided


def corrupt(state: State, seat: SeatNo, steps: int, story: Story) -> State:
    """Corruption goes to the right."""
    if not steps:
        return state
    story.tell("marker.corruption", seat=state.colour_of(seat), steps=steps)
    return walked(state, seat, steps, story)


def purify(state: State, seat: SeatNo, steps: int, story: Story) -> State:
    """Virtue goes to the left."""
    if not steps:
        return state
    story.tell("marker.virtue", seat=state.colour_of(seat), steps=steps)
    return walked(state, seat, -steps, story)


def walked(state: State, seat: SeatNo, steps: int, story: Story) -> State:
    """Positive steps are corruption's. Markers that have met go together, and none goes beyond the end."""
    corruption, virtue = state.corruption[seat], state.virtue[seat]
    met, last = corruption == virtue, len(state.box.track.fields)
    for _ in range(abs(steps)):
        if corruption == virtue:
            corruption = virtue = min(max(corruption + (1 if steps > 0 else -1), 1), last)
        elif steps > 0:
            corruption += 1
        else:
            virtue -= 1
    if corruption == virtue and not met:
        story.tell("marker.meet", seat=state.colour_of(seat), field=corruption)
    elif met and steps and corruption == state.corruption[seat]:
        story.tell("marker.end", seat=state.colour_of(seat))
    return replace(
        state,
        corruption=changed(state.corruption, seat, corruption),
        virtue=changed(state.virtue, seat, virtue),
    )


def parted(state: State, seat: SeatNo) -> State:
    """Both markers at their own ends again."""
    last = len(state.box.track.fields)
    return replace(state, corruption=changed(state.corruption, seat, 1), virtue=changed(state.virtue, seat, last))


def collision_due(state: State) -> bool:
    return collided(state, state.turn)
