"""The solo game: the opponent's scheme cards and its turn.

Most effects mean something else for it (`effects.for_rival`); what is left to choose is chosen here, so that at each
moment one act is expected, and whoever moves its pieces can be told which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, Fact, RuleLog, SeatNo, broken, changed

from ..box import (
    BUILDINGS,
    GOODS,
    GUILDHALL,
    RESOURCES,
    TRADING_POST,
    WORKSHOP,
    Box,
    Effect,
    Rival,
    RivalBoard,
    Scheme,
)
from ..components import LEFT, RIGHT, all_schemes, rival_does, space_of
from ..moves import (
    AddScheme,
    Build,
    Climb,
    Collide,
    Copy,
    Dismiss,
    Employ,
    Flip,
    Goods,
    Move,
    Paper,
    Push,
    Slide,
    TakeGood,
    Travel,
    TurnScheme,
)
from ..state import (
    NONE,
    Due,
    State,
    card,
    collided,
    criminals,
    manuscript,
    script_at,
    section_at,
    segment_with,
    townsfolk_at,
    workers_left,
)
from . import buildings, castle, manuscripts, papers
from .cards import out_of_the_game
from .deck import discarded
from .effects import apply, apply_all, corrupt, judged, pay_goods, purify, put_first
from .move_facts import facts
from .movement import MEETING
from .payment import GOOD, strength
from .recruitment import pile_taken


def future_pile(state: State) -> int:
    """How many future schemes still lie there."""
    return len(state.futures) - state.mixed


def in_its_pile(state: State) -> tuple[str, ...]:
    """Schemes that may lie on top of its pile; an empty one is made of its discards."""
    if state.schemes or state.mixed:
        starting = (*state.schemes, *boxed(state, state.box.solo.starting)) if state.schemes else ()
        return (*starting, *(in_the_future(state) if state.mixed else ()))
    return state.discards[state.rival]


def in_the_future(state: State) -> tuple[str, ...]:
    """Future schemes that may come to light."""
    return (*state.futures, *boxed(state, state.box.solo.future))


def boxed(state: State, kind: Mapping[str, Scheme]) -> tuple[str, ...]:
    """Those of a kind that we take to be in the box."""
    return tuple(one for one in state.boxed if one in kind)


def doubtful(box: Box, opponent: Rival) -> tuple[str, ...]:
    """The schemes that its board puts back to the box, as long as nobody has confirmed which these are."""
    facts = f"solo.boards.{opponent}"
    return box.solo.boards[opponent].removed if {facts, f"{facts}.removed"} & {*box.unverified} else ()


def after_all(state: State, scheme: str) -> State:
    """A scheme that we took to be in the box has come to light: so another one is there, of its pile and unseen."""
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
CHOICES: Final[Mapping[type[Any], str]] = {
    Slide: "solo.slide",
    Travel: "solo.walk",
    Dismiss: "solo.dismiss",
    Collide: "collision.must",
    TakeGood: "solo.gathers",
    Flip: "solo.paper",
    Build: "solo.build",
    Employ: "solo.workers",
    Copy: "solo.copy",
    Climb: "solo.climb",
    Push: "solo.push",
}
"""By kind of act: the rule that says how the opponent does it."""
TOLD: Final = (TakeGood, Flip, Build, Employ, Copy, Climb, Push)
"""Acts of which the opponent's own rule is told besides those that hold for all."""
FEWEST: Final = 2
"""It never places a single worker."""
REVEALED: Final = ("reveal", "scheme")
"""What chance does in its turn."""


def board(state: State) -> RivalBoard:
    return state.box.solo.boards[state.options.opponent]


def has_slot(state: State, ability: str) -> bool:
    return ability in rival_does(state.box, state.options.opponent, state.built[state.rival])


# Its turn


def begun(state: State, log: RuleLog) -> State:
    """Cards slide, a scheme is revealed and followed, a collision is resolved, and the turn is over."""
    rival = state.rival
    log.tell("solo.turn", seat=state.colour_of(rival))
    steps = [Due(rival, "reveal"), Due(rival, "collide"), Due(rival, "turn")]
    if any(state.rows[rival]):
        steps.insert(0, Due(rival, "slide"))
    return replace(state, phase="rival", turn=rival, due=tuple((step,) for step in steps), played=NONE, dismissed=NONE)


