"""`companion selfplay GAME`: bots play many games by the rules; what they touched is counted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.cli.terminal import (
    Terminal,
    Unusable,
    add_game,
    add_json,
    add_options,
    number,
    print_json,
)
from companion.history import keep_result
from companion.journal import Head, Journal, Setup, crc
from companion.kernel.worlds import BOTS
from companion.simulation.selfplay import OnMove, Tally, selfplay


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("selfplay", help="bots play many games by the rules")
    add_game(parser)
    parser.add_argument("--players", type=number, default=4)
    parser.add_argument("--games", type=number, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", choices=BOTS, default="random")
    parser.add_argument("--journal", type=Path, metavar="FOLDER", help="write each game's journal here")
    parser.add_argument("--acknowledge", action="store_true", help="print the number of each move that is safe on disk")
    add_options(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = games.load(arguments.game)
    terminal = Terminal(sys.stderr)
    keeper = _Keeper(arguments.game, arguments.journal, arguments.acknowledge) if arguments.journal else None
    if arguments.acknowledge and not keeper:
        raise Unusable("Moves are acknowledged when they are in a journal: say --journal FOLDER too.")
    on_open: Callable[[int, Any], OnMove | None] = keeper.open if keeper else lambda _number, _state: None
    try:
        tally = selfplay(
            game,
            arguments.players,
            arguments.games,
            arguments.seed,
            arguments.bot,
            on_game=lambda done: terminal.progress(done / arguments.games, f"{done}/{arguments.games}"),
            on_open=on_open,
            fixed=dict(arguments.options or ()),
        )
    finally:
        terminal.done()
        if keeper:
            keeper.close()
    if arguments.json:
        print_json(tally)
    else:
        _say(tally)
    return 0 if tally.finished == tally.games and not tally.illegal else 1


def _say(tally: Tally) -> None:
    touched = sum(count > 0 for count in tally.rules_touched.values())
    print(
        f"{tally.finished} of {tally.games} games finished, {tally.moves} moves, {tally.illegal} illegal, "
        f"{tally.seconds} s ({tally.moves_per_second:.0f} moves a second); "
        f"{touched} of {len(tally.rules_touched)} rules touched."
    )
    if tally.rules_untouched:
        print(f"Not touched, though play could: {', '.join(tally.rules_untouched)}.")


class _Keeper:
    """Writes games down while they are played."""

    def __init__(self, game: str, folder: Path, acknowledge: bool) -> None:
        self._game = game
        self._folder = folder
        self._acknowledge = acknowledge
        self._journal: Journal | None = None
        self._over = False
        folder.mkdir(parents=True, exist_ok=True)

    def open(self, number: int, state: Any) -> OnMove:
        self.close()
        setup = Setup.of(state.box, state.seats, msgspec.to_builtins(state.options))
        head = Head(self._game, _now(), setup)
        journal = Journal.create(self._folder / f"{self._game}-{number + 1:04}.journal", head, now=_now)
        self._journal, self._over = journal, False
        game = games.load(self._game)

        def listen(_before: Any, move: Any, after: Any) -> None:
            self._over = game.actor(after) is None
            written = journal.append("move", msgspec.json.encode(move), crc(after))
            if self._acknowledge:
                print(written, flush=True)

        return listen

    def close(self) -> None:
        if self._journal:
            if self._over:
                keep_result(self._journal, games.load(self._game))
            self._journal.close()
            self._journal = None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
