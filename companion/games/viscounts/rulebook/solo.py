"""The solo game: the opponent's scheme cards and its turn.

Most effects mean something else for the opponent (`effects.for_rival`). Its choices follow rules, so usually exactly
one act is expected, and people can be told which piece to move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, Fact, RuleLog, SeatNo, broken, changed

from .. import moves
from ..box import (
    BUILDINGS,
    GOODS,
    GUILDHALL,
    RESOURCES,
    TRADING_POST,
    WORKSHOP,
    Effect,
    RivalBoard,
    Scheme,
)
from ..components import LEFT, all_schemes, rival_abilities
from ..moves import Goods, Move, Paper
from ..state import (
    EMPTY,
    Due,
    State,
    card,
    criminals,
    has_collided,
    manuscript,
    script_at,
    section_at,
    segment_with,
    townsfolk_at,
    workers_left,
)
from . import buildings, castle, manuscripts, papers
from .cards import remove_from_game
from .deck import add_to_discards
from .effects import apply, apply_all, check_criminals, corrupt, pay_goods, purify, put_first
from .move_facts import facts
from .movement import MEETING, outer_space_after
from .payment import GOOD, resource_payments, strength
from .recruitment import remove_top_townsfolk


def future_schemes_left(state: State) -> int:
    """Return how many future schemes are left in their pile."""
    return len(state.futures) - state.mixed


def possible_schemes(state: State) -> tuple[str, ...]:
    """Return the schemes that may lie on top of the opponent's pile; an empty pile is made of its discards."""
    if state.schemes or state.mixed:
        starting = (*state.schemes, *boxed_schemes(state, state.box.solo.starting)) if state.schemes else ()
        return (*starting, *(possible_future_schemes(state) if state.mixed else ()))
    return state.discards[state.rival]


def possible_future_schemes(state: State) -> tuple[str, ...]:
    """Return the future schemes that may be turned up."""
    return (*state.futures, *boxed_schemes(state, state.box.solo.future))


def boxed_schemes(state: State, kind: Mapping[str, Scheme]) -> tuple[str, ...]:
    """Return the schemes of a kind that we assume to be in the box."""
    return tuple(one for one in state.boxed if one in kind)


def exchange_boxed_scheme(state: State, scheme: str) -> State:
    """Return the state after a scheme that was assumed to be in the box turns up: another unseen one of its pile is
    assumed to be there instead."""
    if scheme not in state.boxed:
        return state
    pile = "schemes" if scheme in state.box.solo.starting else "futures"
    *others, instead = getattr(state, pile)
    out = (*without(state.boxed, scheme), instead)
    return replace(state, boxed=out, **{pile: tuple(sorted((*others, scheme)))})


def without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(one for one in names if one != name)


FROM_THE_LEFT: Final = (GUILDHALL, TRADING_POST, WORKSHOP)
"""The kinds of buildings, as they stand on the opponent's board."""
CHOICE_RULES: Final[Mapping[type[Any], str]] = {
    moves.Slide: "solo.slide",
    moves.Travel: "solo.walk",
    moves.Dismiss: "solo.dismiss",
    moves.Collide: "collision.must",
    moves.TakeGood: "solo.gathers",
    moves.Flip: "solo.paper",
    moves.Build: "solo.build",
    moves.Employ: "solo.workers",
    moves.Copy: "solo.copy",
    moves.Climb: "solo.climb",
    moves.Push: "solo.push",
}
"""By kind of act: the rule that says how the opponent does it."""
TOLD_TWICE: Final = (moves.TakeGood, moves.Flip, moves.Build, moves.Employ, moves.Copy, moves.Climb, moves.Push)
"""Acts for which the opponent's own rule is logged besides the rules for all seats."""
FEWEST_WORKERS: Final = 2
"""The opponent never places a single worker."""
REVEALED: Final = ("reveal", "scheme")
"""What chance does in the opponent's turn."""


def board(state: State) -> RivalBoard:
    return state.box.solo.boards[state.options.opponent]


def has_slot(state: State, ability: str) -> bool:
    return ability in rival_abilities(state.box, state.options.opponent, state.built[state.rival])


# Its turn


def begin_turn(state: State, log: RuleLog) -> State:
    """Begin the opponent's turn: cards slide, a scheme is revealed and followed, a collision is resolved."""
    rival = state.rival
    log.tell("solo.turn", seat=state.colour(rival))
    steps = [Due(rival, "reveal"), Due(rival, "collide"), Due(rival, "turn")]
    if any(state.rows[rival]):
        steps.insert(0, Due(rival, "slide"))
    return replace(
        state, phase="rival", turn=rival, due=tuple((step,) for step in steps), played=EMPTY, dismissed=EMPTY
    )


