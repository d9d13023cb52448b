"""The words of the pages and of the server's own refusals, from `words/NAME.toml`: `[key]` with `de` and `en`.

A page asks for them as `NAME.key`. Nothing is said here that is not written there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "words"
LANGUAGES: Final = ("de", "en")

Both = dict[str, str]


class WordsError(Exception):
    """A file with words that cannot be used; the message names the file and the key."""


class Words:
    """Every text in both languages, by its key."""

    def __init__(self, texts: Mapping[str, Both]) -> None:
        self.texts = dict(texts)

    def say(self, key: str, **facts: object) -> Both:
        """A text with its facts put in; a key that nobody wrote is said as it is."""
        text = self.texts.get(key, dict.fromkeys(LANGUAGES, key))
        return {language: _filled(words, facts) for language, words in text.items()}

    def in_(self, language: str) -> dict[str, str]:
        return {key: text[language] for key, text in self.texts.items()}


def load(folder: Path = FOLDER) -> Words:
    texts: dict[str, Both] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            written = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise WordsError(f"The words in {path} cannot be read: {error}.") from error
        for key, text in _flat(path.stem, written):
            if set(text) != set(LANGUAGES) or not all(isinstance(words, str) and words for words in text.values()):
                raise WordsError(f"{key!r} in {path} needs exactly a German and an English text.")
            texts[key] = text
    return Words(texts)


def _flat(name: str, tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Texts by the whole way to them; a table that holds no tables is a text."""
    for key, below in tree.items():
        if not isinstance(below, dict):
            raise WordsError(f"{name}.{key} is no text in two languages.")
        if any(isinstance(one, dict) for one in below.values()):
            yield from _flat(f"{name}.{key}", below)
        else:
            yield f"{name}.{key}", below


def _filled(text: str, facts: Mapping[str, object]) -> str:
    for name, fact in facts.items():
        text = text.replace(f"{{{name}}}", str(fact))
    return text
