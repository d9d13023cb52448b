"""No style and no word is unused: each class is on a page, and each word is used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import companion
from web import assets

STATIC = assets.FOLDER
ROOMS = [Path(companion.__file__).parent, STATIC.parent]
FILLED = re.compile(r"\$?\{(?:[^{}]|\{[^{}]*\})*\}")
"""Where a text has something put in: `${…}` in a script, `{…}` in Python."""


@cache
def _scripts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js")))


@cache
def _python() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for room in ROOMS for path in sorted(room.rglob("*.py")))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(r"[\w.-]+".join(re.escape(part) for part in FILLED.split(text)))


def _said() -> tuple[set[str], list[re.Pattern[str]]]:
    """What may be a word's name: texts as they are, and those with something put in behind the name of a file."""
    plain = set(re.findall(r'"([\w.]+)"', _scripts() + _python()))
    plain |= {f"refused.{text}" for text in plain}
    made = re.findall(r"`([a-z_]+\.[^`\s]*)`", _scripts()) + re.findall(r'f"([a-z_]+\.[^"\s]*)"', _python())
    return plain, [_pattern(text) for text in made if FILLED.search(text)]


def test_every_word_is_said_somewhere() -> None:
    plain, made = _said()
    words = assets.load_words().texts
    assert len(words) > 300
    unsaid = [name for name in words if name not in plain and not any(one.fullmatch(name) for one in made)]
    assert unsaid == []


def test_every_word_that_a_page_says_exists_in_both_languages() -> None:
    words = assets.load_words().texts
    said = re.findall(r'\b(?:t|hasWord)\(\s*"([^"]+)"', _scripts())
    assert len(said) > 200
    assert [name for name in said if name not in words] == []
    made = re.findall(r"\b(?:t|hasWord)\(\s*`([^`]+)`", _scripts())
    assert [text for text in made if not any(_pattern(text).fullmatch(name) for name in words)] == []
    assert all(set(texts) == {"de", "en"} and all(texts.values()) for texts in words.values())


def test_every_class_of_a_style_is_on_some_page() -> None:
    texts = re.findall(r'"([^"\n]*)"|`([^`]*)`', _scripts() + (STATIC / "index.html").read_text(encoding="utf-8"))
    plain = {word for pair in texts for text in pair for word in re.findall(r"[A-Za-z][\w-]*", text)}
    parts = [word for _, text in texts for word in re.split(r"\s(?![^{]*\})", text) if FILLED.search(word)]
    made = [_pattern(part) for part in parts if re.search(r"[a-z]-", FILLED.sub("", part))]
    unused = {
        f"{path.name}: {name}"
        for path in sorted(STATIC.rglob("*.css"))
        for selector in re.findall(
            r"([^{};]+)\{", re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        )
        for name in re.findall(r"\.([A-Za-z][\w-]*)", selector)
        if name not in plain and not any(one.fullmatch(name) for one in made)
    }
    assert unused == set()
