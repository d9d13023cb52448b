"""Effects of cards, and the markers of virtue and corruption.

Effects are data of the box. Gains are applied at once; what a seat has to do or may do is put in front of the list of
what is due.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import GOODS, Effect
from ..components import effect_goods
from ..moves import EXACT, Deviation, Source
from ..state import NOT_LAID, Due, Group, State, What, has_collided, row_cards
from .deck import drawn_from_discards, shuffle_discards_into_pile, with_hand

COUNTED: Final = (*GOODS, "corruption", "virtue", "debt", "deed")
"""What a deviation counts, in its order."""
TASK_KINDS: Final[tuple[What, ...]] = (
    "any", "flip", "flip_debt", "flip_deed", "rearrange", "discard", "destroy", "hire", "move", "workers",
    "manuscript", "scheme", "dismiss",
)  # fmt: skip
"""What an effect may leave to be done; `Effect` and `Due` use the same names."""


@lru_cache(maxsize=4096)
def tasks_of(seat: SeatNo, effect: Effect, where: int = -1) -> Group:
    """Return what an effect leaves to be done."""
    dues = [Due(seat, what, int(getattr(effect, what))) for what in TASK_KINDS if getattr(effect, what)]
    if effect.build:
        dues.append(Due(seat, "build", building=effect.build, where=where))
    if effect.either:
        dues.append(Due(seat, "either", either=effect.either))
    return tuple(dues)


def apply(state: State, seat: SeatNo, effect: Effect, log: RuleLog) -> State:
    return apply_all(state, ((seat, effect),), log)


def apply_all(state: State, parts: Iterable[tuple[SeatNo, Effect]], log: RuleLog) -> State:
    """Apply several effects of one moment: all gains first, corruption before virtue; then what has to be done, seat by
    seat."""
    waiting = deque(sorted(parts, key=lambda part: not part[1].corruption))
    groups: dict[SeatNo, Group] = {}
    while waiting:
        seat, effect = waiting.popleft()
        if seat == state.rival:
            _tell_for_rival(state, effect, log)
            effect = for_rival(effect)
        state = gain(state, seat, effect, log)
        if effect.debt:
            bribes = [card.on_debt for card in row_cards(state, seat) if card.on_debt != Effect()]
            waiting.extend((seat, bribe) for bribe in bribes for _ in range(effect.debt))
        dues = tasks_of(seat, effect)
        if dues:
            groups[seat] = (*groups.get(seat, ()), *dues)
    return replace(state, due=(*groups.values(), *state.due)) if groups else state


@lru_cache(maxsize=1024)
def for_rival(effect: Effect) -> Effect:
    """Return what an effect means for the opponent of the solo game, who has no hand, no silver and no cards to
    arrange.

    Two silver are a resource; a single silver is lost.
    """
    if effect.either:
        return for_rival(effect.either[0])
    return replace(
        effect,
        silver=0,
        any=effect.any + effect.silver // 2 + effect.rearrange,
        virtue=effect.virtue + effect.discard + effect.move,
        flip=effect.flip + effect.destroy,
        scheme=effect.scheme + effect.hire + effect.shuffle,
        rearrange=False,
        discard=0,
        move=0,
        destroy=0,
        hire=0,
        shuffle=False,
    )


def _tell_for_rival(state: State, effect: Effect, log: RuleLog) -> None:
    """Log what the opponent of the solo game gets instead of an effect."""
    seat = state.colour(state.rival)
    if effect.either:
        log.tell("solo.first", seat=seat)
        _tell_for_rival(state, effect.either[0], log)
        return
    if effect.silver or effect.rearrange:
        log.tell("solo.silver", seat=seat, goods=effect.silver // 2 + effect.rearrange)
    if effect.discard or effect.move:
        log.tell("solo.virtue", seat=seat, virtue=effect.discard + effect.move)
    if effect.destroy:
        log.tell("solo.destroy", seat=seat)


def put_first(state: State, *dues: Due) -> State:
    return replace(state, due=(dues, *state.due))


def gain(state: State, seat: SeatNo, effect: Effect, log: RuleLog) -> State:
    """Apply the gains of an effect."""
    goods = effect_goods(effect)
    if any(goods):
        state = gain_goods(state, seat, goods, log)
    state = corrupt(state, seat, effect.corruption, log)
    state = purify(state, seat, effect.virtue, log)
    if effect.debt:
        state = gain_debts(state, seat, effect.debt, log)
    if effect.deed:
        state = gain_deeds(state, seat, effect.deed, log)
    if effect.shuffle:
        state = apply_shuffle_symbol(state, seat, log)
    return state


# Goods


def gain_goods(state: State, seat: SeatNo, goods: tuple[int, ...], log: RuleLog) -> State:
    log.tell("effect.goods", seat=state.colour(seat), goods=goods_word(goods))
    return add_goods(state, seat, goods)


def add_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    mine = tuple(had + more for had, more in zip(state.goods[seat], goods, strict=True))
    return replace(state, goods=changed(state.goods, seat, mine))


def pay_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    return add_goods(state, seat, tuple(-number for number in goods))


def goods_of(good: int, number: int) -> tuple[int, ...]:
    """Return a number of one good, as goods."""
    return tuple(number if index == good else 0 for index in range(len(GOODS)))


@lru_cache(maxsize=4096)
def goods_word(goods: tuple[int, ...]) -> str:
    """Return goods as an amount of the catalogue."""
    named = zip((*GOODS, "corruption", "virtue"), goods, strict=False)
    return "_".join(f"{good}{number}" for good, number in named if number > 0) or "nothing"


# Debts and deeds


def gain_debts(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    unpaid, paid = state.debts[seat]
    log.tell("debt.gain", seat=state.colour(seat), debts=number)
    state = replace(state, debts=changed(state.debts, seat, (unpaid + number, paid)))
    if state.poverty == NOT_LAID or not state.poverty:
        return state
    left = max(0, state.poverty - number)
    state = replace(state, poverty=left)
    return bring_about_end(state, "end.poverty", log) if not left else state


def gain_deeds(state: State, seat: SeatNo, number: int, log: RuleLog) -> State:
    acquired, approved = state.deeds[seat]
    log.tell("deed.gain", seat=state.colour(seat), deeds=number)
    state = replace(state, deeds=changed(state.deeds, seat, (acquired + number, approved)))
    if state.prosperity == NOT_LAID or not state.prosperity:
        return state
    left = max(0, state.prosperity - number)
    state = replace(state, prosperity=left)
    return bring_about_end(state, "end.prosperity", log) if not left else state


def bring_about_end(state: State, rule: str, log: RuleLog) -> State:
    """Trigger the end of the game when a card is uncovered: this round and one more are played."""
    log.tell(rule)
    log.tell("end.beside", card="poverty_card" if rule == "end.poverty" else "prosperity_card")
    if state.last_round >= 0:
        return state
    return replace(state, last_round=state.round + 1)


def apply_shuffle_symbol(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Apply the shuffle symbol: mix the discards into the pile."""
    if not state.discards[seat]:
        return state
    log.tell("symbol.shuffle", seat=state.colour(seat))
    state = shuffle_discards_into_pile(state, seat)
    return check_criminals(state, seat, log) if state.options.shuffle_symbol else state


