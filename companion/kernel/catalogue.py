"""Rule catalogues: every rule of a rulebook with an id, its section and its sentences in German and English.

A catalogue is a `rules.toml` in the game's folder. Sentences are templates: `{good}` is filled with the
fact of that name, translated through the catalogue's words; `{left|statue|statues}` counts,
`{left?stands|stand}` chooses a word by a number, and `{left#no statue|one statue|_ statues}` words 0, 1 and many.
Sentences for people at the table are never written in code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import msgspec

from companion.kernel.files import converted

Language = Literal["de", "en"]
LANGUAGES: tuple[Language, ...] = ("de", "en")
Both = dict[str, str]
"""One text by its language, as phones get it."""
Form = Literal["name", "source", "to", "at"]
_AMOUNT: Final = re.compile(r"([a-z]+)(\d+)")
_GAP: Final = re.compile(r"{(\w+)(?:([|?#])([^{}]*))?}")


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text in both languages."""

    de: str
    en: str

    def in_(self, language: Language) -> str:
        return self.de if language == "de" else self.en


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of the rulebook.

    `kind` says when it applies: a `duty` in ordinary play, a `ban` only when it is broken, an `option` if the table
    chose a variant, `rare` only when supplies run out. A `small` rule is not announced when it applies. `assumes` names
    the facts of the box (or what they are part of) that a breach depends on: while they are unverified, people are told
    so.
    """

    id: str
    section: Text
    says: Text
    kind: Literal["duty", "ban", "option", "rare"] = "duty"
    small: bool = False
    assumes: tuple[str, ...] = ()
    broken: Text | None = None
    applied: Text | None = None

    def rests_on(self, facts: Iterable[str]) -> bool:
        """Whether a breach of the rule depends on one of these facts."""
        return any(fact == one or fact.startswith(f"{one}.") for fact in facts for one in self.assumes)


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people call a zone or a cell, with the forms that sentences need: from it, to it, at it."""

    name: Text
    source: Text
    to: Text
    at: Text

    def in_form(self, form: Form) -> Text:
        found: Text = getattr(self, form)
        return found


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The question for a field of a move that people enter by hand.

    `values` names values that have no words of their own, as they are written: `yes`, `no`, a number. `settles`
    mentions the field if the answer to another question has settled it.
    """

    asks: Text
    settles: Text | None = None
    values: dict[str, Text] = {}


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option that a table may choose before the game.

    `values` names the choices in the order in which they are shown, `seat` says that the choice is a seat, and
    `players` are the numbers of players with which the option matters (empty: any number). `asked` options are asked
    before every game; the others are house rules, which are folded because their defaults suit most tables.
    """

    says: Text
    hint: Text | None = None
    values: dict[str, Text] = {}
    seat: bool = False
    players: tuple[int, ...] = ()
    asked: bool = False


