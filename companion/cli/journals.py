"""`companion score JOURNAL` and `companion replay JOURNAL`: a written game, as points and as a story."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.catalogue import Speaker
from companion.cli.sheets import sheet_json, sheet_lines
from companion.cli.terminal import Terminal, add_json, add_language, print_json
from companion.journal import Journal, replay
from companion.journal.recovery import recover
from companion.rules import Game


def add_to(commands: Any) -> None:
    score: argparse.ArgumentParser = commands.add_parser("score", help="the score sheet of a journal, with reasons")
    _add_journal(score)
    score.set_defaults(run=run_score)
    tell: argparse.ArgumentParser = commands.add_parser("replay", help="a journal move by move, with reasons")
    _add_journal(tell)
    tell.add_argument("--recover", type=Path, metavar="NEW", help="write the readable part of a damaged journal to NEW")
    tell.set_defaults(run=run_replay)


def _add_journal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", type=Path, metavar="JOURNAL")
    add_json(parser)
    add_language(parser)


def run_score(arguments: argparse.Namespace) -> int:
    with Journal.read(arguments.journal) as journal:
        game = games.load(journal.head.game)
        state = replay(journal, game)
        speaker = _speaker(game, journal, arguments.language)
    if arguments.json:
        print_json(sheet_json(game, state, speaker))
    else:
        for line in sheet_lines(game.score(state), state, speaker, Terminal(sys.stdout)):
            print(line)
    return 0


def run_replay(arguments: argparse.Namespace) -> int:
    path = arguments.journal
    if arguments.recover:
        rescued = recover(path, arguments.recover, now=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
        print(rescued.reason, file=sys.stderr)
        path = arguments.recover
    with Journal.read(path) as journal:
        game = games.load(journal.head.game)
        replay(journal, game)  # first of all: does the whole of it hold?
        speaker = _speaker(game, journal, arguments.language)
        told = _moves(game, journal, speaker)
        if arguments.json:
            print_json({"game": game.name, "moves": list(told)})
        else:
            for move in told:
                print(f"{move['n']:>5}  {move['says']}")
                for because in move["because"]:
                    print(f"       {because['says'] or because['sentence']}  [{because['rule']}]")
    return 0


def _moves(game: Game[Any, Any], journal: Journal, speaker: Speaker) -> Iterator[dict[str, Any]]:
    setup = journal.head.setup
    box = game.box_from_json(msgspec.json.decode(setup.box))
    states = [game.setup(box, setup.seats, setup.options)]
    for event in journal.events():
        state = states[-1]
        if event.kind == "move":
            move = msgspec.json.decode(event.body, type=game.move_type)
            seat = getattr(move, "seat", None)
            yield {
                "n": event.n,
                "at": event.at,
                "seat": None if seat is None else state.seats[seat].colour,
                "move": msgspec.to_builtins(move),
                "says": speaker.move(type(move).__name__, game.facts(state, move)),
                "because": [
                    {"rule": note.rule, "says": speaker.applied(note), "sentence": speaker.rule(note.rule)}
                    for note in game.tell(state, move)
                ],
                "findings": [],
            }
            state = game.play(state, move)
        elif event.kind == "undo":
            state = states[msgspec.json.decode(event.body)["to"]]
        states.append(state)


def _speaker(game: Game[Any, Any], journal: Journal, language: Any) -> Speaker:
    return Speaker(game.catalogue, language, {seat.colour: seat.name for seat in journal.head.setup.seats})
