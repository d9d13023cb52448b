"""Runs the property tests again and again with new cases, for a given time (`make fuzz`).

`make test` tries the same cases in every run. Here each round has a number, which is the seed of Hypothesis, of the
games that states are taken from, and of the order of sets: with it a failure can be replayed. Which tests the present
round has already run is kept in `.fuzz/`, so a run that was stopped continues there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".fuzz"
PROGRESS = 30.0
"""Seconds between two lines of progress."""
RAN = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""How a whole round ends; the last is what ends when the round before was stopped after its last test."""


class Tally:
    """The current round, the tests that it has run, and its failures, in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "tally.json"
        kept: dict[str, Any] = json.loads(self._file.read_text()) if self._file.exists() else {}
        self.round: int = kept.get("round", 1)
        self.done: list[str] = kept.get("done", [])
        self.found: list[str] = kept.get("found", [])
        """The tests that failed, `ROUND TEST`."""

    def keep(self) -> None:
        self.folder.mkdir(exist_ok=True)
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps({"round": self.round, "done": self.done, "found": self.found}, indent=1))
        draft.replace(self._file)


class Round:
    """A plugin for pytest: only property tests, only those that this round has not run yet, until the time is over."""

    def __init__(self, tally: Tally, until: float) -> None:
        self._tally, self._until = tally, until
        self._properties: list[str] = []
        self._told = time.monotonic()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        properties = [item for item in items if item.get_closest_marker("hypothesis")]
        left = [item for item in properties if item.nodeid not in self._tally.done]
        config.hook.pytest_deselected(items=[item for item in items if item not in left])
        items[:] = left
        self._properties = [item.nodeid for item in properties]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            print(report.longreprtext, flush=True)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        tally = self._tally
        if report.failed:
            known = {one.partition(" ")[2] for one in tally.found}
            tally.found.append(f"{tally.round} {report.nodeid}")
            text = tally.folder / f"found-{len(tally.found)}.txt"
            tally.folder.mkdir(exist_ok=True)
            text.write_text(f"{report.nodeid}\n{replay_command(tally.round, report.nodeid)}\n\n{report.longreprtext}\n")
            if report.nodeid not in known:
                told(report.longreprtext, text, replay_command(tally.round, report.nodeid))
        if report.when == "teardown":
            tally.done.append(report.nodeid)
            tally.keep()
            self._progress()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if time.monotonic() > self._until:
            item.session.shouldstop = "the time is over"

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if set(self._properties) <= set(self._tally.done) and exitstatus in RAN:
            self._tally.round += 1
            self._tally.done = []
            self._tally.keep()

    def _progress(self) -> None:
        now = time.monotonic()
        if now > self._told + PROGRESS:
            self._told = now
            left = max(0.0, self._until - now) / 60
            tally = self._tally
            done = f"round {tally.round}: {len(tally.done)} of {len(self._properties)} tests"
            print(f"{done}, {left:.0f} minutes left, failures so far: {len(tally.found)}", flush=True)


def told(report: str, text: Path, command: str) -> None:
    lines = report.splitlines()
    telling = [line for line in lines if line.startswith("E ")] or lines[-20:]
    print("\n== FOUND", *telling[-40:], f"whole report: {text}", f"replay: {command}", "", sep="\n", flush=True)


def replay_command(number: int, test: str) -> str:
    return f"{shlex.quote(os.path.relpath(sys.executable))} -m tests.fuzz --replay {number} {shlex.quote(test)}"


def pytest_arguments(number: int) -> list[str]:
    ours = ["-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-p", "no:xdist"]
    return [*ours, "--hypothesis-profile=fuzz", f"--hypothesis-seed={number}"]


def one_round(folder: Path, until: float, tests: list[str]) -> None:
    """Run a round in a new process, because caches of games grow and each process has one order of sets."""
    tally = Tally(folder)
    quiet = ["-p", "no:terminalreporter", "-m", "hypothesis"]
    sys.exit(pytest.main([*quiet, *pytest_arguments(tally.round), *tests], plugins=[Round(tally, until)]))


def environment(number: int) -> None:
    os.environ["PYTHONHASHSEED"] = os.environ["FUZZ_ROUND"] = str(number)


def fuzz(folder: Path, minutes: float, tests: list[str]) -> int:
    until, before = time.monotonic() + 60 * minutes, Tally(folder)
    begun = f", {len(before.done)} tests of which are done" if before.done else ""
    print(
        f"{minutes:g} minutes from round {before.round}{begun}. Ctrl-C stops; the next run continues there.", flush=True
    )
    code = 0
    try:
        while code in RAN and time.monotonic() < until:
            environment(Tally(folder).round)
            child = multiprocessing.get_context("spawn").Process(target=one_round, args=(folder, until, tests))
            child.start()
            child.join()
            code = child.exitcode
    except KeyboardInterrupt:
        child.join()
    tally = Tally(folder)
    new = tally.found[len(before.found) :]
    print(
        f"\n{tally.round - 1} whole rounds so far, and {len(tally.done)} tests of the next;"
        f" failures in this run: {len(new)}"
    )
    first = {test: number for number, _, test in (one.partition(" ") for one in reversed(new))}
    for test, number in first.items():
        print(" ", replay_command(int(number), test))
    return 1 if new else 0 if code in RAN or time.monotonic() > until else 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--replay", type=int, metavar="ROUND", help="run TESTs once, as that round ran them")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where it keeps how far it is, and what it found")
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these files or tests")
    given = parser.parse_args()
    if given.replay is None:
        return fuzz(given.folder, given.minutes, given.tests)
    environment(given.replay)
    return subprocess.call([sys.executable, "-m", "pytest", *pytest_arguments(given.replay), *given.tests])


if __name__ == "__main__":
    sys.exit(main())
