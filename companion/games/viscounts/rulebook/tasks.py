"""What is due: the moves for it, what is wrong with other moves, and what the rules do by themselves.

The first group of the list is done first, in any order; what follows from it comes before all that waited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, broken

from .. import moves
from ..box import BUILDINGS, Effect
from ..moves import EXACT, Choose, Decline, Move
from ..state import Due, State, pile_top_unknown, workers_left
from . import (
    actions,
    buildings,
    cards,
    castle,
    end_of_turn,
    manuscripts,
    papers,
    recruitment,
    solo,
)
from .effects import apply, deviation_breaches, tasks_of


class Task(NamedTuple):
    """One kind of thing to do: whether it is possible, the moves for it, the types of these moves, their check and
    effect."""

    possible: Callable[[State, Due], object]
    moves: Callable[[State, Due], Iterable[Move]]
    kinds: tuple[type[Any], ...]
    check: Callable[[State, Any, Due], Iterable[Breach]]
    play: Callable[[State, Any, RuleLog], State]
    optional: bool = False


def _kind(due: Due) -> int:
    return BUILDINGS.index(due.building)


def _flips(state: State, due: Due) -> Iterable[Move]:
    return papers.flip_moves(state, due.seat, due.what)


_FLIP: Final = Task(
    lambda state, due: papers.papers(state, due.seat, due.what),
    _flips,
    (moves.Flip,),
    lambda state, move, due: papers.check_flip(state, move, due.what),
    papers.flip,
)


def _in_the_castle(state: State, move: Any, log: RuleLog) -> State:
    return castle.climb(state, move, log) if isinstance(move, moves.Climb) else castle.push(state, move, log)


def _check_in_the_castle(state: State, move: Any, _due: Due) -> Iterable[Breach]:
    return castle.check_climb(state, move) if isinstance(move, moves.Climb) else castle.check_push(state, move)


TASKS: Final[Mapping[str, Task]] = {
    "any": Task(
        lambda _state, _due: True,
        lambda _state, due: papers.good_moves(due.seat),
        (moves.TakeGood,),
        lambda state, move, _due: papers.check_good(state, move),
        papers.take_good,
    ),
    "flip": _FLIP,
    "flip_debt": _FLIP,
    "flip_deed": _FLIP,
    "rearrange": Task(
        lambda state, due: cards.possible_rows(state, due.seat),
        lambda state, due: cards.rearrange_moves(state, due.seat),
        (moves.Rearrange,),
        lambda state, move, _due: cards.check_rearrange(state, move),
        cards.rearrange,
        optional=True,
    ),
    "discard": Task(
        lambda state, due: cards.can_discard(state, due.seat),
        lambda state, due: cards.discard_moves(state, due.seat),
        (moves.Discard,),
        lambda state, move, _due: cards.check_discard(state, move),
        cards.discard,
        optional=True,
    ),
    "destroy": Task(
        lambda state, due: cards.can_destroy(state, due.seat),
        lambda state, due: cards.destroy_moves(state, due.seat),
        (moves.Destroy,),
        lambda state, move, _due: cards.check_destroy(state, move),
        cards.destroy,
        optional=True,
    ),
    "hire": Task(
        lambda state, _due: recruitment.can_hire(state),
        lambda state, due: recruitment.free_hire_moves(state, due.seat),
        (moves.Hire,),
        lambda state, move, _due: recruitment.check_free_hire(state, move),
        recruitment.free_hire,
    ),
    "move": Task(
        lambda state, due: any(section[due.seat] for section in state.rings[0]),
        lambda state, due: castle.shift_moves(state, due.seat),
        (moves.Shift,),
        lambda state, move, _due: castle.check_shift(state, move),
        castle.shift,
        optional=True,
    ),
    "workers": Task(
        lambda state, due: workers_left(state, due.seat),
        lambda state, due: castle.free_employ_moves(state, due.seat, due.number),
        (moves.Employ,),
        lambda state, move, due: castle.check_free_employ(state, move, due.number),
        castle.free_employ,
    ),
    "build": Task(
        lambda state, due: any(True for _ in buildings.free_build_moves(state, due.seat, _kind(due), due.where)),
        lambda state, due: buildings.free_build_moves(state, due.seat, _kind(due), due.where),
        (moves.Build,),
        lambda state, move, due: buildings.check_free_build(state, move, due.building, due.where),
        buildings.free_build,
    ),
    "manuscript": Task(
        lambda state, _due: manuscripts.free_copies(state),
        lambda state, due: manuscripts.free_copy_moves(state, due.seat),
        (moves.Copy,),
        lambda state, move, _due: manuscripts.check_free_copy(state, move),
        manuscripts.free_copy,
    ),
    "castle": Task(
        lambda state, due: not castle.is_settled(state, due.seat),
        lambda state, due: castle.castle_moves(state, due.seat),
        (moves.Climb, moves.Push),
        _check_in_the_castle,
        _in_the_castle,
    ),
}

AUTOMATIC: Final[Mapping[str, Callable[[State, Due, RuleLog], State]]] = {
    "links": buildings.gain_link_rewards,
    "after": actions.end_action,
    "reward": end_of_turn.gain_collision_reward,
    "others": end_of_turn.reward_others,
    "part": end_of_turn.end_collision,
    "turn": end_of_turn.end_rival_turn,
}
"""What the rules do by themselves, once everything before it is done."""
RIVALS_ACTS: Final[Mapping[str, Callable[[State, Any, RuleLog], State]]] = {
    "slide": solo.slide,
    "reveal": solo.turn_scheme,
    "scheme": solo.add_scheme,
    "dismiss": solo.dismiss,
    "walk": solo.walk,
    "attempt": solo.attempt,
    "collide": end_of_turn.collide,
    "flip": solo.flip,
    "flip_debt": solo.flip,
    "flip_deed": solo.flip,
}
"""What the solo game's opponent does in a way of its own."""
ALL_AT_ONCE: Final = ("workers", "castle", "walk")
"""Tasks whose number does not mean that they are done several times."""


