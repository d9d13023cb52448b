"""The state read off the table: the current state corrected by a View.

What people own cannot be seen; a card on a player board is assumed to be its owner's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.kernel.rules import SeatNo, changed
from companion.kernel.views import UNKNOWN, View

from ..box import BUILDINGS, GOODS, RIBBONS, SLOTS
from ..components import all_cards, all_schemes, section_word, segment_names
from ..rulebook.deck import with_hand
from ..state import (
    EMPTY,
    NO_SEAT,
    NOT_LAID,
    NOWHERE,
    Row,
    State,
    encode_building,
    hand_at_least,
)
from .seen_table import Seen
from .view import (
    LEADER,
    TOP,
    building_label,
    ribbon_label,
    segment_label,
    worker_label,
)


def state_from_view(state: State, view: View) -> State:
    """Return the state as the view shows it; what the view does not show stays as it was."""
    state = _board_layout(state, view)
    seen = Seen(state, view)
    state = replace(state, due=(), gone=_gone(seen), **_board(seen), **_castle(seen), **_honours(seen))
    for seat in range(state.players):
        state = _player(state, view, seat)
    return _kingdom(replace(state, copied=_copied(seen.state, state)), seen)


def _board_layout(state: State, view: View) -> State:
    """Return the state with segments and castle as seen, because all places are named after them."""
    seen, names = Seen(state, view), segment_names(state.box)
    labels = [seen.cell("segments", str(place + 1)) for place in range(len(names))]
    order = tuple(
        next((one for one, name in enumerate(names) if segment_label(name) == label), before)
        for label, before in zip(labels, state.order, strict=True)
    )
    front = seen.cell("keep", "front")
    castle = next((one for one in range(len(names)) if section_word(one) == front), state.castle)
    known = sorted(order) == list(range(len(names)))
    return replace(state, order=order if known else state.order, castle=castle)


def _board(seen: Seen) -> dict[str, Any]:
    state = seen.state
    if NOWHERE in state.order:
        return {}
    spaces = (seen.space(seat) for seat in range(state.players))
    return {
        "offer": tuple(_tops(seen, "townsfolk", state.offer, state.box.townsfolk)),
        "scripts": tuple(_tops(seen, "manuscripts", state.scripts, state.box.manuscripts)),
        "plots": tuple(
            tuple(_standing(seen, segment, plot) for plot in range(len(plots)))
            for segment, plots in enumerate(state.plots)
        ),
        "viscounts": tuple(
            before if space is None else space for space, before in zip(spaces, state.viscounts, strict=True)
        ),
    }


def _gone(seen: Seen) -> tuple[str, ...]:
    """Return the removed cards; what lies under the top one stays as it was."""
    top = seen.cell("gone", "top")
    if top is None:
        return ()
    known = top in all_cards(seen.state.box) and seen.state.gone[-1:] != (top,)
    return (*seen.state.gone, top) if known else seen.state.gone


def _tops(seen: Seen, zone: str, before: tuple[str, ...], known: Any) -> Iterator[str]:
    """Yield the top of each pile. A pile without a top is used up, if all piles had been laid out."""
    nothing_yet = seen.state.phase in ("laying_out", "lots")
    for segment, top in enumerate(before):
        label = seen.top(zone, segment)
        if label is None:
            yield top if nothing_yet else EMPTY
        else:
            yield label if label in known else top


def _copied(before: State, state: State) -> tuple[int, ...]:
    """Return the number of manuscripts taken from each pile: one more if a seat has the one that lay on top."""
    held = {name for mine in state.manuscripts for name in mine}
    piles = zip(before.copied, before.scripts, state.scripts, strict=True)
    return tuple(gone + (was in held and was != top) for gone, was, top in piles)


def _standing(seen: Seen, segment: int, plot: int) -> int:
    label = seen.plot(segment, plot)
    if label == UNKNOWN:
        return seen.state.plots[segment][plot]
    for seat in range(seen.state.players):
        for building in range(len(BUILDINGS)):
            if building_label(seen.state.colour(seat), building) == label:
                return encode_building(seat, building)
    return NO_SEAT


def _castle(seen: Seen) -> dict[str, Any]:
    state = seen.state

    def there(ring: int, section: int, seat: SeatNo) -> int:
        found = seen.workers(ring, section, seat)
        return state.rings[ring - 1][section][seat] if found is None else found

    sections, seats = range(len(state.order)), range(state.players)
    first, second = (
        tuple(tuple(there(ring, section, seat) for seat in seats) for section in sections) for ring in (1, 2)
    )
    found = seen.pieces(TOP)
    top = state.top if found is None else tuple(found[worker_label(state.colour(seat))] for seat in seats)
    return {"rings": (first, second), "top": top}


def _honours(seen: Seen) -> dict[str, Any]:
    """Return the owners of the cards of honour."""
    state = seen.state
    bonus, leader = list(state.bonus), state.leader
    for seat in range(state.players):
        found = seen.pieces(seen.of(seat, "honours"))
        if found is None:
            continue
        for ribbon in range(len(RIBBONS)):
            if found[ribbon_label(ribbon)]:
                bonus[ribbon] = seat
            elif bonus[ribbon] == seat:
                bonus[ribbon] = NO_SEAT
        if found[LEADER]:
            leader = seat
        elif leader == seat:
            leader = NO_SEAT
    return {"bonus": tuple(bonus), "leader": leader}


def _kingdom(state: State, seen: Seen) -> State:
    """Return the state with the piles on poverty and prosperity, by what people have now; if one is used up, the end is
    triggered."""
    before = seen.state
    debts, deeds = _held(state.debts) - _held(before.debts), _held(state.deeds) - _held(before.deeds)
    poverty = _left_on_card(seen.cell("kingdom", "poverty"), "poverty", "debts", before.poverty, debts)
    prosperity = _left_on_card(seen.cell("kingdom", "prosperity"), "prosperity", "deeds", before.prosperity, deeds)
    state = replace(state, poverty=poverty, prosperity=prosperity)
    if NOT_LAID in (before.poverty, before.prosperity):
        return state
    if poverty and prosperity:
        return replace(state, last_round=NOWHERE)
    return state if state.last_round >= 0 else replace(state, last_round=state.round + 1)


def _held(papers: tuple[tuple[int, int], ...]) -> int:
    return sum(map(sum, papers))


def _left_on_card(label: str | None, card: str, pile: str, before: int, taken: int) -> int:
    """Return what lies on a card: nothing if the card itself is seen, else as much as before, less what was taken."""
    if label == card:
        return 0
    if before == NOT_LAID:
        return before
    left = max(0, before - taken) if before else 0
    return max(1, left) if label == pile else left


# What a seat has


def _player(state: State, view: View, seat: SeatNo) -> State:
    seen = Seen(state, view)
    papers = seen.pieces(seen.of(seat, "papers"))
    scripts = seen.pieces(seen.of(seat, "scripts"))
    purses = zip(GOODS, state.goods[seat], strict=True)
    facts: dict[str, Any] = {"built": changed(state.built, seat, _built(seen, seat))}
    facts["goods"] = changed(state.goods, seat, tuple(had + seen.more(good, seat) for good, had in purses))
    if papers is not None:
        facts["debts"] = changed(state.debts, seat, (papers["debt"], papers["paid debt"]))
        facts["deeds"] = changed(state.deeds, seat, (papers["deed"], papers["approved deed"]))
    if scripts is not None:
        mine = tuple(sorted(name for name in scripts.elements() if name in state.box.manuscripts))
        facts["manuscripts"] = changed(state.manuscripts, seat, mine)
    for track in ("corruption", "virtue"):
        field = seen.mark(seen.of(seat, "track"), track)
        if field is not None:
            facts[track] = changed(getattr(state, track), seat, field)
    state = replace(state, **facts)
    return _schemes(state, seen) if seat == state.rival else _cards(state, seen, seat)


def _built(seen: Seen, seat: SeatNo) -> int:
    bits = seen.state.built[seat]
    for building in range(len(BUILDINGS)):
        for slot in range(SLOTS):
            label, bit = seen.slot(seat, building, slot), building * SLOTS + slot
            if label != UNKNOWN:
                bits = bits & ~(1 << bit) | (label is None) << bit
    return bits


def _schemes(state: State, seen: Seen) -> State:
    """Return the state with the opponent's schemes that lie open, which are in no pile any more."""
    rival, known = state.rival, all_schemes(state.box)
    row = [
        had if there == UNKNOWN else there if there in known else EMPTY
        for there, had in zip(seen.row(rival), state.rows[rival], strict=True)
    ]
    discards = [name for name in state.discards[rival] if name not in row]
    top = seen.cell(seen.of(rival, "discards"), "top")
    if top is None:
        discards = []
    elif top in known:
        discards = [*(name for name in discards if name != top), top]
    futures = tuple(name for name in state.futures if name not in (*row, *discards))
    back = set(state.rows[rival]) | set(state.discards[rival]) | set(state.schemes)
    return replace(
        state,
        rows=changed(state.rows, rival, (row[0] or EMPTY, row[1] or EMPTY, row[2] or EMPTY)),
        discards=changed(state.discards, rival, tuple(discards)),
        schemes=tuple(sorted(name for name in back - {EMPTY} if name not in (*row, *discards))),
        futures=futures,
        boxed=tuple(name for name in state.boxed if name not in (*row, *discards)),
        mixed=min(state.mixed, len(futures)),
    )


