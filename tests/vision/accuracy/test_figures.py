"""How well figures are read on tables that somebody else rendered; the pictures are not part of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.accuracy.figures import evaluate

TABLES = Path(__file__).parents[4] / "shared" / "photos" / "tables" / "dev"


@pytest.mark.skipif(not TABLES.is_dir(), reason="the bench tables (../shared/photos/tables/dev) are not here")
def test_most_figures_on_the_bench_tables_are_read_rightly() -> None:
    found = evaluate(TABLES)
    assert found.uncovered.exact / found.uncovered.total >= 0.94
    assert found.uncovered.wrong <= 2
    assert found.covered.wrong <= 1
    assert found.found.exact / found.found.total >= 0.94
    assert found.found.wrong <= 2
    assert found.found_covered.wrong <= 1
