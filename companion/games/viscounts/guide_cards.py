"""What people are told about cards and manuscripts: townsfolk, heroes, player cards, schemes, ribbons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.rules import Fact, Remark, SeatNo

from .box import GOODS, RIBBONS, SYMBOLS, Card, Effect, Swap
from .components import all_cards, all_manuscripts, all_schemes, symbols_in
from .new_pieces import assumed
from .rulebook.payment import ACTIONS, GOOD, SYMBOL
from .rulebook.scoring import counted
from .rulebook.solo import board as rival_board
from .state import NOBODY, State, manuscript
from .words import card_word, reward_word, symbols_word

MOMENTS: Final = (
    "hired", "played", "dropped", "after_trade", "after_build", "after_workers", "after_manuscript", "collision",
    "on_debt", "on_flip",
)  # fmt: skip
"""When a card does something."""
PLAYER_CARD: Final = card_word(0).removesuffix("0")


# Townsfolk, heroes, schemes


def card(state: State, name: str) -> Iterator[Remark]:
    """A townsfolk card or a hero, or a scheme of the opponent."""
    if name in all_schemes(state.box):
        yield from _scheme(state, name)
    elif name in all_cards(state.box):
        found = all_cards(state.box)[name]
        symbols = symbols_word(symbols_in(found))
        yield Remark("card", {"card": name, "silver": found.silver, "amount": symbols})
        yield from _abilities(found)


def _abilities(found: Card) -> Iterator[Remark]:
    for moment in MOMENTS:
        effect: Effect = getattr(found, moment)
        if effect != Effect():
            yield Remark(moment, {"amount": reward_word(effect)})
    if found.swap is not None:
        yield swap(found.swap)


def swap(found: Swap) -> Remark:
    gives = " or ".join(f"{what}{found.number}" for what in found.gives)
    facts: dict[str, Fact] = {"action": found.during, "gives": gives, "counts": found.counts}
    return Remark("swap_once" if found.once else "swap", facts)


def _scheme(state: State, name: str) -> Iterator[Remark]:
    scheme = all_schemes(state.box)[name]
    focus = rival_board(state).focus
    tries: tuple[str, ...] = tuple(dict.fromkeys(focus if one == "focus" else one for one in scheme.tries))
    symbols = symbols_word(symbols_in(scheme))
    yield Remark("scheme", {"card": name, "amount": symbols})
    yield Remark("scheme_does", {"amount": reward_word(scheme.does), "steps": scheme.steps})
    yield Remark("scheme_tries", {"tries": tries, "amount": reward_word(scheme.otherwise)})


def player_card(state: State, number: int) -> Iterator[Remark]:
    found = state.box.player_cards.get(str(number))
    if found is not None:
        facts: dict[str, Fact] = {"card": card_word(number), "number": number, "amount": reward_word(found.effect)}
        yield Remark("player_card", facts)
        if found.here:
            yield Remark("builds_here", facts)


# Manuscripts


def script(state: State, name: str, seat: SeatNo) -> Iterator[Remark]:
    found = all_manuscripts(state.box).get(name)
    if found is None:
        return
    yield Remark("script", {"manuscript": name, "needs": found.cost})
    if found.counts:
        yield Remark("script_counts", {"each": found.each, "counted": f"counted_{found.counts}"})
        itself = found.counts == "manuscript" and name not in state.manuscripts[seat]
        points = (counted(state, seat, found) + itself) // found.each
        yield Remark("script_worth", {"seat": state.colour_of(seat), "points": points})
    else:
        yield Remark("script_brings", {"amount": reward_word(found.effect)})
    if found.ribbon:
        yield ribbon(state, RIBBONS.index(found.ribbon), seat)


def ribbon(state: State, number: int, seat: SeatNo) -> Remark:
    """The cleric's card of a ribbon: who has it, or how far somebody is."""
    owner, name = state.bonus[number], RIBBONS[number]
    facts: dict[str, Fact] = {"ribbon": f"ribbon {name}", "points": state.box.ending.bonus}
    facts["amount"] = symbols_word(symbols_in(getattr(state.box.ribbons, name)))
    if owner != NOBODY:
        return Remark("ribbon_taken", {**facts, "seat": state.colour_of(owner)})
    mine = sum(manuscript(state, one).ribbon == name for one in state.manuscripts[seat])
    return Remark("ribbon", {**facts, "seat": state.colour_of(seat), "number": mine, "needs": state.box.ribbons.number})


# In a few words, for lists


def in_short(state: State, label: str) -> Remark | None:
    """What a card or a manuscript is good for, where somebody chooses it from a list; of a stand-in, what we assume."""
    box, found = state.box, _in_short(state, label)
    if found is None or label.removeprefix(PLAYER_CARD) not in assumed(box):
        return found
    return Remark(f"{found.key}_assumed", found.facts)


def _in_short(state: State, label: str) -> Remark | None:
    box = state.box
    if label in all_schemes(box):
        return Remark("short_scheme", {"amount": reward_word(all_schemes(box)[label].does)})
    if label in all_cards(box):
        found = all_cards(box)[label]
        return Remark("short_card", {"silver": found.silver, "amount": symbols_word(symbols_in(found))})
    if label in box.manuscripts:
        script = box.manuscripts[label]
        if script.counts:
            return Remark("short_counts", {"each": script.each, "counted": f"counted_{script.counts}"})
        return Remark("short_brings", {"amount": reward_word(script.effect)})
    number = label.removeprefix(PLAYER_CARD)
    if number in box.player_cards:
        return Remark("short_brings", {"amount": reward_word(box.player_cards[number].effect)})
    return None


def good(label: str) -> Iterator[Remark]:
    """What a good can be paid for."""
    for action in ACTIONS:
        if GOODS[GOOD[action]] == label:
            yield Remark("good", {"good": label, "action": action, "counted": f"counted_{SYMBOLS[SYMBOL[action]]}"})
