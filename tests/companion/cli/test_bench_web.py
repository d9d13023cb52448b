"""A short run of `companion bench web` prints every figure and loses no event."""

from __future__ import annotations

import json

import pytest

from companion.cli import main
from companion.cli.bench import web


def test_the_page_is_measured_over_real_sockets_and_no_update_is_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "CLIENTS", (2, 3, 4))
    monkeypatch.setattr(web, "SECONDS", 0.3)
    assert main(["bench", "web", "--json", "--updates", "20", "--counted", "300", "--timers", "5"]) == 0
    figures = json.loads(capsys.readouterr().out)
    delays = figures["event_to_phone_ms"]
    assert {name: (shares["heard"], shares["lost"]) for name, shares in delays.items()} == {
        "2_clients": (40, 0),
        "3_clients": (60, 0),
        "4_clients": (80, 0),
    }
    assert all(0 < shares["p50"] <= shares["p99"] <= shares["max"] for shares in delays.values())
    assert (figures["none_lost"]["heard"], figures["none_lost"]["lost"]) == (600, 0)
    page = figures["main_page"]
    assert page["ratio"] == pytest.approx(page["requests_per_second"] / page["bare_requests_per_second"], abs=0.01)
    timer = figures["raid_stop_late_ms"]
    assert timer["idle"]["p50"] >= 0
    assert timer["ratio"] >= 0
