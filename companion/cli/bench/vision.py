"""`companion bench vision` and `accuracy`: measures the time of a Reading, and how often it is right on rendered
tables."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time
from typing import Any

import msgspec

from companion import games
from companion.cli import accuracy as accuracy_page
from companion.cli.bench import real
from companion.cli.terminal import Terminal, Unusable, print_figures
from companion.kernel.views import View
from companion.simulation.selfplay import open_table, playing

GAME = games.NAMES[0]


def run(arguments: argparse.Namespace) -> int:
    terminal = Terminal(sys.stderr)
    # Said now, not after five minutes of reading.
    _refuse_missing_folders(arguments)
    figures = {"accuracy": _accuracy, "real": real.run, "vision": _vision}[arguments.what](arguments, terminal)
    terminal.done()
    print_figures(figures, arguments.json)
    return 0


def _views(players: tuple[int, ...], seed: int, name: str = GAME) -> list[View]:
    """Views from games of bots, after the setup."""
    game = games.load(name)
    views = []
    for number in players:
        state, world = open_table(game, number, "keen", f"eyes/{seed}/{number}", {})
        states = [after for _, _, after in playing(game, state, world)]
        views += [game.view(s) for s in states if not game.setting_up(s)][::5]
    return views


def _layout(name: str = GAME) -> Any:
    """A game's layout with default options."""
    from vision import layout

    game = games.load(name)
    return layout.load(game.box_file.with_name("layout.toml")).chosen(msgspec.to_builtins(game.options_type()))


