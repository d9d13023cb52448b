"""A question on the phone: the possible moves, and that it was none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.daemon import journal_folder
from companion.games.tiletum.moves import Swap
from companion.games.tiletum.rulebook.actions import points_left
from companion.kernel.messages import ZoneReading
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing
from tests.companion.table.evening import KINDS

from .conftest import Evening

Begin = Callable[..., Evening]


def see(table: Evening, state: Any) -> None:
    zones = table.home.game.view(state).zones
    table.home.look({name: ZoneReading(KINDS[type(seen)], seen) for name, seen in zones.items()})


def two_swaps(moves: Iterable[Any]) -> tuple[Any, Any] | None:
    """Two swaps that have nothing to do with each other."""
    pairs = combinations([one for one in moves if isinstance(one, Swap)], 2)
    return next((pair for pair in pairs if len({good for one in pair for good in (one.gives, *one.gets)}) == 4), None)


@pytest.fixture
def asked(evening: Begin) -> Evening:
    """After a swap it looks as if that was taken back for another swap, or as if two more were made."""
    table = evening(wanted=journal_folder.Begin("tiletum", (Seat("red"), Seat("green"))))
    game = table.home.game
    state, world = open_table(game, 2, "keen", "swaps 6", {})
    two = None
    for before, move, _ in playing(game, state, world):
        if before.swapped and points_left(before) > 2 and (two := two_swaps(game.moves(before))):
            break
        table.home.tell(move)
    assert two is not None, "in this game nobody comes to swap"
    swap, other = two
    table.home.tell(swap)
    see(table, table.home.state)
    see(table, game.play(before, other))
    return table


@pytest.mark.parametrize(("language", "none"), [("de", "Nichts davon"), ("en", "None of these")])
def test_none_of_these_is_an_answer_and_people_say_what_it_was(asked: Evening, language: str, none: str) -> None:
    page = asked.phone("seat", asked.home.state.turn, language)
    expect(page.locator("dialog.problem .choice")).to_have_count(2)
    state = asked.home.state
    page.get_by_role("button", name=none).click()
    expect(page.locator(".alternatives .button").first).to_be_visible()
    assert asked.home.backend.snapshot().table["trouble"] is None
    assert asked.home.state == state
