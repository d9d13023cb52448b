"""The order of the house: small modules, names that are nouns, the same modules in every game, and plain words."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("companion", "vision", "hardware", "web")

MOST_MODULES = 330
MOST_LINES = 450
MOST_INDEFINITE = 100
"""Maximum number of lines that speak of unnamed people, as INDEFINITE does."""
INDEFINITE = re.compile("nobody|somebody|whoever|anybody", re.IGNORECASE)

LONG = {
    "vision/training/*": "is run once by hand, not by the companion",
}
NOUNS = ("scoring", "wiring")
"""Module names in -ing that are nouns."""
IN_EVERY_GAME = {
    "box",
    "game",
    "moves",
    "referee/candidates",
    "referee/play_unchecked",
    "referee/state_from_view",
    "referee/view",
    "rulebook/phases",
    "rulebook/scoring",
    "rulebook/setup",
    "simulation/habits",
    "simulation/mistakes",
    "simulation/world",
    "state",
    "text",
}
IN_SOME_GAMES = {
    "components",
    "entry",
    "guide",
    "guide_*",
    "new_pieces",
    "piece_forms",
    "referee/acts",
    "referee/illegal_candidates",
    "referee/moves_in_progress",
    "referee/seen_table",
    "referee/trades",
    "rulebook/*",
    "simulation/bots",
    "simulation/mistakes_*",
    "sketches",
}
"""Other names that a game may have: chapters of its rulebook, parts of its guide, and kinds of its mistakes."""

MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
GAMES = sorted(path.parent for path in ROOT.glob("companion/games/*/game.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_one_of(name: str, patterns: object) -> bool:
    assert isinstance(patterns, tuple | set | dict)
    return any(fnmatch(name, pattern) for pattern in patterns)


def test_the_house_has_few_modules() -> None:
    modules = [path for path in MODULES if path.name != "__init__.py"]
    print(f"{len(modules)} modules, at most {MOST_MODULES}")
    assert 200 < len(modules) <= MOST_MODULES


def test_every_module_is_small() -> None:
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    long = {name: number for name, number in lines.items() if number > MOST_LINES and not is_one_of(name, LONG)}
    assert long == {}


@pytest.mark.parametrize("pattern", LONG)
def test_a_module_is_let_off_only_as_long_as_it_is_long(pattern: str) -> None:
    let_off = [path for path in MODULES if fnmatch(name_of(path), pattern)]
    assert any(len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES for path in let_off)


def test_names_of_modules_are_nouns() -> None:
    verbs = [name_of(path) for path in MODULES if path.stem.endswith("ing") and path.stem not in NOUNS]
    assert verbs == []


def test_there_are_four_games() -> None:
    assert [game.name for game in GAMES] == ["council_of_four", "tiletum", "tumult_royale", "viscounts"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_the_same_names(game: Path) -> None:
    names = {
        path.relative_to(game).with_suffix("").as_posix() for path in game.rglob("*.py") if path.name != "__init__.py"
    }
    assert names >= IN_EVERY_GAME, f"{game.name} lacks {sorted(IN_EVERY_GAME - names)}"
    others = sorted(name for name in names - IN_EVERY_GAME if not is_one_of(name, IN_SOME_GAMES))
    assert others == []


def test_the_code_names_who_does_what() -> None:
    """Docstrings and comments say which part or which person does something."""
    found = Counter(
        {
            name_of(path): sum(bool(INDEFINITE.search(line)) for line in path.read_text(encoding="utf-8").splitlines())
            for path in MODULES
        }
    )
    print(f"{found.total()} lines, fewer than {MOST_INDEFINITE}:")
    for name, number in found.most_common():
        if number:
            print(f"{number:4} {name}")
    assert found.total() < MOST_INDEFINITE
