"""A breach that may be due to an unconfirmed fact of the box says so, until the fact is confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tumult_royale.moves import Pass
from companion.kernel.catalogue import Rule, Text
from tests.companion.table.evening import one, tumult
from tests.games.tumult_royale.statue_table import put, sculptor
from tests.games.tumult_royale.table import BLUE, YELLOW, replace

SAYS = Text("Es ist so.", "It is so.")


@pytest.mark.parametrize(
    ("assumes", "unverified", "rests"),
    [
        (("fields",), ("fields.village.cost.tool",), True),
        (("fields.village",), ("fields.village.cost.tool",), True),
        (("disc.areas",), ("disc.areas",), True),
        (("disc.areas",), ("disc",), False),
        (("field",), ("fields.village.cost.tool",), False),
        (("fields",), (), False),
        ((), ("fields.village.cost.tool",), False),
    ],
)
def test_a_rule_rests_on_a_fact_or_on_what_it_is_part_of(
    assumes: tuple[str, ...], unverified: tuple[str, ...], rests: bool
) -> None:
    assert Rule("a.rule", SAYS, SAYS, assumes=assumes).rests_on(unverified) is rests


@pytest.mark.parametrize("compared", [False, True])
def test_a_price_may_be_due_to_a_box_that_nobody_compared_and_whose_turn_it_is_may_not(
    tmp_path: Path, compared: bool
) -> None:
    state = sculptor("bread1 marble1")
    state = replace(state, box=replace(state.box, unverified=())) if compared else state
    evening = tumult(state, tmp_path)
    told = one(evening.tells(put(state, "I3", "marble1"), seat=BLUE), "refused")
    assert [(breach["rule"], breach["assumed"]) for breach in told["breaches"]] == [("placing.cost", not compared)]
    told = one(evening.tells(Pass(YELLOW), seat=YELLOW), "refused")
    assert [(breach["rule"], breach["assumed"]) for breach in told["breaches"]] == [("placing.order", False)]
