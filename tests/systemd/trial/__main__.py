"""Tests the installation in Debian 12 and 13; `make test-install` runs it as root.

Releases given as arguments are the only ones tried. Mounts and processes end with this process, however it ends.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.systemd.trial.roots import PROJECT, ROOTS, NoRoot, make_root
from tests.systemd.trial.tries import PARTS, TRIES, Trial

RELEASES: Final = {"bookworm": "Debian 12", "trixie": "Debian 13"}
ALONE: Final = "TRIAL_RUNS_ALONE"
"""Set in a process that has mounts and process numbers of its own."""

Row = tuple[str, str, str, float]
"""System, what was tried, how it went, seconds."""


def main(wanted: list[str]) -> int:
    if os.geteuid() != 0:
        print("Whole systems can be made only by root: run sudo make test-install.", file=sys.stderr)
        return 2
    if ALONE not in os.environ:
        os.environ[ALONE] = "yes"
        unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        os.execvp("unshare", [*unshare, sys.executable, "-m", "tests.systemd.trial", *wanted])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as the first process of its kind it would not hear of it
    releases = wanted or list(RELEASES)
    print(
        f"{len(TRIES)} tries in each of {' and '.join(RELEASES[name] for name in releases)}: about 3 minutes a system,"
    )
    print(f"and one more if it has to be made first. Systems are kept in {ROOTS.name}/; make clean removes them.")
    rows: list[Row] = []
    try:
        for release in releases:
            rows += _rows(release)
    except NoRoot as error:
        print(error, file=sys.stderr)
        return 1
    for release in releases:
        _mark(release).unlink(missing_ok=True)
    for system, name, result, seconds in rows:
        print(f"  {system:10} {name:36} {result:10} {seconds:5.0f} s")
    failed = [row for row in rows if row[2] == "FAILED"]
    print(f"{len(failed)} failed." if failed else "All of it works.")
    return 1 if failed else 0


def _rows(release: str) -> list[Row]:
    """A stopped run continues with the systems that it had not finished."""
    mark, files = _mark(release), _fingerprint()
    if mark.is_file() and mark.read_text() == files:
        return [(RELEASES[release], "everything", "ok before", 0.0)]
    rows = list(_tried(release))
    if rows[-1][2] == "ok":
        mark.write_text(files)
    return rows


def _mark(release: str) -> Path:
    return ROOTS / f"{release}.tried"


def _fingerprint() -> str:
    """A hash of all installed files."""
    files = [path for part in PARTS for path in (PROJECT / part, *(PROJECT / part).rglob("*"))]
    content = (path.read_bytes() for path in sorted(files) if path.is_file() and path.suffix != ".pyc")
    return sha256(b"".join(sha256(one).digest() for one in content)).hexdigest()


def _tried(release: str) -> Iterator[Row]:
    """Run all trials in one system, up to the first that fails."""
    system = RELEASES[release]
    began = time.monotonic()
    print(f"{system}: the system itself …", end=" ", flush=True)
    make_root(release)
    trial = Trial(release)
    yield system, "the system itself", "ok", _seconds(began)
    for name, attempt in TRIES.items():
        print(f"{system}: {name} …", end=" ", flush=True)
        trial.said, began = "", time.monotonic()
        try:
            attempt(trial)
        except Exception:
            print("FAILED", *trial.said.splitlines()[-60:], traceback.format_exc(), sep="\n", flush=True)
            yield system, name, "FAILED", time.monotonic() - began
            break
        yield system, name, "ok", _seconds(began)
    trial.machine.close()


def _seconds(began: float) -> float:
    seconds = time.monotonic() - began
    print(f"{seconds:.0f} s", flush=True)
    return seconds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
