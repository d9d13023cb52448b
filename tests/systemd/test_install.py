"""Real installation in a scratch root, and removal: only announced files remain."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SCRIPTS = ("install", "uninstall", "steps.bash", "companion")
FORBIDDEN = ("systemctl", "udevadm", "useradd", "apt-get")

# Locks and backups that the tools for users leave behind on any system.
KEPT_BY_USER_TOOLS = {".pwd.lock", "passwd-", "group-", "shadow-", "gshadow-"}

Tree = dict[str, tuple[int, bytes]]


def tree(folder: Path) -> Tree:
    """Every path below a folder with its mode and content."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
        if path.name not in KEPT_BY_USER_TOOLS
    }


def times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with the few files that every Debian has."""
    etc = tmp_path / "root/etc"
    etc.mkdir(parents=True)
    (etc / "os-release").write_text('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')
    (etc / "passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (etc / "group").write_text("root:x:0:\ndialout:x:20:\nvideo:x:44:\n")
    (etc / "shadow").write_text("root:*:19000:0:99999:7:::\n")
    (etc / "gshadow").write_text("root:*::\ndialout:*::\nvideo:*::\n")
    return tmp_path / "root"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one file in each package, which is copied faster than the whole project."""
    here = tmp_path / "checkout"
    for room in ("companion", "vision", "hardware", "web"):
        (here / room).mkdir(parents=True)
        (here / room / "__init__.py").write_text(f'"""{room}"""\n')
    (here / "docs").mkdir()
    (here / "docs/install.md").write_text("# Installing\n")
    (here / "hardware/rig.example.toml").write_text("[seats]\n")
    for name in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, here / name)
    shutil.copytree(PROJECT / "systemd", here / "systemd")
    return here


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that every forbidden command would write into, instead of touching this machine."""
    record = tmp_path / "called"
    stubs = tmp_path / "stubs"
    stubs.mkdir()
    for name in FORBIDDEN:
        (stubs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {record}\n')
        (stubs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{stubs}:{os.environ['PATH']}:/usr/sbin:/sbin")
    monkeypatch.setenv("PYTHON", sys.executable)
    monkeypatch.delenv("DESTDIR", raising=False)
    return record


def run(script: Path, *options: str, ok: bool = True) -> str:
    """The output of a script: stdout if it succeeded, otherwise stderr."""
    done = subprocess.run([str(script), *options], capture_output=True, text=True)
    assert (done.returncode == 0) is ok, done.stdout + done.stderr
    return done.stdout if ok else done.stderr


def install(checkout: Path, root: Path, *options: str, ok: bool = True) -> str:
    return run(checkout / "systemd/install", "--root", str(root), "--no-venv", *options, ok=ok)


def uninstall(checkout: Path, root: Path, *options: str, ok: bool = True) -> str:
    return run(checkout / "systemd/uninstall", "--root", str(root), *options, ok=ok)


def play_a_game(root: Path) -> Path:
    game = root / "var/lib/table-companion/games/1.journal"
    game.parent.mkdir(parents=True)
    game.write_text("the king pays\n")
    return game


def test_the_whole_project_goes_in_and_out_again(root: Path, called: Path) -> None:
    before = tree(root)
    told = install(PROJECT, root)
    assert "Copying" in told
    opt = root / "opt/table-companion/current"
    assert (opt / "companion/cli/__init__.py").read_bytes() == (PROJECT / "companion/cli/__init__.py").read_bytes()
    assert os.access(root / "usr/local/bin/companion", os.X_OK)
    assert (root / "etc/systemd/system/table-companion.service").exists()
    assert (root / "etc/udev/rules.d/99-table-companion.rules").exists()
    assert not list(root.rglob("__pycache__"))
    assert not [path for path in opt.iterdir() if path.name in (".git", ".venv", "tests")]
    uninstall(PROJECT, root, "--purge")
    assert tree(root) == before
    assert not called.exists()


def test_the_second_time_nothing_changes_and_it_says_so(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    before = tree(root), times(root)
    assert "Nothing to do" in install(checkout, root)
    assert (tree(root), times(root)) == before


def test_a_dry_run_tells_everything_and_touches_nothing(checkout: Path, root: Path, called: Path) -> None:
    before = tree(root), times(root)
    told = install(checkout, root, "--dry-run").splitlines()
    assert (tree(root), times(root)) == before
    done = install(checkout, root).splitlines()
    assert set(told[:-1]) <= set(done)
    before = tree(root), times(root)
    assert "nothing was touched" in uninstall(checkout, root, "--purge", "--dry-run")
    assert (tree(root), times(root)) == before


def test_what_a_scratch_root_cannot_do_is_written_down(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    manifest = (root / "etc/table-companion/manifest").read_text().splitlines()
    assert "later systemctl enable table-companion.service" in manifest
    assert "later udevadm control --reload" in manifest
    assert not called.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make users, also in a scratch root")
def test_a_user_of_its_own_is_made_and_taken_away(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    users = (root / "etc/passwd").read_text()
    assert "companion:" in users
    assert users.splitlines()[-1].endswith(":/var/lib/table-companion:/usr/sbin/nologin")
    assert "gpio:" in (root / "etc/group").read_text()
    uninstall(checkout, root, "--purge")
    assert "companion:" not in (root / "etc/passwd").read_text()
    assert (root / "etc/group").read_text() == "root:x:0:\ndialout:x:20:\nvideo:x:44:\n"


def test_games_and_settings_survive_and_only_purge_takes_them(checkout: Path, root: Path, called: Path) -> None:
    before = tree(root)
    install(checkout, root)
    game = play_a_game(root)
    rig = root / "etc/table-companion/rig.toml"
    rig.write_text("mine\n")
    told = uninstall(checkout, root)
    assert "/var/lib/table-companion stays" in told
    assert (game.read_text(), rig.read_text()) == ("the king pays\n", "mine\n")
    left = {path for path in tree(root).keys() - before.keys() if (root / path).is_file()}
    assert left == {
        "etc/table-companion/manifest",
        "etc/table-companion/rig.toml",
        "var/lib/table-companion/games/1.journal",
    }
    uninstall(checkout, root, "--purge")
    # The folders that this test made for systemd, which keeps games in them.
    (root / "var/lib").rmdir()
    (root / "var").rmdir()
    assert tree(root) == before


def test_the_installed_copy_can_remove_itself(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    told = run(root / "opt/table-companion/current/systemd/uninstall", "--root", str(root), "--purge")
    assert "The companion is uninstalled" in told
    assert not (root / "opt").exists()
    assert "Nothing to do" in uninstall(checkout, root)


def releases(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "opt/table-companion/releases").iterdir())


def test_an_update_is_made_beside_the_version_that_runs_and_then_takes_its_place(
    checkout: Path, root: Path, called: Path
) -> None:
    (checkout / "web/old page.py").write_text("")
    install(checkout, root)
    current = root / "opt/table-companion/current"
    assert os.readlink(current) == "releases/1"
    (checkout / "web/old page.py").unlink()
    (checkout / "web/page.py").write_text("")
    told = install(checkout, root)
    assert "Switching to /opt/table-companion/releases/2" in told
    assert os.readlink(current) == "releases/2"
    assert {path.name for path in (current / "web").iterdir()} == {"__init__.py", "page.py"}
    assert releases(root) == ["2"]
    assert "Nothing to do" in install(checkout, root)


def test_a_closed_checkout_is_installed_for_everybody_to_read(checkout: Path, root: Path, called: Path) -> None:
    (checkout / "web/__init__.py").chmod(0o600)
    (checkout / "web").chmod(0o700)
    install(checkout, root)
    web = root / "opt/table-companion/current/web"
    assert (web.stat().st_mode & 0o777, (web / "__init__.py").stat().st_mode & 0o777) == (0o755, 0o644)


def test_a_rig_file_is_started_from_the_example_and_never_overwritten(checkout: Path, root: Path, called: Path) -> None:
    rig = root / "etc/table-companion/rig.toml"
    install(checkout, root)
    assert rig.read_text() == "[seats]\n"
    rig.write_text("mine\n")
    install(checkout, root)
    assert rig.read_text() == "mine\n"


def test_without_an_example_it_says_who_has_to_write_the_rig_file(checkout: Path, root: Path, called: Path) -> None:
    (checkout / "hardware/rig.example.toml").unlink()
    assert "write /etc/table-companion/rig.toml yourself" in install(checkout, root)


def test_what_somebody_else_put_there_stays_and_is_named(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    mine = root / "opt/table-companion/photos/family.jpg"
    mine.parent.mkdir()
    mine.write_text("us\n")
    assert "family.jpg" in uninstall(checkout, root, "--purge")
    assert [path.name for path in (root / "opt").rglob("*") if path.is_file()] == ["family.jpg"]


def test_a_folder_of_the_same_name_is_not_taken_over(checkout: Path, root: Path, called: Path) -> None:
    (root / "opt/table-companion").mkdir(parents=True)
    before = tree(root)
    assert "was not made by this script" in install(checkout, root, ok=False)
    assert tree(root) == before


def test_a_manifest_that_names_foreign_files_removes_none(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    manifest = root / "etc/table-companion/manifest"
    manifest.write_text("file /etc/passwd\n")
    assert "names /etc/passwd, which is not ours" in uninstall(checkout, root, ok=False)
    assert (root / "etc/passwd").exists()


def test_a_pi_gets_the_systems_camera_library(checkout: Path, root: Path, called: Path) -> None:
    model = root / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert "apt-get install -y -q --no-install-recommends python3-picamera2" in install(checkout, root)
    assert not called.exists()


def a_python(folder: Path, *lies: str) -> Path:
    """A Python that answers as on another machine: each lie is a part of a question that it answers with no."""
    denials = "".join(f'case "$*" in *"{lie}"*) exit 1;; esac\n' for lie in lies)
    stub = folder / "a-python"
    stub.write_text(f'#!/bin/sh\n{denials}exec {sys.executable} "$@"\n')
    stub.chmod(0o755)
    return stub


@pytest.mark.parametrize(
    ("lie", "sentence"),
    [("sys.maxsize", "flash the 64-bit Raspberry Pi OS"), ("version_info", "Python 3.11 or newer is needed")],
)
def test_a_machine_that_cannot_run_it_is_told_why(
    checkout: Path, root: Path, called: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: str, sentence: str
) -> None:
    monkeypatch.setenv("PYTHON", str(a_python(tmp_path, lie)))
    before = tree(root)
    assert sentence in install(checkout, root, ok=False)
    assert tree(root) == before


def test_all_that_is_missing_is_told_at_once(checkout: Path, root: Path, called: Path) -> None:
    (root / "etc/os-release").write_text("ID=fedora\n")
    shutil.rmtree(checkout / "web")
    told = install(checkout, root, ok=False)
    assert "neither Raspberry Pi OS nor Debian" in told
    assert "web is missing" in told


def test_an_unknown_option_changes_nothing(checkout: Path, root: Path, called: Path) -> None:
    before = tree(root)
    assert "There is no option --ask" in install(checkout, root, "--ask", ok=False)
    assert tree(root) == before


def a_python_that_makes_stubs(folder: Path) -> Path:
    """A Python whose `-m venv` makes an environment that records its calls.

    It fails if it is called with the content of the file `failing`.
    """
    (folder / "failing").write_text("nothing")
    stub = folder / "venv-python"
    stub.write_text(
        f"""#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec {sys.executable} "$@"
