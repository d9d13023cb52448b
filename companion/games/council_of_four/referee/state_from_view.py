"""States read off the table: the current state corrected by a View, and the states that match an unwatched table.

How a View is read against a State stands in `seen_table`; which moves explain a View stands in `candidates`.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, View, differences

from ..box import COUNCILS, all_permits, bonus_label
from ..rulebook.cards import COUNTED
from ..state import EMPTY, NO_SEAT, State, region_of
from .seen_table import Seen
from .view import reward_label
from .view import view as should_be


def state_from_view(state: State, view: View) -> State:
    """Return the state as the view shows it; what the view does not show stays as it was."""
    seen = Seen(state, view)
    # The unexplained changes may include the main action of this turn, so the turn may end without another one.
    acted = state.acted or (state.phase == "turn" and bool(seen.changed))
    state = replace(
        state,
        tokens=_tokens(seen),
        councils=_councils(seen),
        emporiums=_emporiums(seen),
        king=state.king if (king := seen.king) is None else king,
        bribe=state.bribe if (cards := seen.cards()) is None else cards,
        twice=(),
        acted=acted,
        **_permits(seen),
        **_honours(seen),
        **_markers(seen),
    )
    return replace(state, choices=(), ending=ending(state))


def ending(state: State) -> SeatNo:
    """Return the seat that built its last emporium first.

    If that was not seen, it is the seat without any left that comes next: all others of them have had their last turn.
    """
    done = {seat for seat in range(state.players) if state.built(seat) >= state.box.emporiums_each}
    if state.ending in done:
        return state.ending
    order = ((state.turn + number) % state.players for number in range(1, state.players + 1))
    return next((seat for seat in order if seat in done), NO_SEAT)


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
            bits[city] = mine | (seen.neutral(city) or 0)
    return tuple(bits)


def _permits(seen: Seen) -> dict[str, tuple[object, ...]]:
    """Open permits and those in front of people. What lies face down keeps its name as far as it is known."""
    state = seen.state
    permits, used = list(state.permits), list(state.used)
    for seat in range(state.players):
        gained, missing, turned = seen.permits_gained(seat), seen.missing_permits(seat), seen.turned_over(seat)
        if gained is None or missing is None or turned is None:
            continue
        permits[seat] = (*(permit for permit in permits[seat] if permit not in missing), *gained)
        used[seat] = _more_turned_over(used[seat], missing, turned)
    taken = {permit for mine in (*permits, *used) for permit in mine}
    offers = []
    for place, had in enumerate(state.offers):
        offer = seen.offer(place)
        fits = offer != UNKNOWN and offer is not None and all_permits(state.box)[offer][0] == region_of(place)
        offer = offer if fits else EMPTY if offer is None else had
        offers.append(EMPTY if offer is None or offer in taken else offer)
    now: dict[str, tuple[object, ...]] = {"permits": tuple(permits), "used": tuple(used), "offers": tuple(offers)}
    if any(getattr(state, what) != lying for what, lying in now.items()):
        now["below"] = tuple(() for _ in state.below)  # what went under the stacks meanwhile is unknown
    return now


def _more_turned_over(used: tuple[str, ...], missing: tuple[str, ...], turned: int) -> tuple[str, ...]:
    """Return the face-down permits with so many more: first those that lay open before, then unknown ones."""
    if turned < 0:
        return used[: len(used) + turned]
    known = missing[:turned]
    return (*used, *known, *(EMPTY for _ in range(turned - len(known))))


def _honours(seen: Seen) -> dict[str, tuple[object, ...]]:
    return {"bonuses": tuple(_bonuses(seen).items()), "rewards": _rewards(seen)}


def _bonuses(seen: Seen) -> dict[str, SeatNo]:
    """Return the owner of each bonus tile; a tile that lies nowhere stays with the seat that had it."""
    had = dict(seen.state.bonuses)
    kept = {tile: seat for tile, seat in had.items() if seen.cell("bonuses", tile) != bonus_label(tile)}
    return kept | {tile: seat for seat in range(seen.state.players) for tile in seen.bonuses_gained(seat)}


def _rewards(seen: Seen) -> tuple[SeatNo, ...]:
    """Return the owners of the royal rewards, from the top; rewards that are on the stack again have none."""
    labels = [reward_label(points) for points in seen.state.box.kings_rewards.points]
    top = seen.cell("reward", "top")
    taken = labels.index(top) if top in labels else len(labels)
    lying = {
        number: seat
        for seat in range(seen.state.players)
        for number, label in enumerate(labels)
        if (seen.pieces(f"honours {seen.state.colour(seat)}") or Counter())[label]
    }
    had = dict(enumerate(seen.state.rewards[:taken]))
    return tuple(seat for _, seat in sorted((had | lying).items()))


def _markers(seen: Seen) -> dict[str, tuple[int, ...]]:
    return {what: tuple(_marker(seen, what, seat) for seat in range(seen.state.players)) for what in COUNTED}


def _marker(seen: Seen, what: str, seat: SeatNo) -> int:
    now: int = getattr(seen.state, what)[seat] + seen.more(what, seat)
    if what == "points" and now < 0:
        return now + seen.state.box.tracks.points + 1  # no marker goes back behind 0: it has come a long way since
    return max(0, now)


# A game under way that was not watched


def states_matching(state: State, view: View) -> tuple[State, ...]:
    """Return one state for each seat whose turn it may be.

    The hands are not counted then; and whether the main action of this turn is done cannot be seen, so one is still
    possible and none is required.
    """
    if any(zone not in view.zones for zone in should_be(state).zones):
        return ()
    seen = state_from_view(replace(state, phase="turn", round=1, counted=False), view)
    laid = all(token or city == seen.map.purple for city, token in enumerate(seen.tokens))
    if not laid or any(EMPTY in council for council in seen.councils):
        return ()
    seen = replace(seen, main=1, acted=True, quick=False, neutral=_nothing_left_to_draw(seen))
    if differences(view, should_be(seen)):
        return ()
    first = state.options.first
    order = [(first + number) % state.players for number in range(state.players)]
    moments = (replace(seen, turn=seat, ending=NO_SEAT) for seat in order)
    return tuple(replace(moment, ending=ending(moment)) for moment in moments)


def _nothing_left_to_draw(state: State) -> tuple[str, ...]:
    return tuple(permit or "drawn" for permit in state.neutral)
