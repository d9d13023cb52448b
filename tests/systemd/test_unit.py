"""The unit file and its rules: accepted by systemd, restrictive by default, explained line by line, consistent."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOM = Path(__file__).resolve().parents[2] / "systemd"
UNIT = ROOM / "table-companion.service"
RULES = ROOM / "99-table-companion.rules"
PROGRAM = "/opt/table-companion/current/.venv/bin/companion"

# Lines that any service has, and that say by themselves what they do.
USUAL = {"Description", "Documentation", "ExecStart", "Restart", "RestartSec", "WantedBy"}

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing here, so the unit is not verified"
)


def directives(key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)


def complaints(unit: Path) -> list[str]:
    """The output of `systemd-analyze verify` for a unit; its exit code is 0 even for unknown keys."""
    told = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    return [line for line in told.stderr.splitlines() if unit.name in line]


@pytest.fixture
def startable(tmp_path: Path) -> Path:
    """The unit with a program that exists on this machine, so that only the unit itself can be wrong."""
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace(PROGRAM, sys.executable), encoding="utf-8")
    return copy


@needs_systemd
def test_systemd_has_nothing_to_say_about_the_unit(startable: Path) -> None:
    assert complaints(startable) == []


@needs_systemd
def test_a_misspelt_line_would_be_noticed(startable: Path) -> None:
    startable.write_text(startable.read_text(encoding="utf-8").replace("WatchdogSec=", "WatchdogSecs="))
    assert any("WatchdogSecs" in line for line in complaints(startable))


@needs_systemd
def test_the_service_is_exposed_by_three_of_ten_at_most() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=30", "--no-pager", str(UNIT)]
    rated = subprocess.run(command, capture_output=True, text=True)
    assert "Overall exposure level" in rated.stdout
    assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def unexplained(lines: list[str]) -> Iterator[str]:
    """Directives that follow neither a comment nor a directive that follows one."""
    explained = False
    for line in lines:
        if line.startswith("#"):
            explained = True
        elif not line or line.startswith("["):
            explained = False
        elif not explained and line.split("=")[0] not in USUAL:
            yield line


def test_every_unusual_line_is_explained() -> None:
    assert list(unexplained(UNIT.read_text(encoding="utf-8").splitlines())) == []


def test_a_line_without_a_reason_would_be_noticed() -> None:
    assert list(unexplained(["# why", "PrivateTmp=yes", "", "Nice=-5"])) == ["Nice=-5"]


def test_every_device_has_a_reason_of_its_own_kind() -> None:
    reasons = re.findall(r"^# .*\n((?:DeviceAllow=.*\n)+)", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sum(block.count("DeviceAllow=") for block in reasons) == len(directives("DeviceAllow"))
    assert directives("DevicePolicy") == ["closed"]


def test_games_are_kept_where_systemd_makes_room_for_them() -> None:
    home = f"/var/lib/{directives('StateDirectory')[0]}"
    assert f"COMPANION_HOME={home}" in directives("Environment")


def test_unit_rules_and_users_name_the_same_groups() -> None:
    wanted = set(directives("SupplementaryGroups")[0].split())
    made = set(re.findall(r"^g (\w+)", (ROOM / "table-companion.sysusers.conf").read_text(), flags=re.MULTILINE))
    given = set(re.findall(r'GROUP="(\w+)"', RULES.read_text()))
    assert wanted == made == given


def test_every_rule_matches_something_and_sets_something() -> None:
    text = RULES.read_text(encoding="utf-8").replace("\\\n", " ")
    rules = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert rules
    term = r'(SUBSYSTEM|KERNEL|ATTR\{\w+\}|ENV\{\w+\}|GROUP|MODE|SYMLINK)(==|!=|\+=|=)"[^"]+"'
    for rule in rules:
        terms = [part.strip() for part in rule.split(",")]
        assert all(re.fullmatch(term, part) for part in terms), rule
        operators = [re.fullmatch(term, part).group(2) for part in terms]  # type: ignore[union-attr]
        assert "==" in operators
        assert {"=", "+="} & set(operators)
