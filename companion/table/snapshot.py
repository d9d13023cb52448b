"""The full status for a phone that connects: how the table should look, which seat acts, the last moves."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.kernel.game import Game, new_pieces
from companion.kernel.messages import Body
from companion.kernel.rules import Seat
from companion.kernel.views import Cells, changed_places
from companion.table.actions import TableActions
from companion.table.ledger import Point

LAST_MOVES: Final = 5
"""Number of last moves in a snapshot."""


class Snapshots:
    """Makes the snapshots of one table, one after every message, and caches the sentences in them."""

    def __init__(self) -> None:
        self._told: dict[int, Body] = {}
        """The last moves in words, by their events."""
        self._seats: tuple[Seat, ...] = ()
        """The seats with the names in these words."""

    def take(self, table: TableActions[Any, Any], number: int, countdown: Body) -> Body:
        state = table.state
        score = table.game.score(state)
        return {
            "number": number,
            "game": table.game.name,
            "journal": table.journal.id,
            "title": msgspec.structs.asdict(table.game.catalogue.title),
            "seats": [{"colour": seat.colour, "name": seat.name} for seat in table.seats],
            "phase": table.tell.phase(state),
            "progress": table.tell.progress(state),
            "expects": table.expects(),
            "view": msgspec.to_builtins(table.game.view(state).zones),
            "last": self._last_moves(table),
            "changed": _changed(table),
            "rush": countdown,
            "haul": _haul(table),
            "trouble": table.trouble,
            "comparing": table.comparing,
            "ignored": sorted(table.ledger.ignored),
            "entered": sorted(table.entered),
            "watched": table.observations.latest is not None,
            "events": table.journal.last_number,
            "can_join": table.game.setting_up(state),
            "can_undo": table.ledger.can_undo,
            "can_redo": table.ledger.can_redo,
            "over": table.over,
            "totals": [seat.total for seat in score.seats],
            "winners": list(score.winners),
            "links": _links(table),
            "rings": _rings(table),
            # The drawing of the table and the camera need the pieces that were described.
            "learned": [msgspec.to_builtins(piece) for piece in new_pieces(table.game, state)],
        }

    def _last_moves(self, table: TableActions[Any, Any]) -> list[Body]:
        """The last moves, newest first. Moves by other rules are only in the history."""
        points: list[Point[Any]] = []
        point: Point[Any] | None = table.ledger.now
        while point is not None and not point.carried and len(points) < LAST_MOVES:
            if point.move is not None:
                points.append(point)
            point = point.parent
        if table.seats != self._seats:
            self._told, self._seats = {}, table.seats
        self._told = {
            point.n: self._told.get(point.n) or {**table.tell.move(point), "places": places_changed(table.game, point)}
            for point in points
        }
        return list(self._told.values())


def _links(table: TableActions[Any, Any]) -> list[Body]:
    guide = table.game.guide
    return [] if guide is None else [msgspec.to_builtins(link) for link in guide.links(table.state)]


def _haul(table: TableActions[Any, Any]) -> Body | None:
    haul = table.game.haul(table.state)
    if haul is None:
        return None
    goods = [{**msgspec.to_builtins(one), "says": table.tell.speakers.word(one.good)} for one in haul.goods]
    return {**msgspec.to_builtins(haul), "goods": goods}


def _rings(table: TableActions[Any, Any]) -> list[Body]:
    guide, speakers = table.game.guide, table.tell.speakers
    rings = () if guide is None else guide.rings(table.state)

    return [
        {
            "zone": ring.zone,
            "sections": [{**msgspec.to_builtins(one), "says": speakers.word(one.word)} for one in ring.sections],
            "legend": {label: speakers.word(word) for label, word in ring.legend.items()},
        }
        for ring in rings
    ]


def _changed(table: TableActions[Any, Any]) -> dict[str, list[str]]:
    """The zones that the last move changed, with the changed cells and markers."""
    now = table.ledger.now
    return {} if now.parent is None or now.carried else places_changed(table.game, now)


def places_changed(game: Game[Any, Any], point: Point[Any]) -> dict[str, list[str]]:
    """The zones that differ before and after a point, with their cells and markers."""
    assert point.parent is not None
    found: dict[str, list[str]] = {}
    view = game.view
    after = view(point.state)
    for zone, cell in sorted(changed_places(view(point.parent.state), after)):
        found.setdefault(zone, []).extend([cell] if isinstance(after.zones[zone], Cells) else [])
    return found
