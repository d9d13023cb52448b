"""`make fuzz` finds failures of other cases, prints how to replay them, and continues after an interruption."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROPERTIES = """
from hypothesis import given
from hypothesis import strategies as st

@given(st.integers(0, 10**6))
def test_no_number_is_large(number: int) -> None:
    assert number < 800_000

def test_that_is_no_property() -> None:
    raise AssertionError
"""


def ran(*command: str) -> tuple[int, str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_what_it_finds_can_be_replayed_and_the_next_run_continues(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import tests.conftest")
    (tmp_path / "test_properties.py").write_text(PROPERTIES)
    fuzz = (sys.executable, "-m", "tests.fuzz", "--minutes", "0.001", "--folder", str(tmp_path / "kept"), str(tmp_path))
    code, said = ran(*fuzz)
    assert (code, "number=800000" in said) == (1, True), said
    assert "test_that_is_no_property" not in said
    assert json.loads((tmp_path / "kept" / "tally.json").read_text())["round"] in (1, 2)

    found = re.search("^replay: (.*)$", said, re.MULTILINE)
    assert found, said
    *replay, test = shlex.split(found[1])
    code, replayed = ran(*replay, str(tmp_path / test))  # here alone the tests do not lie in the project's folder
    assert (code, "number=800000" in replayed) == (1, True), replayed

    (tmp_path / "test_properties.py").write_text(PROPERTIES.replace("800_000", "10**7"))
    code, said = ran(*fuzz)
    assert (code, "failures in this run: 0" in said) == (0, True), said
    assert json.loads((tmp_path / "kept" / "tally.json").read_text())["found"] == [f"1 {test}"]