def _cards(state: State, seen: Seen, seat: SeatNo) -> State:
    """Return the state with the cards of a player board and the top discard; what left them is in hand or pile
    again."""
    known = all_cards(state.box)
    before = state.rows[seat]
    row = [
        had if there == UNKNOWN else there if there in known else EMPTY
        for there, had in zip(seen.row(seat), before, strict=True)
    ]
    pool = [*state.hidden[seat], *filter(None, before)]
    discards = list(state.discards[seat])
    for name in filter(None, row):
        if name in pool:
            pool.remove(name)
        elif name in discards:
            discards.remove(name)
    top = seen.cell(seen.of(seat, "discards"), "top")
    if top is None:
        pool, discards = [*pool, *discards], []
    elif top in known and discards[-1:] != [top]:
        if top in pool:
            pool.remove(top)
        if top in discards:
            discards.remove(top)
        discards.append(top)
    lying: Row = (row[0] or EMPTY, row[1] or EMPTY, row[2] or EMPTY)
    state = replace(
        state,
        rows=changed(state.rows, seat, lying),
        hidden=changed(state.hidden, seat, tuple(sorted(pool))),
        discards=changed(state.discards, seat, tuple(discards)),
    )
    return with_hand(state, seat, hand_at_least(state, seat), state.hands[seat])
