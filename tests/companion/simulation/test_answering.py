"""The answers of the closed loop's people, who know what they did and what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.games.tiletum.moves import Advance, OfferGuest, TakeGuest, UseHelper
from companion.games.tiletum.state import State, guest_stack
from companion.kernel.messages import ZoneReading
from companion.kernel.views import UNKNOWN, Cells, View
from companion.simulation.camera import Moment, Noise, NoisyObserver
from companion.simulation.loop import Evening, Outcome
from companion.simulation.people import Act
from companion.table import Table
from tests.companion.table.evening import TiletumFrom, now
from tests.games.tiletum.table import (
    ARCHITECT,
    GUEST,
    RED,
    acting,
    played,
    with_rooms,
    with_warehouse,
)

CLEAR = Noise(0.0, 0.0)


class Blurred(NoisyObserver):
    """A camera that cannot read one place of one zone."""

    def __init__(self, rng: Random, blurred: Mapping[str, str]) -> None:
        super().__init__(rng, CLEAR)
        self._blurred = blurred

    def _read(self, name: str) -> ZoneReading:
        read = super()._read(name)
        place = self._blurred.get(name, "")
        if not isinstance(read.contents, Cells) or read.contents.at.get(place) is None:
            return read
        return msgspec.structs.replace(read, contents=Cells({**read.contents.at, place: UNKNOWN}))


def people(start: State, folder: Path, blurred: Mapping[str, str] | None = None) -> tuple[Evening, Any, Outcome]:
    """People at a table in the middle of a game, its belief, and the outcome."""
    table = Table.begin(TiletumFrom(start), folder / "evening.journal", start.seats, {}, now)
    outcome = Outcome("tiletum", len(start.seats))
    return Evening(table.game, table, Blurred(Random(1), blurred or {}), start, outcome, "test"), table, outcome


def lies(view: View) -> tuple[Moment, ...]:
    return (Moment(view),)


def two_houses_of_guests() -> State:
    """Red may use a helper for one of two buildings, which look the same."""
    start = with_warehouse(acting(ARCHITECT, 2, leave_tile=True), RED, "again")
    return with_rooms(with_rooms(start, RED, 0, "banker contract2"), RED, 1, "captain merchantstep2")


def test_whoever_is_asked_says_what_they_did(tmp_path: Path) -> None:
    start = two_houses_of_guests()
    evening, table, outcome = people(start, tmp_path)
    used = played(start, move := UseHelper(RED, "again", 1))
    evening.live(Act("moves", (move,), lies(table.game.view(used)), used))
    assert table.state == used
    assert (outcome.asked, outcome.explained_right, outcome.explained_wrong) == (1, 1, 0)


def test_whoever_did_none_of_what_they_are_asked_about_says_so_and_it_counts_as_missed(tmp_path: Path) -> None:
    start = two_houses_of_guests()
    evening, table, outcome = people(start, tmp_path)
    looks_like = table.game.view(played(start, UseHelper(RED, "again", 1)))
    evening.live(
        Act("wrong", (Advance(RED, 1),), lies(looks_like), start, frozenset({"points.spend"}), mistake="a step")
    )
    assert table.state == start
    assert (outcome.asked, outcome.explained_wrong, outcome.illegal_caught) == (1, 0, 0)
    assert outcome.missed == {"a step": 1}


def test_whoever_is_told_that_something_cannot_be_made_out_says_what_lies_there(tmp_path: Path) -> None:
    start = acting(GUEST, 3)
    place = next(place for place, guest in enumerate(start.guests) if guest)
    evening, table, outcome = people(start, tmp_path, {"guests": str(place + 1)})
    take, offer = TakeGuest(RED, place), OfferGuest(place, min(guest_stack(start)))
    taken, there = played(start, take), played(start, take, offer)
    evening.live(Act("moves", (take,), lies(table.game.view(taken)), taken))
    assert table.state == taken
    hands = ((), ("crown",), (), ("crown",))  # the camera looks whenever a hand comes or goes
    moments = tuple(Moment(table.game.view(there), covered, seconds=6.0) for covered in hands)
    evening.live(Act("moves", (offer,), moments, there))
    assert outcome.hints == 1
    assert table.state == there
    assert (outcome.explained_right, outcome.explained_wrong) == (2, 0)
