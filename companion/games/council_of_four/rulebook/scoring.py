"""The score sheet: points on the track with their reasons, tiles, rewards, nobility and permits; who won and why.

How points are gained during the game is in the other modules.
"""

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
    """Return the score sheet."""
    over = state.phase == "over"
    seats = tuple(tally(seat, _lines(state, seat, over)) for seat in range(state.players))
    if not over:
        return Scoresheet(seats)
    winners = _winners(state, seats)
    return Scoresheet(seats, () if undecided(state, seats) else winners, tuple(_winning_reasons(state, seats, winners)))


def _lines(state: State, seat: SeatNo, over: bool) -> Iterator[Line]:
    """Yield the lines of a seat; nobility and permits count only at the end."""
    yield from earned_lines(state.points_earned(seat), state.points[seat], "end.points")
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
    yield from _nobility_lines(state, seat)
    permits = tuple(permits_counted(state, other) for other in range(state.players))
    most = max(permits)
    alone = permits.count(most) == 1
    if most and permits[seat] == most and (alone or state.options.permit_tie == "all"):
        points = state.box.ending.most_permits
        yield Line("most_permits", points, Note("end.permits", {"permits": most, "points": points}))


def permits_counted(state: State, seat: SeatNo) -> int:
    """Count the permits of a seat; a house rule leaves out those that were turned over."""
    return len(state.permits[seat]) + (len(state.used[seat]) if state.options.used_permits else 0)


def _nobility_lines(state: State, seat: SeatNo) -> Iterator[Line]:
    """Yield the line of a seat that is first or second on the nobility track."""
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
    """Return the seats with the most points, then with the most assistants and cards.

    Still tied, they share the victory; by a house rule the latest in the order of play wins.
    """
    tied = _tied(seats)
    most = max(assistants_and_cards(state, seat) for seat in tied)
    winners = tuple(seat for seat in tied if assistants_and_cards(state, seat) == most)
    if state.options.complete_tie == "shared":
        return winners
    return (max(winners, key=lambda seat: (seat - state.options.first) % state.players),)


def assistants_and_cards(state: State, seat: SeatNo) -> int:
    """Count the assistants and cards of a seat, which break ties."""
    return state.assistants[seat] + state.hands[seat]


def undecided(state: State, seats: tuple[SeatScore, ...]) -> bool:
    """Whether several seats have the most points in a game joined later, where only the players know their cards."""
    return not state.counted and len(_tied(seats)) > 1


def _tied(seats: tuple[SeatScore, ...]) -> list[SeatNo]:
    """Return the seats with the most points."""
    best = max(sheet.total for sheet in seats)
    return [sheet.seat for sheet in seats if sheet.total == best]


def _winning_reasons(state: State, seats: tuple[SeatScore, ...], winners: tuple[SeatNo, ...]) -> Iterator[Note]:
    """Yield the rules that decided the game."""
    best, tied = seats[winners[0]].total, _tied(seats)
    if undecided(state, seats):
        yield Note("end.uncounted", {"points": best})
        return
    colours = tuple(map(state.colour, winners))
    if len(winners) > 1:
        yield Note(
            "end.shared", {"seats": colours, "points": best, "together": assistants_and_cards(state, winners[0])}
        )
        return
    yield Note("end.winner", {"seat": colours[0], "points": best})
    if len(tied) > 1:
        mine = assistants_and_cards(state, winners[0])
        yield Note("end.tie", {"seat": colours[0], "together": mine})
        if sum(assistants_and_cards(state, seat) == mine for seat in tied) > 1:
            yield Note("end.still-tied", {"seat": colours[0]})
