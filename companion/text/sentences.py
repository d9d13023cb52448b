"""The program's own sentences, in German and English.

What is said about the game on the table is in `table.toml`, in the game's words for pieces and places; what the daemon
says about itself, its camera and its parts is in `daemon.toml`. A key is section and name: `refused.not_your_seat`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from companion.kernel.capabilities import Remark
from companion.kernel.catalogue import LANGUAGES, Both, Catalogue, CatalogueError, Language, Speaker, Template, Text
from companion.kernel.files import converted
from companion.kernel.forms import Amounts, CannotLearn, Field, Form, OneOf, Rows, SeveralOf
from companion.kernel.game import NO_BLOCKS, Blocks, Game
from companion.kernel.messages import Body, Odd
from companion.kernel.rules import Breach, Expected, Note, Progress, Seat
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, wrong_cells
from companion.referee.findings import Spot, Step

DAEMON_FILE: Final = Path(__file__).with_name("daemon.toml")


@cache
def texts() -> dict[str, Text]:
    return dict(Sentences.load(DAEMON_FILE).texts)


def both_words(key: str, **facts: object) -> Both:
    """A sentence of `daemon.toml` in both languages, with its facts. A fact may be a text in both languages."""
    text = texts()[key]
    return {
        language: Template(text.in_(language)).fill({name: _written(fact, language) for name, fact in facts.items()})
        for language in LANGUAGES
    }


def _written(fact: Any, language: Language) -> str:
    """A fraction has a comma in German."""
    if isinstance(fact, dict):
        return str(fact[language])
    return str(fact).replace(".", ",") if language == "de" and isinstance(fact, float) else str(fact)


def known(key: str) -> bool:
    """Whether `daemon.toml` has this key."""
    return key in texts()


def in_words(speakers: Bilingual, form: Form) -> Body:
    """A form as a phone shows it: its question, and its fields with the words to choose from."""
    words = speakers.catalogue.form(form.name)
    return {
        "name": form.name,
        "asks": _both(words.asks),
        "hint": None if words.hint is None else _both(words.hint),
        "fields": [_field(speakers, words.fields[name], name, field) for name, field in form.fields.items()],
    }


def _field(speakers: Bilingual, says: Text, name: str, field: Field) -> Body:
    body: Body = {**msgspec.to_builtins(field), "name": name, "says": _both(says)}
    kind = body.pop("type")
    if isinstance(field, OneOf | SeveralOf | Amounts):
        body["words"] = [{"value": word, "says": speakers.named(name, word)} for word in field.words]
    if isinstance(field, Rows):
        body["each"] = _field(speakers, says, name, field.each)
    return {"kind": kind, **body}


def capitalised(words: str) -> str:
    return words[:1].upper() + words[1:]


def why_not(speakers: Bilingual, form: Form, error: CannotLearn) -> Both:
    """Why a description is impossible: in words of the form, or in those for all forms."""
    return speakers.each(lambda speaker: _why_not(speaker, form, error))


def _why_not(speaker: Speaker, form: Form, error: CannotLearn) -> str:
    words = speaker.catalogue.form(form.name)
    own = words.refuses.get(error.reason)
    if own is not None:
        return speaker.fill(own, error.facts)
    field = words.fields.get(error.field)
    named = error.field if field is None else field.in_(speaker.language)
    return say(speaker, f"form.{error.reason}", field=named, **error.facts)


def _both(text: Text) -> Both:
    said: Both = msgspec.structs.asdict(text)
    return said


TABLE_FILE: Final = Path(__file__).with_name("table.toml")
MOST: Final = 4
"""Maximum number of things in a list. Longer lists are not read."""


class Sentences:
    """All sentences by key, in both languages."""

    def __init__(self, texts: Mapping[str, Text]) -> None:
        self.texts = texts

    @classmethod
    def load(cls, path: Path = TABLE_FILE) -> Sentences:
        try:
            sections = converted(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, dict[str, Text]])
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise CatalogueError(f"{path} does not hold sentences: {error}.") from error
        return cls({f"{section}.{name}": text for section, texts in sections.items() for name, text in texts.items()})


@cache
def sentences() -> Sentences:
    return Sentences.load()


def say(speaker: Speaker, key: str, **facts: Any) -> str:
    """A sentence of `table.toml` in the speaker's language.

    A fact is a word, a number or several words, as in a catalogue. A Spot becomes the words for its place, a Step its
    sentence, and a text in both languages (`{"de": …, "en": …}`) the one in this language.
    """
    return speaker.fill(sentences().texts[key], _told(speaker, facts))


class Bilingual(Mapping[str, Speaker]):
    """A Speaker for each language, with the names of the players. Its methods give a text in all languages."""

    def __init__(self, catalogue: Catalogue, seats: Iterable[Seat] = ()) -> None:
        self.catalogue = catalogue
        names = {seat.colour: seat.name for seat in seats}
        self._speakers = {language: Speaker(catalogue, language, names) for language in LANGUAGES}

    def __getitem__(self, language: str) -> Speaker:
        return self._speakers[cast(Language, language)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._speakers)

    def __len__(self) -> int:
        return len(self._speakers)

    def each(self, says: Callable[[Speaker], str]) -> Both:
        return {language: says(speaker) for language, speaker in self._speakers.items()}

    def say(self, key: str, **facts: Any) -> Both:
        """A sentence of `table.toml`."""
        return self.each(lambda speaker: say(speaker, key, **facts))

    def text(self, text: Text) -> Both:
        return self.each(lambda speaker: text.in_(speaker.language))

    def word(self, word: Any) -> Both:
        return self.each(lambda speaker: speaker.word(word))

    def capital(self, word: Any) -> Both:
        """A word at the beginning of a line."""
        return self.each(lambda speaker: capitalised(speaker.word(word)))

    def named(self, kind: str, name: str) -> Both:
        return self.each(lambda speaker: capitalised(speaker.named(kind, name)))

    def piece(self, label: str) -> Both:
        return self.each(lambda speaker: speaker.piece(label))

    def place(self, zone: str, cell: str = "") -> Both:
        return self.each(lambda speaker: speaker.place(zone, cell))

    def section(self, rule: str) -> Both:
        return self.each(lambda speaker: speaker.section(rule))

    def rule(self, rule: str) -> Both:
        return self.each(lambda speaker: speaker.rule(rule))

    def broken(self, *breaches: Breach) -> Both:
        return self.each(lambda speaker: " ".join(speaker.broken(breach) for breach in breaches))

    def applied(self, note: Note) -> Both:
        """What a rule did, or the rule itself."""
        return self.each(lambda speaker: speaker.applied(note) or speaker.rule(note.rule))

    def expects(self, expected: Expected) -> Both:
        return self.each(lambda speaker: speaker.expects(expected))

    def progress(self, progress: Progress) -> Both:
        return self.each(lambda speaker: speaker.progress(progress))

    def about(self, remark: Remark) -> Both:
        return self.each(lambda speaker: speaker.about(remark))

    def odd(self, zone: str, odd: Odd) -> Both:
        return self.each(lambda speaker: say_odd(speaker, zone, odd))

    def step(self, step: Step) -> Both:
        return self.each(lambda speaker: say_step(speaker, step))

    def move(self, move: Any, facts: Mapping[str, Any]) -> Both:
        return self.each(lambda speaker: speaker.move(type(move).__name__, facts))

    def moves(self, game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> Both:
        return self.each(lambda speaker: say_moves(speaker, game, state, moves))


def _phrase(speaker: Speaker, key: str, **facts: Any) -> str:
    return speaker.phrase(sentences().texts[key], _told(speaker, facts))


def _told(speaker: Speaker, facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _fact(speaker, fact) for name, fact in facts.items()}


def _fact(speaker: Speaker, fact: Any) -> Any:
    match fact:
        case Spot(zone, cell):
            return speaker.place(zone, cell)
        case Step():
            return say_step(speaker, fact)
        case (Step(), *_):
            return " ".join(say_step(speaker, step) for step in fact)
        case {"de": str(), "en": str()}:
            return fact[speaker.language]
        case _:
            return fact


def say_odd(speaker: Speaker, zone: str, odd: Odd) -> str:
    """The sentence about pieces in a zone that cannot be read."""
    return say(speaker, f"odd.{odd}", at=speaker.place(zone, form="at"), place=speaker.place(zone))


# Steps


def say_step(speaker: Speaker, step: Step) -> str:
    """What people should do, as one step."""
    if step.act == "carry":
        return _carry(speaker, step)
    spot = step.to or step.source or Spot("")
    if step.act == "arrange":
        pieces = _in_a_row(speaker, spot.zone, step.shows)
        return say(speaker, "step.arrange", block=speaker.block(spot.zone, step.cells), pieces=pieces)
    place = speaker.place(spot.zone, spot.cell)
    if step.act == "point":
        marker = {"what": speaker.word(step.what)} if step.what not in ("", spot.zone) else {}
        return say(speaker, "step.point_marker" if marker else "step.point", place=place, number=step.number, **marker)
    at = speaker.place(spot.zone, spot.cell, "at")
    pieces = speaker.pieces(step.what, step.number, spot.zone)
    if not step.was:
        return say(speaker, "step.turn_until", at=at, pieces=pieces)
    return say(speaker, "step.turn", at=at, pieces=pieces, before=speaker.pieces(step.was, step.number, spot.zone))


def _in_a_row(speaker: Speaker, zone: str, labels: Sequence[str | None]) -> str:
    """What lies in neighbouring cells: counted if all are the same, otherwise one by one."""
    if len(set(labels)) == 1 and labels[0] not in (None, UNKNOWN):
        return speaker.pieces(labels[0], len(labels), zone)
    return ", ".join(_lying(speaker, zone, label).removeprefix("1 ") for label in labels)


def _carry(speaker: Speaker, step: Step) -> str:
    source, to = step.source, step.to
    zone = source.zone if source else to.zone if to else ""
    facts = {"pieces": speaker.pieces(step.what, step.number, zone)}
    if source:
        facts["source"] = speaker.place(source.zone, source.cell, "source")
    if to:
        facts["to"] = speaker.place(to.zone, to.cell, "to")
    return say(speaker, "step.carry" if source and to else "step.take" if source else "step.put", **facts)


# What lies somewhere, and what should


def say_contents(speaker: Speaker, zone: str, contents: Contents | None) -> str:
    """What lies in a zone, in a few words; empty cells are left out."""
    if contents is None:
        return _phrase(speaker, "contents.unseen")
    things = list(_things(speaker, zone, contents))
    if len(things) > MOST:
        things = [*things[:MOST], _phrase(speaker, "contents.more", number=len(things) - MOST)]
    return ", ".join(things) or _phrase(speaker, "contents.nothing")


def _things(speaker: Speaker, zone: str, contents: Contents) -> Iterator[str]:
    match contents:
        case Cells(at=cells):
            for cell, label in cells.items():
                if label not in (None, UNKNOWN):
                    pieces = _lying(speaker, zone, label)
                    yield _phrase(speaker, "contents.cell", pieces=pieces, at=speaker.place(zone, cell, "at"))
        case Pieces(count=counts):
            for label, number in counts.items():
                if number:
                    yield speaker.pieces(label, number, zone)
        case Marks(field=fields):
            for marker, field in fields.items():
                yield _phrase(speaker, "contents.mark", what=marker, number=field)
        case Pointing(value=value):
            yield _phrase(speaker, "contents.anything") if value is None else str(value)


def _lying(speaker: Speaker, zone: str, label: str | None) -> str:
    """What lies in one cell."""
    if label == UNKNOWN:
        return _phrase(speaker, "contents.unseen")
    return speaker.pieces(label, 1, zone) if label else _phrase(speaker, "contents.nothing")


def say_difference(speaker: Speaker, zone: str, seen: Contents, should: Contents, blocks: Blocks = NO_BLOCKS) -> str:
    """What is wrong with a zone: the cells that differ, or blocks of them, or the counts that differ."""
    lines = [
        say(speaker, "lost.zone", place=place, seen=there, should=right)
        for place, there, right in _differences(speaker, zone, seen, should, blocks.get(zone, ()))
    ]
    if len(lines) > MOST:
        lines = [*lines[:MOST], say(speaker, "lost.more", number=len(lines) - MOST)]
    return " ".join(lines)


def _differences(
    speaker: Speaker, zone: str, seen: Contents, should: Contents, blocks: Sequence[tuple[str, ...]]
) -> Iterator[tuple[str, str, str]]:
    """For each place that differs: its name, what was seen, and what should be there."""
    match seen, should:
        case Cells(at=there), Cells(at=right):
            wrong = wrong_cells(there, right)
            for block in blocks:
                if len(set(wrong) & set(block)) > 1:
                    wrong = [cell for cell in wrong if cell not in block]
                    shown, shows = ([at.get(cell, UNKNOWN) for cell in block] for at in (there, right))
                    rows = _in_a_row(speaker, zone, shown), _in_a_row(speaker, zone, shows)
                    yield speaker.block(zone, block), *rows
            for cell in wrong:
                yield speaker.place(zone, cell), _lying(speaker, zone, there[cell]), _lying(speaker, zone, right[cell])
            return
        case Pieces(count=there), Pieces(count=right):
            differing = [label for label in {**right, **there} if there.get(label, 0) != right.get(label, 0)]
            seen = Pieces({label: there.get(label, 0) for label in differing})
            should = Pieces({label: right.get(label, 0) for label in differing})
        case Marks(field=there), Marks(field=right):
            differing = [marker for marker in right if marker in there and there[marker] != right[marker]]
            seen = Marks({marker: there[marker] for marker in differing})
            should = Marks({marker: right[marker] for marker in differing})
    yield speaker.place(zone), say_contents(speaker, zone, seen), say_contents(speaker, zone, should)


def say_lost(speaker: Speaker, zones: Mapping[str, tuple[Contents, Contents]], blocks: Blocks = NO_BLOCKS) -> str:
    """The sentence that nothing explains the table, and where it differs."""
    said = " ".join(say_difference(speaker, zone, seen, should, blocks) for zone, (seen, should) in zones.items())
    return say(speaker, "lost.said", zones=said)


# Moves


def say_moves(speaker: Speaker, game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> str:
    """Moves one after the other, beginning in a state; all but the last must be legal."""
    said = ""
    for number, move in enumerate(moves):
        if number:
            state = game.play(state, moves[number - 1])
        sentence = speaker.move(type(move).__name__, game.facts(state, move))
        said = say(speaker, "question.then", moves=said, next=sentence) if said else sentence
    return said