def slide(state: State, move: Slide, log: RuleLog) -> State:
    first, second, dropped = state.rows[move.seat]
    log.tell("solo.slide", seat=state.colour_of(move.seat))
    state = replace(state, rows=changed(state.rows, move.seat, (NONE, first, second)))
    return discarded(state, move.seat, dropped) if dropped else state


def turn_scheme(state: State, move: TurnScheme, log: RuleLog) -> State:
    rival = state.rival
    if not state.schemes and not state.mixed:
        state = _shuffled(state, log)
    state = after_all(state, move.scheme)
    if move.scheme in state.schemes:
        state = replace(state, schemes=without(state.schemes, move.scheme))
    else:
        state = replace(state, futures=without(state.futures, move.scheme), mixed=state.mixed - 1)
    log.tell("solo.scheme", seat=state.colour_of(rival), scheme=move.scheme)
    _, middle, right = state.rows[rival]
    state = replace(state, rows=changed(state.rows, rival, (move.scheme, middle, right)))
    scheme = all_schemes(state.box)[move.scheme]
    if scheme.criminal:
        log.tell("solo.criminal", seat=state.colour_of(rival), criminals=criminals(state, rival))
        state = corrupt(state, rival, criminals(state, rival), log)
    state = put_first(state, Due(rival, "attempt"))
    state = put_first(state, Due(rival, "walk", scheme.steps))
    return apply(state, rival, scheme.does, log)


def _shuffled(state: State, log: RuleLog) -> State:
    """Its discards become its pile: it is looked at like anybody, and its workshops may work. By now all the starting
    schemes that it has were seen."""
    rival = state.rival
    log.tell("solo.shuffle", seat=state.colour_of(rival))
    state = replace(
        state,
        schemes=tuple(sorted(state.discards[rival])),
        discards=changed(state.discards, rival, ()),
        boxed=boxed(state, state.box.solo.future),
    )
    if has_slot(state, "corruption"):
        state = corrupt(state, rival, 1, log)
    state = judged(state, rival, log)
    return purify(state, rival, 1, log) if has_slot(state, "virtue") else state


def add_scheme(state: State, move: AddScheme, log: RuleLog) -> State:
    rival = state.rival
    log.tell("solo.add", seat=state.colour_of(rival), scheme=move.scheme)
    state = after_all(state, move.scheme)
    state = replace(discarded(state, rival, move.scheme), futures=without(state.futures, move.scheme))
    return put_first(state, Due(rival, "dismiss")) if has_slot(state, "adding") else state


def check_scheme(state: State, move: TurnScheme | AddScheme) -> Iterator[Breach]:
    what = "reveal" if isinstance(move, TurnScheme) else "scheme"
    due = [one for one in (state.due[0] if state.due else ()) if (one.seat, one.what) == (state.rival, what)]
    if not any(move in tuple(expected(state, one)) for one in due):
        yield broken("solo.pile", scheme=move.scheme)


def walk(state: State, move: Travel, log: RuleLog) -> State:
    """On the outer path only; whoever is met there may rearrange."""
    log.tell("solo.walk", seat=state.colour_of(move.seat), space=state.space_name(move.space))
    state = replace(state, viscounts=changed(state.viscounts, move.seat, move.space))
    met = [seat for seat in range(len(state.seats)) if state.viscounts[seat] == move.space]
    return apply_all(state, ((seat, MEETING) for seat in met), log)


def outer_space(state: State, steps: int) -> int:
    """Where its viscount ends after so many steps outside."""
    segment, where = divmod(state.viscounts[state.rival], 3)
    place, right = divmod(state.order.index(segment) * 2 + (where != LEFT) + steps, 2)
    return space_of(state.order[place % len(state.order)], RIGHT if right else LEFT)


def dismiss(state: State, move: Dismiss, log: RuleLog) -> State:
    segment = segment_with(state, move.seat)
    name = townsfolk_at(state, segment)
    log.tell("solo.dismiss", seat=state.colour_of(move.seat), card=name)
    if state.offer[segment]:
        state = out_of_the_game(pile_taken(state, segment), name)
    return apply(state, move.seat, card(state, name).hired, log)


