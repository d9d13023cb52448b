"""A game's box: the facts of its components, read from a data file, checked, and corrected by people.

Facts that could not be confirmed are named in the file's `[unverified]` table, with the question to ask the host. The
host's answers are kept in a file of their own (`Answers`), never in the shipped file, and so are pieces that people
described at the table (`Learned`).
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from companion.kernel import files
from companion.kernel.catalogue import Text
from companion.kernel.files import converted

LEARNED: Final = "learned"
"""The key of the described pieces in the answers."""


class BoxError(Exception):
    """A box that cannot be used; the message names the file, the fact and what to do."""


class Learned(msgspec.Struct, frozen=True):
    """A piece that people described: the form, and their answers."""

    form: str
    answers: dict[str, Any]


class Box(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """What every box has. A game's own box adds its components as fields, and checks them in `contradictions`."""

    game: str
    edition: str
    unverified: tuple[str, ...] = ()
    digest: str = ""
    # Not written if no piece was described, so that such a box and its digest stay the same for old journals.
    described: tuple[Learned, ...] | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name=LEARNED)

    @property
    def learned(self) -> tuple[Learned, ...]:
        """The pieces that people described; the components contain them, too."""
        return () if isinstance(self.described, msgspec.UnsetType) else self.described

    def contradictions(self) -> Iterable[str]:
        """A sentence for each group of facts that cannot all be true; a game overrides this."""
        return ()

    # A State contains its box, and States are hashed and compared often, so the digest stands for the contents.
    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Box) and type(self) is type(other) and self.digest == other.digest)


class Doubt(msgspec.Struct, frozen=True):
    """An unverified fact: its name, the assumed value, and the question that settles it."""

    fact: str
    assumed: Any
    ask: Text


B = TypeVar("B", bound=Box)


def load(path: Path, kind: type[B], answers: Mapping[str, Any] | None = None) -> B:
    """The box in `path`, corrected by a person's answers; answered facts are no longer unverified."""
    facts, doubts = _read(path)
    for fact, value in (answers or {}).items():
        if fact == LEARNED:
            continue
        if fact not in doubts:
            raise BoxError(
                f"The answers for {facts.get('game', path.stem)} speak of {fact!r}, which {path} does not ask about; "
                "remove that answer."
            )
        _put(facts, fact, value, path)
    facts["unverified"] = sorted(set(doubts) - set(answers or {}))
    return from_facts(facts, kind, str(path))


def from_facts(facts: Mapping[str, Any], kind: type[B], source: str) -> B:
    """A typed, checked box from plain data; `source` is named in errors."""
    try:
        box = converted({**facts, "digest": ""}, kind)
    except msgspec.ValidationError as error:
        raise BoxError(f"{source} is not a usable box: {fact_named(str(error))}. Correct that fact.") from error
    wrong = list(box.contradictions())
    if wrong:
        raise BoxError(f"{source} contradicts itself: {' '.join(wrong)} Correct one of these facts.")
    return _digested(box)


def from_journal(facts: Mapping[str, Any], kind: type[B], shipped: Path) -> B:
    """The box that a journal's game was played with.

    It was checked then, and stays as it was even if the shipped box has changed. A fact that was added to boxes later
    is taken from the shipped box, and one that boxes no longer have is left out.
    """
    names = {field.encode_name for field in msgspec.structs.fields(kind)}
    known = {name: fact for name, fact in facts.items() if name in names}
    if any(field.required and field.encode_name not in known for field in msgspec.structs.fields(kind)):
        known = {**_read(shipped)[0], **known}
    try:
        return _digested(converted({**known, "digest": ""}, kind))
    except msgspec.ValidationError as error:
        raise BoxError(f"The journal's box is of another kind: {fact_named(str(error))}.") from error


def _digested(box: B) -> B:
    digest = hashlib.sha256(msgspec.json.encode(box, order="deterministic")).hexdigest()[:16]
    return msgspec.structs.replace(box, digest=digest)


