"""Every file and folder that the page of the house names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMED = sorted(
    set(re.findall(r"`((?:companion|vision|hardware|web)/[\w/.]*)`", (ROOT / "docs/architecture.md").read_text()))
)


def test_it_names_files_of_every_room() -> None:
    assert {path.split("/")[0] for path in NAMED} == {"companion", "vision", "hardware", "web"}
    assert len(NAMED) > 30


@pytest.mark.parametrize("path", NAMED)
def test_what_it_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()