class Describing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a form for describing a piece that the box lacks.

    `refuses` says why a description is impossible, `hint` what to look out for.
    """

    asks: Text
    fields: dict[str, Text]
    hint: Text | None = None
    refuses: dict[str, Text] = {}


class Sketched(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a part of the box that people enter by drawing.

    `one` and `way` are a place of a graph and a way between two; `lacks` says what is still missing. `again` replaces
    the hint if an earlier drawing no longer fits.
    """

    title: Text
    hint: Text
    again: Text | None = None
    one: Text | None = None
    way: Text | None = None
    lacks: dict[str, Text] = {}


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules of one game, in the rulebook's order, and the words of its explanations.

    Tables:

    - `expects`: what the table waits for.
    - `progress`: how far the game is.
    - `zones` and `cells`: names of places. `castle` is used for the zones of all seats (`castle blue`), with their
      colour as `{seat}`.
    - `pieces`: names of pieces by label. `permit` is used for all labels `permit AB`, with the rest as `{name}`;
      `amount` for labels that are amounts.
    - `words`: all other words. A word with another meaning in one zone has the zone in front: `city A`. `crest` is used
      for `crest lily` if it contains `{name}`.
    - `amounts`: words for what is counted. `gold` is used for `gold3`, and `cards1_gold3` is an amount of both. A name
      of several words, some of them amounts (`abbot with gold3`), is translated word by word.
    - `fields`: questions for the fields of moves, by kind and name (`Place.field`) or by name alone (`seat`).
    - `options`: what a table may choose before the game.
    - `describing`: forms for pieces that the box lacks; `families`: the kinds of such pieces.
    - `sketches`: what people enter by drawing.
    - `blocks`: names of cells that are put right together, from `{first}` to `{last}`.
    - `about`: what people are told about a place.
    """

    game: str
    title: Text
    rules: tuple[Rule, ...]
    words: dict[str, Text]
    moves: dict[str, Text]
    expects: dict[str, Text] = {}
    progress: dict[str, Text] = {}
    zones: dict[str, Place] = {}
    cells: dict[str, Place] = {}
    pieces: dict[str, Text] = {}
    fields: dict[str, Field] = {}
    options: dict[str, Variant] = {}
    amounts: dict[str, Text] = {}
    describing: dict[str, Describing] = {}
    sketches: dict[str, Sketched] = {}
    families: dict[str, Text] = {}
    blocks: dict[str, Text] = {}
    about: dict[str, Text] = {}

    def rule(self, rule_id: str) -> Rule:
        found = _by_id(self.rules).get(rule_id)
        if found is None:
            raise KeyError(f"The catalogue of {self.game} has no rule {rule_id!r}.")
        return found

    def field(self, kind: str, name: str) -> Field:
        """The question for a field of a move; without an entry of its own, the word for its name."""
        found = self.fields.get(f"{kind}.{name}") or self.fields.get(name)
        return found or Field(self.words.get(name) or Text(name, name))

    def form(self, name: str) -> Describing:
        """The words of a form; the entry `permit` is used for `permit coast`."""
        return self.describing.get(name) or self.describing[name.partition(" ")[0]]

    def word(self, name: str, language: Language) -> str:
        text = self.words.get(name)
        if text:
            return text.in_(language)
        return self._amount(name, language) or self._served(name, language) or self._pieced(name, language) or name

    def _served(self, name: str, language: Language) -> str:
        """A name said with the entry of its first word, which contains `{name}` for the rest; empty if there is
        none."""
        kind, _, rest = name.partition(" ")
        text = self.words.get(kind)
        if not rest or text is None or "{name}" not in text.en:
            return ""
        return Template(text.in_(language)).fill({"name": self.word(rest, language)})

    def _pieced(self, name: str, language: Language) -> str:
        """A name of several words, some of them amounts, translated word by word; empty for any other name."""
        parts = name.split(" ")
        if len(parts) < 2 or not any(self._amount(part, language) for part in parts):
            return ""
        said, counted = "", False
        for part in parts:
            amount = self._amount(part, language)
            said += (", " if amount and counted else " " if said else "") + (amount or self.word(part, language))
            counted = bool(amount)
        return said

    def _amount(self, name: str, language: Language) -> str:
        """Amounts in words; empty if the name contains anything else."""
        parts = [_AMOUNT.fullmatch(part) for part in name.split("_")]
        found = [(self.amounts[part[1]], part[2]) for part in parts if part and part[1] in self.amounts]
        if len(found) < len(parts):
            return ""
        *others, last = (Template(text.in_(language)).fill({"n": number}) for text, number in found)
        return f"{', '.join(others)} {self.word('and', language)} {last}" if others else last

    def piece(self, label: str, zone: str = "") -> tuple[Text, str] | None:
        """The text for pieces with a label, and the value of its `{name}`: the rest of the label, or the amount."""
        kind, _, rest = label.partition(" ")
        known = self.pieces
        if text := known.get(f"{zone} {label}") or known.get(label):
            return text, label
        if rest and kind in known and "{name}" in known[kind].en:
            return known[kind], rest
        counted = "amount" in known and (self._amount(label, "en") or self._pieced(label, "en"))
        return (known["amount"], label) if counted else None


class CatalogueError(Exception):
    """A catalogue file that cannot be used; the message names file and place."""


class _Explained(Protocol):
    @property
    def rule(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, Any]: ...


class _Expected(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, Any]: ...


def load(path: Path) -> Catalogue:
    """Read and check a `rules.toml`."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CatalogueError(f"{path} is not valid TOML: {error}.") from error
    try:
        catalogue = converted(raw, Catalogue)
    except msgspec.ValidationError as error:
        raise CatalogueError(f"{path} does not hold a rule catalogue: {error}.") from error
    if len({rule.id for rule in catalogue.rules}) != len(catalogue.rules):
        raise CatalogueError(f"{path} names a rule twice.")
    return catalogue


@cache
def _by_id(rules: tuple[Rule, ...]) -> dict[str, Rule]:
    return {rule.id: rule for rule in rules}


