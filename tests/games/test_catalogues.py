"""The catalogue, the code and the tests of each game speak of the same rules, in both languages."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from companion import games
from companion.kernel.catalogue import LANGUAGES, Rule
from companion.kernel.game import Game

GAMES = [games.load(name) for name in games.NAMES]
RULES = [pytest.param(game, rule, id=f"{game.name} {rule.id}") for game in GAMES for rule in game.catalogue.rules]
each_game = pytest.mark.parametrize("game", GAMES, ids=games.NAMES)


def named_tests(game: Game[Any, Any]) -> set[str]:
    names = set()
    for path in (Path(__file__).parent / game.name).glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return names


NAMED = {game.name: named_tests(game) for game in GAMES}


@pytest.mark.parametrize(("game", "rule"), RULES)
def test_every_rule_has_a_test_named_for_it(game: Game[Any, Any], rule: Rule) -> None:
    prefix = "test_" + rule.id.replace(".", "_").replace("-", "_") + "__"
    assert any(name.startswith(prefix) for name in NAMED[game.name]), f"no test is named {prefix}…"


@each_game
def test_the_code_names_exactly_the_rules_of_the_catalogue(game: Game[Any, Any]) -> None:
    ids = {rule.id for rule in game.catalogue.rules}
    families = {rule.partition(".")[0] for rule in ids}
    found = set()
    for path in game.box_file.parent.rglob("*.py"):
        found |= set(re.findall(r'"([a-z]+\.[a-z0-9-]+)"', path.read_text(encoding="utf-8")))
    found = {text for text in found if text.partition(".")[0] in families and not text.endswith(".toml")}
    assert found - (facts_of_the_box(game) - ids) == ids


def facts_of_the_box(game: Game[Any, Any]) -> set[str]:
    """Names such as `crown.points`, which stand in the code as well and are no rules."""
    box = tomllib.loads(game.box_file.read_text(encoding="utf-8"))
    return {f"{name}.{fact}" for name, facts in box.items() if isinstance(facts, dict) for fact in facts}


@each_game
def test_every_rule_speaks_both_languages_differently_from_its_id(game: Game[Any, Any]) -> None:
    for rule in game.catalogue.rules:
        for language in LANGUAGES:
            assert len(rule.says.in_(language)) > 15, rule.id
        assert rule.says.de != rule.says.en, rule.id


@each_game
def test_every_ban_says_why_it_was_broken(game: Game[Any, Any]) -> None:
    assert [rule.id for rule in game.catalogue.rules if rule.kind == "ban" and rule.broken is None] == []


@each_game
def test_both_languages_of_a_sentence_use_the_same_facts(game: Game[Any, Any]) -> None:
    def facts(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)", text))

    for rule in game.catalogue.rules:
        for text in (rule.broken, rule.applied):
            if text:
                assert facts(text.de) == facts(text.en), rule.id


@each_game
def test_every_choice_by_a_number_has_all_its_wordings(game: Game[Any, Any]) -> None:
    """`{n|one|many}` and `{n?one|many}` have two, `{n#none|one|many}` has three, and nothing else is a gap."""
    for gap in re.findall(r"{([^{}]*)}", " ".join(texts(msgspec.to_builtins(game.catalogue)))):
        found = re.fullmatch(r"\w+(?:([|?#])(.*))?", gap)
        assert found, gap
        if found[1]:
            assert len(found[2].split("|")) == (3 if found[1] == "#" else 2), gap


def texts(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ()
    return [text for part in parts for text in texts(part)]


@each_game
def test_every_kind_of_move_has_a_sentence_and_a_name(game: Game[Any, Any]) -> None:
    kinds = {kind.__name__ for kind in game.move_type.__args__}
    assert set(game.catalogue.moves) == kinds
    assert kinds <= set(game.catalogue.words)


@each_game
def test_every_field_of_every_move_is_asked_for_in_both_languages(game: Game[Any, Any]) -> None:
    for kind, field in fields_of_moves(game):
        assert f"{kind}.{field}" in game.catalogue.fields or field in game.catalogue.fields, f"{kind}.{field}"
        asked = game.catalogue.field(kind, field)
        texts = (asked.asks, *asked.values.values(), *([asked.settles] if asked.settles else []))
        assert all(text.de and text.en and text.de != text.en for text in texts), f"{kind}.{field}"
        assert kind in game.catalogue.words, f"{kind} is not in the words"


@each_game
def test_no_question_is_about_something_that_no_move_has(game: Game[Any, Any]) -> None:
    known = fields_of_moves(game)
    assert set(game.catalogue.fields) <= {f"{kind}.{field}" for kind, field in known} | {field for _, field in known}


def fields_of_moves(game: Game[Any, Any]) -> set[tuple[str, str]]:
    return {(kind.__name__, field) for kind in game.move_type.__args__ for field in kind.__struct_fields__}


@each_game
def test_what_a_rule_assumes_is_a_fact_that_nobody_has_confirmed(game: Game[Any, Any]) -> None:
    unverified = game.load_box().unverified
    for rule in game.catalogue.rules:
        for fact in rule.assumes:
            assert msgspec.structs.replace(rule, assumes=(fact,)).rests_on(unverified), (rule.id, fact)
        assert not rule.assumes or rule.broken, rule.id


@each_game
def test_every_option_and_each_of_its_values_has_words(game: Game[Any, Any]) -> None:
    options = msgspec.structs.fields(game.options_type)
    assert set(game.catalogue.options) == {option.name for option in options}
    for option in options:
        words = game.catalogue.options[option.name]
        assert set(words.values) == {str(value) for value in get_args(option.type)}, option.name
        assert words.seat == (option.type is int), option.name