for folder; do :; done
mkdir -p "$folder/bin"
cat > "$folder/bin/python" <<'END'
#!/bin/sh
echo "$*" >> {folder}/asked
case "$*" in *$(cat {folder}/failing)*) echo "ERROR: no wheel for this" >&2; exit 1;; esac
END
chmod +x "$folder/bin/python"
cp "$folder/bin/python" "$folder/bin/companion"
"""
    )
    stub.chmod(0o755)
    return stub


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with all calls of this test's Python environments."""
    monkeypatch.setenv("PYTHON", str(a_python_that_makes_stubs(tmp_path)))
    return tmp_path / "asked"


def test_the_environment_is_pinned_without_compilers_and_made_once(
    checkout: Path, root: Path, called: Path, asked: Path
) -> None:
    script = checkout / "systemd/install"
    run(script, "--root", str(root))
    release = root / "opt/table-companion/releases/1"
    lines = asked.read_text().splitlines()
    installed = [line for line in lines if "pip" in line]
    assert all(f"--only-binary :all: --constraint {release}/constraints.txt" in line for line in installed)
    assert installed[1].endswith(f"--no-build-isolation --editable {release}")
    assert lines[-2:] == ["-c import cv2, companion.cli.run, companion.daemon.app, web.server", "doctor"]
    assert "Nothing to do" in run(script, "--root", str(root))
    assert asked.read_text().splitlines() == lines
    with (checkout / "constraints.txt").open("a") as pins:
        pins.write("segno==1.6.1\n")
    assert "Making the Python environment" in run(script, "--root", str(root))
    uninstall(checkout, root, "--purge")
    assert not (root / "opt/table-companion").exists()


