"""No style and no word is unused: each class is on a page, and each word is used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import companion
from companion.text.sentences import sentences, texts
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


PARTS = re.compile(r'(?:told|Health|PartHealth|_part)\(\s*f?"(\w+)')
"""Where the code names a part whose health it tells."""
SAY_WHAT_TO_DO = {"temperature", "undervoltage", "files"}
"""Parts whose sentences already say what to do."""
NEVER_IN_TROUBLE = {"versions", "people"}


def test_every_part_has_its_name_and_advice_and_no_others_have() -> None:
    code = [*(ROOMS[0] / "daemon").rglob("*.py"), ROOMS[0] / "cli" / "run.py"]
    code.append(STATIC.parents[1] / "hardware" / "table_hardware.py")
    parts = {name for path in code for name in PARTS.findall(path.read_text(encoding="utf-8"))}
    assert len(parts) > 12
    assert {key.partition(".")[2] for key in texts() if key.startswith("part.")} == parts
    advised = {key.removeprefix("health.do_") for key in assets.load_words().texts if key.startswith("health.do_")}
    assert advised == parts - SAY_WHAT_TO_DO - NEVER_IN_TROUBLE


def test_every_sentence_of_the_program_is_said_somewhere() -> None:
    vision = (STATIC.parents[1] / "vision").rglob("*.py")
    code = _python() + "\n".join(path.read_text(encoding="utf-8") for path in vision)
    quoted = re.findall(r'"([^"\n]*)"', code)
    plain = {text.replace(" ", "_") for text in (*quoted, *re.findall(r"'([\w ]+)'", "\n".join(quoted)))}
    put_before = {text.partition(".")[0] for text in quoted if ".{" in text}
    for said, least in ((texts(), 100), (sentences().texts, 80)):
        assert len(said) > least
        keys = [key.split(".", 1) for key in said if not key.startswith("part.")]
        # The code has the key as a whole, or puts the section's name before a word that stands elsewhere in it.
        unsaid = [key for key in keys if ".".join(key) not in plain and not (key[0] in put_before and key[1] in plain)]
        assert unsaid == []


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
