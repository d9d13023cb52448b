"""`companion box GAME`: facts nobody could confirm, the host's answers to them, and pieces that people described."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import msgspec

from companion import games
from companion.box import LEARNED, Answers, Learned, doubts
from companion.cli.terminal import Unusable, add_game, add_json, add_language, home, print_json
from companion.messages import NewPiece
from companion.rules import Game


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("box", help="check unverified facts of a game's box")
    add_game(parser)
    parser.add_argument("--answer", nargs=2, metavar=("FACT", "VALUE"), help="what the real box says, as JSON")
    parser.add_argument("--confirm", metavar="FACT", help="what the companion assumes is right")
    parser.add_argument("--forget", metavar="PIECE", help="a piece that somebody described wrongly, by its label")
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
    if arguments.forget:
        _forget(game, answers, arguments.forget)
    kept = answers.read()
    learned = _learned(game, kept)
    still = doubts(game.box_file, kept)
    if arguments.json:
        pieces = [{"label": piece.label, **msgspec.to_builtins(one)} for piece, one in learned]
        facts = {fact: value for fact, value in kept.items() if fact != LEARNED}
        told = {"game": game.name, "unverified": still, "answers": facts, "learned": pieces}
        print_json({**told, "kept_in": str(answers.path)})
        return 0
    for doubt in still:
        print(
            f"{doubt.fact}\n    {doubt.ask.in_(arguments.language)}\n    {msgspec.json.encode(doubt.assumed).decode()}"
        )
    for piece, one in learned:
        print(f"{piece.label}\n    {msgspec.json.encode(one.answers).decode()}")
    answered = len(kept.keys() - {LEARNED})
    print(f"{len(still)} unverified, {answered} answered, {len(learned)} learned ({answers.path}).")
    return 0


def _learned(game: Game[Any, Any], kept: Mapping[str, Any]) -> list[tuple[NewPiece, Learned]]:
    """The pieces that people described, and what they said."""
    box = game.load_box(kept)
    return [] if game.learning is None else list(zip(game.learning.pieces(box), box.learned, strict=True))


def _forget(game: Game[Any, Any], answers: Answers, label: str) -> None:
    learned = _learned(game, answers.read())
    if label not in {piece.label for piece, _ in learned}:
        raise Unusable(f"Nobody described {label!r}; `companion box {game.name}` lists what was learned.")
    answers.keep(LEARNED, [msgspec.to_builtins(one) for piece, one in learned if piece.label != label])


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
