"""What nobody may do: acts out of turn, in the wrong place, or with goods and markers that are not as they should be.

A forbidden act has to explain all that lies otherwise than it should, so only such are named that touch all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.messages import View
from companion.kernel.rules import SeatNo

from .. import moves
from ..box import GOLD, GOODS
from ..components import city_names
from ..moves import EXACT, Move, Off
from ..rulebook.fairs import fair_points, takes_part
from ..rulebook.figures import FIGURES, check_take_from_city
from ..state import State
from .acting import acts
from .candidates import offered
from .pretending import intended
from .seeing import Seen
from .touching import zones, zones_if_off

POINTS: Final = EXACT.index(0, len(GOODS))
"""Where `off` counts points."""
MOST_CHANGED: Final = 8
"""No act changes more zones than this."""


def missteps(state: State, view: View) -> Iterator[Move]:
    seen = Seen(state, view)
    if state.phase == "turn" and len(seen.changed) <= MOST_CHANGED:
        yield from dict.fromkeys(_missteps(seen))
    if state.phase in ("king", "fair") and seen.changed == {"points"}:
        yield from _miscounted(seen)


def _miscounted(seen: Seen) -> Iterator[Move]:
    """Points of the king's track or of the fair that are not as they should be. Whoever counts both at once, before the
    order is set, has counted nothing wrong."""
    state = seen.state
    after = intended(state, moves.ScoreCrown() if state.phase == "king" else moves.HoldFair())
    assert after is not None
    astray = tuple(seen.off(after, seat)[POINTS] for seat in range(state.players))
    if state.phase == "fair":
        yield moves.HoldFair(astray)
        return
    fair = [
        fair_points(after, seat, state.fairs[state.round]) if takes_part(after, seat) else 0
        for seat in range(state.players)
    ]
    if any(by not in (0, more) for by, more in zip(astray, fair, strict=True)):
        yield moves.ScoreCrown(astray)


def _missteps(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from offered(seen)
    for seat in range(state.players):
        if seat == state.turn or seen.anything_of(seat):
            for move in (*acts(seen, seat), *_otherwise(seen, seat)):
                if seen.changed <= zones(state, move) and not _for_itself(move):
                    yield move
                yield from _off(seen, move)


def _for_itself(move: Move) -> bool:
    """A good that somebody gave to get it back, and another with it: where that is not allowed, it was just taken."""
    return isinstance(move, moves.Swap) and move.gives in move.gets


def _otherwise(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Acts that only somebody would do who does not know the rules."""
    state, names = seen.state, city_names(seen.state.box)
    for city in state.map.tiles if "city_tiles" in seen.changed else ():
        if seen.gone("city_tiles", names[city], state.city_tiles[city]):
            both = [moves.TakeFromCity(seat, city, figure) for figure in FIGURES]
            yield min(both, key=lambda move: len(tuple(check_take_from_city(state, move))))
    more = [good for good in GOODS if seen.more(good, seat) > 0]
    yield from (moves.BuyGood(seat, good) for good in more if good != GOODS[GOLD])
    yield from (moves.TakeGood(seat, good) for good in more)
    steps = seen.more("steps", seat)
    if steps:
        yield moves.Advance(seat, steps)


def _off(seen: Seen, move: Any) -> Iterator[Move]:
    """The same move with goods and markers that are not as they should be."""
    if not hasattr(move, "off") or not seen.changed <= zones_if_off(seen.state, move):
        return
    after = intended(seen.state, move)
    off = EXACT if after is None else seen.off(after, move.seat)
    if off != EXACT and not _for_nothing(seen.state, move, off):
        yield replace(move, off=off)


def _for_nothing(state: State, move: Move, off: Off) -> bool:
    """Whether nothing at all was paid for a good: then it was not bought or swapped but taken."""
    match move:
        case moves.BuyGood():
            return off[GOLD] >= state.box.prices.gold
        case moves.Swap():
            return _for_itself(move) or off[GOODS.index(move.gives)] > 0
        case _:
            return False