def test_a_wheel_for_the_pins_is_looked_for_where_the_system_has_no_library(
    checkout: Path, root: Path, called: Path, asked: Path
) -> None:
    run(checkout / "systemd/install", "--root", str(root))
    assert " lgpio\n" not in asked.read_text()
    (asked.parent / "failing").write_text("find_spec")
    (checkout / "web/page.py").write_text("")
    assert "There is no lgpio" not in run(checkout / "systemd/install", "--root", str(root))
    assert asked.read_text().count(" lgpio\n") == 1


def test_without_a_library_for_the_pins_it_installs_and_says_so(
    checkout: Path, root: Path, called: Path, asked: Path
) -> None:
    (asked.parent / "failing").write_text("lgpio")
    told = run(checkout / "systemd/install", "--root", str(root))
    assert "There is no lgpio for this system: buttons and lights on the pins will not work" in told


@pytest.mark.parametrize("failing", ["--editable", "doctor"])
def test_a_failed_update_shows_why_and_leaves_everything_as_it_was(
    checkout: Path, root: Path, called: Path, asked: Path, failing: str
) -> None:
    script = checkout / "systemd/install"
    run(script, "--root", str(root))
    log = root / "var/log/table-companion-install.log"
    log.unlink()
    before = tree(root)
    (checkout / "web/page.py").write_text("")
    (asked.parent / "failing").write_text(failing)
    told = run(script, "--root", str(root), ok=False)
    assert "  ERROR: no wheel for this" in told
    assert "The version that was installed before goes on as it was." in told
    assert "ERROR: no wheel for this" in log.read_text()
    log.unlink()
    assert tree(root) == before


