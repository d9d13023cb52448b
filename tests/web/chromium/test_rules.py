"""Every rule is found on the phone, and what can be done now is one tap away from the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion import games

from .conftest import PHONE, Evening

Begin = Callable[..., Evening]


@pytest.mark.parametrize(
    ("language", "word", "asks"), [("de", "gnade", "Was kann ich jetzt tun?"), ("en", "mercy", "What can I do now?")]
)
def test_a_rule_is_found_by_a_word_of_either_language(evening: Begin, language: str, word: str, asks: str) -> None:
    table = evening()
    table.until("placing")
    acts = table.home.backend.snapshot().table["expects"]["actor"]
    page = table.phone("seat", acts, language)
    page.goto("/#/table")
    page.get_by_role("link", name=asks).click()
    expect(page.get_by_role("heading", name=asks)).to_be_visible()
    assert page.locator(".kinds li").count() >= 2
    rules = games.load("tumult_royale").catalogue.rules
    expect(page.locator(".sections li")).to_have_count(len(rules))
    wanted = [
        rule for rule in rules if word in f"{rule.section.de} {rule.section.en} {rule.says.de} {rule.says.en}".lower()
    ]
    page.get_by_role("searchbox").fill(word.upper())
    expect(page.locator(".sections li:not([hidden])")).to_have_count(len(wanted))
    text = page.locator("main").inner_text()
    assert not [rule.id for rule in rules if rule.id in text], "ids are for programs"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.locator(".rules-page [role=status]")).not_to_be_empty()
