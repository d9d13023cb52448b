"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.catalogue import LANGUAGES, Speaker
from companion.games.tumult_royale import GAME
from companion.games.tumult_royale import __file__ as package
from companion.games.tumult_royale.moves import Move

RULES = GAME.catalogue.rules
FOLDER = Path(package).parent


def test_names() -> set[str]:
    names = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return names


test_names.__test__ = False  # type: ignore[attr-defined]
NAMED = test_names()


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_every_rule_has_a_test_named_for_it(rule: str) -> None:
    prefix = "test_" + rule.replace(".", "_").replace("-", "_") + "__"
    assert any(name.startswith(prefix) for name in NAMED), f"no test is named {prefix}…"


def rule_ids_in_code() -> set[str]:
    ids = {rule.id for rule in RULES}
    found = set()
    for path in FOLDER.glob("*.py"):
        found |= set(re.findall(r'"([a-z]+\.[a-z0-9-]+)"', path.read_text(encoding="utf-8")))
    families = {rule.partition(".")[0] for rule in ids}
    return {text for text in found if text.partition(".")[0] in families and not text.endswith(".toml")}


def test_the_code_names_exactly_the_rules_of_the_catalogue() -> None:
    assert rule_ids_in_code() == {rule.id for rule in RULES}


def test_every_rule_speaks_both_languages_differently_from_its_id() -> None:
    for rule in RULES:
        for language in LANGUAGES:
            assert len(rule.says.in_(language)) > 15, rule.id
        assert rule.says.de != rule.says.en, rule.id


def test_every_ban_says_why_it_was_broken() -> None:
    assert [rule.id for rule in RULES if rule.kind == "ban" and rule.broken is None] == []


def test_both_languages_of_a_sentence_use_the_same_facts() -> None:
    def facts(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)", text))

    for rule in RULES:
        for text in (rule.broken, rule.applied):
            if text:
                assert facts(text.de) == facts(text.en), rule.id


def test_every_kind_of_move_has_a_sentence_and_a_name() -> None:
    kinds = {kind.__name__ for kind in Move.__args__}  # type: ignore[attr-defined]
    assert set(GAME.catalogue.moves) == kinds
    assert kinds <= set(GAME.catalogue.words)


def test_rules_stand_in_the_order_of_the_book() -> None:
    sections = [rule.section.de for rule in RULES]
    in_order = list(dict.fromkeys(sections))
    assert sections == sorted(sections, key=in_order.index)
    assert in_order == [
        "Titelseite",
        "Spielvorbereitung",
        "Die erste Statue einsetzen",
        "Spielablauf",
        "1. Volkes Stimmung erkunden",
        "2. Steuer-Raubphase",
        "3. Eventuell Tumulte ausführen",
        "4. Statuen aufstellen",
        "5. Ränge neu verteilen",
        "6. Krönung des neuen Königs",
        "7. Gnade des Volkes erhalten",
        "Vorbereitung der nächsten Runde",
        "Die Besonderheiten der Königs-Chronik",
        "Spielende",
        "Variante: Steuern rauben für Adelige, die gerne zocken",
        "Was wäre wenn …",
    ]


def test_a_player_is_called_by_name_where_one_is_known() -> None:
    speaker = Speaker(GAME.catalogue, "de", {"blue": "Anna"})
    assert speaker.word("blue") == "Anna"
    assert speaker.word("yellow") == "Gelb"


def test_numbers_choose_their_word() -> None:
    from companion.rules import Note

    speaker = Speaker(GAME.catalogue, "en")
    one = speaker.applied(Note("placing.overpaid", {"seat": "blue", "followers": 1}))
    many = speaker.applied(Note("placing.overpaid", {"seat": "blue", "followers": 3}))
    assert one == "Blue gets 1 follower for overpaying."
    assert many == "Blue gets 3 followers for overpaying."
