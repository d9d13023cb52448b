"""How a State of The Council of Four looks as a View; how a View is read is in `seen_table`.

Balconies, permits and tokens are places with one piece each; cities, what a seat has and the supply are loose pieces;
gold, nobility and points are tracks. The cards of the last bribe lie open side by side until the next one.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from companion.kernel.game import Blocks
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, View

from ..box import COUNCILS, PERMIT_PLACES, Box, bonus_label, letters
from ..state import NEUTRAL, State, pool, unused_colours

ASSISTANT: Final = "assistant"

BACK: Final = "used"
"""A permit that lies face down in front of a seat."""
KING_FIGURE: Final = "king"


def permit_label(permit: str) -> str:
    return f"permit {permit}"


def card_label(kind: str) -> str:
    return f"card {kind}"


def reward_label(points: int) -> str:
    return f"reward {points}"


@lru_cache(maxsize=4096)
def view(state: State) -> View:
    colours = tuple(seat.colour for seat in state.seats)
    purple, unused = state.map.purple, unused_colours(state.box, state.seats)
    zones: dict[str, Contents] = {
        "tokens": _tokens(state.box, state.tokens, purple, state.phase in ("laying_out", "lots")),
        "permits": _offers(state.offers, state.phase in ("laying_out", "lots")),
        "pool": _pool(state.box, state.councils),
        "bonuses": _bonuses(state.box, state.bonuses),
        "reward": _reward(state.box, len(state.rewards)),
        "bribe": _bribe(state.bribe),
        "supply": _counted(ASSISTANT, state.supply),
        "gold": _marks(colours, state.gold, state.box.tracks.gold),
        "nobility": _marks(colours, state.nobility, state.box.tracks.nobility),
        "points": _marks(colours, state.points, state.box.tracks.points),
    }
    for number, name in enumerate(COUNCILS):
        zones[f"council {name}"] = _council(state.councils[number], state.phase in ("laying_out", "lots"))
    for city, letter in enumerate(letters(state.box)):
        twice = _twice(state, city) if state.twice else 0
        zones[f"city {letter}"] = _city(colours, unused, state.emporiums[city], state.king == city, twice)
    for seat, colour in enumerate(colours):
        zones[f"assistants {colour}"] = _counted(ASSISTANT, state.assistants[seat])
        zones[f"stock {colour}"] = _counted(colour, state.box.emporiums_each - state.standing(seat))
        zones[f"permits {colour}"] = _permits(state.permits[seat], len(state.used[seat]))
        zones[f"honours {colour}"] = _honours(state.box, seat, state.bonuses, state.rewards)
    return View(zones)


ROWS: Final[Blocks] = {f"council {council}": (("1", "2", "3", "4"),) for council in COUNCILS}
"""The councillors of a balcony slide, so all its places are put right together."""

# Each zone is cached: the referee compares many positions, and they share most of their zones.

_cached = lru_cache(maxsize=4096)


@_cached
def _tokens(box: Box, tokens: tuple[str, ...], purple: int, open_: bool) -> Cells:
    missing = UNKNOWN if open_ else None
    return Cells(
        {
            letter: token or (None if city == purple else missing)
            for city, (letter, token) in enumerate(zip(letters(box), tokens, strict=True))
        }
    )


@_cached
def _offers(offers: tuple[str, ...], open_: bool) -> Cells:
    missing = UNKNOWN if open_ else None
    return Cells(
        {
            place: permit_label(permit) if permit else missing
            for place, permit in zip(PERMIT_PLACES, offers, strict=True)
        }
    )


@_cached
def _council(members: tuple[str, ...], open_: bool) -> Cells:
    missing = UNKNOWN if open_ else None
    return Cells({str(place): colour or missing for place, colour in enumerate(members, start=1)})


@_cached
def _pool(box: Box, councils: tuple[tuple[str, ...], ...]) -> Pieces:
    return Pieces(dict(pool(box, councils)))


@_cached
def _bonuses(box: Box, taken: tuple[tuple[str, int], ...]) -> Cells:
    removed = {tile for tile, _ in taken}
    return Cells({tile: None if tile in removed else bonus_label(tile) for tile in box.bonus_tiles})


@_cached
def _reward(box: Box, taken: int) -> Cells:
    points = box.kings_rewards.points
    return Cells({"top": reward_label(points[taken]) if taken < len(points) else None})


@_cached
def _bribe(cards: tuple[str, ...]) -> Pieces:
    return Pieces(dict(Counter(map(card_label, cards))))


@_cached
def _counted(label: str, number: int) -> Pieces:
    return Pieces({label: number})


@_cached
def _marks(colours: tuple[str, ...], fields: tuple[int, ...], last: int) -> Marks:
    return Marks({colour: field % (last + 1) for colour, field in zip(colours, fields, strict=True)})


def _twice(state: State, city: int) -> int:
    """The seats, as bits, that have two emporiums in a city."""
    return sum(1 << seat for seat, where in state.twice if where == city)


@_cached
def _city(colours: tuple[str, ...], unused: tuple[str, ...], bits: int, king: bool, twice: int) -> Pieces:
    standing = {colour: 1 + (twice >> seat & 1) for seat, colour in enumerate(colours) if bits >> seat & 1}
    standing |= {colour: 1 for number, colour in enumerate(unused) if bits & NEUTRAL << number}
    if king:
        standing[KING_FIGURE] = 1
    return Pieces(standing)


@_cached
def _permits(permits: tuple[str, ...], used: int) -> Pieces:
    return Pieces({**{permit_label(permit): 1 for permit in permits}, BACK: used})


@_cached
def _honours(box: Box, seat: int, bonuses: tuple[tuple[str, int], ...], rewards: tuple[int, ...]) -> Pieces:
    mine = {bonus_label(tile): 1 for tile, owner in bonuses if owner == seat}
    points = box.kings_rewards.points
    mine |= {reward_label(points[number]): 1 for number, owner in enumerate(rewards) if owner == seat}
    return Pieces(mine)