def _accuracy(arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    from vision.accuracy import tables as accuracy
    from vision.kit.teaching_tables import everything

    scenes, table = arguments.scenes, _layout(arguments.game)
    if arguments.only and all(zone.kind != arguments.only for zone in table.zones.values()):
        raise Unusable(f"There is no zone of the kind {arguments.only!r} on the table of {table.name}.")
    tallies = accuracy.rendered(
        table,
        _views((2, 3, 4), arguments.seed, arguments.game),
        scenes,
        arguments.seed,
        on_scene=lambda done: terminal.progress(done / scenes, f"{done}/{scenes}"),
        only=arguments.only,
    )
    whole: Counter[tuple[str, str]] = sum(tallies.values(), Counter())
    figures: dict[str, Any] = {
        "game": table.name,
        "taught_from": len(everything(table)),
        "scenes": scenes,
        "seed": arguments.seed,
        "rendered": _shares(whole),
        "by_light": {light: _shares(tally) for light, tally in tallies.items()},
    }
    if arguments.photos:
        figures |= _photographs(arguments.photos, terminal)
    if arguments.write:
        accuracy_page.write(arguments.write, accuracy_page.rendered_tables(arguments.game, figures, arguments.only))
    return figures


def _refuse_missing_folders(arguments: argparse.Namespace) -> None:
    if arguments.photos and not arguments.photos.is_dir():
        raise Unusable(f"There is no folder {arguments.photos} with photographs.")
    if arguments.write and not arguments.write.parent.is_dir():
        raise Unusable(f"There is no folder {arguments.write.parent} to write {arguments.write.name} to.")


def _photographs(folder: Path, terminal: Terminal) -> dict[str, Any]:
    """The figures of a folder's photographs: dice, markers, and tables, taught from two pictures of each rig."""
    from vision.accuracy import tables as accuracy
    from vision.accuracy.dice import evaluate

    figures: dict[str, Any] = {}
    if (folder / "dice" / "truth.json").is_file():
        terminal.progress(1.0, "dice")
        figures["dice"] = {key: value for key, value in evaluate(folder / "dice").items() if key != "photos"}
    if (folder / "aruco" / "truth.json").is_file():
        terminal.progress(1.0, "markers")
        figures["markers"] = accuracy.markers(folder / "aruco")
    tables = folder / "tables"
    for one in sorted(tables.iterdir()) if tables.is_dir() else ():
        terminal.progress(1.0, f"tables/{one.name}")
        figures[f"tables/{one.name}"] = _shares(accuracy.tables(one))
    return figures


def _shares(tally: Counter[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """For each kind of zone: the number of items, and the shares that were exact, wrong and unknown."""
    shares = {}
    everything: Counter[tuple[str, str]] = Counter()
    for (_, verdict), number in tally.items():
        everything["all", verdict] += number
    tally = tally + everything
    for kind in sorted({kind for kind, _ in tally}):
        counts = {verdict: tally[kind, verdict] for verdict in ("exact", "wrong", "unknown")}
        total = max(1, sum(counts.values()))
        shares[kind] = {"things": total, **{name: round(count / total, 5) for name, count in counts.items()}}
    return shares


def _vision(arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """A full Reading of a four-player table in one thread, compared with one marker detection and one warp."""
    import cv2
    import numpy as np

    from vision.accuracy import tables as accuracy
    from vision.cameras import Frame
    from vision.picture.motion import Lookout
    from vision.picture.table_picture import locate
    from vision.rendered import any_camera
    from vision.table_reader import TableReader

    cv2.setNumThreads(1)
    rng, layout = Random(arguments.seed), _layout(arguments.game)
    rig = accuracy.Rig(any_camera(rng, layout), "wood")
    terminal.progress(0.1, "teaching")
    reader = TableReader(layout, accuracy.taught(layout, rig, "even", rng))
    tables = {
        players: [
            accuracy.shot(layout, view, rig, "even", rng)
            for view in rng.sample(_views((players,), 1, arguments.game), 3)
        ]
        for players in (2, 3, 4)
    }
    images = [image for _, image in tables[4]]
    plane = locate(images[0], layout).plane
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    grey = cv2.cvtColor(images[0], cv2.COLOR_BGR2GRAY)
    tilt = np.array([[1, 0.02, 3], [0.01, 1, 5], [1e-5, 1e-5, 1]], np.float64)
    little = cv2.resize(images[0], (320, 180), interpolation=cv2.INTER_AREA)
    small = [Frame(little, number / 10, number) for number in range(12)]
    lookout = Lookout(layout, plane)
    terminal.progress(0.4, "measuring")

    def floor() -> None:
        detector.detectMarkers(grey)
        cv2.warpPerspective(images[0], tilt, (1920, 1080))

    reader.look(images[0], known=plane)  # the first look prepares networks and examples
    # Take the fastest of several runs: other load on the machine only slows them down.
    reading: dict[int, list[float]] = {}
    bare, idle = [], []
    for repeat in range(arguments.repeats):
        which = repeat % len(images)
        bare.append(_cost(floor))
        reading.setdefault(which, []).append(_cost(partial(reader.look, images[which], known=plane)))
        idle.append(_cost(lambda: [lookout.look(frame) for frame in small]) / len(small))
    grown = {
        f"{players}_players": _per_piece(
            median(_cost(partial(reader.look, image, known=plane)) for _, image in shots),
            median(len(scene.pieces) for scene, _ in shots),
        )
        for players, shots in tables.items()
    }
    sight = locate(images[0], layout, known=plane)
    by_zone = {name: _cost(partial(reader.read, sight, [name])) for name in layout.zones}
    terminal.progress(0.8, "memory")
    return {
        "reading": _compared("reading_ms", median(map(min, reading.values())), "floor_ms", min(bare)),
        "idle": _compared("idle_ms", min(idle), "floor_ms", min(bare)),
        "growth": {
            **grown,
            **_compared(
                "4_players_ms", grown["4_players"]["ms"] / 1000, "2_players_ms", grown["2_players"]["ms"] / 1000
            ),
        },
        "zones_ms": {name: round(cost * 1000, 1) for name, cost in by_zone.items()},
        "idle_memory_mb": _idle_memory(images[0], arguments.game),
    }


def _per_piece(cost: float, pieces: float) -> dict[str, float]:
    return {"pieces": pieces, "ms": round(cost * 1000, 1), "ms_a_piece": round(cost * 1000 / max(pieces, 1), 2)}


def _idle_memory(image: Any, game: str) -> float:
    """The resident memory of a process that only watches a table, after teaching and reading it."""
    import cv2

    layout = games.load(game).box_file.with_name("layout.toml")
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        picture = Path(folder) / "table.png"
        cv2.imwrite(str(picture), image)
        command = [sys.executable, "-m", "companion.cli.bench.idle_memory", str(layout), str(picture)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(told)


def _cost(work: Callable[[], object]) -> float:
    """The CPU time of this thread, so that other load is not measured."""
    started = thread_time()
    work()
    return thread_time() - started


def _compared(name: str, ours: float, other: str, theirs: float) -> dict[str, float]:
    return {name: round(ours * 1000, 2), other: round(theirs * 1000, 2), "ratio": round(ours / theirs, 3)}
