"""The legal moves that could explain what lies on the table, and those that may be half done.

Where the order of acts does not matter (what chance lays out), only the first is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from companion.kernel.rules import RuleLog
from companion.kernel.views import UNKNOWN, View, changed_zones

from .. import moves
from ..box import RESOURCES
from ..components import card_word, section_word, segment_names
from ..moves import Move
from ..rulebook.phases import carry_out, legal_moves
from ..rulebook.setup import start_space
from ..state import EMPTY, NOWHERE, UNSEEN, State, segment_with
from .seen_table import Seen
from .view import building_label, segment_label
from .view import view as should_be


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    if state.phase in ("laying_out", "lots"):
        yield from next(([move] for move in _lots(seen)), [])
        return
    if UNSEEN in state.offer or UNSEEN in state.scripts:
        yield from next(([move] for move in _turned_up(seen)), [])
        return
    yield from legal_candidates(seen)


def legal_candidates(seen: Seen) -> Iterator[Any]:
    """Return the legal moves that may have left something to see, and those that leave no trace."""
    return (move for move in legal_moves(seen.state) if MAY_BE_SEEN[type(move)](seen, move))


# What chance lays out


def _lots(seen: Seen) -> Iterator[Move]:
    state = seen.state
    if state.phase == "laying_out":
        yield moves.LayOut()
        return
    names = segment_names(state.box)
    for place, there in enumerate(state.order):
        label = seen.cell("segments", str(place + 1)) if there == NOWHERE else None
        yield from (moves.PutSegment(place, one) for one, name in enumerate(names) if segment_label(name) == label)
    if state.castle == NOWHERE:
        label = seen.cell("keep", "front")
        yield from (moves.TurnCastle(one) for one in range(len(names)) if section_word(one) == label)
    if NOWHERE not in state.order:
        yield from _turned_up(seen)
    for place, number in enumerate(state.cards):
        label = seen.cell("cards", str(place + 1)) if number == NOWHERE else None
        yield from (moves.OfferCard(place, int(one)) for one in state.box.player_cards if card_word(int(one)) == label)
    for place, hero in enumerate(state.heroes):
        label = seen.cell("heroes", str(place + 1)) if not hero else None
        if label in state.box.heroes:
            yield moves.OfferHero(place, label)


def _turned_up(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for segment, top in enumerate(state.offer):
        label = seen.top("townsfolk", segment) if top == UNSEEN else UNKNOWN
        if label is None:
            yield moves.ShowPrinted(segment)
        elif label in state.box.townsfolk:
            yield moves.TurnUp(segment, label)
    for segment, top in enumerate(state.scripts):
        label = seen.top("manuscripts", segment) if top == UNSEEN else None
        if label in state.box.manuscripts:
            yield moves.TurnUpManuscript(segment, label)


# What the table may show of a move


def _always(_seen: Seen, _move: Any) -> bool:
    return True


def _pair(seen: Seen, move: moves.TakePair) -> bool:
    return seen.space(move.seat) in (None, start_space(seen.state.cards[move.place]))


def _slid(seen: Seen, move: moves.Slide) -> bool:
    return seen.touched(seen.of(move.seat, "row"))


def _played(seen: Seen, move: moves.PlayCard) -> bool:
    row = seen.row(move.seat)
    return move.card in row or UNKNOWN in row


def _travelled(seen: Seen, move: moves.Travel) -> bool:
    return seen.space(move.seat) in (None, move.space)


def _pile_gone(seen: Seen, segment: int) -> bool:
    top = seen.top("townsfolk", segment)
    return top == UNKNOWN or (top or EMPTY) != seen.state.offer[segment]


def _dismissed(seen: Seen, move: moves.Dismiss) -> bool:
    segment = segment_with(seen.state, move.seat)
    return not seen.state.offer[segment] or _pile_gone(seen, segment)


def _out_of_the_game(seen: Seen, name: str) -> bool:
    """Whether a card lies on the removed ones, or may lie under others there."""
    top = seen.cell("gone", "top")
    return top in (UNKNOWN, name) or seen.state.gone[-1:] != (top,)


def _traded(seen: Seen, move: moves.Trade) -> bool:
    """Whether a trade may have left something to see.

    A trade that is paid with symbols and brings only something to do leaves no trace; abilities may show anywhere. An
    action without any exchange shows only by its abilities.
    """
    zones = ("goods", "silver", "papers", "discards")
    if any(seen.touched(seen.of(move.seat, zone)) for zone in zones):
        return True
    shows = changed_zones(should_be(seen.state), should_be(carry_out(seen.state, move, RuleLog())))
    return any(map(seen.touched, shows)) or (not shows and move.times > 0)


def _built(seen: Seen, move: moves.Build) -> bool:
    label = building_label(seen.state.colour(move.seat), move.building)
    place = seen.slot(move.seat, move.building, move.slot)
    return seen.plot(move.segment, move.plot) in (UNKNOWN, label) and place in (UNKNOWN, None)


def _copied(seen: Seen, move: moves.Copy) -> bool:
    top = seen.state.scripts[move.segment]
    return not top or seen.top("manuscripts", move.segment) != top


def _hired(seen: Seen, move: moves.Hire) -> bool:
    return _pile_gone(seen, move.segment)


def _flipped(seen: Seen, move: moves.Flip) -> bool:
    state = seen.state
    paid = state.debts[move.seat][1] if move.paper == "debt" else state.deeds[move.seat][1]
    there = seen.papers(move.seat, "paid debt" if move.paper == "debt" else "approved deed")
    return there is None or there > paid


def _rearranged(seen: Seen, move: moves.Rearrange) -> bool:
    """Whether the cards lie so now, or lay so before they slid, or before one was played."""
    row = seen.row(move.seat)
    slid = (row[0], *(card_ or None for card_ in move.row[:2]))
    filled = (move.row[0] or row[0], *move.row[1:])
    return any(
        all(there in (UNKNOWN, card_ or None) for there, card_ in zip(row, order, strict=True))
        for order in (filled, slid)
    )


def _may_show_source(state: State, move: moves.Discard | moves.Destroy) -> bool:
    """Whether this source is the one to propose: a camera cannot tell sources apart, except that shuffled discards
    show."""
    if move.card in state.discards[move.seat]:
        return True
    return move.source == ("hand" if state.hands[move.seat] else "pile")


def _discarded(seen: Seen, move: moves.Discard) -> bool:
    top = seen.cell(seen.of(move.seat, "discards"), "top")
    return _may_show_source(seen.state, move) and top in (UNKNOWN, move.card)


def _destroyed(seen: Seen, move: moves.Destroy) -> bool:
    return _may_show_source(seen.state, move) and _out_of_the_game(seen, move.card)


def _shifted(seen: Seen, move: moves.Shift) -> bool:
    """Whether one of the two sections changed: in the other, a worker may have come back when it climbed."""
    return any(
        seen.workers(1, section, move.seat) != seen.state.rings[0][section][move.seat]
        for section in (move.section, move.to)
    )


def _took(seen: Seen, move: moves.TakeGood) -> bool:
    """Whether this resource may have been taken; if none is gained it may have been paid since."""
    gained = [good for good in RESOURCES if seen.more(good, move.seat) > 0]
    return not gained or move.good in gained


def _schemed(seen: Seen, move: moves.TurnScheme) -> bool:
    return seen.row(seen.state.rival)[0] in (UNKNOWN, move.scheme)


def _added(seen: Seen, move: moves.AddScheme) -> bool:
    return seen.cell(seen.of(seen.state.rival, "discards"), "top") in (UNKNOWN, move.scheme)


MAY_BE_SEEN: Final[Mapping[type[Any], Callable[[Seen, Any], bool]]] = {
    moves.TakePair: _pair,
    moves.TurnScheme: _schemed,
    moves.AddScheme: _added,
    moves.Slide: _slid,
    moves.PlayCard: _played,
    moves.Travel: _travelled,
    moves.Dismiss: _dismissed,
    moves.Trade: _traded,
    moves.Build: _built,
    moves.Employ: _always,
    moves.Copy: _copied,
    moves.Skip: _always,
    moves.Hire: _hired,
    moves.Collide: _always,
    moves.DrawUp: _always,
    moves.TakeGood: _took,
    moves.Flip: _flipped,
    moves.Rearrange: _rearranged,
    moves.Discard: _discarded,
    moves.Destroy: _destroyed,
    moves.Shift: _shifted,
    moves.Climb: _always,
    moves.Push: _always,
    moves.Choose: _always,
    moves.Decline: _always,
}


# What may be half done

ON_A_PLAYER_BOARD: Final = (moves.TakeGood, moves.Trade, moves.Flip, moves.Choose)
"""Moves that change only player boards."""
ON_A_PILE: Final = (moves.Discard, moves.Destroy)
"""Moves of a card that leave no trace if the same card is already on top: a discard drawn from the reshuffled pile, or
the same card removed by another seat."""


def may_be_partial(state: State, move: Move) -> bool:
    """Whether another move would change the same zones in the same way, and others besides.

    Its reward may lie there before its piece does. Markers that are back at their ends show that a collision is over,
    not whether what it offers was declined.
    """
    if isinstance(move, moves.Rearrange):
        return _slid_instead(state, move)
    if not isinstance(move, (*ON_A_PLAYER_BOARD, *ON_A_PILE, moves.Decline)):
        return False
    done = should_be(carry_out(state, move, RuleLog()))
    changed = changed_zones(should_be(state), done)
    if isinstance(move, moves.Decline) and not changed:
        return False
    for other in legal_moves(state):
        if isinstance(move, ON_A_PILE) or type(other) is not type(move):
            then = should_be(carry_out(state, other, RuleLog()))
            if then != done and all(then.zones[zone] == done.zones[zone] for zone in changed):
                return True
    return False


def _slid_instead(state: State, move: moves.Rearrange) -> bool:
    """Whether the cards would lie in the same way if nothing was rearranged and they had slid for the next turn."""
    alone, slide = moves.Decline(move.seat), moves.Slide(move.seat)
    if alone not in legal_moves(state):
        return False
    left = carry_out(state, alone, RuleLog())
    return slide in legal_moves(left) and should_be(carry_out(left, slide, RuleLog())) == should_be(
        carry_out(state, move, RuleLog())
    )
