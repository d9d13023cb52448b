"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that take minutes are begun first, so that nobody waits for a single one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