class Speaker:
    """Puts rules, moves, places and pieces into words of one language, with players' names instead of colours."""

    def __init__(self, catalogue: Catalogue, language: Language = "en", names: Mapping[str, str] | None = None) -> None:
        self.catalogue = catalogue
        self.language = language
        self._names = {colour: name for colour, name in (names or {}).items() if name}

    def word(self, value: Any) -> str:
        if isinstance(value, str):
            return self._names.get(value) or self.catalogue.word(value, self.language)
        if isinstance(value, Iterable):
            return ", ".join(self.word(item) for item in value) or self.catalogue.word("nothing", self.language)
        return str(value)

    def fill(self, text: Text, facts: Mapping[str, Any]) -> str:
        """A whole sentence."""
        sentence = self.phrase(text, facts)
        return sentence[:1].upper() + sentence[1:]

    def phrase(self, text: Text, facts: Mapping[str, Any]) -> str:
        """Words that may stand anywhere in a sentence."""
        words = {name: self.word(fact) for name, fact in facts.items()}
        return Template(text.in_(self.language)).fill(words)

    def broken(self, breach: _Explained) -> str:
        """Why something is not allowed: the sentence with the facts, or the rule itself if it has none."""
        rule = self.catalogue.rule(breach.rule)
        return self.fill(rule.broken or rule.says, breach.facts)

    def applied(self, note: _Explained) -> str | None:
        """What a rule did in a move; None for rules without such a sentence."""
        rule = self.catalogue.rule(note.rule)
        return self.fill(rule.applied, note.facts) if rule.applied else None

    def rule(self, rule_id: str) -> str:
        return self.catalogue.rule(rule_id).says.in_(self.language)

    def section(self, rule_id: str) -> str:
        return self.catalogue.rule(rule_id).section.in_(self.language)

    def move(self, kind: str, facts: Mapping[str, Any]) -> str:
        """A move in a few words, by its kind."""
        return self.fill(self.catalogue.moves[kind], facts)

    def expects(self, expected: _Expected) -> str:
        """What the table waits for."""
        return self.fill(self.catalogue.expects[expected.key], expected.facts)

    def progress(self, progress: _Expected) -> str:
        """How far the game is."""
        return self.fill(self.catalogue.progress[progress.key], progress.facts)

    def about(self, remark: _Expected) -> str:
        """Something worth knowing about a place."""
        return self.fill(self.catalogue.about[remark.key], remark.facts)

    def place(self, zone: str, cell: str = "", form: Form = "name") -> str:
        """What people call a zone or a cell of it; without an entry of its own, the word for its name."""
        kind, _, seat = zone.rpartition(" ")
        named = self.catalogue.cells if cell else self.catalogue.zones
        place = named.get(zone) or named.get(kind)
        if place:
            return self.phrase(place.in_form(form), {"seat": self._there(kind, seat), "cell": self._there(zone, cell)})
        return " ".join(self.word(part) for part in (zone, cell) if part)

    def block(self, zone: str, cells: tuple[str, ...]) -> str:
        """What people call cells of a zone that are put right together."""
        named = self.catalogue.blocks
        text = named.get(zone) or named[zone.rpartition(" ")[0]]
        return self.phrase(text, {"place": self.place(zone), "first": cells[0], "last": cells[-1]})

    def named(self, kind: str, name: str) -> str:
        """A word as something of a kind: the word `city A` has precedence over the word `A`."""
        return self.word(self._there(kind, name))

    def _there(self, zone: str, name: str) -> str:
        """The word to use for a name in a zone: `city A` has precedence over `A`."""
        return f"{zone} {name}" if f"{zone} {name}" in self.catalogue.words else name

    def pieces(self, label: str, number: int, zone: str = "") -> str:
        """A number of pieces in words. A label may name a group: `blue x2 + red`.

        The zone helps if a label has several meanings: the back of a tile, the back of a board.
        """
        return ", ".join(self._counted(one, number, zone) for one in label.split(" + "))

    def piece(self, label: str) -> str:
        """What one piece with this label is called, without the number."""
        return self.pieces(label, 1).removeprefix("1 ")

    def _counted(self, label: str, number: int, zone: str) -> str:
        kind, _, times = label.rpartition(" x")
        if kind and times.isdigit():
            label, number = kind, number * int(times)
        known = self.catalogue.piece(label, zone)
        return self.phrase(known[0], {"n": number, "name": known[1]}) if known else f"{number} {self.word(label)}"


class Template:
    """A text with gaps for facts.

    - `{name}` is the fact itself.
    - `{name|statue|statues}` is a number with its word, one or many: `1 statue`, `3 statues`.
    - `{name?stands|stand}` is the first wording for 1 and the second for any other number, without the number.
    - `{name#no card|one card|_ cards}` is the wording for 0, for 1 and for many, where `_` stands for the number.

    A missing fact is shown as `{name}` instead of raising an error, because a sentence must never stop a game.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def fill(self, facts: Mapping[str, str]) -> str:
        return _GAP.sub(lambda gap: self._filled(gap, facts), self._text)

    @staticmethod
    def _filled(gap: re.Match[str], facts: Mapping[str, str]) -> str:
        name, how, wordings = gap.groups()
        value = facts.get(name, "{" + name + "}")
        words = (wordings or "").split("|")
        if how == "|":
            return f"{value} {words[value != '1']}"
        if how == "?":
            return words[value != "1"]
        if how == "#":
            return words[{"0": 0, "1": 1}.get(value, 2)].replace("_", value)
        return value
