"""What the table waits for: one sentence of the catalogue's `expects`, and who is to act."""

from __future__ import annotations

from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact

from .cascade import due_steps
from .guide_castle import facts_of
from .rulebook import solo
from .rulebook.dismissing import dismiss_moves
from .rulebook.effects import for_rival
from .rulebook.hiring import hire_moves
from .rulebook.move_facts import facts
from .rulebook.movement import least
from .rulebook.scoring import score
from .rulebook.solo import REVEALED
from .state import (
    NOWHERE,
    UNSEEN,
    Due,
    State,
    acting,
    card,
    collided,
    segment_with,
    townsfolk_at,
    turning_up,
)
from .words import effect_word, reward_word


def actor(state: State) -> Actor:
    match state.phase:
        case "over":
            return None
        case "laying_out":
            return ANYONE
        case "lots":
            return CHANCE
        case _:
            return CHANCE if turning_up(state) else _somebodys_turn(state)


def _somebodys_turn(state: State) -> Actor:
    """The solo game's opponent has no hands: anyone moves its pieces, and chance turns up its schemes."""
    seat = acting(state)
    if seat != state.rival:
        return seat
    return CHANCE if any(due.what in REVEALED for due in state.due[0]) else ANYONE


def expects(state: State) -> Expected:
    match state.phase:
        case "laying_out":
            return _table(state, "laying_out")
        case "lots":
            return _lots(state)
        case "over":
            return _over(state)
        case _:
            return _turned_up(state) if turning_up(state) else _somebody(state)


def _table(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, facts, actor(state), state.phase)


def _over(state: State) -> Expected:
    sheet = score(state)
    points = max(seat.total for seat in sheet.seats)
    if sheet.winner is not None:
        return _table(state, "over", seat=state.colour_of(sheet.winner), points=points)
    if sheet.winners:
        return _table(state, "over_shared", seats=tuple(map(state.colour_of, sheet.winners)), points=points)
    return _table(state, "over_lost", **sheet.because[0].facts)


def _lots(state: State) -> Expected:
    """Chance lays out one kind of thing after the other; any other order is welcome too."""
    waiting = (
        ("put_segments", state.order.count(NOWHERE)),
        ("turn_castle", int(state.castle == NOWHERE)),
        ("turn_up_townsfolk", state.offer.count(UNSEEN)),
        ("turn_up_manuscripts", state.scripts.count(UNSEEN)),
        ("offer_cards", state.cards.count(NOWHERE)),
    )
    key, left = next(((key, left) for key, left in waiting if left), ("offer_heroes", state.heroes.count("")))
    return _table(state, key, left=left)


def _turned_up(state: State) -> Expected:
    townsfolk = UNSEEN in state.offer
    segment = (state.offer if townsfolk else state.scripts).index(UNSEEN)
    key = "next_townsfolk" if townsfolk else "next_manuscript"
    return _table(state, key, segment=state.segment_name(segment))


def _of_rival(state: State, due: Due) -> Expected:
    """The act that is expected of the solo game's opponent, in words."""
    move, key = next(solo.expected(state, due), None), f"rival_{due.what}"
    told = {} if move is None else {name: fact for name, fact in facts(state, move).items() if name != "seat"}
    match due.what:
        case "attempt":
            key = f"{key}_{type(move).__name__.lower()}"
        case "dismiss":
            segment = segment_with(state, due.seat)
            name = townsfolk_at(state, segment)
            told |= {"card": name, "segment": state.segment_name(segment)}
            told["amount"] = reward_word(for_rival(card(state, name).hired))
            key = key if state.offer[segment] else f"{key}_printed"
    return _table(state, key, seat=state.colour_of(due.seat), **told)


def _in_the_castle(state: State, due: Due) -> Expected:
    """What is to be done there first, and why."""
    step = next(due_steps(state, due.seat))
    several = len(step.owners) > 1 or step.choices > 1
    key = f"rival_{step.kind}" if due.seat == state.rival else f"do_{step.kind}{'_one' if several else ''}"
    return Expected(key, facts_of(state, step), actor(state), "castle")


def _somebody(state: State) -> Expected:
    seat = state.colour_of(acting(state))
    if state.due:
        due = state.due[0][0]
        if due.what == "castle":
            return _in_the_castle(state, due)
        if due.seat == state.rival:
            return _of_rival(state, due)
        asked: dict[str, Fact] = {"number": due.number}
        if due.either:
            asked["amount"] = " or ".join(map(effect_word, due.either))
        if due.building:
            asked["building"] = due.building
        return _table(state, f"do_{due.what}", seat=seat, **asked)
    match state.phase:
        case "moving":
            return _table(state, "moving", seat=seat, steps=least(state))
        case "action":
            return _table(state, "action" if any(dismiss_moves(state)) else "action_alone", seat=seat)
        case "hiring" if any(hire_moves(state)):
            key = "hire_or_collide" if collided(state, state.turn) else "hiring"
            return _table(state, key, seat=seat, card=townsfolk_at(state, segment_with(state, state.turn)))
        case "hiring" | "collision":
            return _table(state, "collide" if collided(state, state.turn) else "drawing", seat=seat)
        case _:
            return _table(state, state.phase, seat=seat)
