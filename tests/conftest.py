"""Fixtures and hooks of all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""As for every command: on a busy machine threads that wait for each other spend CPU time on it."""

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("fuzz", derandomize=False, deadline=None, database=None, print_blob=True)
settings.load_profile("same")
"""`make test` tries the same cases in every run; `make fuzz` draws fresh ones. What once failed stands in the tests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that take minutes first, so that no single one runs alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
