"""The project's entry points, pinned packages and documents agree with each other."""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "README.de.md", "CONTRIBUTING.md", "docs/commands.md", "docs/dependencies.md")
PAGES = sorted(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def same_name(package: str) -> str:
    """A package's name as the index compares it: mypy_extensions and mypy-extensions are one."""
    return re.sub(r"[-_.]+", "-", package).lower()


def named_in(requirements: list[str]) -> set[str]:
    return {same_name(re.split(r"[^\w.-]", requirement, maxsplit=1)[0]) for requirement in requirements}


def direct_dependencies() -> set[str]:
    pyproject = tomllib.loads(text("pyproject.toml"))
    project = pyproject["project"]
    wanted = [*pyproject["build-system"]["requires"], *project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    return named_in(wanted)


def pins() -> list[str]:
    return [line for line in text("constraints.txt").splitlines() if line and not line.startswith("#")]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", text("Makefile"), flags=re.MULTILINE))


def test_ci_runs_the_same_checks_as_everyone() -> None:
    script = text(".ci/run")
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "set -euo pipefail" in script.splitlines()
    assert script.splitlines()[-1] == "make test"


def test_make_test_runs_every_check() -> None:
    recipes = text("Makefile")
    assert re.search(r"^test: lint\b", recipes, flags=re.MULTILINE)
    for check in ("ruff check .", "ruff format --check .", "mypy", "lint-imports", "pytest"):
        assert re.search(rf"^\t@(?:\S+ )*\$\(BIN\)/{re.escape(check)}", recipes, flags=re.MULTILINE), check


@pytest.mark.parametrize("command", ["make run", "make test"])
@pytest.mark.parametrize("readme", ["README.md", "README.de.md"])
def test_the_readme_names_both_commands_in_a_block_to_copy(readme: str, command: str) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", text(readme), flags=re.DOTALL)
    assert any(line.startswith(command) for block in blocks for line in block.splitlines())


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_command_in_a_document_exists(document: str) -> None:
    told = set(re.findall(r"(?:`|^)make ([a-z-]+)", text(document), flags=re.MULTILINE))
    assert told
    assert told <= make_targets()


@pytest.mark.parametrize("page", PAGES)
def test_every_link_in_a_document_leads_somewhere(page: str) -> None:
    links = re.findall(r'\]\(([^)]+)\)|src="([^"]+)"', text(page))
    missing = [link for link in map("".join, links) if "://" not in link and not leads_somewhere(ROOT / page, link)]
    assert missing == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a link's file exists, with the heading that the link names."""
    file, _, heading = link.partition("#")
    target = page.parent / file if file else page
    if not heading:
        return target.exists()
    titles = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_dependency_says_what_it_is_for() -> None:
    explained = set(re.findall(r"^\| `([^`]+)` \|", text("docs/dependencies.md"), flags=re.MULTILINE))
    assert {same_name(package) for package in explained} == direct_dependencies()


def test_every_dependency_is_pinned() -> None:
    assert direct_dependencies() <= named_in(pins())


def test_a_pin_is_a_name_and_a_version_and_nothing_else() -> None:
    assert [pin for pin in pins() if not re.fullmatch(r"[\w.-]+==[\w.+!]+", pin)] == []


def test_the_kernel_and_the_games_import_only_msgspec_and_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"companion", "msgspec"}
    wiring = (ROOT / "companion/cli", ROOT / "companion/daemon")
    kernel = [
        path for path in (ROOT / "companion").rglob("*.py") if not any(path.is_relative_to(room) for room in wiring)
    ]
    assert kernel
    strangers = {
        f"{path.relative_to(ROOT)}: {package}" for path in kernel for package in imported_packages(path) - allowed
    }
    assert strangers == set()


def imported_packages(path: Path) -> set[str]:
    """The top-level packages a file names in its imports; relative imports stay inside the companion."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names}
