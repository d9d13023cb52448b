"""Phones in a real browser at a real server: a table of Tumult Royale that is told by hand."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.daemon.health import Health
from tests.companion.daemon.homes import Home
from tests.web.chromium.stage import Stage
from web.server import WebServer

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Debian's, the lightest first: the shell is the same browser without windows."""
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")
PHONE = {"width": 360, "height": 640}
PATIENCE = 60_000
"""Milliseconds that a busy machine may take to show something."""
HEALTH = (
    Health("disk", "ok", "There is room."),
    Health("camera", "failed", "The camera does not answer."),
    Health("button of seat blue", "absent", "There is none."),
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("There is no browser here; install Debian's chromium, or say CHROMIUM=...")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Evening:
    """A table, its server, and the phones around it."""

    def __init__(self, folder: Path, home: Home, server: WebServer, chromium: Any) -> None:
        self.folder, self.home, self.server = folder, home, server
        self._chromium = chromium
        self._contexts: list[Any] = []
        self.troubles: list[str] = []
        """What a browser complained about: scripts that failed, files that were not there."""

    def phone(self, role: str = "host", seat: int = 0, language: str = "en", **how: Any) -> Any:
        """A phone that has joined."""
        context = self._chromium.new_context(
            base_url=f"http://127.0.0.1:{self.server.port}", locale=language, viewport=PHONE, has_touch=True, **how
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        assert self.server.pin is not None
        ways: dict[str, tuple[str, dict[str, Any]]] = {
            "host": ("/api/host", {"pin": self.server.pin.digits}),
            "seat": ("/api/join", {"seat": seat, "name": "Ada"}),
            "watcher": ("/api/join", {"seat": None}),
        }
        if role in ways:
            # Before the page is there: it is spared to be loaded twice.
            me = context.request.get("/api/me").json()
            path, body = ways[role]
            assert context.request.post(path, data=body, headers={"X-Companion": me["csrf"]}).status == 200
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto("/")
        page.locator("nav.thumbs a").first.wait_for()
        return page

    def close(self) -> None:
        """Close the phones first: one without a table tries to reconnect for ever."""
        for context in self._contexts:
            context.close()
        self.server.stop()
        self.home.close()

    def until(self, phase: str) -> None:
        """Play on, by hand, to a phase of the game."""
        self.home.play(400, until=lambda state: state.phase == phase)
        assert self.home.state.phase == phase


@pytest.fixture
def evening(tmp_path: Path, chromium: Any) -> Iterator[Callable[..., Evening]]:
    opened: list[Evening] = []

    def begin(**how: Any) -> Evening:
        home = Home(tmp_path, lambda: HEALTH, **how).live()
        server = WebServer(home.backend, tmp_path, 0, "127.0.0.1")
        server.start()
        opened.append(Evening(tmp_path, home, server, chromium))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()
        assert not one.troubles


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.close()


@pytest.fixture
def phone(chromium: Any, stage: Stage) -> Iterator[Callable[..., Any]]:
    """Opens a page of the dashboard on another phone, and sees to it that nothing went wrong on any of them."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opened(path: str = "/", language: str = "de", seat: int | None = None, **how: Any) -> Any:
        how = {"viewport": PHONE, "reduced_motion": "reduce", **how}
        context = chromium.new_context(locale=language, **how)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if "Content Security" in said.text else None)
        page.goto(f"{stage.address}/#/join" if seat is not None else stage.address + path)
        page.wait_for_selector("html[data-connection=here]")
        if seat is not None:
            page.locator(".place-list li").nth(seat).locator("button").click()
            page.wait_for_selector(".table-page")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []
