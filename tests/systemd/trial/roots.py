"""Debian systems for tests: made once by debootstrap, and then used through a temporary layer.

They use this machine's configuration of the sources of Debian's and Python's packages.
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[3]
ROOTS: Final = PROJECT / ".roots"
"""Kept between runs; `make clean` removes it."""

INCLUDED: Final = "python3,systemd,ca-certificates,sudo,make"
"""What Raspberry Pi OS Lite has besides the smallest Debian, of what the installation may use. No compiler."""

LAYER_MB: Final = 1600
"""Room for what is written in a system: two versions of the companion, Debian's lists, pip's cache."""

PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
COPIED: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
OF_THE_USER: Final = (".config/pip/pip.conf", ".pip/pip.conf")


class NoRoot(Exception):
    """The system cannot be made; the message says why."""


def make_root(release: str) -> Path:
    """The folder of a whole Debian system, made if it does not exist."""
    root, draft = ROOTS / release, ROOTS / f"{release}.new"
    if root.is_dir():
        return root
    ROOTS.mkdir(exist_ok=True)
    shutil.rmtree(draft, ignore_errors=True)
    command = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", release, str(draft), _mirror()]
    with (ROOTS / f"{release}.log").open("w") as log:
        if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode != 0:
            raise NoRoot(f"debootstrap could not make Debian {release}: {log.name} says why.")
    draft.rename(root)
    return root


def _mirror() -> str:
    """Where this machine's own Debian packages come from."""
    asked = ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)"]
    for line in subprocess.run(asked, capture_output=True, text=True).stdout.splitlines():
        origin, label, uri = line.split("|")
        if origin == label == "Debian":
            return uri
    raise NoRoot("This machine's apt-get names no place with Debian's packages.")


class Machine:
    """A system under test. Its changes are in memory, and gone when it is closed."""

    def __init__(self, release: str) -> None:
        base = make_root(release)
        self.root = ROOTS / f"{release}.mounted"
        layer = ROOTS / f"{release}.layer"
        self.root.mkdir(exist_ok=True)
        layer.mkdir(exist_ok=True)
        _mount("-t", "tmpfs", "-o", f"size={LAYER_MB}M,mode=755", "tmpfs", layer)
        (layer / "upper").mkdir(mode=0o755)
        (layer / "work").mkdir()
        options = f"lowerdir={base},upperdir={layer}/upper,workdir={layer}/work"
        _mount("-t", "overlay", "-o", options, "overlay", self.root)
        _mount("-t", "proc", "proc", self.root / "proc")
        self._pass_on_settings()

    def _pass_on_settings(self) -> None:
        home = Path.home()
        for path in (*map(Path, COPIED), *(home / name for name in OF_THE_USER)):
            if path.is_file():
                name = f"root/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)[1:]
                self._copy(path, name)
        apt = subprocess.run(
            ["apt-config", "dump", "--format", '%F "%v";%n', "Acquire"], capture_output=True, text=True
        )
        (self.root / "etc/apt/apt.conf.d/99host").write_text(apt.stdout)
        for folder in _package_folders(os.environ):
            place = self.root / str(folder)[1:]
            place.mkdir(parents=True, exist_ok=True)
            _mount("--bind", folder, place)
        cache = ROOTS / "pip-cache"
        cache.mkdir(exist_ok=True)
        (self.root / "root/.cache/pip").mkdir(parents=True, exist_ok=True)
        _mount("--bind", cache, self.root / "root/.cache/pip")

    def _copy(self, path: Path, name: str) -> None:
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy(path, target)

    def run(self, *command: str, online: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command as root in the system. Offline there is no network, and no other source of packages."""
        wanted = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"}
        if online:
            wanted.update(_settings(os.environ))
        else:
            wanted["PIP_CONFIG_FILE"] = "/dev/null"
        before = [] if online else ["unshare", "--net"]
        full = [*before, "chroot", str(self.root), *command]
        return subprocess.run(
            full, env={**wanted, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def close(self) -> None:
        subprocess.run(["umount", "--recursive", "--lazy", self.root], check=True)
        subprocess.run(["umount", "--lazy", ROOTS / f"{self.root.stem}.layer"], check=True)


def _mount(*words: object) -> None:
    done = subprocess.run(["mount", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise NoRoot(f"A file system could not be mounted, which a container may forbid: {done.stderr.strip()}")


def _settings(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment's settings for sources of packages."""
    known = re.compile(r"PIP_\w+|\w+_proxy|SSL_CERT_\w+|REQUESTS_CA_BUNDLE", re.IGNORECASE)
    return {name: value for name, value in environment.items() if known.fullmatch(name)}


def _package_folders(environment: Mapping[str, str]) -> Iterator[Path]:
    """Folders of this machine in which pip is told to look. An index lists files that lie beside it."""
    told = [value for name, value in environment.items() if name.startswith("PIP_")]
    for path in (Path("/etc/pip.conf"), *(Path.home() / name for name in OF_THE_USER)):
        settings = configparser.RawConfigParser()
        settings.read(path)
        told += [value for section in settings.sections() for value in settings[section].values()]
    found = set()
    for word in " ".join(told).split():
        folder = Path(word.removeprefix("file://"))
        if folder.is_absolute() and folder.is_dir():
            found.add(folder.parent if word.startswith("file://") else folder)
    yield from sorted(found)
