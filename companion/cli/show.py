"""`companion show GAME`: bots play one game in the terminal, told move by move with the table drawn each round."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from companion import games
from companion.cli.sheets import sheet_json, sheet_lines
from companion.cli.terminal import (
    Terminal,
    add_game,
    add_json,
    add_language,
    number,
    print_json,
)
from companion.history import tell_sheet
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Game
from companion.kernel.worlds import BOTS
from companion.simulation.selfplay import open_table, playing


def add_to(commands: Any) -> None:
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
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
    """Tells a game as it goes: what the rules did, the table each round, and below it what comes next."""

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
        """What a rule did; what opens a round is its headline."""
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
