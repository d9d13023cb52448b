"""A box file that people share: the answers about a game's box and the described pieces, in one file.

It is checked as answers are before anything of it is kept, and earlier answers are put aside, not lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from companion.kernel.box import LEARNED, Answers, BoxError, Learned, learned_in
from companion.kernel.game import Game

KIND: Final = "table-companion box"
Wrong = Literal["no_box_file", "other_game", "other_version", "not_a_box"]


class NotShared(Exception):
    """A file that cannot be used. `reason` is a word for programs, `why` a fact for the sentence about it."""

    def __init__(self, reason: Wrong, why: object) -> None:
        super().__init__(f"{_SAYS[reason]} {why}")
        self.reason, self.why = reason, str(why)


_SAYS: Final[Mapping[Wrong, str]] = {
    "no_box_file": "That is not a box file that a companion wrote:",
    "other_game": "That is the box of another game:",
    "other_version": "That box file was written by another version of the companion:",
    "not_a_box": "The box cannot be like that:",
}


class SharedBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the file. `answers` are facts by name."""

    file: str
    version: int
    game: str
    edition: str
    answers: dict[str, Any] = {}
    learned: tuple[Learned, ...] = ()


class Taken(msgspec.Struct, frozen=True):
    """What was taken from a file: the number of facts, and of pieces that were not yet described here."""

    facts: int
    pieces: int


def packed(game: Game[Any, Any], answers: Mapping[str, Any]) -> bytes:
    """The answers about a box as a file for other people. Raises `BoxError` if they contradict each other."""
    box = game.load_box(answers)
    facts = {fact: value for fact, value in game.fitting(answers).items() if fact != LEARNED}
    shared = SharedBox(KIND, 1, game.name, box.edition, facts, learned_in(answers))
    return msgspec.json.format(msgspec.json.encode(shared), indent=2) + b"\n"


def unpacked(game: Game[Any, Any], raw: bytes | str) -> SharedBox:
    """Decode and check a file. Raises `NotShared`."""
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotShared("no_box_file", error) from error
    return read(game, found)


def read(game: Game[Any, Any], found: Any) -> SharedBox:
    """Check a decoded file. Raises `NotShared`."""
    if not isinstance(found, Mapping) or found.get("file") != KIND:
        raise NotShared("no_box_file", f"it does not say «{KIND}».")
    if found.get("version") != 1:
        raise NotShared("other_version", found.get("version"))
    try:
        shared = msgspec.convert(found, SharedBox)
    except msgspec.ValidationError as error:
        raise NotShared("no_box_file", error) from error
    if shared.game != game.name:
        raise NotShared("other_game", shared.game)
    if LEARNED in shared.answers:
        raise NotShared("no_box_file", f"`{LEARNED}` is no fact.")
    return shared


def take(game: Game[Any, Any], answers: Answers, shared: SharedBox, instead: bool = False) -> Taken:
    """Keep the contents of a file.

    Its facts replace ours, and its pieces are added; with `instead`, all of our answers are replaced. Raises
    `NotShared`, without any change, if the result is not a usable box.
    """
    try:
        with answers.changing():
            before = {} if instead else answers.read()
            mine = learned_in(before)
            new = [one for one in shared.learned if one not in mine]
            now = {**before, **shared.answers}
            if new or mine:
                now[LEARNED] = msgspec.to_builtins([*mine, *new])
            game.load_box(now)
            answers.replace_all(now)
    except (BoxError, OSError) as error:
        raise NotShared("not_a_box", error) from error
    return Taken(len(shared.answers), len(new))