def learned_in(answers: Mapping[str, Any] | None) -> tuple[Learned, ...]:
    """The described pieces in a person's answers."""
    try:
        return converted((answers or {}).get(LEARNED, ()), tuple[Learned, ...])
    except msgspec.ValidationError as error:
        raise BoxError(f"The answers hold a piece that cannot be read: {error}. Take it out of `{LEARNED}`.") from error


def with_piece(box: B, learned: Learned, components: Mapping[str, Any]) -> B:
    """The box with another piece; `components` are the facts that change with it. Raises `BoxError`."""
    facts = {**msgspec.to_builtins(box), **components, LEARNED: [*box.learned, learned]}
    return from_facts(msgspec.to_builtins(facts), type(box), f"The box of {box.game} with this piece")


def doubts(path: Path, answers: Mapping[str, Any] | None = None) -> tuple[Doubt, ...]:
    """The facts still unverified, in the file's order."""
    facts, asked = _read(path)
    return tuple(
        Doubt(fact, _get(facts, fact, path), ask) for fact, ask in asked.items() if fact not in (answers or {})
    )


def facts(path: Path, names: Iterable[str], answers: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Some facts of a box by name: a person's answer, or the assumed value."""
    assumed, _ = _read(path)
    return {name: (answers or {}).get(name, _get(assumed, name, path)) for name in names}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Text]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BoxError(f"The box {path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BoxError(f"The box {path} is not text; put the shipped file back.") from error
    try:
        facts = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoxError(f"The box {path} is not valid TOML: {error}. Correct that line.") from error
    try:
        asked = converted(facts.pop("unverified", {}), dict[str, Text])
    except msgspec.ValidationError as error:
        raise BoxError(f"{path} has an unverified fact without a question in de and en: {error}.") from error
    for fact in asked:
        _get(facts, fact, path)
    return facts, asked


def _get(facts: Any, fact: str, path: Path) -> Any:
    here = facts
    for step in fact.split("."):
        if not isinstance(here, dict) or step not in here:
            raise BoxError(f"{path} calls {fact!r} unverified, but there is no such fact; correct the name.")
        here = here[step]
    return here


def _put(facts: dict[str, Any], fact: str, value: Any, path: Path) -> None:
    _get(facts, fact, path)
    *steps, last = fact.split(".")
    here = facts
    for step in steps:
        here = here[step]
    here[last] = value


def fact_named(problem: str) -> str:
    """Turn a message of msgspec, such as ``… - at `$.disc.areas` ``, into «fact disc.areas: …»."""
    what, _, where = problem.partition(" - at `$.")
    return f"fact {where.rstrip('`')}: {what}" if where else what


class Answers:
    """The host's answers about unverified facts: one JSON file for each game, in a folder that the host owns."""

    def __init__(self, folder: Path, game: str) -> None:
        self.path = folder / "answers" / f"{game}.json"

    def read(self) -> dict[str, Any]:
        """All answers; empty before the first one, and after a damaged file was moved aside."""
        try:
            return files.read(self.path, msgspec.json.Decoder(dict[str, Any]).decode) or {}
        except OSError as error:
            raise BoxError(f"The answers in {self.path} cannot be read: {error}.") from error

    def changing(self) -> AbstractContextManager[None]:
        """Lock the answers while they are read and written again."""
        return files.changing(self.path)

    def keep(self, fact: str, value: Any) -> None:
        """Add or change one answer."""
        self.keep_all({fact: value})

    def keep_all(self, more: Mapping[str, Any]) -> None:
        """Add or change answers together."""
        with self.changing():
            self._write(self.path, {**self.read(), **more})

    def replace_all(self, answers: Mapping[str, Any]) -> None:
        """Replace all answers, and keep the old ones in a file beside them."""
        with self.changing():
            if before := self.read():
                self._write(self.path.with_suffix(".before.json"), before)
            self._write(self.path, answers)

    def _write(self, path: Path, answers: Mapping[str, Any]) -> None:
        files.write(path, msgspec.json.format(msgspec.json.encode(answers), indent=2) + b"\n")
