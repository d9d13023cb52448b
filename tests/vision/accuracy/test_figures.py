"""How well figures are read on tables that another program rendered; the pictures are not part of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.accuracy.tables import tables

TABLES = Path(__file__).parents[4] / "shared" / "photos" / "tables" / "dev"


@pytest.mark.skipif(not TABLES.is_dir(), reason="the bench tables (../shared/photos/tables/dev) are not here")
def test_most_figures_on_the_bench_tables_are_read_rightly() -> None:
    tally = tables(TABLES)
    told = {verdict: tally["slots", verdict] for verdict in ("exact", "wrong", "unknown")}
    assert told["exact"] / sum(told.values()) >= 0.94
    assert told["wrong"] <= 2