def slide(state: State, move: moves.Slide, log: RuleLog) -> State:
    first, second, dropped = state.rows[move.seat]
    log.tell("solo.slide", seat=state.colour(move.seat))
    state = replace(state, rows=changed(state.rows, move.seat, (EMPTY, first, second)))
    return add_to_discards(state, move.seat, dropped) if dropped else state


def turn_scheme(state: State, move: moves.TurnScheme, log: RuleLog) -> State:
    rival = state.rival
    if not state.schemes and not state.mixed:
        state = _shuffle(state, log)
    state = exchange_boxed_scheme(state, move.scheme)
    if move.scheme in state.schemes:
        state = replace(state, schemes=without(state.schemes, move.scheme))
    else:
        state = replace(state, futures=without(state.futures, move.scheme), mixed=state.mixed - 1)
    log.tell("solo.scheme", seat=state.colour(rival), scheme=move.scheme)
    _, middle, right = state.rows[rival]
    state = replace(state, rows=changed(state.rows, rival, (move.scheme, middle, right)))
    scheme = all_schemes(state.box)[move.scheme]
    if scheme.criminal:
        log.tell("solo.criminal", seat=state.colour(rival), criminals=criminals(state, rival))
        state = corrupt(state, rival, criminals(state, rival), log)
    state = put_first(state, Due(rival, "attempt"))
    state = put_first(state, Due(rival, "walk", scheme.steps))
    return apply(state, rival, scheme.does, log)


def _shuffle(state: State, log: RuleLog) -> State:
    """Make a new pile of the opponent's discards: it is checked for criminals, and its workshops may apply.

    By now all the starting schemes that it has were seen.
    """
    rival = state.rival
    log.tell("solo.shuffle", seat=state.colour(rival))
    state = replace(
        state,
        schemes=tuple(sorted(state.discards[rival])),
        discards=changed(state.discards, rival, ()),
        boxed=boxed_schemes(state, state.box.solo.future),
    )
    if has_slot(state, "corruption"):
        state = corrupt(state, rival, 1, log)
    state = check_criminals(state, rival, log)
    return purify(state, rival, 1, log) if has_slot(state, "virtue") else state


def add_scheme(state: State, move: moves.AddScheme, log: RuleLog) -> State:
    rival = state.rival
    log.tell("solo.add", seat=state.colour(rival), scheme=move.scheme)
    state = exchange_boxed_scheme(state, move.scheme)
    state = replace(add_to_discards(state, rival, move.scheme), futures=without(state.futures, move.scheme))
    return put_first(state, Due(rival, "dismiss")) if has_slot(state, "adding") else state


def check_scheme(state: State, move: moves.TurnScheme | moves.AddScheme) -> Iterator[Breach]:
    what = "reveal" if isinstance(move, moves.TurnScheme) else "scheme"
    due = [one for one in (state.due[0] if state.due else ()) if (one.seat, one.what) == (state.rival, what)]
    if not any(move in tuple(expected_moves(state, one)) for one in due):
        yield broken("solo.pile", scheme=move.scheme)


def walk(state: State, move: moves.Travel, log: RuleLog) -> State:
    """Move the opponent's viscount along the outer path; seats that it meets there may rearrange their cards."""
    log.tell("solo.walk", seat=state.colour(move.seat), space=state.space_name(move.space))
    state = replace(state, viscounts=changed(state.viscounts, move.seat, move.space))
    met = [seat for seat in range(len(state.seats)) if state.viscounts[seat] == move.space]
    return apply_all(state, ((seat, MEETING) for seat in met), log)


def dismiss(state: State, move: moves.Dismiss, log: RuleLog) -> State:
    segment = segment_with(state, move.seat)
    name = townsfolk_at(state, segment)
    log.tell("solo.dismiss", seat=state.colour(move.seat), card=name)
    if state.offer[segment]:
        state = remove_from_game(remove_top_townsfolk(state, segment), name)
    return apply(state, move.seat, card(state, name).hired, log)


# What it chooses


