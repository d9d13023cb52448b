"""The games that can be begun: who can play, what can be chosen, and which facts of a box nobody has confirmed yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from companion import games
from companion.daemon.sketching import drawn_facts, offered, take
from companion.kernel import box
from companion.kernel.box import Answers, BoxError, Doubt
from companion.kernel.box_file import NotShared, packed, read
from companion.kernel.box_file import take as take_box
from companion.kernel.catalogue import Text
from companion.kernel.rules import BadSetup, Family, Game, Seat
from companion.text.sentences import in_each, speakers_for
from companion.text.words import both
from web.backend import Refused

Body = dict[str, Any]
Load = Callable[[str], Game[Any, Any]]


class Offers:
    """What a host may choose from. `sides` are the colours of the rig's seats and where they sit."""

    def __init__(
        self,
        home: Path,
        sides: Sequence[tuple[str, str]] = (),
        names: Sequence[str] = games.NAMES,
        load: Load = games.load,
    ) -> None:
        self._home, self._sides, self._names, self._load = home, sides, names, load

    def setup(self, opened: str | None) -> Body:
        return {
            "games": [self._game(self._load(name)) for name in self._names],
            "seats": [{"colour": colour, "side": side} for colour, side in self._sides],
            "open": opened,
        }

    def _game(self, game: Game[Any, Any]) -> Body:
        try:
            given = Answers(self._home, game.name).read()
            answers, whole = game.fitting(given), game.load_box(given)
        except BoxError:
            # Answers that make no box must not keep the host from the page that puts them right.
            given, answers, whole = {}, {}, game.load_box()
        colours = list(whole.colours)
        families = () if game.learning is None else game.learning.families(whole)
        return {
            "game": game.name,
            "title": _both(game.catalogue.title),
            "players": _players(game, whole, colours),
            "colours": colours,
            "colour_words": {
                colour: _both(game.catalogue.words.get(colour, Text(colour, colour))) for colour in colours
            },
            "words": {
                word: _both(game.catalogue.words[word])
                for doubt in box.doubts(game.box_file)
                for word in _words_in(doubt.assumed)
                if word in game.catalogue.words
            },
            "options": [_option(game, field) for field in _fields(game)],
            "unverified": [_doubt(one) for one in _compared(game, families, answers)],
            "answered": [
                {**_doubt(one), "value": answers[one.fact]} for one in _compared(game, families) if one.fact in answers
            ],
            "sketches": offered(game, given),
            "families": [
                {"says": _both(game.catalogue.families[one.fact]), "known": one.known, "number": one.number}
                for one in families
            ],
            "learned": _learned(game, whole),
        }

    def sketch(self, name: str, sketch: str, value: Any, keep: bool, anyway: bool) -> Body:
        """What a drawing of a part of the box lacks, and whether it was kept. Raises `Refused`."""
        return take(self._home, self._named(name), sketch, value, keep, anyway)

    def export_box(self, name: str) -> tuple[bytes, str]:
        """All that is known of a game's box, as a file to share, and its name. Raises `Refused`."""
        game = self._named(name)
        try:
            return packed(game, Answers(self._home, name).read()), f"{name}-box.json"
        except BoxError as error:
            raise Refused("not_a_box", both("refused.not_a_box", why=error)) from error

    def import_box(self, name: str, file: Any, instead: bool) -> Body:
        """What somebody else knows of a game's box. Raises `Refused`."""
        game = self._named(name)
        try:
            taken = take_box(game, Answers(self._home, name), read(game, file), instead)
        except NotShared as error:
            raise Refused(error.reason, both(f"refused.{error.reason}", why=error.why)) from error
        return {"facts": taken.facts, "pieces": taken.pieces}

    def _named(self, name: str) -> Game[Any, Any]:
        if name not in self._names:
            raise Refused("unknown_game", both("refused.unknown_game", why=name))
        return self._load(name)

    def keep_fact(self, name: str, fact: str, value: Any) -> None:
        """What somebody found in the real box, if a box can be like that. Raises `Refused`."""
        game, answers = self._named(name), Answers(self._home, name)
        if fact not in {doubt.fact for doubt in box.doubts(game.box_file)}:
            raise Refused("unknown_fact", both("refused.unknown_fact", why=fact))
        try:
            with answers.changing():
                game.load_box({**answers.read(), fact: value})
                answers.keep(fact, value)
        except (BoxError, OSError) as error:
            raise Refused("not_a_box", both("refused.not_a_box", why=error)) from error


def _players(game: Game[Any, Any], whole: Any, colours: Sequence[str]) -> list[int]:
    """How many can play: as many as the game can be set up for."""
    return [number for number in range(1, len(colours) + 1) if _can_begin(game, whole, colours[:number])]


def _can_begin(game: Game[Any, Any], whole: Any, colours: Sequence[str]) -> bool:
    try:
        game.setup(whole, tuple(Seat(colour) for colour in colours))
    except BadSetup:
        return False
    return True


def _fields(game: Game[Any, Any]) -> Sequence[inspect.Field]:
    described = inspect.type_info(game.options_type)
    return described.fields if isinstance(described, inspect.StructType) else ()


def _option(game: Game[Any, Any], field: inspect.Field) -> Body:
    words = game.catalogue.options[field.name]
    match field.type:
        case inspect.BoolType():
            kind, values = "flag", list[Any]()
        case inspect.LiteralType(values=literal):
            kind, values = "choice", sorted(literal, key=lambda one: list(words.values).index(str(one)))
        case _:
            kind, values = "seat" if words.seat else "number", []
    return {
        "key": field.name,
        "says": _both(words.says),
        "hint": None if words.hint is None else _both(words.hint),
        "kind": kind,
        "values": [{"value": value, "says": _both(words.values[str(value)])} for value in values],
        "default": field.default,
        "players": list(words.players),
    }


def _learned(game: Game[Any, Any], whole: Any) -> list[Body]:
    """The pieces that people described in earlier games."""
    pieces = () if game.learning is None else game.learning.pieces(whole)
    speakers = speakers_for(game.catalogue, ())
    return [in_each(speakers, lambda speaker, one=piece: speaker.piece(one.label)) for piece in pieces]  # type: ignore[misc]


def _words_in(value: Any) -> Iterator[str]:
    """The words that a fact is made of: its own, and those of its parts."""
    if isinstance(value, str):
        yield from (value, *value.split())
    elif isinstance(value, Mapping):
        yield from (word for part in value.items() for word in _words_in(part))
    elif isinstance(value, list | tuple):
        yield from (word for part in value for word in _words_in(part))


def _compared(game: Game[Any, Any], families: Sequence[Family], known: Mapping[str, Any] | None = None) -> list[Doubt]:
    """The facts that people compare one by one: neither drawn nor described on sight, nor a part of what is."""
    aside = drawn_facts(game) | {family.fact for family in families}
    doubts = box.doubts(game.box_file, known)
    return [one for one in doubts if not any(one.fact == fact or one.fact.startswith(f"{fact}.") for fact in aside)]


def _doubt(doubt: Doubt) -> Body:
    return {"fact": doubt.fact, "ask": _both(doubt.ask), "assumed": doubt.assumed}


def _both(text: Text) -> dict[str, str]:
    said: dict[str, str] = msgspec.structs.asdict(text)
    return said