def test_what_an_interrupted_installation_left_is_removed_by_the_next(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    left = root / "opt/table-companion/releases/2"
    left.mkdir()
    with (root / "etc/table-companion/manifest").open("a") as manifest:
        manifest.write("tree /opt/table-companion/releases/2\n")
    (checkout / "web/page.py").write_text("")
    install(checkout, root)
    assert releases(root) == ["3"]


def test_two_installations_at_once_do_not_meet(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    (checkout / "web/page.py").write_text("")
    with (root / "var/log/table-companion-install.log").open() as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        assert "is being installed already" in install(checkout, root, ok=False)
    assert releases(root) == ["1"]


def test_an_environment_that_fails_says_what_to_do(
    checkout: Path, root: Path, called: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON", str(a_python(tmp_path, "-m venv")))
    told = run(checkout / "systemd/install", "--root", str(root), ok=False)
    assert "run systemd/install again" in told
    assert not (root / "opt/table-companion/current").exists()
    uninstall(checkout, root, "--purge")
    assert not (root / "opt").exists()


def test_an_older_installation_is_removed_first(checkout: Path, root: Path, called: Path) -> None:
    install(checkout, root)
    (root / "opt/table-companion/.venv").mkdir()
    assert "remove it with systemd/uninstall" in install(checkout, root, ok=False)


def test_a_command_of_the_same_name_is_not_overwritten(checkout: Path, root: Path, called: Path) -> None:
    mine = root / "usr/local/bin/companion"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    assert "was not made by this script" in install(checkout, root, ok=False)
    assert mine.read_text() == "mine\n"


def test_the_command_uses_what_the_service_uses() -> None:
    command = (PROJECT / "systemd/companion").read_text()
    unit = (PROJECT / "systemd/table-companion.service").read_text()
    places = dict(line.split("=", 1) for line in command.splitlines() if re.match(r"(user|program|data|rig)=", line))
    assert f"ExecStart={places['program']} run --rig {places['rig']}\n" in unit
    assert f"Environment=COMPANION_HOME={places['data']}\n" in unit
    assert f"User={places['user']}\n" in unit


def test_every_package_of_the_project_is_copied() -> None:
    found = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    rooms = {name for name in found["include"] if "." not in name}
    parts = next(line for line in (PROJECT / "systemd/install").read_text().splitlines() if line.startswith("parts=("))
    assert rooms <= set(parts.removeprefix("parts=(").removesuffix(")").split())


@pytest.mark.skipif(
    shutil.which("shellcheck") is None, reason="shellcheck is missing here, so the scripts are not read"
)
@pytest.mark.parametrize("script", SCRIPTS)
def test_shellcheck_has_nothing_to_say(script: str) -> None:
    read = subprocess.run(["shellcheck", "-x", f"systemd/{script}"], cwd=PROJECT, capture_output=True, text=True)
    assert read.stdout + read.stderr == ""


@pytest.mark.parametrize("script", ["install", "uninstall"])
def test_the_scripts_stop_at_the_first_error(script: str) -> None:
    path = PROJECT / "systemd" / script
    assert os.access(path, os.X_OK)
    assert "set -euo pipefail" in path.read_text().splitlines()
