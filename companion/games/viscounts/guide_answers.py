"""What people are told about an answer while they tell a move by hand: what it costs, and what comes of it."""

from __future__ import annotations

from typing import Any

from companion.kernel.rules import Fact, Remark

from .box import BUILDINGS
from .cascade import steps_after
from .components import INNER, LEFT, segment_names
from .moves import Build, Climb, Employ, Hire, Shift, TakePair, Trade, Travel
from .rulebook import trade as trading
from .rulebook.buildings import cost_of
from .rulebook.castle import FIRST, with_workers
from .rulebook.movement import price
from .rulebook.payment import strength
from .state import UNSEEN, State, board, card, script_at, section_at
from .words import card_word, reward_word, section_word


def answer(state: State, move: Any, field: str) -> Remark | None:
    match move, field:
        case Travel(), "space":
            return _space(state, move)
        case TakePair(), "place":
            number = state.cards[move.place]
            facts: dict[str, Fact] = {"card": card_word(number), "hero": state.heroes[move.place]}
            brings = reward_word(state.box.player_cards[str(number)].effect)
            return Remark("answer_pair", {**facts, "amount": brings})
        case Trade(), "times":
            return Remark("answer_trade", {"silver": trading.price(state, move.seat, move.times)})
        case Build(), "building" if state.phase == "action":
            has = strength(state, move.seat, "build")
            return Remark("answer_needs", {"needs": cost_of(state.box, move.building), "has": has})
        case Build(), "building":
            return Remark("answer_points", {"points": _points(state, move.building)})
        case Build(), "plot":
            plot = board(state)[move.segment].plots[move.plot]
            return Remark("short_brings", {"amount": reward_word(plot)})
        case Employ(), "number":
            return _workers(state, move)
        case Climb(), "section":
            reward = state.box.castle.sections[move.section] if move.ring == FIRST else state.box.castle.third
            return Remark("short_brings", {"amount": reward_word(reward)})
        case Hire(), "segment" if state.offer[move.segment] != UNSEEN:
            name = state.offer[move.segment]
            hired = reward_word(card(state, name).hired)
            return Remark("answer_hire", {"card": name, "amount": hired})
        case Shift(), "to":
            steps = steps_after(with_workers(state, FIRST, move.section, move.seat, -1), move.seat, move.to, 1)
            return Remark("answer_then", {"steps": len(steps)}) if steps else None
        case _:
            return None


def _space(state: State, move: Travel) -> Remark:
    """What can be done on a space, and what the way costs."""
    here, where = divmod(move.space, 3)
    facts: dict[str, Fact] = {"price": 0}
    if move.seat != state.rival:
        facts["price"] = price(state, move.seat, move.space)
    if where == INNER:
        facts["section"] = section_word(section_at(state, here))
        facts["manuscript"] = "?" if state.scripts[here] == UNSEEN else script_at(state, here)
        return Remark("answer_inner" if not facts["price"] else "answer_inner_paid", facts)
    trade = state.box.segments[segment_names(state.box)[here]].trades[where != LEFT]
    facts |= {"needs": trade.merchants, "amount": reward_word(trade.gives)}
    return Remark("answer_outer" if not facts["price"] else "answer_outer_paid", facts)


def _workers(state: State, move: Employ) -> Remark:
    facts: dict[str, Fact] = {
        "needs": state.box.employing.nobles[move.number - 1],
        "has": strength(state, move.seat, "workers"),
        "steps": len(steps_after(state, move.seat, move.section, move.number)),
    }
    return Remark("answer_needs_then" if facts["steps"] else "answer_needs", facts)


def _points(state: State, building: int) -> tuple[str, ...]:
    return tuple(map(str, getattr(state.box.buildings, BUILDINGS[building]).points))
