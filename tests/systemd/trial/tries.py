"""The trials in each system, in this order: each begins with the result of the one before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.systemd.trial.roots import PROJECT, Machine

PARTS: Final = (
    *("companion", "vision", "hardware", "web", "systemd", "docs"),
    *("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "Makefile"),
)
CHECKOUT: Final = "/home/pi/table-companion"
DATA: Final = "/var/lib/table-companion"
ROOM_MB: Final = 90
"""What a full disk has left: enough to begin an update, too little to end it."""

OF_PACKAGES: Final = ("usr/", "var/lib/apt", "var/lib/dpkg", "var/cache", "var/log", "etc/alternatives", "root/.cache")
"""Where apt-get and pip leave things; uninstalling names the packages and lets them be."""


class Trial:
    """One system, and the person `pi` who installs the companion on it."""

    def __init__(self, release: str) -> None:
        self.machine = Machine(release)
        self.root = self.machine.root
        self.said = ""
        self.run("useradd", "--create-home", "pi")
        (self.root / "home/pi").chmod(0o700)
        (self.root / "etc/sudoers.d/pi").write_text("pi ALL=(ALL) NOPASSWD: ALL\n")
        self.pretend_systemd()
        self.clone()
        self.paths_before = self.paths()

    def pretend_systemd(self, runs: bool = True) -> None:
        booted, stub = self.root / "run/systemd/system", self.root / "usr/local/sbin/systemctl"
        if runs:
            booted.mkdir(parents=True)
            shutil.copy(PROJECT / "tests/systemd/trial/systemctl", stub)
            (stub.parent / "udevadm").symlink_to("/bin/true")
        else:
            booted.rmdir()
            stub.unlink()
            (stub.parent / "udevadm").unlink()

    def clone(self) -> None:
        """Clone it for a person whose files others may not read."""
        place = self.root / CHECKOUT[1:]
        place.mkdir(mode=0o700)
        for part in PARTS:
            source = PROJECT / part
            if source.is_dir():
                shutil.copytree(source, place / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, place / part)
        subprocess.run(["chmod", "-R", "go=", place], check=True)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / CHECKOUT[1:] / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *command: str, ok: bool = True, online: bool = True, **environment: str) -> str:
        """The output of a command to stdout and stderr. It has to succeed, or to fail if that is expected."""
        done = self.machine.run(*command, online=online, **environment)
        self.said += f"$ {' '.join(command)}\n{done.stdout}{done.stderr}"
        assert (done.returncode == 0) is ok, f"{command[0]} ended with {done.returncode}"
        return done.stdout + done.stderr

    def install(self, ok: bool = True, online: bool = True) -> str:
        return self.run(f"{CHECKOUT}/systemd/install", ok=ok, online=online)

    def as_pi(self, *command: str, ok: bool = True) -> str:
        """Run it in the person's own folder, which others may not enter."""
        words = ("runuser", "-u", "pi", "--", "env", "--chdir=/home/pi", "HOME=/home/pi", *command)
        return self.run(*words, ok=ok)

    def current(self) -> str:
        return os.readlink(self.root / "opt/table-companion/current")

    def releases(self) -> list[str]:
        return sorted(path.name for path in (self.root / "opt/table-companion/releases").iterdir())

    def pid(self) -> int:
        return int((self.root / "run/trial/pid").read_text())

    def calls(self) -> list[str]:
        path = self.root / "run/trial/calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.write_text("")
        return lines

    def page(self) -> int:
        """The status of the service's page, asked for in the service's own network."""
        ask = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/', timeout=60).status)"
        command = ["nsenter", f"--net=/proc/{self.pid()}/ns/net", sys.executable, "-c", ask]
        done = subprocess.run(command, capture_output=True, text=True)
        self.said += done.stderr
        return int(done.stdout or 0)

    def state(self) -> tuple[object, ...]:
        """The state that a failed update must not change."""
        manifest = (self.root / "etc/table-companion/manifest").read_text()
        unit = (self.root / "etc/systemd/system/table-companion.service").read_text()
        return self.current(), self.releases(), manifest, unit

    def paths(self) -> set[str]:
        """All files in the system, without those of packages."""
        done = self.run("find", "/", "-xdev", "-not", "-path", "/proc*", "-not", "-path", "/home/*", "-printf", "%P\\n")
        return {line for line in done.splitlines() if line and not line.startswith(OF_PACKAGES)}


def install(trial: Trial) -> None:
    trial.run("sh", "-c", "command -v gcc || command -v cc", ok=False)
    said = trial.install()
    assert trial.current() == "releases/1"
    has_lgpio = "There is no lgpio for this system" not in said
    program = "/opt/table-companion/current/.venv/bin/python"
    trial.run(program, "-c", "import lgpio", ok=has_lgpio, LG_WD="/tmp")
    (trial.root / "tmp/.lgd-nfy0").unlink(missing_ok=True)
    assert trial.page() == 200
    owner = (trial.root / f"proc/{trial.pid()}").stat().st_uid
    assert str(owner) == trial.run("id", "-u", "companion").strip()
    restarts = [call for call in trial.calls() if call.startswith("restart")]
    assert restarts == ["restart table-companion.service releases/1"]


