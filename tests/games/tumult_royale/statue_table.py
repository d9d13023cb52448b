"""Situations for the second half of a round: a sculptor at work, cards to swap, a king to crown.

With four players the open boards show, unless a test says otherwise:

          D         E         F         G         H         I
    1   meadow    forest    meadow    forest    meadow    village
    2   village   meadow    mountain  meadow    castle    forest
    3   meadow    forest    meadow    mountain  meadow    meadow
    4   meadow    meadow    forest    mountain  forest    meadow
    5   mountain  village   meadow    meadow    meadow    village
    6   forest    meadow    meadow    castle    meadow    forest
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.tumult_royale.moves import Place
from companion.games.tumult_royale.rulebook.phase5_ranks import begin_ranks
from companion.games.tumult_royale.state import State
from companion.kernel.rules import RuleLog

from .table import BLUE, BOX, YELLOW, field, placing, table


def sculptor(tiles: str, on: str = "H3", facts: dict[str, Any] | None = None, **options: Any) -> State:
    """Blue, the king, is about to place with these tiles; his first statue stands on H3. The others have no tiles."""
    return placing(table(first={BLUE: on}, **options), {BLUE: tiles.split()}, **(facts or {}))


def put(state: State, where: str, tiles: str, statues: int = 1, followers: int = 0, seat: int = BLUE) -> Place:
    """Statues go on a field named as on the map, tiles are paid, followers taken."""
    return Place(seat, field(state, where), tuple(tiles.split()), statues, followers)


def with_followers(state: State, *followers: int) -> State:
    """Each seat has this many followers, the supply has the others."""
    return replace(state, followers=followers, supply=BOX.followers.total - sum(followers))


def counting(ranks: Sequence[int], followers: Sequence[int], **options: Any) -> State:
    """All statues are placed; the followers of each seat decide who holds which nobility card."""
    state = with_followers(table(len(ranks), ranks, **options), *followers)
    return begin_ranks(state, RuleLog())


def coronation(
    number: int,
    players: int = 4,
    ranks: Sequence[int] | None = None,
    first: Mapping[int, str] | None = None,
    **facts: Any,
) -> State:
    """Round `number` has come to the coronation; all rounds before crowned yellow."""
    before = {
        "chronicle": (YELLOW,) * (number - 1),
        "chronicle_statues": (1, 1, 1, 1, 1, 2, 2, 2, 2)[: number - 1],
    }
    return replace(table(players, ranks, first), phase="coronation", round=number, **{**before, **facts})
