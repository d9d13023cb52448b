"""Catalogues: errors name their place; sentences are filled, counted and translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.kernel.catalogue import CatalogueError, Speaker, load
from companion.kernel.rules import Breach, Note

SMALL = """
game = "pebbles"
title = { de = "Kiesel", en = "Pebbles" }
[[rules]]
id = "take.three"
section = { de = "Nehmen", en = "Taking" }
says = { de = "Höchstens drei.", en = "At most three." }
broken = { de = "{seat} nahm {took|Kiesel|Kiesel}.", en = "{seat} took {took|pebble|pebbles}." }
applied = { de = "{seat} nimmt {what}.", en = "{seat} takes {what}." }
[[rules]]
id = "take.turn"
section = { de = "Nehmen", en = "Taking" }
says = { de = "Der Reihe nach.", en = "In turn." }
[words]
blue = { de = "Blau", en = "Blue" }
round = { de = "rund", en = "round" }
nothing = { de = "nichts", en = "nothing" }
[moves]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "rules.toml"
    file.write_text(SMALL, encoding="utf-8")
    return file


def test_a_breach_tells_its_facts_in_both_languages(path: Path) -> None:
    breach = Breach("take.three", {"seat": "blue", "took": 4})
    assert Speaker(load(path), "de").broken(breach) == "Blau nahm 4 Kiesel."
    assert Speaker(load(path), "en").broken(breach) == "Blue took 4 pebbles."
    assert Speaker(load(path), "en").broken(Breach("take.three", {"seat": "blue", "took": 1})) == "Blue took 1 pebble."


def test_a_rule_without_a_sentence_for_its_breach_says_itself(path: Path) -> None:
    assert Speaker(load(path), "en").broken(Breach("take.turn")) == "In turn."


def test_lists_are_translated_word_by_word_and_none_is_nothing(path: Path) -> None:
    speaker = Speaker(load(path), "de", {"blue": "Anna"})
    assert speaker.applied(Note("take.three", {"seat": "blue", "what": ("round", "blue")})) == "Anna nimmt rund, Anna."
    assert speaker.applied(Note("take.three", {"seat": "blue", "what": ()})) == "Anna nimmt nichts."
    assert speaker.applied(Note("take.turn")) is None


def test_a_sentence_without_its_fact_shows_the_gap_and_does_not_fail(path: Path) -> None:
    assert Speaker(load(path), "en").broken(Breach("take.three", {"seat": "blue"})) == "Blue took {took} pebbles."


@pytest.mark.parametrize(
    ("template", "number", "said"),
    [
        ("There {n?stands|stand} {n|pebble|pebbles}", 1, "There stands 1 pebble."),
        ("There {n?stands|stand} {n|pebble|pebbles}", 2, "There stand 2 pebbles."),
        ("There {n?is one on it|are some on it}", 0, "There are some on it."),
        ("{n#no pebble lies|one pebble lies|_ pebbles lie} there", 0, "No pebble lies there."),
        ("{n#no pebble lies|one pebble lies|_ pebbles lie} there", 1, "One pebble lies there."),
        ("{n#no pebble lies|one pebble lies|_ pebbles lie} there", 3, "3 pebbles lie there."),
        ("{n#|one: yes; |_ of them: }all", 0, "All."),
        ("{n#|one: yes; |_ of them: }all", 12, "12 of them: all."),
    ],
)
def test_words_agree_with_a_number(path: Path, template: str, number: int, said: str) -> None:
    path.write_text(SMALL.replace("{seat} took {took|pebble|pebbles}", template), encoding="utf-8")
    assert Speaker(load(path), "en").broken(Breach("take.three", {"n": number})) == said


def test_a_choice_without_its_number_shows_the_gap(path: Path) -> None:
    text = "{n#no pebble|one pebble|_ pebbles}"
    path.write_text(SMALL.replace("{seat} took {took|pebble|pebbles}", text), encoding="utf-8")
    assert Speaker(load(path), "en").broken(Breach("take.three")) == "{n} pebbles."


def test_an_unknown_rule_is_named(path: Path) -> None:
    with pytest.raises(KeyError, match=r"take\.four"):
        load(path).rule("take.four")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "pebbles"', "game = ", "line 2"),
        ('en = "In turn."', 'fr = "En tour."', "fr"),
        ('id = "take.turn"', 'id = "take.three"', "twice"),
    ],
)
def test_a_bad_catalogue_is_named(path: Path, old: str, new: str, said: str) -> None:
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError, match=said) as refused:
        load(path)
    assert str(path) in str(refused.value)


PLACES = """
"garden A" = { de = "Apfelgarten", en = "apple garden" }
"beds A" = { de = "Astern", en = "asters" }
A = { de = "Ast", en = "branch" }
[zones.garden]
name = { de = "im {seat}", en = "in the {seat}" }
source = { de = "aus dem {seat}", en = "from the {seat}" }
to = { de = "in den {seat}", en = "to the {seat}" }
at = { de = "im {seat}", en = "in the {seat}" }
[cells.beds]
name = { de = "Beet {cell}", en = "bed {cell}" }
source = { de = "von {cell}", en = "from {cell}" }
to = { de = "zu {cell}", en = "to {cell}" }
at = { de = "bei {cell}", en = "at {cell}" }
"""


def test_a_letter_goes_by_the_name_that_it_has_in_a_zone(path: Path) -> None:
    path.write_text(SMALL.replace("[moves]", PLACES + "[moves]"), encoding="utf-8")
    speaker = Speaker(load(path), "en", {"blue": "Anna"})
    assert speaker.place("garden A", form="to") == "to the apple garden"
    assert speaker.place("beds", "A") == "bed asters"
    assert speaker.place("garden blue", form="at") == "in the Anna"
    assert speaker.place("beds", "blue") == "bed Anna"
    assert speaker.word("A") == "branch"


@pytest.mark.parametrize(
    ("name", "german", "english"),
    [
        ("gold3", "3 Gold", "3 gold"),
        ("gold1 wood2 for wood1", "1 Gold, 2 Holz for 1 Holz", "1 gold, 2 wood for 1 wood"),
        ("Old Meg with gold2", "Old Meg with 2 Gold", "Old Meg with 2 gold"),
        ("crest lily", "Wappen lily", "lily crest"),
        ("crest gold2", "Wappen 2 Gold", "2 gold crest"),
        ("round blue", "round blue", "round blue"),
    ],
)
def test_a_name_that_people_gave_is_said_word_by_word_where_something_is_counted(
    path: Path, name: str, german: str, english: str
) -> None:
    crest = 'crest = { de = "Wappen {name}", en = "{name} crest" }\n'
    amounts = '[amounts]\ngold = { de = "{n} Gold", en = "{n} gold" }\nwood = { de = "{n} Holz", en = "{n} wood" }\n'
    pieces = '[pieces]\namount = { de = "{n|Ding|Dinge} «{name}»", en = "{n|thing|things} «{name}»" }\n'
    path.write_text(SMALL.replace("[moves]\n", f"{crest}[moves]\n{amounts}{pieces}"), encoding="utf-8")
    catalogue = load(path)
    assert (catalogue.word(name, "de"), catalogue.word(name, "en")) == (german, english)
    counted = any(one.isdigit() for one in name) and "crest" not in name
    assert (catalogue.piece(name) is not None) == (counted or name == "crest gold2")
