"""The score sheet: what the points on the track came from, tiles and rewards, at the end nobility and permits; who won,
and why."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.rules import (
    Fact,
    Line,
    Note,
    Scoresheet,
    SeatNo,
    SeatScore,
    earned_lines,
    tally,
)

from ..box import bonus_label
from ..state import State


def score(state: State) -> Scoresheet:
    over = state.phase == "over"
    seats = tuple(tally(seat, _lines(state, seat, over)) for seat in range(state.players))
    if not over:
        return Scoresheet(seats)
    winners = _winners(state, seats)
    return Scoresheet(seats, () if undecided(state, seats) else winners, tuple(_why(state, seats, winners)))


def _lines(state: State, seat: SeatNo, over: bool) -> Iterator[Line]:
    yield from earned_lines(state.reasons(seat), state.points[seat], "end.points")
    tiles = tuple(tile for tile, owner in state.bonuses if owner == seat)
    if tiles:
        points = sum(state.box.bonus_tiles[tile] for tile in tiles)
        labels = tuple(map(bonus_label, tiles))
        yield Line("bonus_tiles", points, Note("end.bonus-tiles", {"tiles": labels, "points": points}))
    rewards = [p for p, owner in zip(state.box.kings_rewards.points, state.rewards, strict=False) if owner == seat]
    if rewards:
        facts: dict[str, Fact] = {"rewards": tuple(map(str, rewards)), "points": sum(rewards)}
        yield Line("royal_rewards", sum(rewards), Note("end.royal-rewards", facts))
    if not over:
        return
    yield from _for_nobility(state, seat)
    permits = tuple(permits_counted(state, other) for other in range(state.players))
    most = max(permits)
    alone = permits.count(most) == 1
    if most and permits[seat] == most and (alone or state.options.permit_tie == "all"):
        points = state.box.ending.most_permits
        yield Line("most_permits", points, Note("end.permits", {"permits": most, "points": points}))


def permits_counted(state: State, seat: SeatNo) -> int:
    return len(state.permits[seat]) + (len(state.used[seat]) if state.options.used_permits else 0)


def _for_nobility(state: State, seat: SeatNo) -> Iterator[Line]:
    field, ending = state.nobility[seat], state.box.ending
    first = max(state.nobility)
    firsts = state.nobility.count(first)
    others = [other for other in state.nobility if other < first]
    if field == first:
        rule = "end.nobility-first" if firsts == 1 else "end.nobility-shared"
        yield Line("nobility", ending.most_noble, Note(rule, {"field": field, "points": ending.most_noble}))
    elif firsts == 1 and field == max(others):
        facts: dict[str, Fact] = {"field": field, "points": ending.second_noble}
        yield Line("nobility", ending.second_noble, Note("end.nobility-second", facts))


def _winners(state: State, seats: tuple[SeatScore, ...]) -> tuple[SeatNo, ...]:
    """Most points, then assistants and cards; those who are still tied share the victory, or by a house rule the latest
    of them in the order of play wins."""
    tied = _tied(seats)
    most = max(riches(state, seat) for seat in tied)
    winners = tuple(seat for seat in tied if riches(state, seat) == most)
    if state.options.complete_tie == "shared":
        return winners
    return (max(winners, key=lambda seat: (seat - state.options.first) % state.players),)


def riches(state: State, seat: SeatNo) -> int:
    return state.assistants[seat] + state.hands[seat]


def undecided(state: State, seats: tuple[SeatScore, ...]) -> bool:
    """Whether several have the most points, in a game that was joined: only they can count the cards they hold."""
    return not state.counted and len(_tied(seats)) > 1


def _tied(seats: tuple[SeatScore, ...]) -> list[SeatNo]:
    best = max(sheet.total for sheet in seats)
    return [sheet.seat for sheet in seats if sheet.total == best]


def _why(state: State, seats: tuple[SeatScore, ...], winners: tuple[SeatNo, ...]) -> Iterator[Note]:
    best, tied = seats[winners[0]].total, _tied(seats)
    if undecided(state, seats):
        yield Note("end.uncounted", {"points": best})
        return
    colours = tuple(map(state.colour, winners))
    if len(winners) > 1:
        yield Note("end.shared", {"seats": colours, "points": best, "together": riches(state, winners[0])})
        return
    yield Note("end.winner", {"seat": colours[0], "points": best})
    if len(tied) > 1:
        mine = riches(state, winners[0])
        yield Note("end.tie", {"seat": colours[0], "together": mine})
        if sum(riches(state, seat) == mine for seat in tied) > 1:
            yield Note("end.still-tied", {"seat": colours[0]})
