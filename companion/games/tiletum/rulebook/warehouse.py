"""The warehouse: four places for bonus tiles, guests and contracts, from which nothing is thrown away."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..state import State, Story, changed, without


def has_room(state: State, seat: SeatNo) -> bool:
    return len(state.warehouse[seat]) < state.box.warehouse


def check_room(state: State, seat: SeatNo) -> Iterator[Breach]:
    if not has_room(state, seat):
        yield broken("warehouse.room", seat=state.colour_of(seat), places=state.box.warehouse)


def store(state: State, seat: SeatNo, tile: str, story: Story) -> State:
    state = stored(state, seat, tile)
    free = state.box.warehouse - len(state.warehouse[seat])
    story.tell("warehouse.room", seat=state.colour_of(seat), tile=tile, free=free)
    return state


def stored(state: State, seat: SeatNo, tile: str) -> State:
    """Tiles lie there in no order."""
    return replace(state, warehouse=changed(state.warehouse, seat, tuple(sorted((*state.warehouse[seat], tile)))))


def taken_out(state: State, seat: SeatNo, tile: str) -> State:
    return replace(state, warehouse=changed(state.warehouse, seat, without(state.warehouse[seat], tile)))
