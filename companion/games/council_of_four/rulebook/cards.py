"""Phase 1 of a turn, and every other card that is drawn or laid down."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..moves import Sweep
from ..state import State, Story, changed


def draw(state: State, seat: SeatNo, number: int, story: Story) -> State:
    """A seat draws cards; when the stack is empty, all that were laid down are shuffled to a new one."""
    if not state.counted:
        story.tell("draw.card", seat=state.colour(seat), cards=number)
        return state
    drawn = 0
    for _ in range(number):
        if not state.deck:
            state = _reshuffled(state, story)
        if not state.deck:
            story.tell("draw.none", seat=state.colour(seat))
            break
        drawn += 1
        state = replace(state, deck=state.deck - 1, hands=changed(state.hands, seat, state.hands[seat] + 1))
    if drawn:
        story.tell("draw.card", seat=state.colour(seat), cards=drawn)
    return state


def _reshuffled(state: State, story: Story) -> State:
    cards = state.discards
    if not cards:
        return state
    story.tell("draw.reshuffle", cards=cards)
    # Those of the last bribe are among them; that they are gone from the table shows when somebody takes them.
    return replace(state, deck=cards, discards=0)


def check_sweep(state: State, _move: Sweep) -> Iterator[Breach]:
    if not state.bribe:
        yield broken("bribe.sweep")


def sweep(state: State, _move: Sweep, story: Story) -> State:
    story.tell("bribe.sweep", cards=len(state.bribe))
    return replace(state, bribe=())


def lay_down(state: State, seat: SeatNo, cards: tuple[str, ...]) -> State:
    """Cards leave a hand and lie open, until the next ones are laid over them."""
    if not cards:
        return state  # what lies there is still the last bribe
    if not state.counted:
        return replace(state, bribe=cards)
    return replace(
        state,
        hands=changed(state.hands, seat, state.hands[seat] - len(cards)),
        discards=state.discards + len(cards),
        bribe=cards,
    )
