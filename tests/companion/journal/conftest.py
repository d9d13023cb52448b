"""Journals for tests: a closed one, and one that ended in a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.journal import Entry, Journal

from .evening import HEAD, Evening, crashed, json, now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.journal"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A game that was closed, with a long picture among the short notes."""
    path = tmp_path_factory.mktemp("evening") / "evening.journal"
    with Journal.create(path, HEAD, now) as journal:
        journal.append_many([Entry("note", json("x" * (n * 7 % 300))) for n in range(150)])
        journal.append("picture", json("x" * 9000))
        journal.append_many([Entry("note", json("x" * (n * 7 % 300))) for n in range(150)])
        events = list(journal.events())
    return Evening(path.read_bytes(), b"", events)


@pytest.fixture(scope="module")
def crash(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A game that ended in a crash."""
    path = tmp_path_factory.mktemp("crash") / "evening.journal"
    crashed(path, 40)
    log = path.with_name(f"{path.name}-wal").read_bytes()
    return Evening(path.read_bytes(), log, list(Journal.read(path).events()))
