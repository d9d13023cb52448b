"""The README is true: its examples run, its figures were measured, and its commands exist."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from pathlib import Path

import cv2
import pytest

from companion import cli

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
READMES = ("README.md", "README.de.md")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def examples(readme: str) -> list[str]:
    """The lines of the README that call the companion."""
    blocks = re.findall(r"```sh\n(.*?)```", text(readme), flags=re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]
    return [line for line in lines if line.startswith(".venv/bin/companion ")]


def figures(readme: str) -> list[str]:
    """Every number in the table of what works, in order, as English writes it."""
    rows = [line for line in text(readme).splitlines() if line.startswith("| ")]
    numbers = re.findall(r"\d[\d.,]*(?: %)?", "\n".join(row.rpartition("|")[0] for row in rows))
    if readme == "README.de.md":
        return [number.translate(str.maketrans(".,", ",.")) for number in numbers]
    return numbers


def test_the_examples_of_the_readme_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(DOCS)
    said = {}
    for line in examples("README.md"):
        arguments = shlex.split(line)[1:]
        assert cli.main(arguments) == 0, line
        said[arguments[0]] = capsys.readouterr().out
    assert said.keys() == {"dice", "read", "teach", "selfplay", "score"}
    assert sorted(re.findall(r"^\w+ (\d) at", said["dice"], flags=re.MULTILINE)) == list("123456")
    truth = json.loads((DOCS / "samples" / "table.json").read_text(encoding="utf-8"))
    for zone in ("board", "camp"):
        [told] = re.findall(rf"^{zone}: read (.*)$", said["read"], flags=re.MULTILINE)
        assert {place: label for place, label in json.loads(told).items() if label} == truth[zone]
    assert "of 9 labels" in said["teach"]
    assert (tmp_path / "my-kit" / "teachings").is_dir()


def test_german_and_english_tell_the_same() -> None:
    assert examples("README.de.md") == examples("README.md")
    assert figures("README.de.md") == figures("README.md")
    pictures = {readme: re.findall(r'src="([^"]+)"', text(readme)) for readme in READMES}
    assert pictures["README.md"] == pictures["README.de.md"]


def test_every_share_in_the_readme_was_written_by_a_command() -> None:
    shares = [figure for figure in figures("README.md") if figure.endswith("%")]
    measured = set(re.findall(r"[\d.]+%", text("docs/accuracy.md")))
    assert shares
    assert [share for share in shares if share.replace(" ", "") not in measured] == []


@pytest.mark.parametrize("section", ["loop pixels", "loop no-pixels"])
def test_the_figures_of_whole_games_are_the_sums_of_what_was_measured(section: str) -> None:
    table = text("docs/accuracy.md").partition(f"<!-- {section} -->")[2].partition("<!-- end -->")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if re.match(r"\| [a-z_]+ \| \d", line)]
    games, moves, explained, caught, tried, accused, right = (
        sum(int(re.findall(r"\d+", line[column])[number]) for line in lines)
        for column, number in ((2, 0), (3, 1), (3, 0), (7, 0), (7, 1), (6, 0), (11, 0))
    )
    assert (
        f"| {explained:,} of {moves:,} moves explained, {caught:,} of {tried:,} forbidden acts caught, "
        f"{accused} false accusations, {right} of {games} final scores right | {games} games |"
    ) in text("README.md")


def test_the_picture_of_the_readme_moves_and_is_small() -> None:
    [name] = re.findall(r'src="([^"]+)"', text("README.md"))
    assert (ROOT / name).stat().st_size < 2_000_000
    whole, animation = cv2.imreadanimation(str(ROOT / name))
    assert whole
    assert len(animation.frames) > 10
    assert animation.loop_count == 0  # for ever


def test_every_command_stands_in_the_table_and_no_other() -> None:
    told = set(re.findall(r"^\| `companion ([^`]+)` \|", text("docs/commands.md"), flags=re.MULTILINE))
    # A word in capitals is an argument.
    assert {re.sub(r"( [A-Z].*)", "", command) for command in told} == set(real_commands())


def real_commands() -> list[str]:
    """The commands of the parser; one with subcommands is listed with each of them."""
    [commands] = [action for action in cli._parser()._actions if isinstance(action, argparse._SubParsersAction)]
    found = []
    for name, parser in commands.choices.items():
        kinds = [action.choices for action in parser._actions if not action.option_strings and action.choices]
        found += [f"{name} {kind}" for kind in kinds[0]] if kinds else [name]
    return found


def test_every_system_package_that_make_installs_is_named() -> None:
    makefile = text("Makefile")
    installed = set(re.findall(r"\$\(call apt,([a-z0-9-]+)\)", makefile))
    installed |= set(re.findall(r"apt-get install -y -qq ([a-z][a-z0-9-]*)", makefile))
    assert {"python3-venv", "shellcheck"} <= installed
    listed = text("docs/commands.md").partition("## What make installs")[2]
    named = {
        package
        for line in re.findall(r"^- Debian's .*$", listed, re.MULTILINE)
        for package in re.findall(r"`([a-z0-9-]+)`", line)
    }
    assert named - {"apt-get"} == installed
