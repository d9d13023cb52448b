"""Spielende: the score sheet, with what poverty and prosperity bring, and who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.kernel.rules import Fact, Line, Note, Scoresheet, SeatNo, SeatScore, tally

from ..box import BUILDINGS, RIBBONS, SYMBOLS, Manuscript
from ..components import card_symbols
from ..state import (
    NO_SEAT,
    State,
    building_symbols,
    manuscript,
    number_built,
    permanent_symbols,
    workers_in_castle,
)


def score(state: State) -> Scoresheet:
    over = state.phase == "over"
    seats = tuple(tally(seat, _lines(state, seat)) for seat in range(state.players))
    if not over:
        return Scoresheet(seats[: len(state.seats)])
    if state.rival != NO_SEAT:
        return _solo_scoresheet(state, seats)
    best = winners(state, seats)
    return Scoresheet(seats, best, tuple(_winning_reasons(state, seats, best)))


def _solo_scoresheet(state: State, seats: tuple[SeatScore, ...]) -> Scoresheet:
    """Return the score sheet of a solo game: the player needs more points than the opponent, whose points are among the
    reasons."""
    mine, its = seats[0], seats[state.rival]
    won = mine.total > its.total
    rule, facts = "solo.won" if won else "solo.lost", {"points": mine.total, "others": its.total}
    because = [Note(rule, {"seat": state.colour(0), "other": state.colour(state.rival), **facts})]
    for line in its.lines:
        own = line.label == "resources"
        because.append(line.because if own else Note("solo.points", {"what": line.label, "points": line.points}))
    if not state.poverty and not state.prosperity:
        because.append(Note("end.divided", {}))
    return Scoresheet((mine,), (mine.seat,) if won else (), tuple(because))


def _lines(state: State, seat: SeatNo) -> Iterator[Line]:
    yield from _on_the_board(state, seat)
    yield from _in_writing(state, seat)
    ending = state.box.ending
    if state.leader == seat:
        yield Line("castle_leader", ending.leader, Note("end.leader", {"seat": state.colour(seat)}))
    cards = sum(owner == seat for owner in state.bonus)
    if cards:
        yield Line("cleric_cards", cards * ending.bonus, Note("end.bonus", {"cards": cards}))
    yield from _papers(state, seat)
    if seat == state.rival:
        goods = sum(state.goods[seat])
        yield Line("resources", goods, Note("solo.resources", {"goods": goods}))


def _on_the_board(state: State, seat: SeatNo) -> Iterator[Line]:
    built = [number_built(state, seat, kind) for kind in range(len(BUILDINGS))]
    worth = [
        getattr(state.box.buildings, name).points[number - 1] if number else 0
        for name, number in zip(BUILDINGS, built, strict=True)
    ]
    posts, halls, shops = built
    facts: dict[str, Fact] = {"buildings": sum(built), "posts": posts, "halls": halls, "shops": shops}
    facts |= {"post_points": worth[0], "hall_points": worth[1], "shop_points": worth[2]}
    yield Line("buildings", sum(worth), Note("end.buildings", facts))
    rings = [sum(section[seat] for section in ring) for ring in state.rings]
    workers = {"first": rings[0], "second": rings[1], "third": state.top[seat]}
    points = rings[0] + 2 * rings[1] + 3 * state.top[seat]
    yield Line("castle_workers", points, Note("end.workers", {**workers}))


def _in_writing(state: State, seat: SeatNo) -> Iterator[Line]:
    points, sets = best_sets(state, seat)
    sizes: Fact = tuple(map(str, sets)) or ""
    yield Line("manuscript_sets", points, Note("end.sets", {"sets": len(sets), "sizes": sizes}))
    for name in state.manuscripts[seat]:
        script = manuscript(state, name)
        if script.counts:
            number = count_of(state, seat, script)
            because = Note("end.manuscripts", {"manuscript": name, "number": number, "each": script.each})
            yield Line("manuscripts", number // script.each, because)


def best_sets(state: State, seat: SeatNo) -> tuple[int, list[int]]:
    """Return the points for sets of different ribbons, and their sizes; sets as large as possible are best."""
    ribbons = Counter(manuscript(state, name).ribbon for name in state.manuscripts[seat])
    sets = [sum(ribbons[ribbon] > layer for ribbon in RIBBONS) for layer in range(max(ribbons.values(), default=0))]
    return sum(state.box.ending.sets[size - 1] for size in sets), sets


def count_of(state: State, seat: SeatNo, script: Manuscript) -> int:
    """Return how many of what a manuscript counts a seat has."""
    match script.counts:
        case "manuscript":
            return len(state.manuscripts[seat])
        case "approved":
            return state.deeds[seat][1]
        case "paid":
            return state.debts[seat][1]
        case "worker":
            return workers_in_castle(state, seat)
        case "good":
            return sum(state.goods[seat][:3])
        case "building":
            return state.built[seat].bit_count()
        case _:
            return _symbols(state, seat, script.counts)


def _symbols(state: State, seat: SeatNo, name: str) -> int:
    """Return the symbols on all cards that a seat owns, and those of buildings and cleric's cards; criminals are no
    jokers.

    The solo game's opponent owns its schemes, including those in its pile.
    """
    symbol = SYMBOLS.index(name)
    known = card_symbols(state.box)
    pile = state.schemes if seat == state.rival else state.hidden[seat]
    cards = (*state.rows[seat], *pile, *state.discards[seat])
    lasting = permanent_symbols(state, seat) if state.options.bonus_symbols else building_symbols(state, seat)
    return sum(known[card][symbol] for card in cards if card) + lasting[symbol]


def _papers(state: State, seat: SeatNo) -> Iterator[Line]:
    (unpaid, _), (acquired, approved) = state.debts[seat], state.deeds[seat]
    debts, deeds = state.box.debts, state.box.deeds
    yield Line("debts", debts.unpaid * unpaid, Note("end.debts", {"debts": unpaid}))
    yield Line("deeds", deeds.acquired * acquired, Note("end.deeds", {"deeds": acquired}))
    yield Line("approved_deeds", deeds.approved * approved, Note("end.approved", {"deeds": approved}))
    if not state.poverty:
        approvals = [mine[1] for mine in state.deeds]
        facts = {"deeds": approved, **place_of(approvals, seat)}
        yield Line("poverty", points_for_place(state, approvals, seat), Note("end.most-deeds", facts))
    if not state.prosperity:
        payments = [mine[1] for mine in state.debts]
        facts = {"debts": payments[seat], **place_of(payments, seat)}
        yield Line("prosperity", points_for_place(state, payments, seat), Note("end.most-debts", facts))


def place_of(numbers: list[int], seat: SeatNo) -> dict[str, Fact]:
    """Return which place a seat holds, and how many seats share it; with no papers it has no place."""
    mine = numbers[seat]
    place = 1 + sum(number > mine for number in numbers) if mine else 0
    return {"place": place, "equal": numbers.count(mine) if mine else 0}


def points_for_place(state: State, numbers: list[int], seat: SeatNo) -> int:
    """Return the points of a place, divided by the seats that share it; with no papers there are none."""
    mine = numbers[seat]
    if not mine:
        return 0
    better = sum(number > mine for number in numbers)
    equal = numbers.count(mine)
    return sum(state.box.ending.places[better : better + equal]) // equal


def winners(state: State, seats: tuple[SeatScore, ...]) -> tuple[SeatNo, ...]:
    """Return the winners: most points, then most resources and silver; if still equal they share the victory."""
    best = max((sheet.total, sum(state.goods[sheet.seat])) for sheet in seats)
    return tuple(sheet.seat for sheet in seats if (sheet.total, sum(state.goods[sheet.seat])) == best)


def _winning_reasons(state: State, seats: tuple[SeatScore, ...], sharing: tuple[SeatNo, ...]) -> Iterator[Note]:
    best, colours = seats[sharing[0]].total, tuple(map(state.colour, sharing))
    if len(sharing) > 1:
        yield Note("end.shared", {"seats": colours, "points": best, "goods": sum(state.goods[sharing[0]])})
    else:
        yield Note("end.winner", {"seat": colours[0], "points": best})
    if not state.poverty and not state.prosperity:
        yield Note("end.divided", {})
    if len(sharing) == 1 and sum(sheet.total == best for sheet in seats) > 1:
        yield Note("end.tie", {"seat": colours[0], "goods": sum(state.goods[sharing[0]])})