def check_criminals(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Check the board of a seat that shuffles: corruption if it shows criminals, virtue if it shows none."""
    if any(card.criminal for card in row_cards(state, seat)):
        log.tell("shuffle.corruption", seat=state.colour(seat))
        return corrupt(state, seat, 1, log)
    log.tell("shuffle.virtue", seat=state.colour(seat))
    return purify(state, seat, 1, log)


def reshuffle(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Make a new pile of the discards, because the pile is empty."""
    log.tell("shuffle.pile", seat=state.colour(seat), cards=len(state.discards[seat]))
    return check_criminals(shuffle_discards_into_pile(state, seat), seat, log)


def reshuffle_if_needed(state: State, seat: SeatNo, source: Source, name: str, log: RuleLog) -> State:
    """Make a new pile of the discards if a card is taken from the pile that was among the discards."""
    if not drawn_from_discards(state, seat, source, name):
        return state
    return reshuffle(with_hand(state, seat, len(state.hidden[seat]), len(state.hidden[seat])), seat, log)


# Deviations: wrong numbers of goods and papers, and wrong markers


def deviation_breaches(state: State, seat: SeatNo, deviation: Deviation) -> Iterator[Breach]:
    if deviation == EXACT:
        return
    for what, by in zip(COUNTED, deviation, strict=True):
        if by:
            way = "too_many" if by > 0 else "too_few"
            yield broken("effect.exact", seat=state.colour(seat), amount=f"{what}{abs(by)}", way=way)


def corrupt(state: State, seat: SeatNo, steps: int, log: RuleLog) -> State:
    """Move corruption to the right."""
    if not steps:
        return state
    log.tell("marker.corruption", seat=state.colour(seat), steps=steps)
    return move_markers(state, seat, steps, log)


def purify(state: State, seat: SeatNo, steps: int, log: RuleLog) -> State:
    """Move virtue to the left."""
    if not steps:
        return state
    log.tell("marker.virtue", seat=state.colour(seat), steps=steps)
    return move_markers(state, seat, -steps, log)


def move_markers(state: State, seat: SeatNo, steps: int, log: RuleLog) -> State:
    """Move the markers: positive steps are corruption's. Markers that have met move together, at most to the end of the
    track."""
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
        log.tell("marker.meet", seat=state.colour(seat), field=corruption)
    elif met and steps and corruption == state.corruption[seat]:
        log.tell("marker.end", seat=state.colour(seat))
    return replace(
        state,
        corruption=changed(state.corruption, seat, corruption),
        virtue=changed(state.virtue, seat, virtue),
    )


def separate_markers(state: State, seat: SeatNo) -> State:
    """Put both markers back to their own ends."""
    last = len(state.box.track.fields)
    return replace(state, corruption=changed(state.corruption, seat, 1), virtue=changed(state.virtue, seat, last))


def collision_due(state: State) -> bool:
    return has_collided(state, state.turn)
