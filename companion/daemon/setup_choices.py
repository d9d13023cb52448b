"""What a host may choose before a game: seats, options, and answers about the box."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as Collection
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from companion import games
from companion.daemon.refusals import refused
from companion.kernel import box
from companion.kernel.box import Answers, BoxError, Doubt
from companion.kernel.box_file import NotShared, packed, read
from companion.kernel.box_file import take as take_box
from companion.kernel.capabilities import Family
from companion.kernel.catalogue import Speaker, Text
from companion.kernel.forms import CannotLearn
from companion.kernel.game import BadSetup, Game
from companion.kernel.messages import Body
from companion.kernel.rules import Seat
from companion.kernel.sketches import (
    Graph,
    Lack,
    NotDrawn,
    Sketch,
    Track,
    drawn,
    empty,
    facts_of,
    missing,
)
from companion.text.sentences import Bilingual, in_words, say, why_not
from web.backend import Refused

Load = Callable[[str], Game[Any, Any]]


class SetupChoices:
    """A host's choices for a new game. `sides` maps the colours of the rig's seats to sides of the table."""

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
            # With invalid answers the host must still reach the page that corrects them.
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
        """Check a drawing of a part of the box; tell what is missing and whether it was stored. Raises `Refused`."""
        return take(self._home, self._named(name), sketch, value, keep, anyway)

    def export_box(self, name: str) -> tuple[bytes, str]:
        """The answers about a game's box as a file to share, and its name. Raises `Refused`."""
        game = self._named(name)
        try:
            return packed(game, Answers(self._home, name).read()), f"{name}-box.json"
        except BoxError as error:
            raise refused("not_a_box", english=error) from error

    def import_box(self, name: str, file: Any, instead: bool) -> Body:
        """Take over the answers of another table's file. Raises `Refused`."""
        game = self._named(name)
        try:
            taken = take_box(game, Answers(self._home, name), read(game, file), instead)
        except NotShared as error:
            raise refused(error.reason, error.why, english=error.why) from error
        return {"facts": taken.facts, "pieces": taken.pieces}

    def _named(self, name: str) -> Game[Any, Any]:
        if name not in self._names:
            raise refused("unknown_game", name)
        return self._load(name)

    def keep_fact(self, name: str, fact: str, value: Any) -> None:
        """Store a fact that people found in their box. Raises `Refused` if no box can have it."""
        game, answers = self._named(name), Answers(self._home, name)
        if fact not in {doubt.fact for doubt in box.doubts(game.box_file)}:
            raise refused("unknown_fact", fact)
        try:
            with answers.changing():
                game.load_box({**answers.read(), fact: value})
                answers.keep(fact, value)
        except (BoxError, OSError) as error:
            raise refused("not_a_box", english=error) from error


def _players(game: Game[Any, Any], whole: Any, colours: Sequence[str]) -> list[int]:
    """The numbers of players that the game can be set up for."""
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
        "asked": words.asked or words.seat,
    }


def _learned(game: Game[Any, Any], whole: Any) -> list[Body]:
    """The pieces that people described in earlier games."""
    pieces = () if game.learning is None else game.learning.pieces(whole)
    speakers = Bilingual(game.catalogue)
    return [speakers.piece(piece.label) for piece in pieces]


def _words_in(value: Any) -> Iterator[str]:
    """The words in a fact and in its parts."""
    if isinstance(value, str):
        yield from (value, *value.split())
    elif isinstance(value, Mapping):
        yield from (word for part in value.items() for word in _words_in(part))
    elif isinstance(value, list | tuple):
        yield from (word for part in value for word in _words_in(part))


def _compared(game: Game[Any, Any], families: Sequence[Family], known: Mapping[str, Any] | None = None) -> list[Doubt]:
    """The facts that people compare one by one: not drawn, not described when they turn up, and no part of those."""
    aside = drawn_facts(game) | {family.fact for family in families}
    doubts = box.doubts(game.box_file, known)
    return [one for one in doubts if not any(one.fact == fact or one.fact.startswith(f"{fact}.") for fact in aside)]


def _doubt(doubt: Doubt) -> Body:
    return {"fact": doubt.fact, "ask": _both(doubt.ask), "assumed": doubt.assumed}