def run_automatic_tasks(state: State, log: RuleLog) -> State:
    """Do what the rules do by themselves, until a seat or chance has something to do, or nothing is due."""
    while state.due and not pile_top_unknown(state):
        group = state.due[0]
        for number, due in enumerate(group):
            if due.what in AUTOMATIC:
                state = AUTOMATIC[due.what](_remove_task(state, number), due, log)
                break
            if not possible(state, due):
                state = (
                    _remove_task(state, number) if due.seat != state.rival else _replace_for_rival(state, number, log)
                )
                break
        else:
            return state
    return state


def _replace_for_rival(state: State, number: int, log: RuleLog) -> State:
    """Give the solo game's opponent something else for what it cannot do."""
    due = state.due[0][number]
    return solo.do_instead(_do_once(state, number), due, log)


def _remove_task(state: State, number: int) -> State:
    """Remove one task of the first group."""
    group = state.due[0]
    left = (*group[:number], *group[number + 1 :])
    return replace(state, due=(left, *state.due[1:]) if left else state.due[1:])


def _do_once(state: State, number: int) -> State:
    """Count one task of the first group as done once."""
    due = state.due[0][number]
    if due.number <= 1 or due.what in ALL_AT_ONCE:
        return _remove_task(state, number)
    group = state.due[0]
    fewer = replace(due, number=due.number - 1)
    return replace(state, due=((*group[:number], fewer, *group[number + 1 :]), *state.due[1:]))


# Either of several effects


def single_task(due: Due, option: int) -> Due | None:
    """Return the only task of one alternative of an effect, if it has nothing else: then doing it chooses it."""
    effect = due.either[option]
    dues = tasks_of(due.seat, effect)
    simple = len(dues) == 1 and dues[0].what != "either" and not _has_gains(effect)
    return dues[0] if simple else None


def _has_gains(effect: Effect) -> bool:
    return any(
        (effect.ink, effect.gold, effect.stone, effect.silver, effect.corruption, effect.virtue, effect.debt,
         effect.deed, effect.shuffle)
    )  # fmt: skip


def possible(state: State, due: Due) -> bool:
    if due.seat == state.rival:
        return any(True for _ in solo.expected_moves(state, due))
    if due.what != "either":
        return bool(TASKS[due.what].possible(state, due))
    return any(_can_choose(state, due, option) for option in range(len(due.either)))


def _can_choose(state: State, due: Due, option: int) -> bool:
    plain = single_task(due, option)
    return plain is None or bool(TASKS[plain.what].possible(state, plain))


def optional(due: Due) -> bool:
    """Whether a task may be declined; an effect with alternatives may be, if one of them may be."""
    if due.what not in TASKS:
        return _optional_choice(due)
    return TASKS[due.what].optional


def decline_all(state: State, log: RuleLog) -> State | None:
    """Return the state after all tasks are declined; None if one has to be done or belongs to another seat."""
    while state.due and not pile_top_unknown(state):
        group = state.due[0]
        number = next((n for n, due in enumerate(group) if optional(due)), None)
        if group[0].seat != state.turn or number is None:
            return None
        log.tell("effect.optional", seat=state.colour(state.turn))
        state = run_automatic_tasks(_remove_task(state, number), log)
    return None if state.due else state


def _optional_choice(due: Due) -> bool:
    plain = (single_task(due, option) for option in range(len(due.either)))
    return any(one is not None and TASKS[one.what].optional for one in plain)


# Moves


def due_moves(state: State) -> Iterator[Move]:
    """Yield all moves that do something of the first group."""
    group = state.due[0]
    if group[0].seat == state.rival:
        yield from dict.fromkeys(move for due in group for move in solo.expected_moves(state, due))
        return
    if len(group) == 1:
        yield from _moves_for(state, group[0])
    else:
        yield from dict.fromkeys(move for due in group for move in _moves_for(state, due))
    if any(map(optional, group)):
        yield Decline(group[0].seat)


