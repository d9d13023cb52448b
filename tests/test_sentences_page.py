"""The page of `make sentences`: every sentence with facts of played games, in good grammar."""

from __future__ import annotations

import re
from functools import cache

import pytest

from companion import games
from companion.kernel.catalogue import Text
from tests.sentences import Collected, collected, page

each_game = pytest.mark.parametrize("name", games.NAMES)
WAYS = ("broken", "applied")
_COUNTED = re.compile(r"{\w+\|([^|}]*)\|([^|}]*)}")


@cache
def found(name: str) -> Collected:
    return collected(name, number=1, looks=60)


@each_game
def test_every_sentence_of_a_rule_is_shown_with_facts_or_listed_as_not_brought_up(name: str) -> None:
    brought = found(name)
    shown = {key for key in brought.found if key[0] in WAYS}
    listed = {(how, rule.id) for how, rule in brought.unseen()}
    whole = {(how, rule.id) for rule in brought.game.catalogue.rules for how in WAYS if getattr(rule, how)}
    assert not shown & listed
    assert whole <= shown | listed
    assert len(listed) < len(whole) / 2
    written = page([brought])
    assert all(rule in written for _, rule in shown | listed)


@each_game
def test_no_sentence_has_a_gap_left(name: str) -> None:
    for key, examples in found(name).found.items():
        for example in examples.values():
            assert not set("{}|#") & {*example.de, *example.en}, (key, example)


@each_game
def test_english_has_english_quotes(name: str) -> None:
    for key, examples in found(name).found.items():
        assert not any(set("«»") & {*example.en} for example in examples.values()), key


@each_game
def test_one_thing_is_never_said_in_the_plural(name: str) -> None:
    brought = found(name)
    for (how, rule), examples in brought.found.items():
        text = brought.template(how, rule)
        assert text is not None
        for example in examples.values():
            for said, template in ((example.de, text.de), (example.en, text.en)):
                for one, many in _COUNTED.findall(template):
                    assert one == many or not re.search(rf"\b1 {re.escape(many)}\b", said), (rule, said)


def test_the_same_seed_gives_the_same_page() -> None:
    name = games.NAMES[0]
    again = collected(name, number=1, looks=60)
    assert page([again]) == page([found(name)])


def test_a_breach_without_a_sentence_of_its_own_says_the_rule() -> None:
    brought = found("tumult_royale")
    rule = next(rule for rule in brought.game.catalogue.rules if rule.broken is None)
    assert brought.template("broken", rule.id) == rule.says
    assert isinstance(rule.says, Text)
