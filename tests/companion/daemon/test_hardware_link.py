"""Lights, buzzer and raid timer react to the table's Updates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.daemon.game_thread import GameThread
from companion.daemon.hardware_link import HardwareFollower
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import JournalFolder
from companion.games.tumult_royale.simulation import world as tumult_world
from companion.kernel.events import EventBus
from companion.kernel.messages import Tick
from companion.kernel.simulation import World
from hardware.mock import Desk

from .tiny import GAME, TWO, TinyTable, command, echo, now, some_move, soon


class Table:
    """A desk, and a game thread that gets its messages from the test."""

    def __init__(self, home: Path) -> None:
        self.inbox = Inbox()
        self.desk = Desk(self.inbox.put)
        self.hardware = self.desk.hardware
        self.sounds: list[str] = []
        self.hardware.sound = self.sounds.append  # type: ignore[method-assign]
        self.world: World | None = None
        self.game_thread = GameThread(
            self.inbox, EventBus(), JournalFolder(home, TinyTable, now), [HardwareFollower(self.hardware)]
        )

    @property
    def table(self) -> TinyTable:
        assert self.game_thread.opened is not None
        table = self.game_thread.opened.table
        assert isinstance(table, TinyTable)
        return table

    def glows(self) -> dict[str, str]:
        return {colour: light.glow for colour, light in self.hardware.lights.items() if light.glow != "off"}

    def phase(self) -> str | None:
        raid = self.hardware.timer.raid
        return raid.phase if raid is not None else None


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.desk.close()


def play_until(at: Table, holds: Callable[[], bool]) -> None:
    """Let bots play, each move told by hand, until a condition holds."""
    world = at.world = at.world or tumult_world.world(at.table.state, "random", Random(1))
    for _ in range(500):
        if holds():
            return
        before = at.table.state
        move = world.next_move(before, tuple(GAME.moves(before)))
        at.game_thread.take(command("move", move=msgspec.to_builtins(move)))
        world.follow(before, move)
    raise AssertionError("it never came to this")


def test_the_light_of_the_seat_whose_turn_it_is_burns(at: Table) -> None:
    at.game_thread.begin(TWO)
    assert "your_turn" not in at.sounds
    play_until(at, lambda: GAME.actor(at.table.state) == 1)
    assert at.glows() == {"yellow": "on"}
    assert at.sounds[-1] == "your_turn"
    play_until(at, lambda: GAME.actor(at.table.state) == 0)
    assert at.glows() == {"blue": "on"}


def test_whose_turn_it_is_is_shown_when_a_game_is_gone_on_with(at: Table, tmp_path: Path) -> None:
    at.game_thread.begin(TWO)
    play_until(at, lambda: GAME.actor(at.table.state) == 1)
    at.table.close()
    again = Table(tmp_path)
    again.game_thread.reopen()
    assert again.glows() == {"yellow": "on"}
    assert again.sounds == []
    again.desk.close()


def test_a_verdict_sounds_and_blinks_until_it_is_settled(at: Table) -> None:
    at.game_thread.begin(TWO)
    play_until(at, lambda: GAME.actor(at.table.state) == 0)
    at.game_thread.take(echo("verdict", seat=1))
    assert at.sounds[-1] == "breach"
    assert at.glows()["yellow"] == "blink"
    at.game_thread.take(Tick(1.0))
    assert at.glows()["yellow"] == "blink"
    at.game_thread.take(echo("settled"))
    assert at.glows() == {"blue": "on"}


def test_a_verdict_about_nobody_in_particular_blinks_for_all(at: Table) -> None:
    at.game_thread.begin(TWO)
    at.game_thread.take(echo("verdict"))
    assert at.glows() == {"blue": "blink", "yellow": "blink"}


def test_a_countdown_that_is_due_gathers_once_and_is_called_off_when_it_is_over(at: Table) -> None:
    at.game_thread.begin(TWO)
    due = echo("rush", leader=1, seconds=20.0, running=False)
    at.game_thread.take(due)
    raid = at.hardware.timer.raid
    assert raid is not None
    assert (raid.king, raid.seconds, raid.phase) == (1, 20.0, "gathering")
    assert at.glows() == {"blue": "pulse", "yellow": "pulse"}
    at.hardware.timer.ready(0)
    assert soon(lambda: at.glows().get("blue") == "on")
    at.game_thread.take(due)
    at.game_thread.take(Tick(1.0))
    assert at.hardware.timer.raid is raid, "whoever is ready must not have to press again"
    assert at.glows()["blue"] == "on"
    at.game_thread.take(echo("rush", over=True))
    assert raid.phase == "off"


def test_a_countdown_that_runs_keeps_its_timer(at: Table) -> None:
    at.game_thread.begin(TWO)
    at.game_thread.take(echo("rush", leader=0, seconds=20.0, running=False))
    raid = at.hardware.timer.raid
    for seat in (0, 1):
        at.hardware.timer.ready(seat)
    at.hardware.timer.start(0)
    assert at.phase() == "running"
    at.game_thread.take(echo("rush", leader=0, seconds=20.0, running=True))
    assert at.hardware.timer.raid is raid
    assert at.phase() == "running"


def test_after_a_raid_the_lights_show_whose_turn_it_is_again(at: Table) -> None:
    at.game_thread.begin(TWO)
    play_until(at, lambda: GAME.actor(at.table.state) == 0)
    at.game_thread.take(echo("rush", leader=0, seconds=20.0))
    at.game_thread.take(echo("rush", over=True))

    def lit() -> bool:
        at.game_thread.take(Tick(1.0))
        return at.glows() == {"blue": "on"}

    while (signal := at.inbox.take(10)) is not None and "called_off" not in getattr(signal, "source", ""):
        pass
    assert soon(lit)


def test_a_raid_that_a_restart_cut_short_gets_its_time_again(at: Table, tmp_path: Path) -> None:
    at.game_thread.begin(TWO)

    def runs() -> bool:
        countdown = GAME.countdown(at.table.state)
        return countdown is not None and countdown.running

    play_until(at, runs)
    at.table.close()
    again = Table(tmp_path)
    again.game_thread.reopen()
    assert again.phase() == "gathering"
    again.desk.close()


def test_another_game_calls_off_the_raid_of_the_one_before(at: Table) -> None:
    at.game_thread.begin(TWO)
    at.game_thread.take(echo("rush", leader=0, seconds=20.0))
    raid = at.hardware.timer.raid
    at.game_thread.begin(TWO)
    assert raid is not None
    assert raid.phase == "off"
    at.game_thread.take(some_move(at.table.state))