def expected_moves(state: State, due: Due) -> Iterator[Move]:
    """Yield the act that is expected; several only if they are equally good, or if chance decides."""
    rival = state.rival
    match due.what:
        case "slide":
            yield moves.Slide(rival)
        case "reveal":
            yield from (moves.TurnScheme(scheme) for scheme in possible_schemes(state))
        case "scheme":
            yield from (
                moves.AddScheme(scheme) for scheme in possible_future_schemes(state) if future_schemes_left(state) > 0
            )
        case "dismiss":
            yield moves.Dismiss(rival)
        case "walk":
            yield moves.Travel(rival, outer_space_after(state, state.rival, due.number))
        case "attempt":
            yield from _attempt(state)
        case "collide":
            if has_collided(state, rival):
                yield moves.Collide(rival)
        case "castle":
            yield from _in_the_castle(state)
        case _:
            yield from _by_effect(state, due)


def move_facts(state: State, move: Move) -> dict[str, Fact]:
    """Return the facts of an act of the opponent, with what else people need to know about it."""
    told = facts(state, move)
    match move:
        case moves.Dismiss():
            told["card"] = townsfolk_at(state, segment_with(state, move.seat))
        case moves.Copy():
            told["manuscript"] = script_at(state, move.segment)
    return told


def expected_breach(state: State, due: Due) -> Breach:
    """Return the breach of doing something other than what the opponent does next."""
    seat, move = state.colour(state.rival), next(expected_moves(state, due), None)
    rule = CHOICE_RULES.get(type(move))
    if move is None or rule is None:
        return broken("solo.expected", seat=seat, due=f"due {due.what}")
    return broken(rule, **move_facts(state, move))


def _by_effect(state: State, due: Due) -> Iterator[Move]:
    rival = state.rival
    match due.what:
        case "any":
            yield from (moves.TakeGood(rival, good) for good in resources_to_take(state))
        case "flip" | "flip_debt" | "flip_deed":
            yield from (moves.Flip(rival, paper) for paper in _papers_to_flip(state, due.what))
        case "workers":
            number = min(due.number, workers_left(state, rival))
            if number:
                yield moves.Employ(rival, number, section_at(state, segment_with(state, rival)))
        case "build":
            yield from _free_building(state, due)
        case "manuscript":
            found = [segment for segment in _clockwise(state) if segment in manuscripts.free_copies(state)]
            yield from (moves.Copy(rival, segment) for segment in found[:1])
        case _:
            return


def resources_to_take(state: State) -> tuple[str, ...]:
    """Return the resources that the opponent may take; for one of the opponents all are equal."""
    mine = state.goods[state.rival]
    for wish in board(state).gathers:
        if mine[GOODS.index(wish.good)] < wish.most:
            return (wish.good,)
    return RESOURCES


def _papers_to_flip(state: State, what: str) -> list[Paper]:
    """Return the kind of paper of which the opponent has flipped fewer; debts if equal."""
    rival = state.rival
    found = papers.papers(state, rival, what)
    if len(found) < 2:
        return found
    return ["debt" if state.debts[rival][1] <= state.deeds[rival][1] else "deed"]


def _clockwise(state: State) -> list[int]:
    """Return all segments, beginning with the opponent's."""
    place = state.order.index(segment_with(state, state.rival))
    return [*state.order[place:], *state.order[:place]]


def _free_building(state: State, due: Due) -> Iterator[Move]:
    """Yield the leftmost building of the kind, on the first free plot at the opponent's space, or else further on,
    across rivers too."""
    rival, kind = state.rival, BUILDINGS.index(due.building)
    slots = buildings.free_slots(state, rival, kind)[:1]
    here = [(segment_with(state, rival), plot) for plot in buildings.plots_here(state, rival)]
    further = [
        (segment, plot)
        for segment in (*_clockwise(state)[1:], segment_with(state, rival))
        for plot in buildings.free_plots(state, segment, range(len(state.plots[segment])))
    ]
    beyond = [one for one in further if one[0] == segment_with(state, rival) and state.viscounts[rival] % 3 == LEFT]
    further = [*beyond, *(one for one in further if one not in beyond)]
    for segment, plot in (here or further)[:1]:
        yield from (moves.Build(rival, kind, slot, segment, plot) for slot in slots)


def _in_the_castle(state: State) -> Iterator[Move]:
    """Yield the next climb or push: climbing goes clockwise from the opponent's own segment, and it pushes off the
    player's workers first."""
    rival = state.rival
    start = section_at(state, segment_with(state, rival))
    for ring in (castle.FIRST, castle.SECOND):
        sections = castle.climbers(state, rival, ring)
        sections.sort(key=lambda section: (section - start) % len(state.order))
        if sections:
            yield from (
                moves.Climb(rival, ring, section) for section in sections[: 1 if ring == castle.FIRST else None]
            )
            return
    for ring, section in castle.crowded(state):
        workers = state.rings[ring - 1][section]
        owner: SeatNo = next((seat for seat in range(len(state.seats)) if workers[seat]), rival)
        yield moves.Push(rival, ring, section, owner)


