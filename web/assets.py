"""The dashboard's files and words.

A page asks for words as `NAME.key`.

An address that a phone asks for is looked up in a dict and never used as a path.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.kernel.catalogue import Both, Template

WORDS: Final = Path(__file__).parent / "words"
LANGUAGES: Final = ("de", "en")


class WordsError(Exception):
    """An invalid file of words; the message names the file and the key."""


class Words:
    """Every text in both languages, by its key."""

    def __init__(self, texts: Mapping[str, Both]) -> None:
        self.texts = dict(texts)

    def say(self, key: str, **facts: object) -> Both:
        """A text with its facts filled in. An unknown key is returned itself."""
        text = self.texts.get(key, dict.fromkeys(LANGUAGES, key))
        return {language: _filled(words, facts) for language, words in text.items()}

    def in_(self, language: str) -> dict[str, str]:
        return {key: text[language] for key, text in self.texts.items()}


def load_words(folder: Path = WORDS) -> Words:
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
    """Texts by their full key. A table without subtables is a text."""
    for key, below in tree.items():
        if not isinstance(below, dict):
            raise WordsError(f"{name}.{key} is no text in two languages.")
        if any(isinstance(one, dict) for one in below.values()):
            yield from _flat(f"{name}.{key}", below)
        else:
            yield f"{name}.{key}", below


def _filled(text: str, facts: Mapping[str, object]) -> str:
    return Template(text).fill({name: str(fact) for name, fact in facts.items()})


FOLDER: Final = Path(__file__).parent / "static"

_KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_TEXT: Final = ("text/", "image/svg", "application/manifest", "application/json")
_IMPORTED: Final = re.compile(rb'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)
_WORTH_IT: Final = 0.95
"""A file is sent compressed if compression makes it smaller than this share of its size."""


class Asset(msgspec.Struct, frozen=True):
    """One file: its bytes, compressed ones if that helps, and a hash of its content."""

    kind: str
    body: bytes
    squeezed: bytes | None
    mark: str


class Assets:
    """All files, read at the start."""

    def __init__(self, files: Mapping[str, Asset]) -> None:
        self._files = dict(files)
        marks = "".join(f"{name}{asset.mark}" for name, asset in sorted(self._files.items()))
        self.version = _mark(marks.encode())
        """Changes if any file changes."""

    def get(self, name: str) -> Asset | None:
        return self._files.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))

    def with_imports(self, scripts: Iterable[str]) -> tuple[str, ...]:
        """These scripts and all scripts that they import, directly or not; each once."""
        found: dict[str, None] = {}
        waiting = list(scripts)
        while waiting:
            name = waiting.pop(0)
            script = self._files.get(name)
            if script is not None and name not in found:
                found[name] = None
                imported = (path.decode() for path in _IMPORTED.findall(script.body))
                waiting += (posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in imported)
        return tuple(found)


def asset(body: bytes, kind: str) -> Asset:
    squeezed = gzip.compress(body, 9, mtime=0) if kind.startswith(_TEXT) else b""
    smaller = squeezed and len(squeezed) < _WORTH_IT * len(body)
    return Asset(kind, body, squeezed if smaller else None, _mark(body))


def load(folder: Path = FOLDER) -> Assets:
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            files[name] = asset(path.read_bytes(), _kind(path))
    return Assets(files)


def _kind(path: Path) -> str:
    return _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _mark(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:12]
