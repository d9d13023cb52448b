"""`companion box GAME`: the facts nobody could confirm, and the host's answers to them."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from companion import games
from companion.box import Answers, doubts
from companion.cli.terminal import Unusable, add_game, add_json, add_language, home, print_json


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("box", help="check unverified facts of a game's box")
    add_game(parser)
    parser.add_argument("--answer", nargs=2, metavar=("FACT", "VALUE"), help="what the real box says, as JSON")
    parser.add_argument("--confirm", metavar="FACT", help="what the companion assumes is right")
    add_json(parser)
    add_language(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = games.load(arguments.game)
    answers = Answers(home(), game.name)
    if arguments.answer:
        fact, text = arguments.answer
        _keep(game, answers, fact, _value(text))
    if arguments.confirm:
        open_doubts = {doubt.fact: doubt.assumed for doubt in doubts(game.box_file)}
        if arguments.confirm not in open_doubts:
            raise Unusable(f"Nobody doubts {arguments.confirm!r}; `companion box {game.name}` lists what is open.")
        _keep(game, answers, arguments.confirm, open_doubts[arguments.confirm])
    kept = answers.read()
    game.load_box(kept)
    still = doubts(game.box_file, kept)
    if arguments.json:
        print_json({"game": game.name, "unverified": still, "answers": kept, "kept_in": str(answers.path)})
        return 0
    for doubt in still:
        print(
            f"{doubt.fact}\n    {doubt.ask.in_(arguments.language)}\n    {msgspec.json.encode(doubt.assumed).decode()}"
        )
    print(f"{len(still)} unverified, {len(kept)} answered ({answers.path}).")
    return 0


def _keep(game: Any, answers: Answers, fact: str, value: Any) -> None:
    """Only an answer that makes a box without contradictions is kept."""
    game.load_box({**answers.read(), fact: value})
    answers.keep(fact, value)


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Unusable(
            f'{text!r} is not JSON ({error}); write numbers as 2, words as "castle", lists as [1, 2].'
        ) from error
