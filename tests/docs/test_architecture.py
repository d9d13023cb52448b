"""Every file, folder and function that `docs/architecture.md` names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:companion|vision|hardware|web|tests)/[\w/.]*)`", PAGE)))
FUNCTIONS = sorted(set(re.findall(r"`([\w/]+\.py)`\s+`(\w+)`", PAGE)))
CHAPTERS = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)


def test_it_names_files_of_every_room() -> None:
    assert {path.split("/")[0] for path in NAMED} == {"companion", "vision", "hardware", "web", "tests"}
    assert len(NAMED) > 30
    assert len(FUNCTIONS) > 25
    assert len(CHAPTERS) == 5


@pytest.mark.parametrize("path", NAMED)
def test_what_it_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("path", "name"), FUNCTIONS)
def test_the_functions_that_it_names_are_in_their_files(path: str, name: str) -> None:
    assert re.search(
        rf"^ *(def|class) {name}\b|^{name}\b.* = ", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE
    )


def test_its_links_lead_to_chapters() -> None:
    chapters = {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", PAGE, re.M)}
    assert set(re.findall(r"\(#([\w-]+)\)", PAGE)) <= chapters


def test_it_names_every_thread() -> None:
    code = [path for room in ("companion", "hardware", "web") for path in (ROOT / room).rglob("*.py")]
    tools = {ROOT / "hardware/mock.py", *(ROOT / "companion/cli/bench").glob("*.py")}
    threads = {
        (name, path.relative_to(ROOT).as_posix())
        for path in code
        if path not in tools
        for name in re.findall(r'Thread\([^\n]*name="([^"]+)"', path.read_text(encoding="utf-8"))
    }
    assert len(threads) > 10
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert [
        (name, path) for name, path in threads if not any(f"`{name}`" in row and f"`{path}`" in row for row in rows)
    ] == []
