"""Taking the table's word: the state as it is seen, whatever the rules say about how it came to be."""

from __future__ import annotations

from msgspec.structs import replace

from companion.messages import UNKNOWN, View

from .box import COUNCILS, all_permits
from .gains import COUNTED
from .seeing import Seen
from .state import NEUTRAL, NONE, State, region_of


def adopt(state: State, view: View) -> State:
    seen = Seen(state, view)
    state = replace(
        state,
        tokens=_tokens(seen),
        councils=_councils(seen),
        emporiums=_emporiums(seen),
        king=state.king if (king := seen.king) is None else king,
        bribe=state.bribe if (cards := seen.cards()) is None else cards,
        twice=(),
        **_permits(seen),
        **_honours(seen),
        **_markers(seen),
    )
    return replace(state, choices=()) if state.choices else state


def _tokens(seen: Seen) -> tuple[str, ...]:
    tokens = []
    for city, had in enumerate(seen.state.tokens):
        token = seen.token(city)
        tokens.append(token if token in seen.state.box.tokens else had)
    return tuple(tokens)


def _councils(seen: Seen) -> tuple[tuple[str, ...], ...]:
    """Each council that can be seen whole, as long as there are enough councillors of each colour."""
    councils = list(seen.state.councils)
    for council in range(len(COUNCILS)):
        now = seen.council(council)
        if now is not None and set(now) <= set(seen.state.box.councillors.colours):
            councils[council] = now
    standing = [colour for council in councils for colour in council]
    enough = all(standing.count(colour) <= seen.state.box.councillors.each for colour in standing if colour)
    return tuple(councils) if enough else seen.state.councils


def _emporiums(seen: Seen) -> tuple[int, ...]:
    state, bits = seen.state, list(seen.state.emporiums)
    for city in range(len(bits)):
        there = seen.city(city)
        if there is not None:
            mine = sum(1 << seat for seat in range(state.players) if there[state.colour(seat)])
            bits[city] = mine | (NEUTRAL if seen.neutral(city) else 0)
    return tuple(bits)


def _permits(seen: Seen) -> dict[str, tuple[object, ...]]:
    """Open permits and those in front of people. What lies face down keeps its name as far as it is known."""
    state = seen.state
    permits, used = list(state.permits), list(state.used)
    for seat in range(state.players):
        gained, gone, turned = seen.permits_gained(seat), seen.permits_gone(seat), seen.turned_over(seat)
        if gained is None or gone is None or turned is None:
            continue
        permits[seat] = (*(permit for permit in permits[seat] if permit not in gone), *gained)
        used[seat] = _turned_over(used[seat], gone, turned)
    taken = {permit for mine in (*permits, *used) for permit in mine}
    offers = []
    for place, had in enumerate(state.offers):
        offer = seen.offer(place)
        fits = offer != UNKNOWN and offer is not None and all_permits(state.box)[offer][0] == region_of(place)
        offer = offer if fits else NONE if offer is None else had
        offers.append(NONE if offer is None or offer in taken else offer)
    return {"permits": tuple(permits), "used": tuple(used), "offers": tuple(offers)}


def _turned_over(used: tuple[str, ...], gone: tuple[str, ...], turned: int) -> tuple[str, ...]:
    """So many more lie face down: first those that lay open before, then some that nobody can name."""
    if turned < 0:
        return used[: len(used) + turned]
    known = gone[:turned]
    return (*used, *known, *(NONE for _ in range(turned - len(known))))


def _honours(seen: Seen) -> dict[str, tuple[object, ...]]:
    state = seen.state
    taken = dict(state.bonuses)
    for seat in range(state.players):
        taken |= dict.fromkeys(seen.bonuses_gained(seat), seat)
    rewards = list(state.rewards)
    for seat in range(state.players):
        rewards += [seat] * max(0, seen.rewards_gained(seat))
    return {"bonuses": tuple(taken.items()), "rewards": tuple(rewards[: len(state.box.kings_rewards.points)])}


def _markers(seen: Seen) -> dict[str, tuple[int, ...]]:
    state = seen.state
    return {
        what: tuple(max(0, getattr(state, what)[seat] + seen.more(what, seat)) for seat in range(state.players))
        for what in COUNTED
    }
