"""Safe reading and writing of small files.

msgspec analyses a type when it is used for the first time. If a second thread uses the same type at that moment, the
process crashes; and files are read by the thread that needs them first: two phones may open the set-up at once. So
`converted` lets only one thread in.

A file is read and written again inside `changing`. A damaged file is moved aside: the companion starts without it, and
a person can still look at it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

_log = logging.getLogger(__name__)

T = TypeVar("T")
_TURN: Final = threading.RLock()


def converted(raw: Any, kind: type[T]) -> T:
    """Convert data to a type, and check it. Raises `msgspec.ValidationError`."""
    with _TURN:
        return msgspec.convert(raw, kind)


ASIDE: Final = ".damaged-"
"""Part of the name of a file that was moved aside, between its former name and a number."""

_DAMAGED: Final = (ValueError, RecursionError)
"""What decoding a damaged JSON file raises; too many brackets are a RecursionError."""


class _Folder:
    """The lock of one folder, for threads of this process and for other processes."""

    def __init__(self) -> None:
        self.turn = threading.RLock()
        self.depth = 0
        self.handle = -1


_folders: Final[dict[Path, _Folder]] = {}
_finding: Final = threading.Lock()


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Lock a file against changes by other threads and processes. May be nested. Raises OSError.

    The lock is on the file's folder, since the file itself gets replaced. A missing folder is created.
    """
    real = path.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    with _finding:
        folder = _folders.setdefault(real.parent, _Folder())
    with folder.turn:
        if folder.depth == 0:
            folder.handle = os.open(real.parent, os.O_RDONLY)
            with suppress(OSError):  # a network disk may have no locks; threads of this process still take turns
                fcntl.flock(folder.handle, fcntl.LOCK_EX)
        folder.depth += 1
        try:
            yield
        finally:
            folder.depth -= 1
            if folder.depth == 0:
                os.close(folder.handle)


def write(path: Path, data: bytes, private: bool = False) -> None:
    """Replace a whole file: after a power cut either the old or the new one is there. Raises OSError and keeps the old
    one.

    Only its owner may read a `private` file; any other file keeps its permissions.
    """
    real = path.resolve()
    with changing(real):
        draft = real.with_name(f".{real.name}.{secrets.token_hex(8)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                if not private:
                    with suppress(FileNotFoundError):
                        os.fchmod(handle, real.stat().st_mode & 0o777)
                file.write(data)
                file.flush()
                os.fsync(handle)
            draft.replace(real)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        sync_folder(real.parent)


def read(path: Path, understood: Callable[[bytes], T]) -> T | None:
    """The decoded contents of a file; None if there is no file, or if it was damaged and has been moved aside.

    `understood` decodes the contents and raises ValueError if they are damaged. Raises OSError if the file cannot be
    read at all.
    """
    try:
        return understood(path.read_bytes())
    except FileNotFoundError:
        return None
    except _DAMAGED:
        pass
    with changing(path):
        try:
            return understood(path.read_bytes())  # another thread may have moved it aside, or written a better one
        except FileNotFoundError:
            return None
        except _DAMAGED as error:
            move_aside(path, str(error))
            return None


def move_aside(path: Path, why: str) -> None:
    """Rename a damaged file to a new name, and log that."""
    real, number = path.resolve(), 1
    with changing(real):
        while (aside := real.with_name(f"{real.name}{ASIDE}{number}")).exists():
            number += 1
        try:
            real.rename(aside)
            sync_folder(real.parent)
        except OSError as error:
            _log.warning("%s is damaged (%s), and cannot be moved aside: %s.", path, why, error.strerror)
            return
    _log.warning("%s is damaged (%s). It was moved to %s, and the companion begins without it.", path, why, aside)


def moved_aside(home: Path) -> list[Path]:
    """The damaged files in the companion's home that a person has not taken away yet."""
    return sorted(Path(folder, name) for folder, _, names in os.walk(home) for name in names if ASIDE in name)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new names in it survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