# What it chooses


def expected(state: State, due: Due) -> Iterator[Move]:
    """The act that is expected; several only where it is all the same, and of chance."""
    rival = state.rival
    match due.what:
        case "slide":
            yield Slide(rival)
        case "reveal":
            yield from (TurnScheme(scheme) for scheme in in_its_pile(state))
        case "scheme":
            yield from (AddScheme(scheme) for scheme in in_the_future(state) if future_pile(state) > 0)
        case "dismiss":
            yield Dismiss(rival)
        case "walk":
            yield Travel(rival, outer_space(state, due.number))
        case "attempt":
            yield from _attempt(state)
        case "collide":
            if collided(state, rival):
                yield Collide(rival)
        case "castle":
            yield from _in_the_castle(state)
        case _:
            yield from _by_effect(state, due)


def chosen(state: State, move: Move) -> dict[str, Fact]:
    """An act of the opponent in words, and what there is to know about it."""
    told = facts(state, move)
    match move:
        case Dismiss():
            told["card"] = townsfolk_at(state, segment_with(state, move.seat))
        case Copy():
            told["manuscript"] = script_at(state, move.segment)
    return told


def instead_of(state: State, due: Due) -> Breach:
    """What the opponent does next, for whoever did something else."""
    seat, move = state.colour_of(state.rival), next(expected(state, due), None)
    rule = CHOICES.get(type(move))
    if move is None or rule is None:
        return broken("solo.expected", seat=seat, due=f"due {due.what}")
    return broken(rule, **chosen(state, move))


def _by_effect(state: State, due: Due) -> Iterator[Move]:
    rival = state.rival
    match due.what:
        case "any":
            yield from (TakeGood(rival, good) for good in gathered(state))
        case "flip" | "flip_debt" | "flip_deed":
            yield from (Flip(rival, paper) for paper in _turned_over(state, due.what))
        case "workers":
            number = min(due.number, workers_left(state, rival))
            if number:
                yield Employ(rival, number, section_at(state, segment_with(state, rival)))
        case "build":
            yield from _free_building(state, due)
        case "manuscript":
            found = [segment for segment in _clockwise(state) if segment in manuscripts.free_copies(state)]
            yield from (Copy(rival, segment) for segment in found[:1])
        case _:
            return


def gathered(state: State) -> tuple[str, ...]:
    """The resource that it takes; to one of the opponents all are the same."""
    mine = state.goods[state.rival]
    for wish in board(state).gathers:
        if mine[GOODS.index(wish.good)] < wish.most:
            return (wish.good,)
    return RESOURCES


def _turned_over(state: State, what: str) -> list[Paper]:
    """Of debts and deeds the kind of which it has turned over fewer, debts if equal."""
    rival = state.rival
    found = papers.papers(state, rival, what)
    if len(found) < 2:
        return found
    return ["debt" if state.debts[rival][1] <= state.deeds[rival][1] else "deed"]


def _clockwise(state: State) -> list[int]:
    """All segments, from its own on."""
    place = state.order.index(segment_with(state, state.rival))
    return [*state.order[place:], *state.order[:place]]


def _free_building(state: State, due: Due) -> Iterator[Move]:
    """The leftmost of the kind, on the first free plot at its space, or else further on, across rivers too."""
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
        yield from (Build(rival, kind, slot, segment, plot) for slot in slots)


def _in_the_castle(state: State) -> Iterator[Move]:
    """Climbing to the second ring goes clockwise from its own segment; where it is all the same, that comes first. Of
    those to push off, it takes the player's."""
    rival = state.rival
    start = section_at(state, segment_with(state, rival))
    for ring in (castle.FIRST, castle.SECOND):
        sections = castle.climbers(state, rival, ring)
        sections.sort(key=lambda section: (section - start) % len(state.order))
        if sections:
            yield from (Climb(rival, ring, section) for section in sections[: 1 if ring == castle.FIRST else None])
            return
    for ring, section in castle.crowded(state):
        workers = state.rings[ring - 1][section]
        owner: SeatNo = next((seat for seat in range(len(state.seats)) if workers[seat]), rival)
        yield Push(rival, ring, section, owner)


