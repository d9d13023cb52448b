"""`companion selfplay` and `show`: games of bots in the terminal."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.cli.journals import sheet_json, sheet_lines
from companion.cli.terminal import (
    Terminal,
    Unusable,
    add_game,
    add_json,
    add_language,
    add_options,
    number,
    print_json,
)
from companion.history import keep_result, tell_sheet
from companion.journal import Head, Journal, Setup, crc
from companion.kernel.catalogue import Speaker
from companion.kernel.game import Game
from companion.kernel.simulation import BOTS
from companion.simulation.selfplay import OnMove, Tally, open_table, playing, selfplay


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
    _add_show(commands)


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
    """Writes the journals of games while they are played."""

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


def _add_show(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "show", help="bots play one game in the terminal, move by move"
    )
    add_game(parser)
    parser.add_argument("--players", type=number, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--bot", choices=BOTS, default="keen")
    parser.add_argument("--pause", type=float, default=None, metavar="SECONDS", help="after each announced move")
    add_json(parser)
    add_language(parser)
    parser.set_defaults(run=show)


def show(arguments: argparse.Namespace) -> int:
    game = games.load(arguments.game)
    terminal = Terminal(sys.stderr if arguments.json else sys.stdout)
    pause = arguments.pause if arguments.pause is not None else (0.15 if terminal.live else 0.0)
    state, world = open_table(game, arguments.players, arguments.bot, f"{arguments.seed}", {})
    speaker = Speaker(game.catalogue, arguments.language)
    show = Show(game, speaker, terminal, pause)
    show.opening()
    for before, move, after in playing(game, state, world):
        show.move(before, move, after)
        state = after
    show.ending(state)
    if arguments.json:
        print_json(sheet_json(game.name, tell_sheet(game, state, speaker)))
    return 0


class Show:
    """Prints a game while it is played: what the rules did, the table after each round, and what comes next."""

    def __init__(self, game: Game[Any, Any], speaker: Speaker, terminal: Terminal, pause: float) -> None:
        self._game = game
        self._speaker = speaker
        self._terminal = terminal
        self._pause = pause
        self._moves = 0

    def opening(self) -> None:
        title = self._game.catalogue.title.in_(self._speaker.language)
        self._terminal.say(self._terminal.paint(f"\n  {title}\n", "bold"))

    def move(self, before: Any, move: Any, after: Any) -> None:
        self._moves += 1
        new_round = after.round != before.round
        for note in self._game.tell(before, move):
            opens = new_round and "round" in note.facts
            if opens:
                new_round = False
                self._terminal.say("\n" + self._game.picture(after, self._speaker, self._terminal.paint))
            self._announce(note, opens)
        if new_round:
            self._terminal.say("\n" + self._game.picture(after, self._speaker, self._terminal.paint) + "\n")
        now = self._speaker.expects(self._game.expects(after))
        self._terminal.status(f"{self._moves:>4}  {now}")

    def _announce(self, note: Any, opens: bool) -> None:
        """Print what a rule did; as a headline if it begins a round."""
        rule = self._game.catalogue.rule(note.rule)
        told = self._speaker.applied(note)
        if told is None or rule.small:
            return
        if opens:
            self._terminal.say(self._terminal.paint(f"\n  ── {told} ──", "bold"))
        else:
            colour = str(note.facts.get("seat") or note.facts.get("king") or "")
            mark = self._terminal.paint("▌", colour) if colour else " "
            self._terminal.say(f"  {mark} {told}" + self._terminal.paint(f"  [{note.rule}]", "dim"))
        time.sleep(self._pause)

    def ending(self, state: Any) -> None:
        terminal = self._terminal
        terminal.done()
        terminal.say("\n" + self._game.picture(state, self._speaker, terminal.paint) + "\n")
        for line in sheet_lines(tell_sheet(self._game, state, self._speaker), terminal):
            terminal.say(line)
        terminal.say()