def command(trial: Trial) -> None:
    checks = json.loads(trial.as_pi("companion", "doctor", "--json"))["checks"]
    says = {check["name"]: check["says"] for check in checks}
    assert DATA in says["folder"]
    assert "/etc/table-companion/rig.toml is usable" in says["rig"]
    assert "The host's PIN is" in says["pin"]
    assert json.loads(trial.as_pi("companion", "box", "tumult_royale", "--json"))["kept_in"].startswith(DATA)
    assert "companion 0.1.0" in trial.as_pi("companion", "--version")
    trial.as_pi("companion", "markers", "markers.pdf")
    assert (trial.root / "home/pi/markers.pdf").stat().st_size > 0
    sudo = trial.root / "usr/bin/sudo"
    sudo.rename(sudo.with_name("sudo.away"))
    assert "belong to the user companion: run this as root" in trial.as_pi("companion", "doctor", ok=False)
    assert "PIN" in trial.run("companion", "doctor")
    sudo.with_name("sudo.away").rename(sudo)


def again(trial: Trial) -> None:
    process = trial.pid()
    assert "Nothing to do" in trial.install()
    assert (trial.current(), trial.pid()) == ("releases/1", process)


def update(trial: Trial) -> None:
    pin = json.loads(trial.run("companion", "doctor", "--json"))["checks"][2]
    trial.edit("companion/__init__.py", '"0.1.0"', '"0.1.1"')
    trial.calls()
    trial.install()
    assert (trial.current(), trial.releases()) == ("releases/2", ["2"])
    assert "companion 0.1.1" in trial.as_pi("companion", "--version")
    assert [call for call in trial.calls() if call.startswith("restart")] == [
        "restart table-companion.service releases/2"
    ]
    assert trial.page() == 200
    assert json.loads(trial.run("companion", "doctor", "--json"))["checks"][2] == pin


def fails(trial: Trial, *words: str, online: bool = True, restarted: bool = False) -> None:
    """A failing update gives this reason and leaves the installed version running."""
    state, process = trial.state(), trial.pid()
    said = trial.install(ok=False, online=online)
    for word in (*words, "The version that was installed before goes on", "/var/log/table-companion-install.log"):
        assert word in said, f"{word!r} was not said"
    assert trial.state() == state
    assert trial.page() == 200
    assert (trial.pid() != process) is restarted


def no_network(trial: Trial) -> None:
    trial.edit("companion/__init__.py", '"0.1.1"', '"0.1.2"')
    fails(trial, "pip could not install the packages", "Temporary failure in name resolution", online=False)


def full_disk(trial: Trial) -> None:
    disk = os.statvfs(trial.root)
    room = disk.f_bavail * disk.f_frsize - ROOM_MB * 1_000_000
    filler = trial.root / "var/filler"
    trial.run("fallocate", "--length", str(room), "/var/filler")
    fails(trial, "No space left on device")
    filler.unlink()


def broken(trial: Trial) -> None:
    trial.edit("companion/cli/__init__.py", "import argparse", "import argparse, of_nothing")
    fails(trial, "The new version does not work here", "No module named 'of_nothing'")
    trial.edit("companion/cli/__init__.py", "import argparse, of_nothing", "import argparse")


def not_starting(trial: Trial) -> None:
    trial.edit("companion/cli/run.py", "    start_log(arguments.json_log)\n", "    return 1\n")
    fails(trial, "The new version did not start", restarted=True)
    trial.edit("companion/cli/run.py", "    return 1\n", "    start_log(arguments.json_log)\n")


def uninstall(trial: Trial) -> None:
    process = trial.pid()
    said = trial.run("/opt/table-companion/current/systemd/uninstall")
    assert f"{DATA} stays" in said
    assert "python3-venv" in said
    assert not Path(f"/proc/{process}/exe").exists()
    assert not (trial.root / "opt/table-companion").exists()
    assert not (trial.root / "usr/local/bin/companion").exists()
    assert (trial.root / DATA[1:]).is_dir()


def without_systemd(trial: Trial) -> None:
    trial.pretend_systemd(runs=False)
    assert "systemd does not run here" in trial.install()
    assert trial.run("systemctl", "is-enabled", "table-companion.service").strip() == "enabled"


def purge(trial: Trial) -> None:
    trial.run(f"{CHECKOUT}/systemd/uninstall", "--purge")
    left = trial.paths() - trial.paths_before
    # Locks and backups of the tools for users, and what this trial's own stand-in for systemd wrote.
    left = {path for path in left if not path.endswith((".pwd.lock", "-")) and not path.startswith("run/trial")}
    assert left == set(), left
    ours = trial.run("find", "/", "-xdev", "-path", "/home", "-prune", "-o", "-name", "*companion*", "-print")
    assert ours == "", ours


TRIES: Final[dict[str, Callable[[Trial], None]]] = {
    "install": install,
    "the command `companion`": command,
    "install again": again,
    "update": update,
    "update without network": no_network,
    "update on a full disk": full_disk,
    "update to a broken version": broken,
    "update to one that does not start": not_starting,
    "uninstall, games stay": uninstall,
    "install where no systemd runs": without_systemd,
    "uninstall, nothing stays": purge,
}
