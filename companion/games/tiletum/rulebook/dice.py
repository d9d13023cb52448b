"""The die of a turn: taken from the wheel, perhaps turned for gold, used for goods, a bonus tile and action points."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tiletum.state import EMPTY, NOWHERE, State, section_for, steps_between
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import GOLD, GOODS, PIPS
from ..moves import Gather, Move, TakeDie, TakeTile, TurnDie
from .actions import action_begun, open_section
from .goods import (
    action_word,
    add_goods,
    can_pay,
    check_room,
    deviation_breaches,
    goods_of,
    has_room,
    pay_goods,
    store,
)
from .kings_track import reveal_due
from .rounds import die_word


def die_moves(state: State) -> Iterator[Move]:
    """Yield what can be done with the die of the turn."""
    seat = state.turn
    match state.stage:
        case "no_die":
            if not reveal_due(state):
                yield from dict.fromkeys(TakeDie(seat, colour, value) for _, colour, value in state.wheel)
        case "die_taken":
            yield from (
                TurnDie(seat, value)
                for value in range(1, PIPS + 1)
                if value != state.dice[seat][-1][1]
                and not _die_is_placed(state)
                and can_pay(state, seat, _price_of_turning(state, value))
            )
            yield from (Gather(seat, good) for good in possible_goods(state, seat))
            yield from _tile_moves(state)
        case "die_used":
            yield from _tile_moves(state)


def check_take_die(state: State, move: TakeDie) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if state.stage != "no_die":
        yield broken("die.one", seat=seat)
    if reveal_due(state):
        yield broken("corruption.first", seat=seat)
    if not any((colour, value) == (move.colour, move.value) for _, colour, value in state.wheel):
        yield broken("die.take", die=die_word(move.colour), value=move.value)


def take_die(state: State, move: TakeDie, log: RuleLog) -> State:
    seat = state.colour(move.seat)
    log.tell("die.take", seat=seat, die=die_word(move.colour), value=move.value)
    mine = (*state.dice[move.seat], (move.colour, move.value))
    log.tell("die.place", seat=seat, dice=len(mine), places=state.box.turns)
    gone = next(die for die in state.wheel if die[1:] == (move.colour, move.value))
    wheel = tuple(die for die in state.wheel if die is not gone)
    return replace(
        state,
        wheel=wheel,
        dice=changed(state.dice, move.seat, mine),
        stage="die_taken",
    )


def _price_of_turning(state: State, value: int) -> tuple[int, ...]:
    """Return what it costs to turn the die of the turn to a value."""
    now = state.dice[state.turn][-1][1]
    return goods_of(GOLD, steps_between(now, value) * state.box.dice.change)


def _die_is_placed(state: State) -> bool:
    """Whether goods or the tile of a section were taken for the die: then it can no longer be turned."""
    return state.section != NOWHERE


def check_turn_die(state: State, move: TurnDie) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if state.stage == "no_die":
        yield broken("turn.die", seat=seat)
        return
    if _die_is_placed(state):
        yield broken("die.before", seat=seat)
    if not 1 <= move.value <= PIPS or move.value == state.dice[move.seat][-1][1]:
        yield broken("die.value", value=move.value, shows=state.dice[move.seat][-1][1])
        return
    price = _price_of_turning(state, move.value)
    if not can_pay(state, move.seat, price):
        yield broken("die.affords", seat=seat, price=price[GOLD], gold=state.has(move.seat, GOLD))
    yield from deviation_breaches(state, move.seat, move.off, lambda what, _by: _blame(what, "gold", "die.change"))


def _blame(what: str, price: str, rule: str) -> str:
    return rule if what == price else "bonus.exact"


def turn_die(state: State, move: TurnDie, log: RuleLog) -> State:
    *others, (colour, value) = state.dice[move.seat]
    price = _price_of_turning(state, move.value)
    log.tell("die.change", seat=state.colour(move.seat), value=move.value, gold=price[GOLD])
    if steps_between(value, move.value) < abs(value - move.value):
        log.tell("die.neighbours", value=move.value)
    dice = (*others, (colour, move.value))
    return replace(pay_goods(state, move.seat, price), dice=changed(state.dice, move.seat, dice))


def die_good(state: State, seat: SeatNo) -> str:
    """Return the good of the colour of a seat's last die."""
    return state.box.dice.colours[state.dice[seat][-1][0]]


def possible_goods(state: State, seat: SeatNo) -> tuple[str, ...]:
    """Return the goods that the die of the turn may bring."""
    return GOODS if state.recoloured else (die_good(state, seat),)


def check_gather(state: State, move: Gather) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if state.stage == "no_die":
        yield broken("turn.die", seat=seat)
        return
    if state.stage == "die_used":
        yield broken("die.one", seat=seat)
    if move.good not in GOODS or move.good not in possible_goods(state, move.seat):
        yield broken("die.colour", seat=seat, good=die_good(state, move.seat))
    yield from deviation_breaches(state, move.seat, move.off, lambda what, _by: _blame(what, move.good, "die.goods"))


def gather(state: State, move: Gather, log: RuleLog) -> State:
    value = state.dice[move.seat][-1][1]
    log.tell("die.goods", seat=state.colour(move.seat), good=move.good, number=value)
    log.tell("die.colour", good=move.good)
    state = add_goods(state, move.seat, goods_of(GOODS.index(move.good), value))
    section = section_for(state, value)
    return open_section(replace(state, stage="die_used", section=section), move.seat, value, log)


# The bonus tile of the section


def section_of_die(state: State) -> int:
    """Return the section where the die of the turn is used, or would be used as it lies."""
    if state.stage != "die_taken" or _die_is_placed(state):
        return state.section
    return section_for(state, state.dice[state.turn][-1][1])


def _tile_moves(state: State) -> Iterator[Move]:
    section = section_of_die(state)
    if state.section_tiles[section] and has_room(state, state.turn) and not _too_late(state):
        yield TakeTile(state.turn, section)


def _too_late(state: State) -> bool:
    return state.options.section_tile == "before_action" and action_begun(state)


def check_take_tile(state: State, move: TakeTile) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if state.stage == "no_die":
        yield broken("turn.die", seat=seat)
        return
    if move.section != section_of_die(state):
        yield broken("tile.other", seat=seat, section=action_word(section_of_die(state)))
        return
    if not state.section_tiles[move.section]:
        yield broken("tile.section", section=action_word(move.section))
        return
    if _too_late(state):
        yield broken("tile.early", seat=seat)
    yield from check_room(state, move.seat)


def take_tile(state: State, move: TakeTile, log: RuleLog) -> State:
    """Take the tile before or after the goods of the die; the first of both decides where the die is used."""
    tile = state.section_tiles[move.section]
    log.tell("tile.section", seat=state.colour(move.seat), tile=tile, section=action_word(move.section))
    tiles = changed(state.section_tiles, move.section, EMPTY)
    state = replace(state, section_tiles=tiles, section=section_of_die(state))
    return store(state, move.seat, tile, log)
