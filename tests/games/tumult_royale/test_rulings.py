"""docs/rulings.md and the options of the set-up speak of the same house rules."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from companion.games.tumult_royale.state import Options

RULINGS = Path(__file__).parents[3] / "docs" / "rulings.md"


def test_every_house_rule_is_explained_with_its_default() -> None:
    part = RULINGS.read_text(encoding="utf-8").split("## Tumult Royale")[1].split("\n## ")[0]
    explained = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", part, flags=re.MULTILINE))
    offered = {name: str(default).lower() for name, default in msgspec.structs.asdict(Options()).items()}
    del offered["oldest"]  # a fact of the evening, not a house rule
    assert explained == offered
