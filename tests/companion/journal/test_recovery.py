"""Recovery saves the readable part of a damaged journal, and reports the loss."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal import (
    DamagedJournal,
    Journal,
    JournalError,
    JournalInUse,
    NotAJournal,
    replay,
)
from companion.journal.recovery import Recovery, recover

from .evening import (
    GAME,
    HEAD,
    Evening,
    answer,
    crashed,
    files,
    kept_by_recovery,
    laid_down,
    now,
    played,
    written,
)


class TestRecovery:
    def test_of_a_file_cut_short_keeps_what_came_before_the_cut(self, evening: Evening, tmp_path: Path) -> None:
        whole = evening.main
        path = laid_down(tmp_path, whole[: len(whole) // 2])
        with pytest.raises(DamagedJournal, match=r"is damaged .* `companion replay .*\.journal --recover NEW`"):
            Journal.open(path, now)
        new = tmp_path / "new.journal"
        recovery = recover(path, new, now)
        assert recovery.lost == 301 - recovery.kept
        assert f"event {recovery.kept + 1} cannot be read" in recovery.reason
        assert 50 < recovery.kept < 250
        with Journal.open(new, now) as journal:
            assert journal.append("note", b'"we go on"') == recovery.kept + 2

    @settings(max_examples=40, deadline=None)
    @given(share=st.floats(0, 1))
    def test_of_a_file_cut_anywhere_is_a_beginning_of_it(self, evening: Evening, share: float) -> None:
        whole, _, events = evening
        with TemporaryDirectory() as folder:
            cut = laid_down(Path(folder), whole[: int(len(whole) * share)])
            kept = kept_by_recovery(cut, events)
            assert (kept == len(events)) == (share == 1)

    @settings(max_examples=40, deadline=None)
    @given(share=st.floats(0, 1), garbage=st.binary(min_size=1, max_size=600))
    def test_of_a_file_with_garbage_anywhere_is_a_beginning_of_it(
        self, evening: Evening, share: float, garbage: bytes
    ) -> None:
        whole, _, events = evening
        at = int((len(whole) - len(garbage)) * share)
        with TemporaryDirectory() as folder:
            spoilt = laid_down(Path(folder), whole[:at] + garbage + whole[at + len(garbage) :])
            read = answer(lambda: list(Journal.read(spoilt).events()))
            assert read == events or (isinstance(read, JournalError) and str(spoilt) in str(read))
            kept_by_recovery(spoilt, events)

    @settings(max_examples=40, deadline=None)
    @given(share=st.floats(0, 1), garbage=st.binary(max_size=100), cut=st.booleans())
    def test_of_a_log_cut_or_spoilt_anywhere_is_a_beginning_of_it(
        self, crash: Evening, share: float, garbage: bytes, cut: bool
    ) -> None:
        main, log, events = crash
        at = int(len(log) * share)
        rest = b"" if cut else log[at + len(garbage) :]
        with TemporaryDirectory() as folder:
            kept_by_recovery(laid_down(Path(folder), main, log[:at] + garbage + rest), events, logged=True)

    def test_of_a_log_that_ends_within_an_event_does_not_claim_to_know(self, crash: Evening, tmp_path: Path) -> None:
        main, log, _ = crash
        path = laid_down(tmp_path, main, log[:-100])
        recovery = recover(path, tmp_path / "new.journal", now)
        assert recovery.kept == 39
        assert recovery.lost is None
        assert "its log ends within an event that may have been acknowledged" in recovery.reason

    def test_of_a_file_without_a_readable_head_says_that_nothing_is_left(
        self, evening: Evening, tmp_path: Path
    ) -> None:
        whole = evening.main
        path = laid_down(tmp_path, whole[:4096] + bytes(4096) + whole[8192:])
        with pytest.raises(DamagedJournal, match="nothing of it could be recovered") as caught:
            recover(path, tmp_path / "new.journal", now)
        assert caught.value.readable == 0
        assert files(tmp_path).keys() == {path.name}

    def test_of_a_healthy_journal_says_so(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            state = played(journal, 3, 2, 1)
        new = path.with_name("new.journal")
        assert recover(path, new, now) == Recovery(3, 0, "no damage is to be seen")
        assert replay(Journal.read(new), GAME, verify="all") == state

    def test_never_writes_over_a_journal(self, path: Path) -> None:
        events = written(path, 3)
        with pytest.raises(NotAJournal, match="exists already"):
            recover(path, path, now)
        assert list(Journal.read(path).events()) == events

    def test_waits_until_nobody_writes(self, path: Path) -> None:
        new = path.with_name("new.journal")
        with Journal.create(path, HEAD, now) as journal:
            with pytest.raises(JournalInUse):
                recover(path, new, now)
            assert journal.append("note", b"{}") == 1
        assert recover(path, new, now).kept == 1

    def test_works_from_a_file_that_was_moved(self, path: Path, tmp_path: Path) -> None:
        crashed(path, 4)
        away = tmp_path / "away"
        away.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", away)
        assert recover(away / path.name, tmp_path / "new.journal", now).kept == 4
        assert files(away).keys() == {path.name, f"{path.name}-wal"}
