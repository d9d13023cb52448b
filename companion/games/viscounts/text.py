"""What the table waits for, moves in words, and the table as text."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.viscounts.guide_actions import due_steps, facts_of
from companion.kernel.catalogue import Speaker
from companion.kernel.game import Paint, plain
from companion.kernel.rules import ANYONE, CHANCE, Actor, Expected, Fact, Progress

from .box import BUILDINGS, GOODS
from .components import effect_word, reward_word, segment_names
from .rulebook import solo
from .rulebook.effects import for_rival
from .rulebook.move_facts import facts
from .rulebook.movement import least_steps
from .rulebook.recruitment import dismiss_moves, hire_moves
from .rulebook.scoring import score
from .rulebook.solo import REVEALED
from .state import (
    NO_SEAT,
    NOWHERE,
    UNSEEN,
    Due,
    State,
    acting_seat,
    card,
    has_collided,
    kind_of,
    owner_of,
    pile_top_unknown,
    section_at,
    segment_with,
    townsfolk_at,
    workers_left,
)


def actor(state: State) -> Actor:
    match state.phase:
        case "over":
            return None
        case "laying_out":
            return ANYONE
        case "lots":
            return CHANCE
        case _:
            return CHANCE if pile_top_unknown(state) else _actor_of_turn(state)


def _actor_of_turn(state: State) -> Actor:
    """Return who acts; the solo game's opponent is moved by anyone, and chance turns up its schemes."""
    seat = acting_seat(state)
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
            return _turned_up(state) if pile_top_unknown(state) else _any_seat(state)


def progress(state: State) -> Progress | None:
    """Return how far the game is; None before the first round and after the last."""
    if state.phase in ("laying_out", "lots", "over"):
        return None
    facts: dict[str, Fact] = {"round": state.round + 1, "debts": state.poverty, "deeds": state.prosperity}
    key = "round"
    if state.last_round >= 0:
        key = "last" if state.round == state.last_round else "one_more"
    return Progress(key, facts, state.round + 1, tuple(range(len(state.seats))))


def _table(state: State, key: str, **facts: Fact) -> Expected:
    return Expected(key, facts, actor(state), state.phase)


def _over(state: State) -> Expected:
    sheet = score(state)
    points = max(seat.total for seat in sheet.seats)
    if sheet.winner is not None:
        return _table(state, "over", seat=state.colour(sheet.winner), points=points)
    if sheet.winners:
        return _table(state, "over_shared", seats=tuple(map(state.colour, sheet.winners)), points=points)
    return _table(state, "over_lost", **sheet.because[0].facts)


def _lots(state: State) -> Expected:
    """Return what chance lays out next; people may lay it out in any other order."""
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
    """Return the act that is expected of the solo game's opponent, in words."""
    move, key = next(solo.expected_moves(state, due), None), f"rival_{due.what}"
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
    return _table(state, key, seat=state.colour(due.seat), **told)


def _in_the_castle(state: State, due: Due) -> Expected:
    """Return what has to be done first in the castle, and why."""
    step = next(due_steps(state, due.seat))
    several = len(step.owners) > 1 or step.choices > 1
    key = f"rival_{step.kind}" if due.seat == state.rival else f"do_{step.kind}{'_one' if several else ''}"
    return Expected(key, facts_of(state, step), actor(state), "castle")


def _any_seat(state: State) -> Expected:
    seat = state.colour(acting_seat(state))
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
            return _table(state, "moving", seat=seat, steps=least_steps(state))
        case "action":
            return _table(state, "action" if any(dismiss_moves(state)) else "action_alone", seat=seat)
        case "hiring" if any(hire_moves(state)):
            key = "hire_or_collide" if has_collided(state, state.turn) else "hiring"
            return _table(state, key, seat=seat, card=townsfolk_at(state, segment_with(state, state.turn)))
        case "hiring" | "collision":
            return _table(state, "collide" if has_collided(state, state.turn) else "drawing", seat=seat)
        case _:
            return _table(state, state.phase, seat=seat)


SIGNS = ("P", "G", "W")
"""Trading post, guildhall, workshop."""


def draw(state: State, speaker: Speaker, paint: Paint = plain) -> str:
    parts = (_segments, _seats)
    return "\n\n".join("\n".join(part(state, speaker, paint)) for part in parts)


def _segments(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    """Yield a line for each segment, clockwise: plots, viscounts, piles, and the castle behind them."""
    for segment in state.order:
        if segment == NOWHERE:
            continue
        name = segment_names(state.box)[segment]
        plots = "".join(_plot(state, standing, paint) for standing in state.plots[segment])
        viscounts = "".join(
            paint(f"♞{state.space_name(space)}", state.colour(seat))
            for seat, space in enumerate(state.viscounts)
            if space != NOWHERE and space // 3 == segment
        )
        tops = (state.offer[segment], state.scripts[segment])
        piles = " ".join(f"[{speaker.word(top or 'nothing')}]" for top in tops)
        yield f"  {name:<6}{plots}  {_workers(state, segment, paint)}  {piles} {viscounts}".rstrip()


def _plot(state: State, standing: int, paint: Paint) -> str:
    return "." if standing == NO_SEAT else paint(SIGNS[kind_of(standing)], state.colour(owner_of(standing)))


def _workers(state: State, segment: int, paint: Paint) -> str:
    """Return the workers of the first and second ring in front of a segment."""
    if state.castle == NOWHERE or NOWHERE in state.order:
        return ""
    section = section_at(state, segment)
    rings = (
        "".join(paint("i" * number, state.colour(seat)) for seat, number in enumerate(ring[section]))
        for ring in state.rings
    )
    return "|".join(rings)


def _seats(state: State, speaker: Speaker, paint: Paint) -> Iterator[str]:
    for seat in range(state.players):
        owner = state.colour(seat)
        name = paint(owner[0].upper(), f"on {owner}") + paint(f" {speaker.word(owner):<9}", owner)
        turn = "→" if seat == state.turn and state.phase not in ("laying_out", "lots", "over") else " "
        goods = "  ".join(f"{state.has(seat, good):>2} {speaker.word(word)}" for good, word in enumerate(GOODS))
        row = " ".join(f"[{speaker.word(card) if card else ''}]" for card in state.rows[seat])
        track = f"☠{state.corruption[seat]} ☼{state.virtue[seat]}"
        built = "".join(
            sign * (state.built[seat] >> 3 * kind & 7).bit_count() for kind, sign in enumerate(SIGNS[: len(BUILDINGS)])
        )
        stock = f"♟{workers_left(state, seat)}+{state.top[seat]}"
        yield f"{turn} {name} {track}  {stock} {built:<4} {goods}  {row}".rstrip()
