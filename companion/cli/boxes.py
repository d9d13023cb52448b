"""`companion box GAME`: unconfirmed facts, the host's answers, pieces that people described, and box files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.cli.terminal import (
    Unusable,
    add_game,
    add_json,
    add_language,
    home,
    print_json,
)
from companion.kernel.box import LEARNED, Answers, Learned, doubts
from companion.kernel.box_file import NotShared, packed, take, unpacked
from companion.kernel.capabilities import Family
from companion.kernel.game import Game
from companion.kernel.messages import NewPiece


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("box", help="check unverified facts of a game's box")
    add_game(parser)
    parser.add_argument("--answer", nargs=2, metavar=("FACT", "VALUE"), help="what the real box says, as JSON")
    parser.add_argument("--confirm", metavar="FACT", help="what the companion assumes is right")
    parser.add_argument("--forget", metavar="PIECE", help="a piece that was described wrongly, by its label")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write all that is known of the box, to share it")
    parser.add_argument(
        "--import", dest="take", type=Path, metavar="FILE", help="take over the box file of another table"
    )
    parser.add_argument("--instead", action="store_true", help="with --import: instead of what is known here")
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
            raise Unusable(f"{arguments.confirm!r} is not open; `companion box {game.name}` lists the open facts.")
        _keep(game, answers, arguments.confirm, open_doubts[arguments.confirm])
    if arguments.forget:
        _forget(game, answers, arguments.forget)
    if arguments.take:
        _take(game, answers, arguments.take, arguments.instead)
    if arguments.export:
        _write(arguments.export, packed(game, answers.read()))
    given = answers.read()
    kept = game.fitting(given)
    if dropped := sorted(given.keys() - kept.keys()):
        sys.stderr.write(f"Not used any more, for more is known of the box: {', '.join(dropped)}.\n")
    learned = _learned(game, kept)
    still = doubts(game.box_file, kept)
    if arguments.json:
        pieces = [{"label": piece.label, **msgspec.to_builtins(one)} for piece, one in learned]
        facts = {fact: value for fact, value in kept.items() if fact != LEARNED}
        told = {"game": game.name, "unverified": still, "answers": facts, "learned": pieces}
        told["families"] = [msgspec.to_builtins(one) for one in _families(game, kept)]
        print_json({**told, "kept_in": str(answers.path)})
        return 0
    for doubt in still:
        print(
            f"{doubt.fact}\n    {doubt.ask.in_(arguments.language)}\n    {msgspec.json.encode(doubt.assumed).decode()}"
        )
    for piece, one in learned:
        print(f"{piece.label}\n    {msgspec.json.encode(one.answers).decode()}")
    for family in _families(game, kept):
        print(f"{family.fact}: {family.known} of {family.number} described")
    answered = len(kept.keys() - {LEARNED})
    print(f"{len(still)} unverified, {answered} answered, {len(learned)} learned ({answers.path}).")
    return 0


def _learned(game: Game[Any, Any], kept: Mapping[str, Any]) -> list[tuple[NewPiece, Learned]]:
    """The pieces that people described, with their descriptions."""
    box = game.load_box(kept)
    return [] if game.learning is None else list(zip(game.learning.pieces(box), box.learned, strict=True))


def _families(game: Game[Any, Any], kept: Mapping[str, Any]) -> tuple[Family, ...]:
    """The kinds of pieces that are described when they turn up."""
    return () if game.learning is None else game.learning.families(game.load_box(kept))


def _take(game: Game[Any, Any], answers: Answers, path: Path, instead: bool) -> None:
    try:
        taken = take(game, answers, unpacked(game, path.read_bytes()), instead)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}.") from error
    except NotShared as error:
        raise Unusable(f"{path} was not taken. {error}") from error
    sys.stderr.write(f"Taken from {path}: {taken.facts} facts, {taken.pieces} new pieces.\n")


def _write(path: Path, packed: bytes) -> None:
    try:
        path.write_bytes(packed)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror or error}.") from error


def _forget(game: Game[Any, Any], answers: Answers, label: str) -> None:
    with answers.changing():
        learned = _learned(game, answers.read())
        if label not in {piece.label for piece, _ in learned}:
            raise Unusable(f"There is no described piece {label!r}; `companion box {game.name}` lists them.")
        answers.keep(LEARNED, [msgspec.to_builtins(one) for piece, one in learned if piece.label != label])


def _keep(game: Any, answers: Answers, fact: str, value: Any) -> None:
    """Store an answer, if it makes a box without contradictions."""
    with answers.changing():
        game.load_box({**answers.read(), fact: value})
        if fact not in game.fitting({**answers.read(), fact: value}):
            raise Unusable(f"`companion box {game.name}` does not ask for {fact!r} any more, or not by itself.")
        answers.keep(fact, value)


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Unusable(
            f'{text!r} is not JSON ({error}); write numbers as 2, words as "castle", lists as [1, 2].'
        ) from error
