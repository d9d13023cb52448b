"""Small files: concurrent changes lose nothing, a failed write changes nothing, a damaged file is moved aside."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from companion.kernel import files
from companion.kernel.box import Answers

ROOT = Path(__file__).parents[3]
HOSTS, ROUNDS = 4, 12
PATIENCE = 60

ANSWER = """
import sys
from pathlib import Path
from companion.kernel.box import Answers
answers = Answers(Path(sys.argv[1]), "some_game")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    answers.keep(f"{sys.argv[2]}.{number}", number)
    print(number, flush=True)
"""


def test_four_hosts_answer_at_once_and_every_answer_is_kept(tmp_path: Path) -> None:
    together = threading.Barrier(HOSTS)
    acknowledged: list[str] = []
    failed: list[Exception] = []

    def host(name: int) -> None:
        for number in range(ROUNDS):
            together.wait(PATIENCE)
            fact = f"host {name}.{number}"
            try:
                Answers(tmp_path, "some_game").keep(fact, number)
                acknowledged.append(fact)
            except Exception as error:
                failed.append(error)

    hosts = [threading.Thread(target=host, args=(name,)) for name in range(HOSTS)]
    for one in hosts:
        one.start()
    for one in hosts:
        one.join(PATIENCE)
    assert failed == []
    assert len(acknowledged) == HOSTS * ROUNDS
    assert Answers(tmp_path, "some_game").read().keys() == set(acknowledged)
    assert [path.name for path in (tmp_path / "answers").iterdir()] == ["some_game.json"]


def test_two_processes_answer_at_once_and_every_answer_is_kept(tmp_path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", ANSWER, str(tmp_path), name, "40"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for name in ("phone", "shell")
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        told, _ = child.communicate(timeout=PATIENCE)
        assert (child.returncode, len(told.split())) == (0, 40)
    expected = {f"{name}.{number}": number for name in ("phone", "shell") for number in range(40)}
    assert Answers(tmp_path, "some_game").read() == expected


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.json"
    files.write(path, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.write(path, b"new")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"kept.json": b"old"}


def test_a_private_file_is_its_owners_alone_and_any_other_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    files.write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640
    files.write(path, b"secret", private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_behind_a_link_is_written_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    link = tmp_path / "kept.json"
    link.symlink_to(tmp_path / "disk" / "kept.json")
    files.write(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "disk" / "kept.json").read_bytes() == b"new"


@pytest.mark.parametrize("rubbish", [b"", b'{"disc": [2,', b"\xff\xfe", b"[" * 100_000])
def test_damaged_files_are_moved_aside_each_under_a_name_of_its_own(
    tmp_path: Path, rubbish: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "kept.json"
    for number in (1, 2):
        path.write_bytes(rubbish + b" " * number)
        assert files.read(path, msgspec.json.decode) is None
        assert not path.exists()
        assert f"{path} is damaged" in caplog.text
        assert f"moved to {path}.damaged-{number}, and the companion begins without it" in caplog.text
    aside = files.moved_aside(tmp_path)
    assert [one.read_bytes() for one in aside] == [rubbish + b" ", rubbish + b"  "]
    files.write(path, b"{}")
    assert files.read(path, msgspec.json.decode) == {}