# Main actions


def _attempt(state: State) -> Iterator[Move]:
    """The first main action of its scheme that it can take."""
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
            for number in range(min(len(nobles), workers_left(state, rival)), FEWEST - 1, -1):
                found = _payments(state, "workers", nobles[number - 1])
                if found:
                    section = section_at(state, segment)
                    yield from (Employ(rival, number, section, pays) for pays in found)
                    return
        case "manuscript":
            cost = manuscript(state, script_at(state, segment)).cost
            yield from (Copy(rival, segment, pays) for pays in _payments(state, "manuscript", cost))
        case _:
            given = _of_any_kind(state.goods[rival], state.box.solo.pay)
            yield from (Flip(rival, paper, pays) for paper in _turned_over(state, "flip") for pays in given)


def _best_building(state: State, segment: int, plot: int) -> Iterator[Move]:
    """The leftmost building that it can pay for."""
    for kind in FROM_THE_LEFT:
        slots = buildings.free_slots(state, state.rival, kind)[:1]
        found = _payments(state, "build", buildings.cost_of(state.box, kind)) if slots else []
        if found:
            yield from (Build(state.rival, kind, slots[0], segment, plot, pays) for pays in found)
            return


def _payments(state: State, action: str, need: int) -> list[Goods]:
    """What it pays for missing symbols: the resource of the action, or any where all are the same."""
    missing = max(0, need - strength(state, state.rival, action))  # type: ignore[arg-type]
    mine = state.goods[state.rival]
    if board(state).gathers:
        good = GOOD[action]  # type: ignore[index]
        pays = tuple(missing if index == good else 0 for index in range(len(GOODS)))
        return [(pays[0], pays[1], pays[2], pays[3])] if mine[good] >= missing else []
    return _of_any_kind(mine, missing)


def _of_any_kind(mine: tuple[int, ...], number: int) -> list[Goods]:
    """All ways to give so many resources; what there is most of goes first."""
    found: list[Goods] = [
        (ink, gold, number - ink - gold, 0)
        for ink, gold in product(range(mine[0] + 1), range(mine[1] + 1))
        if 0 <= number - ink - gold <= mine[2]
    ]
    return sorted(found, key=lambda pays: sorted(map(int.__sub__, mine, pays), reverse=True))


def attempt(state: State, move: Move, log: RuleLog) -> State:
    """The main action that was expected."""
    log.tell("solo.action", seat=state.colour_of(state.rival))
    match move:
        case Build():
            return buildings.build(state, move, log)
        case Employ():
            return castle.employ(state, move, log)
        case Copy():
            return manuscripts.copy(state, move, log)
        case _:
            assert isinstance(move, Flip)
            return flip(pay_goods(state, state.rival, move.pays), move, log)


def flip(state: State, move: Move, log: RuleLog) -> State:
    assert isinstance(move, Flip)
    state = papers.flip(state, move, log)
    return put_first(state, Due(state.rival, "dismiss")) if has_slot(state, "flip") else state


def instead(state: State, due: Due, log: RuleLog) -> State:
    """What happens where nothing of what is due can be done."""
    rival = state.rival
    match due.what:
        case "flip" | "flip_debt" | "flip_deed":
            log.tell("solo.no-flip", seat=state.colour_of(rival))
            return purify(state, rival, 1, log)
        case "scheme":
            log.tell("solo.no-scheme", seat=state.colour_of(rival))
            return apply(state, rival, Effect(flip=1), log)
        case "attempt":
            log.tell("solo.otherwise", seat=state.colour_of(rival))
            return apply(state, rival, all_schemes(state.box)[state.rows[rival][0]].otherwise, log)
        case _:
            return state


def started(state: State, log: RuleLog) -> State:
    """Its viscount goes where the pair that was left says, and it takes what its board gives it."""
    rival, own = state.rival, board(state)
    if own.removed:
        log.tell("solo.boxed", seat=state.colour_of(rival), schemes=tuple(own.removed))
    log.tell("solo.start", seat=state.colour_of(rival), space=state.space_name(state.viscounts[rival]))
    return apply(state, rival, own.start, log)
