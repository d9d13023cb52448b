"""A whole evening of Tumult Royale without a camera, played as the by-hand page leads: every tap is counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Ready, Spin, StartRaid
from companion.kernel.rules import seat_of
from companion.kernel.views import Pieces
from companion.simulation.selfplay import open_table
from companion.text.move_menu import ByHand, of_seat

from .evening import Evening

MOST = 15
"""Taps of a player in a round, on average."""
SEND = 1


class Taps:
    """An evening whose moves are told as the page offers them, with the taps of each seat in each round."""

    def __init__(self, folder: Path, players: int) -> None:
        state, self.world = open_table(GAME, players, "keen", f"taps {players}", {"oldest": 0})
        self.evening = Evening.begin(GAME, folder, state.seats)
        self.random = Random(players)
        self.hand = ByHand(GAME, state.seats)
        self.players = players
        self.taps: Counter[tuple[int, int]] = Counter()

    @property
    def state(self) -> Any:
        return self.evening.state

    def play(self) -> None:
        while GAME.actor(self.state) is not None:
            before = self.state
            if self.state.phase == "raid":
                self.raid()
            elif self.state.phase == "boards":
                self.board()
            elif GAME.only_move(self.state) is not None:
                self.next_moves()
            else:
                self.menu()
            assert self.state != before, before.phase

    def count(self, state: Any, seat: int, taps: int) -> None:
        self.taps[state.round, seat] += taps

    def happens(self, phases: tuple[str, ...]) -> Any:
        """What people and chance do without a phone while the game is in these phases; the position after it."""
        state = self.state
        while state.phase in phases:
            move = self.world.next_move(state, tuple(GAME.moves(state)))
            after = GAME.play(state, move)
            self.world.follow(state, move)
            state = after
        return state

    def raid(self) -> None:
        """Each player counts the own tiles with a tap each, the king the middle as well; the form opens by itself."""
        start, after = self.state, self.happens(("raid", "stopped", "turning_up"))
        self.evening.timer("raid stopped")
        asked = GAME.entry(self.state)
        assert asked is not None
        for seat in range(self.players):
            mine = [zone.zone for zone in asked.zones if seat in (zone.seat, zone.by)]
            zones = {zone: self.counted(after, zone) for zone in mine}
            self.evening.asks("enter", seat, zones=zones)
            self.count(start, seat, sum(sum(counts.values()) for counts in zones.values()) + SEND)
        assert self.state == after

    def counted(self, state: Any, zone: str) -> dict[str, int]:
        contents = GAME.view(state).zones[zone]
        assert isinstance(contents, Pieces)
        return dict(contents.count)

    def board(self) -> None:
        """The king fills in the fields of a board, one after the other."""
        before, asked = self.state, GAME.entry(self.state)
        assert asked is not None
        place = before.boards.index("?")
        cells = dict(
            zip(map(before.field_name, before.place_fields(place)), self.world.faces(before, place), strict=True)
        )
        self.evening.asks("enter", before.king, zones={"land": cells})
        self.count(before, before.king, len(cells) + SEND)
        assert self.state.boards[place] != "?"

    def next_moves(self) -> None:
        """One tap for all that comes next without a choice, by the king, or before there is one by the first seat."""
        before, steps = self.state, self.hand.next_moves(self.state)
        seat = before.king if before.round else 0
        self.evening.asks("moves", seat, moves=[step["move"] for step in steps])
        for step in steps:
            self.world.follow(before, msgspec.convert(step["move"], GAME.move_type))
        self.count(before, seat, 1)

    def menu(self) -> None:
        """Readiness and the start have buttons of their own; all else is chosen answer by answer and sent."""
        before = self.state
        spins = [move for move in GAME.moves(before) if isinstance(move, Spin)]
        move = self.random.choice(spins) if spins else self.world.next_move(before, tuple(GAME.moves(before)))
        seat = seat_of(move, self.players)
        assert seat is not None
        taps = 1 if isinstance(move, Ready | StartRaid) else self.answers(before, move, seat)
        self.evening.tells(move, seat)
        self.world.follow(before, move)
        self.count(before, seat, taps)

    def answers(self, before: Any, move: Any, seat: int) -> int:
        """The answers that lead to a move, and the button that sends it; a move without a choice is a button itself."""
        legal, chosen = of_seat(GAME.moves(before), seat, self.players), list[str]()
        told = msgspec.to_builtins(move)
        while (asked := self.hand.choices(before, legal, chosen))["move"] is None:
            if any(other["move"] == told for other in asked["others"]):
                return 1
            ids = (option["id"] for option in asked["options"])
            chosen.append(next(one for one in ids if self.leads_to(told, before, legal, [*chosen, one])))
        assert asked["move"] == told
        return len(chosen) + SEND

    def leads_to(self, told: Any, before: Any, legal: list[Any], chosen: list[str]) -> bool:
        asked = self.hand.choices(before, legal, chosen)
        ids = (option["id"] for option in asked["options"])
        return asked["move"] == told or any(self.leads_to(told, before, legal, [*chosen, one]) for one in ids)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_without_a_camera_takes_few_taps(players: int, tmp_path: Path) -> None:
    table = Taps(tmp_path, players)
    table.play()
    rounds = {number for number, _ in table.taps if number}
    total = sum(taps for (number, _), taps in table.taps.items() if number)
    average = total / len(rounds) / players
    most = max(table.taps.values())
    print(f"{players} players, {len(rounds)} rounds: {average:.1f} taps a player and round, one player at most {most}")
    assert len(rounds) >= 5
    assert average <= MOST
