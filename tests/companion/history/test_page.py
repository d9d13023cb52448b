"""The page of a journal is a single safe file with the whole game."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.cli import main
from companion.history.page import jpeg_size

from .conftest import Written
from .evening import Evening, jpeg


class Elements(HTMLParser):
    """Checks a page's elements: each is closed, and none refers to another file."""

    EMPTY = ("meta", "image", "use")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag


def written_page(path: Path, out: Path, language: str = "en") -> str:
    assert main(["replay", str(path), "--language", language, "--page", str(out)]) == 0
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def html(written: Written, tmp_path_factory: pytest.TempPathFactory) -> str:
    return written_page(written.path, tmp_path_factory.mktemp("page") / "page.html")


def test_the_page_needs_nothing_beside_it(html: str) -> None:
    elements = Elements(html).seen
    assert not [tag for tag, _ in elements if tag in ("script", "link", "iframe", "img")]
    for _, attributes in elements:
        for name in ("href", "src"):
            address = attributes.get(name)
            assert address is None or address.startswith(("#", "data:image/jpeg;base64,")), address
    assert "url(" not in html
    policy = next(there["content"] for tag, there in elements if tag == "meta" and "http-equiv" in there)
    assert policy is not None
    assert policy.startswith("default-src 'none'")


def test_names_are_text_and_never_markup(html: str) -> None:
    assert "<b>Bo</b>" not in html
    assert "&lt;b&gt;Bo&lt;/b&gt; wears the crown" in html


def test_every_picture_is_there_once_and_those_that_are_used_are_there(html: str) -> None:
    elements = Elements(html).seen
    album = [there["id"] for tag, there in elements if tag == "image"]
    used = [(there["href"] or "").removeprefix("#") for tag, there in elements if tag == "use"]
    assert len(set(album)) == len(album)
    assert set(used) == set(album)
    assert len(used) > 1.5 * len(album), "most serve before and after"


def test_what_no_longer_counts_is_struck_out(html: str) -> None:
    undone = re.findall(r'<article class="move undone".*?</h3>', html, re.DOTALL)
    assert len(undone) == 4
    assert all("<s>" in article for article in undone)
    assert html.count("<s>") == 4


def test_a_verdict_stands_out_with_its_rule(html: str) -> None:
    verdicts = re.findall(r'<article class="happening verdict".*?</article>', html, re.DOTALL)
    assert len(verdicts) == 1
    assert "first.meadow" in verdicts[0]
    assert "What was seen" in verdicts[0]


def test_the_score_sheet_comes_first_with_its_winner(html: str, written: Written, tmp_path: Path) -> None:
    assert html.index('class="winner"') < html.index('class="moves"')
    german = written_page(written.path, tmp_path / "seite.html", "de")
    assert '<html lang="de">' in german
    assert "gewinnt mit" in german
    assert "Zug für Zug" in german
    assert "Move by move" not in german


def test_many_moves_that_no_longer_count_are_folded_away(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "back.journal")
    evening.play(until=lambda now: now.round == 2)
    while evening.table.ledger.now.n > 20:
        evening.ask("undo")
    evening.table.close()
    html = written_page(tmp_path / "back.journal", tmp_path / "back.html")
    Elements(html)
    assert html.count("<details>") == 1
    assert "The game is not over yet." in html


def test_a_game_without_pictures_or_moves_has_a_page(tmp_path: Path) -> None:
    Evening(tmp_path / "empty.journal").table.close()
    assert "Nothing has been played yet." in written_page(tmp_path / "empty.journal", tmp_path / "empty.html")
    evening = Evening(tmp_path / "blind.journal", photograph=lambda _view: b"no picture")
    evening.play(until=lambda now: now.phase == "mood")
    evening.table.close()
    html = written_page(tmp_path / "blind.journal", tmp_path / "blind.html")
    assert "first statue" in html
    assert "<figure" not in html


@pytest.mark.parametrize(
    ("picture", "size"),
    [
        (jpeg(5), (20, 12)),
        (jpeg(5)[:30], None),
        (b"", None),
        (b"\xff\xd8", None),
        (b"\x89PNG", None),
        (b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x00\x00\x00", None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_header(picture: bytes, size: tuple[int, int] | None) -> None:
    assert jpeg_size(picture) == size


# The command


def test_replay_tells_what_was_taken_back_and_announced(
    written: Written, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert main(["replay", str(written.path), "--language", "de"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{written.corrected:>5}  ~~<b>Bo</b> setzt die erste Statue auf B2~~  (Gesehen)" in lines
    wrong = (
        "<b>Bo</b> kann die erste Statue nicht auf C1 setzen: Dort ist ein Wald, und sie gehört auf eine freie Wiese."
    )
    assert f"   11  ! Nicht erlaubt: {wrong}" in lines
    assert any(line.endswith("· Darauf achte ich nicht mehr: Vorrat.") for line in lines)


def test_replay_gives_programs_the_same(written: Written, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(written.path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first = next(move for move in told["moves"] if move["n"] == written.corrected)
    assert first["undone"] is True
    assert first["proof"] == "seen"
    assert set(first["pictures"]) == {"before", "after"}
    assert first["findings"][0]["kind"] == "verdict"
    assert [rule["rule"] for rule in first["findings"][0]["rules"]] == ["first.meadow"]


def test_pictures_are_written_by_the_number_of_their_move(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "pictures"
    assert main(["replay", str(written.path), "--pictures", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == len(told["written"])
    assert names[0] == "0003-after.jpg", "the first picture shows the first two moves"
    assert "0011-verdict.jpg" in names
    for move in told["moves"]:
        if move["move"]["type"] == "Place":
            before, after = (folder / f"{move['n']:04}-{name}.jpg" for name in ("before", "after"))
            assert jpeg_size(before.read_bytes()) == (20, 12)
            assert before.read_bytes() != after.read_bytes()


def test_a_page_that_cannot_be_written_is_named(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(written.path), "--page", str(tmp_path / "gone" / "page.html")]) == 2
    assert "page.html cannot be written" in capsys.readouterr().err


def test_score_gives_the_final_sheet_of_a_table_with_corrections(
    written: Written, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(written.path), "--json", "--language", "en"]) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert sheet["over"]
    assert sheet["winner"] == "blue"
    assert all(line["because"] for seat in sheet["seats"] for line in seat["lines"])
