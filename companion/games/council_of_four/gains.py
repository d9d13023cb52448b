"""The symbols on permits, tokens and the nobility track: what they bring, and where supplies end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from companion.rules import Breach, SeatNo, broken

from .box import Bonus, Noble
from .cards import draw
from .moves import EXACT, Off
from .state import NONE, Choice, State, Story, changed

COUNTED: Final = ("gold", "points", "assistants", "nobility")
"""What `off` counts, in its order."""
FIELDS: Final[Mapping[str, str]] = {
    "I": "nobility.i",
    "II": "nobility.ii",
    "III": "nobility.iii",
    "IV": "nobility.iv",
    "V": "nobility.v",
    "VI": "nobility.vi",
    "VII": "nobility.vii",
    "VIII": "nobility.viii",
    "IX": "nobility.ix",
    "X": "nobility.x",
    "XI": "nobility.xi",
}


def gain(state: State, seat: SeatNo, bonus: Bonus, story: Story, permit: str = NONE) -> State:
    """All that a bonus brings, the steps on the nobility track last. `permit` is the one whose bonus it is."""
    if bonus.gold:
        state = earn(state, seat, bonus.gold, story)
    if bonus.points:
        story.tell("symbol.point", seat=state.colour(seat), points=bonus.points)
        state = replace(state, points=changed(state.points, seat, state.points[seat] + bonus.points))
    if bonus.assistants:
        state = hire(state, seat, bonus.assistants, story)
    if bonus.cards:
        story.tell("symbol.card", seat=state.colour(seat), cards=bonus.cards)
        state = draw(state, seat, bonus.cards, story)
    if bonus.main:
        story.tell("symbol.main", seat=state.colour(seat), actions=bonus.main)
        state = replace(state, main=state.main + bonus.main)
    for _ in range(bonus.nobility):
        state = _step(state, seat, story, permit)
    return state


def earn(state: State, seat: SeatNo, gold: int, story: Story) -> State:
    """Gold, as far as the track reaches."""
    story.tell("symbol.gold", seat=state.colour(seat), gold=gold)
    room = state.box.tracks.gold - state.gold[seat]
    if gold > room:
        story.tell("symbol.gold-limit", seat=state.colour(seat), last=state.box.tracks.gold, lost=gold - room)
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] + min(gold, room)))


def pay(state: State, seat: SeatNo, gold: int) -> State:
    return replace(state, gold=changed(state.gold, seat, state.gold[seat] - gold)) if gold else state


def hire(state: State, seat: SeatNo, assistants: int, story: Story) -> State:
    """Assistants, as far as the supply has any."""
    got = min(assistants, state.supply)
    if got:
        story.tell("symbol.assistant", seat=state.colour(seat), assistants=got)
    if got < assistants:
        story.tell("symbol.supply-empty", seat=state.colour(seat), missing=assistants - got)
    return dismiss(state, seat, -got)


def dismiss(state: State, seat: SeatNo, assistants: int) -> State:
    """Assistants go back to the supply."""
    return replace(state, assistants=changed(state.assistants, seat, state.assistants[seat] - assistants))


# The nobility track


def _step(state: State, seat: SeatNo, story: Story, permit: str) -> State:
    field = state.nobility[seat] + 1
    if field > state.box.tracks.nobility:
        story.tell("nobility.last-field", seat=state.colour(seat), last=state.box.tracks.nobility)
        return state
    story.tell("symbol.nobility", seat=state.colour(seat), field=field)
    state = replace(state, nobility=changed(state.nobility, seat, field))
    noble = state.box.nobility.get(str(field))
    return state if noble is None else _reach(state, seat, noble, story, permit)


def _reach(state: State, seat: SeatNo, noble: Noble, story: Story, permit: str) -> State:
    bonus = noble.bonus
    story.tell(FIELDS[noble.numeral], seat=state.colour(seat), field=state.nobility[seat])
    led_there = (permit,) if permit else ()
    new = () if state.options.copy_new_permit else led_there
    choices = (
        *(Choice(noble.numeral, "token") for _ in range(bonus.tokens)),
        *(Choice(noble.numeral, "free", led_there) for _ in range(bonus.permits)),
        *(Choice(noble.numeral, "own", new) for _ in range(bonus.own_permits)),
    )
    return gain(replace(state, choices=(*state.choices, *choices)), seat, bonus, story, permit)


# Markers that are elsewhere than they should be

Blame = Callable[[str, int], str]
"""The rule that is broken when somebody has so many of something too many (or, negative, too few)."""


def off_breaches(state: State, seat: SeatNo, off: Off, blame: Blame) -> Iterator[Breach]:
    if off == EXACT:
        return
    for what, by in zip(COUNTED, off, strict=True):
        if by:
            way = "too_many" if by > 0 else "too_few"
            yield broken(blame(what, by), seat=state.colour(seat), what=what, by=abs(by), way=way)
