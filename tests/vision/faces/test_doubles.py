"""Cards that share a portrait are distinguished by the signs at their ends, and never guessed."""

from __future__ import annotations

from random import Random

from companion.kernel.views import Cells, View
from vision.layout import Layout

from .test_twins import read, table

LOOKS = {
    "swindler 1": "swindler: criminal1 stone1 stone1 silver3",
    "swindler 2": "swindler: criminal1 gold1 gold1 silver3",
    "swindler 3": "swindler: criminal1 ink1 ink1 silver3",
    "patron 1": "patron: noble1 dropped1 gold1 gold1 silver3",
    "patron 2": "patron: noble1 played1 gold1 silver2",
    "deacon 1": "deacon: cleric1 destroy1 discard1 silver3",
    "deacon 2": "deacon: cleric1 virtue1 virtue1 silver2",
}
AT = {str(n): [150 + 70 * (n % 11), 150 + 100 * (n // 11)] for n in range(33)}


def cards(looks: dict[str, str]) -> Layout:
    return table(
        {"card": {"size": [44, 68], "height": 1, "labels": [*looks], "looks": looks}},
        {"cards": {"kind": "slots", "at": AT, "size": [50, 74], "holds": "card"}},
    )


def dealt(labels: list[str], seed: int) -> list[View]:
    """One table for each light."""
    rng = Random(seed)
    return [View({"cards": Cells({place: rng.choice(labels) for place in AT})}) for _ in range(5)]


def test_cards_of_one_portrait_are_told_by_the_signs_at_their_ends() -> None:
    verdicts = read(cards(LOOKS), dealt([*LOOKS], 11), "portraits")
    assert verdicts["wrong"] == 0
    assert verdicts["exact"] > 0.95 * verdicts.total()


def test_cards_that_are_the_same_all_over_are_left_unknown() -> None:
    """They cannot be distinguished; a guess would be worse than a question."""
    alike = dict.fromkeys(("one", "other"), LOOKS["swindler 1"])
    verdicts = read(cards(alike), dealt([*alike], 12), "the same")
    assert verdicts["unknown"] == verdicts.total()