# Main actions


def _attempt(state: State) -> Iterator[Move]:
    """Yield the first main action of the opponent's scheme that it can take."""
    scheme = all_schemes(state.box)[state.rows[state.rival][0]]
    for name in scheme.tries:
        action = board(state).focus if name == "focus" else name
        found = list(_main_action(state, action))
        if found:
            yield from found
            return


def _main_action(state: State, action: str) -> Iterator[Move]:
    rival = state.rival
    segment = segment_with(state, rival)
    match action:
        case "build":
            for plot in buildings.plots_here(state, rival)[:1]:
                yield from _best_building(state, segment, plot)
        case "workers":
            nobles = state.box.employing.nobles
            for number in range(min(len(nobles), workers_left(state, rival)), FEWEST_WORKERS - 1, -1):
                found = _payments(state, "workers", nobles[number - 1])
                if found:
                    section = section_at(state, segment)
                    yield from (moves.Employ(rival, number, section, pays) for pays in found)
                    return
        case "manuscript":
            cost = manuscript(state, script_at(state, segment)).cost
            yield from (moves.Copy(rival, segment, pays) for pays in _payments(state, "manuscript", cost))
        case _:
            given = resource_payments(state.goods[rival], state.box.solo.pay)
            yield from (moves.Flip(rival, paper, pays) for paper in _papers_to_flip(state, "flip") for pays in given)


def _best_building(state: State, segment: int, plot: int) -> Iterator[Move]:
    """Yield the leftmost building that the opponent can pay for."""
    for kind in FROM_THE_LEFT:
        slots = buildings.free_slots(state, state.rival, kind)[:1]
        found = _payments(state, "build", buildings.cost_of(state.box, kind)) if slots else []
        if found:
            yield from (moves.Build(state.rival, kind, slots[0], segment, plot, pays) for pays in found)
            return


def _payments(state: State, action: str, need: int) -> list[Goods]:
    """Return what the opponent pays for missing symbols: the resource of the action, or any if all are equal to it."""
    missing = max(0, need - strength(state, state.rival, action))  # type: ignore[arg-type]
    mine = state.goods[state.rival]
    if board(state).gathers:
        good = GOOD[action]  # type: ignore[index]
        pays = tuple(missing if index == good else 0 for index in range(len(GOODS)))
        return [(pays[0], pays[1], pays[2], pays[3])] if mine[good] >= missing else []
    return resource_payments(mine, missing)


def attempt(state: State, move: Move, log: RuleLog) -> State:
    """Carry out the main action that was expected."""
    log.tell("solo.action", seat=state.colour(state.rival))
    match move:
        case moves.Build():
            return buildings.build(state, move, log)
        case moves.Employ():
            return castle.employ(state, move, log)
        case moves.Copy():
            return manuscripts.copy(state, move, log)
        case _:
            assert isinstance(move, moves.Flip)
            return flip(pay_goods(state, state.rival, move.pays), move, log)


def flip(state: State, move: Move, log: RuleLog) -> State:
    assert isinstance(move, moves.Flip)
    state = papers.flip(state, move, log)
    return put_first(state, Due(state.rival, "dismiss")) if has_slot(state, "flip") else state


def do_instead(state: State, due: Due, log: RuleLog) -> State:
    """Apply what happens if nothing of what is due is possible."""
    rival = state.rival
    match due.what:
        case "flip" | "flip_debt" | "flip_deed":
            log.tell("solo.no-flip", seat=state.colour(rival))
            return purify(state, rival, 1, log)
        case "scheme":
            log.tell("solo.no-scheme", seat=state.colour(rival))
            return apply(state, rival, Effect(flip=1), log)
        case "attempt":
            log.tell("solo.otherwise", seat=state.colour(rival))
            return apply(state, rival, all_schemes(state.box)[state.rows[rival][0]].otherwise, log)
        case _:
            return state


def begin_game(state: State, log: RuleLog) -> State:
    """Give the opponent what its board gives it at the start."""
    rival, own = state.rival, board(state)
    if own.removed:
        log.tell("solo.boxed", seat=state.colour(rival), schemes=tuple(own.removed))
    log.tell("solo.start", seat=state.colour(rival), space=state.space_name(state.viscounts[rival]))
    return apply(state, rival, own.start, log)
