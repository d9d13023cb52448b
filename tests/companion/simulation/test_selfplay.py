"""Whole games of bots finish, break no rule, use the rules, and survive a killed process."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Move
from companion.journal import Journal, replay
from companion.kernel.simulation import BOTS, BotName
from companion.simulation.selfplay import selfplay


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_games_finish_and_nothing_illegal_is_played(players: int, bot: BotName) -> None:
    tally = selfplay(GAME, players, 15, 3, bot)
    assert (tally.finished, tally.illegal) == (15, 0)


def test_play_touches_every_rule_that_play_can_touch() -> None:
    touched: set[str] = set()
    for players in (2, 3, 4):
        for bot in BOTS:
            tally = selfplay(GAME, players, 100, 1, bot)
            touched |= {rule for rule, count in tally.rules_touched.items() if count}
    wanted = {rule.id for rule in GAME.catalogue.rules if rule.kind in ("duty", "option")}
    assert wanted - touched == set()


def test_a_keen_bot_builds_more_than_a_random_one() -> None:
    built = {bot: selfplay(GAME, 2, 20, 4, bot).rules_touched["placing.count"] for bot in BOTS}
    assert built["keen"] > built["random"]


def pull_the_plug(folder: Path, rng: random.Random) -> int:
    """Start a game that acknowledges each move, kill it at some moment, and say which move it had last."""
    command = [sys.executable, "-m", "companion.cli", "selfplay", "tumult_royale", "--games", "1"]
    command += ["--players", str(rng.choice((2, 3, 4))), "--seed", str(rng.randrange(1000))]
    command += ["--journal", str(folder), "--acknowledge"]
    after = rng.randint(1, 150)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= after:
                break
        process.send_signal(signal.SIGKILL)
        heard = [int(line) for line in process.stdout.read().split() if line.isdigit()]
    return max([after, *heard[:-1]])  # the last line may have been cut in the middle


@pytest.mark.parametrize("moment", range(50))
def test_a_killed_game_loses_no_acknowledged_move(moment: int, tmp_path: Path) -> None:
    acknowledged = pull_the_plug(tmp_path, random.Random(moment))
    with Journal.open(tmp_path / "tumult_royale-0001.journal", now=str) as journal:
        assert journal.last_number >= acknowledged
        state = replay(journal, GAME, verify="all")
        moves = [msgspec.json.decode(event.body, type=Move) for event in journal.events()]
        again = GAME.setup(state.box, state.seats, journal.head.setup.options)
    for move in moves:
        again = GAME.play(again, move)
    assert msgspec.json.encode(again) == msgspec.json.encode(state)