def _moves_for(state: State, due: Due) -> Iterator[Move]:
    if due.what != "either":
        yield from TASKS[due.what].moves(state, due)
        return
    for option in range(len(due.either)):
        plain = single_task(due, option)
        if plain is None:
            yield Choose(due.seat, option)
        else:
            yield from TASKS[plain.what].moves(state, plain)


def _choices(due: Due) -> Iterator[Due]:
    """Yield a task, or the tasks that may be chosen in its place."""
    if due.what != "either":
        yield due
        return
    for option in range(len(due.either)):
        plain = single_task(due, option)
        if plain is not None:
            yield plain


def tasks_for(state: State, move: Move) -> Iterator[tuple[int, Due]]:
    """Yield the tasks of the first group that a move may be meant for, with their positions."""
    for number, due in enumerate(state.due[0]):
        for one in _choices(due):
            if type(move) in TASKS[one.what].kinds:
                yield number, one


def check_due(state: State, move: Any) -> Iterator[Breach]:
    """Yield what is wrong with a move while something is due: its faults as the task that it fits best."""
    group = state.due[0]
    seat = state.colour(move.seat)
    if group[0].seat == state.rival:
        exact = replace(move, off=EXACT) if hasattr(move, "off") else move
        if exact not in tuple(due_moves(state)):
            yield solo.expected_breach(state, group[0])
        yield from deviation_breaches(state, move.seat, getattr(move, "off", EXACT))
        return
    match move:
        case Decline():
            if not any(map(optional, group)):
                yield broken("effect.must", seat=seat, due=f"due {group[0].what}")
            return
        case Choose():
            if not any(_chosen(due, move) for due in group):
                yield broken("effect.due", seat=seat, due=f"due {group[0].what}")
            return
        case _:
            found = [tuple(TASKS[one.what].check(state, move, one)) for _, one in tasks_for(state, move)]
    if not found:
        yield broken("effect.due", seat=seat, due=f"due {group[0].what}")
    elif all(found):
        yield from min(found, key=len)


def _chosen(due: Due, move: Choose) -> bool:
    return due.what == "either" and 0 <= move.option < len(due.either) and single_task(due, move.option) is None


def do_due(state: State, move: Any, log: RuleLog) -> State:
    group = state.due[0]
    if group[0].seat == state.rival:
        return _do_for_rival(state, move, log)
    match move:
        case Decline():
            log.tell("effect.optional", seat=state.colour(move.seat))
            number = next(number for number, due in enumerate(group) if optional(due))
            return _remove_task(
                _merge_choices(state, number, [n for n, due in enumerate(group) if optional(due)]), number
            )
        case Choose():
            number = next(number for number, due in enumerate(group) if _chosen(due, move))
            log.tell("effect.either", seat=state.colour(move.seat))
            return apply(_remove_task(state, number), move.seat, group[number].either[move.option], log)
        case _:
            fits = [
                (number, one)
                for number, one in tasks_for(state, move)
                if not any(True for _ in TASKS[one.what].check(state, move, one))
            ]
            # A task without alternatives is done first, so that the choice stays open.
            number, due = next((fit for fit in fits if group[fit[0]].what != "either"), fits[0])
    if group[number].what == "either":
        log.tell("effect.either", seat=state.colour(move.seat))
        group = _merge_choices(state, number, [n for n, _ in fits]).due[0]
        state = replace(state, due=((*group[:number], due, *group[number + 1 :]), *state.due[1:]))
    if due.what != "castle":
        state = _do_once(state, number)
    return TASKS[due.what].play(state, move, log)


def _merge_choices(state: State, chosen: int, meant: Sequence[int]) -> State:
    """Return the state in which the choices that a move may have been meant for stay open.

    People do not say which of several alternatives they used; what one of them offered, the others still offer.
    """
    group = state.due[0]
    offered = group[chosen].either
    others = [number for number in meant if number != chosen and group[number].what == "either"]
    if not offered or not others:
        return state
    left = list(group)
    for number in others:
        left[number] = replace(left[number], either=tuple(dict.fromkeys((*left[number].either, *offered))))
    return replace(state, due=(tuple(left), *state.due[1:]))


def _do_for_rival(state: State, move: Any, log: RuleLog) -> State:
    number, due = next((n, due) for n, due in enumerate(state.due[0]) if move in tuple(solo.expected_moves(state, due)))
    if type(move) in solo.TOLD_TWICE:
        log.tell(solo.CHOICE_RULES[type(move)], **solo.move_facts(state, move))
    if due.what != "castle":
        state = _do_once(state, number)
    act = RIVALS_ACTS.get(due.what) or TASKS[due.what].play
    return act(state, move, log)
