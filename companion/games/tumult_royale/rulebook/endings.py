"""Spielende: after a double field of the chronicle, or at once with a seat's 25th statue."""

from __future__ import annotations

from msgspec.structs import replace

from companion.kernel.rules import SeatNo

from ..state import NOBODY, State, Story


def twenty_fifth(state: State, seat: SeatNo, story: Story) -> State | None:
    """The game is over when this seat has just put up its last statue."""
    if state.placed[seat] < state.box.statues_each:
        return None
    story.tell("end.last-statue", seat=state.colour(seat), statues=state.placed[seat])
    return replace(state, phase="over", winner=seat)


def after_double_field(state: State, story: Story) -> State | None:
    """The game is over when leader and last are further apart than the chronicle allows this round."""
    limit = state.box.chronicle.ends_above[str(len(state.chronicle))]
    difference = max(state.placed) - min(state.placed)
    last_field = len(state.chronicle) == state.box.chronicle.fields
    if last_field:
        story.tell("end.last-field", difference=difference)
    elif difference > limit:
        story.tell("end.difference", difference=difference, limit=limit)
    else:
        story.tell("end.goes-on", difference=difference, limit=limit)
        return None
    seat = leader(state)
    story.tell("end.most-statues", seat=state.colour(seat), statues=state.placed[seat])
    if state.placed.count(state.placed[seat]) > 1:
        story.tell("end.rank-tie", seat=state.colour(seat), statues=state.placed[seat])
    return replace(state, phase="over", winner=seat)


def leader(state: State) -> SeatNo:
    """Most statues; the higher rank where two have the same."""
    if state.winner != NOBODY:
        return state.winner
    return max(range(state.players), key=lambda seat: (state.placed[seat], -state.ranks[seat]))
