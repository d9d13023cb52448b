"""docs/rulings.md, the options of the set-up and the tests speak of the same rulings."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from companion.games.viscounts.state import Options

from ..test_catalogues import NAMED

RULINGS = Path(__file__).parents[3] / "docs" / "rulings.md"
FACTS = {"first", "opponent", "difficulty"}
"""Options that are facts of the evening, not house rules."""


def chapter() -> str:
    after = RULINGS.read_text(encoding="utf-8").split("## Viscounts of the West Kingdom\n")[1]
    return after.split("\n## ")[0]


def test_every_house_rule_is_explained_with_its_default() -> None:
    explained = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", chapter(), flags=re.MULTILINE))
    offered = {name: str(default).lower() for name, default in msgspec.structs.asdict(Options()).items()}
    assert explained == {name: default for name, default in offered.items() if name not in FACTS}


def test_every_ruling_names_tests_that_exist() -> None:
    rulings = chapter().split("\n- ")[1:]
    assert len(rulings) >= 20
    for ruling in rulings:
        named = re.findall(r"`(test_\w+)`", ruling)
        assert named, ruling
        assert set(named) <= NAMED["viscounts"], named