def _both(text: Text) -> dict[str, str]:
    said: dict[str, str] = msgspec.structs.asdict(text)
    return said


def offered(game: Game[Any, Any], answers: Mapping[str, Any]) -> list[Body]:
    """The parts of a box that people draw: their names, their drawing or our assumption, and the questions."""
    if game.sketching is None:
        return []
    speakers = Bilingual(game.catalogue)
    fitting = game.fitting(answers)
    facts = box.facts(game.box_file, drawn_facts(game), fitting)
    dropped = answers.keys() - fitting.keys()
    return [_offered(game, speakers, sketch, fitting, facts, dropped) for sketch in game.sketching.sketches]


def drawn_facts(game: Game[Any, Any]) -> frozenset[str]:
    """The facts that people draw, and that are therefore not asked one by one."""
    sketches = () if game.sketching is None else game.sketching.sketches
    return frozenset(fact for sketch in sketches for fact in sketch.facts)


def _offered(
    game: Game[Any, Any],
    speakers: Bilingual,
    sketch: Sketch,
    answers: Mapping[str, Any],
    facts: Mapping[str, Any],
    dropped: Collection[str],
) -> Body:
    words = game.catalogue.sketches[sketch.name]
    body: Body = {
        "name": sketch.name,
        "title": _both(words.title),
        "hint": _both(words.again if words.again and not dropped.isdisjoint(sketch.facts) else words.hint),
        "answered": all(fact in answers for fact in sketch.facts),
        "value": drawn(sketch, facts),
        "empty": empty(sketch),
    }
    match sketch:
        case Graph():
            assert words.one is not None
            assert words.way is not None
            graph: Body = {
                "kind": "graph",
                "one": _both(words.one),
                "way": _both(words.way),
                "home": sketch.home,
            }
            form = in_words(speakers, sketch.form)
            return {**body, **graph, "at_home": sketch.at_home, "shape": list(sketch.shape), "form": form}
        case Track():
            lowest = sketch.lowest if sketch.first else sketch.start
            bounds = {"lowest": lowest, "last": sketch.last, "least": sketch.least, "most": sketch.most}
            return {**body, "kind": "track", **bounds}


def take(home: Path, game: Game[Any, Any], name: str, value: Any, keep: bool, anyway: bool) -> Body:
    """Check a drawing and store it if `keep` is set and it is complete, or `anyway`. Raises `Refused`."""
    sketching = game.sketching
    sketch = None if sketching is None else next((one for one in sketching.sketches if one.name == name), None)
    if sketching is None or sketch is None:
        raise refused("unknown_fact", name)
    speakers = Bilingual(game.catalogue)
    try:
        facts = facts_of(sketch, value)
    except NotDrawn as error:
        raise refused("not_a_box", english=error) from error
    except CannotLearn as error:
        assert isinstance(sketch, Graph)
        raise Refused("not_a_box", why_not(speakers, sketch.form, error)) from error
    lacks = [*missing(sketch, facts), *sketching.lacks(sketch, facts)]
    blocked = any(lack.blocks for lack in lacks)
    kept = keep and not blocked and (anyway or not lacks)
    if kept:
        _keep(home, game, facts)
    return {"lacks": list(_said(game, speakers, sketch, lacks)), "blocked": blocked, "kept": kept}


def _keep(home: Path, game: Game[Any, Any], facts: Mapping[str, Any]) -> None:
    answers = Answers(home, game.name)
    try:
        with answers.changing():
            game.load_box({**answers.read(), **facts})
            answers.keep_all(facts)
    except (BoxError, OSError) as error:
        raise refused("not_a_box", english=error) from error


def _said(game: Game[Any, Any], speakers: Bilingual, sketch: Sketch, lacks: list[Lack]) -> Iterator[Body]:
    own = game.catalogue.sketches[sketch.name].lacks
    for lack in lacks:
        says = speakers.each(partial(_lack, own=own, lack=lack))
        yield {"says": says, "blocks": lack.blocks}


def _lack(speaker: Speaker, own: Mapping[str, Text], lack: Lack) -> str:
    text = own.get(lack.key)
    return say(speaker, f"sketch.{lack.key}", **lack.facts) if text is None else speaker.fill(text, lack.facts)
