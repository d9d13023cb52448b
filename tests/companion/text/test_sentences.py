"""The table's sentences in every game: complete in both languages, with the game's own words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.games.tumult_royale.moves import Pass, Place, SetAside, Spin
from companion.kernel.catalogue import CatalogueError, Language, Text
from companion.kernel.rules import Seat
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing
from companion.referee.findings import Spot, Step
from companion.simulation.selfplay import open_table, playing
from companion.text.sentences import (
    Bilingual,
    Sentences,
    both_words,
    say,
    say_contents,
    say_difference,
    say_lost,
    say_moves,
    sentences,
)

GAME = games.load("tumult_royale")
SPEAKERS = Bilingual(GAME.catalogue, (Seat("blue", "Anna"),))
GERMAN, ENGLISH = SPEAKERS["de"], SPEAKERS["en"]


ROOT = Path(__file__).parents[3]
CATALOGUES = sorted(
    path
    for path in (*(ROOT / "companion").rglob("*.toml"), *(ROOT / "web" / "words").glob("*.toml"))
    if path.name not in ("box.toml", "layout.toml")
)
GAP = re.compile(r"{(\w+)(?:([|?#])([^{}]*))?}")
WORDINGS = {"": 1, "|": 2, "?": 2, "#": 3}


def texts_of(found: Any) -> Iterator[dict[str, str]]:
    """Every text in both languages, however deep it stands in a catalogue."""
    if isinstance(found, dict) and set(found) == {"de", "en"}:
        yield found
    elif isinstance(found, dict | list):
        for below in found.values() if isinstance(found, dict) else found:
            yield from texts_of(below)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_both_languages_of_every_catalogue_use_the_same_facts_as_they_can_be_filled_in(path: Path) -> None:
    texts = list(texts_of(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert texts
    for text in texts:
        names = {language: {name for name, _, _ in GAP.findall(words)} for language, words in text.items()}
        assert names["de"] == names["en"] - {"english"}, text
        for words in text.values():
            assert words.strip(), text
            assert not set("{}") & set(GAP.sub("", words)), text
            for _, how, wordings in GAP.findall(words):
                assert len(wordings.split("|")) == WORDINGS[how], text
                assert how != "#" or path.parent.name != "words", f"pages cannot fill in {text}"


def test_the_daemons_sentences_count_as_those_of_the_table_do(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Text("{n|Teil|Teile} und {share} {n?ist|sind}", "{n|part|parts} and {share} {n?is|are}")
    monkeypatch.setattr("companion.text.sentences.texts", lambda: {"some.parts": counts})
    assert both_words("some.parts", n=1, share=0.5) == {"de": "1 Teil und 0,5 ist", "en": "1 part and 0.5 is"}
    assert both_words("some.parts", n=3, share=2)["en"] == "3 parts and 2 are"


def facts_of(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)", text))


@pytest.mark.parametrize("key", sentences().texts)
def test_a_sentence_with_its_facts_is_whole(key: str) -> None:
    facts: dict[str, Any] = dict.fromkeys(facts_of(sentences().texts[key].en), 2)
    assert not any("{" in said for said in SPEAKERS.say(key, **facts).values())


def test_sentences_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "sentences.toml"
    path.write_text('[step]\nput = { de = "Leg" }', encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"sentences\.toml.*en"):
        Sentences.load(path)


MIDDLE, CASTLE, B3, RACK = Spot("middle"), Spot("castle blue"), Spot("statues", "B3"), Spot("rack yellow")


@pytest.mark.parametrize(
    ("step", "german", "english"),
    [
        (
            Step("carry", "back", 2, CASTLE, MIDDLE),
            "Bitte 2 verdeckte Plättchen von der Burgtafel von Anna in die Mitte.",
            "Move 2 face-down tiles from Anna's castle board into the middle.",
        ),
        (
            Step("carry", "yellow x2", 1, B3, RACK),
            "Bitte 2 gelbe Statuen von Feld B3 in den Statuenvorrat von Gelb.",
            "Move 2 yellow statues from field B3 to Yellow's stock of statues.",
        ),
        (
            Step("carry", "bread2", 1, source=MIDDLE),
            "Nimm 1 Plättchen «2 Brote» aus der Mitte weg.",
            "Take 1 tile “2 bread” away from the middle.",
        ),
        (
            Step("carry", "follower", 3, to=Spot("supply")),
            "Bitte 3 Gefolgsleute in den Vorrat.",
            "Put 3 followers into the supply.",
        ),
        (
            Step("turn", "back", 1, to=MIDDLE, was="tool1"),
            "Dreh 1 Plättchen «1 Werkzeug» in der Mitte um. Richtig ist: 1 verdecktes Plättchen.",
            "Turn over 1 tile “1 tool” in the middle. It should show: 1 face-down tile.",
        ),
        (
            Step("turn", "mercy", 1, to=Spot("mercy", "blue")),
            "Dreh bei Anna um, was falsch herum liegt. Richtig ist: 1 Karte «Gnade des Volkes».",
            "Turn over what lies the wrong way up in front of Anna. It should show: 1 card “mercy”.",
        ),
        (
            Step("point", "", 3, to=Spot("disc")),
            "Tumultscheibe: Stell den Zeiger auf 3.",
            "Turn the tumult disc to 3.",
        ),
        (
            Step("point", "blue", 12, to=Spot("score")),
            "Score: Rück Anna auf 12.",
            "Move Anna to 12: score.",
        ),
    ],
)
def test_a_step_says_what_a_hand_should_do(step: Step, german: str, english: str) -> None:
    assert SPEAKERS.step(step) == {"de": german, "en": english}


@pytest.mark.parametrize(
    ("zone", "contents", "said"),
    [
        ("middle", Pieces({"back": 3, "bread1": 1, "tool1": 0}), "3 face-down tiles, 1 tile “1 bread”"),
        ("middle", Pieces({}), "nothing"),
        ("middle", None, "nothing clear"),
        ("statues", Cells({"A1": None, "B3": "blue x2", "C1": UNKNOWN}), "2 blue statues on field B3"),
        ("land", Cells({f"A{row}": "back" for row in range(1, 7)}), "and 2 more"),
        ("disc", Pointing(3), "3"),
        ("disc", Pointing(None), "anything"),
        ("score", Marks({"blue": 7}), "Anna on 7"),
    ],
)
def test_contents_are_said_in_a_few_words(zone: str, contents: Contents | None, said: str) -> None:
    assert say_contents(ENGLISH, zone, contents).endswith(said)


@pytest.mark.parametrize(
    ("zone", "seen", "should", "said"),
    [
        (
            "statues",
            Cells({"A1": "blue", "B3": None, "C1": UNKNOWN}),
            Cells({"A1": "blue", "B3": "yellow", "C1": "grey"}),
            "Field B3: I see nothing, but it should be 1 yellow statue.",
        ),
        (
            "middle",
            Pieces({"back": 3, "tool1": 1}),
            Pieces({"back": 5, "tool1": 1}),
            "The middle: I see 3 face-down tiles, but it should be 5 face-down tiles.",
        ),
        ("disc", Pointing(2), Pointing(3), "The tumult disc: I see 2, but it should be 3."),
        (
            "score",
            Marks({"blue": 7, "grey": 1}),
            Marks({"blue": 8, "grey": 1}),
            "Score: I see Anna on 7, but it should be Anna on 8.",
        ),
        ("supply", None, Pieces({"follower": 9}), "The supply: I see nothing clear, but it should be 9 followers."),
    ],
)
def test_a_difference_says_only_what_differs(zone: str, seen: Contents | None, should: Contents, said: str) -> None:
    assert say_difference(ENGLISH, zone, seen, should) == said


def test_a_lost_table_says_where_it_differs_and_not_all_of_it() -> None:
    land = {f"A{row}": "back" for row in range(1, 7)}
    zones: dict[str, tuple[Contents | None, Contents]] = {
        "land": (Cells(dict.fromkeys(land, "meadow")), Cells(dict(land))),
        "disc": (Pointing(2), Pointing(3)),
    }
    said = say_lost(GERMAN, zones)
    assert said.startswith("Ich komme am Tisch nicht mehr mit. Feld A1: Ich sehe 1 Wiese, richtig wäre 1 verdecktes")
    assert "Und noch 2 Unterschiede. Tumultscheibe: Ich sehe 2, richtig wäre 3." in said


def test_facts_may_be_places_steps_and_texts_in_both_languages() -> None:
    assert say(GERMAN, "hint.unseen", place=CASTLE) == "Hier sieht die Kamera gerade nichts: Burgtafel von Anna."
    steps = (Step("carry", "follower", 1, to=Spot("supply")), Step("point", "", 3, to=Spot("disc")))
    assert say(ENGLISH, "hint.unfinished", steps=steps) == (
        "Not finished yet. Still to do: Put 1 follower into the supply. Turn the tumult disc to 3."
    )
    why = SPEAKERS.say("refused.nothing_to_undo")
    assert SPEAKERS.say("refused.not_a_move", why=why) == {
        "de": "Dieser Zug geht nicht: Es gibt nichts zurückzunehmen.",
        "en": "This move is not possible: There is nothing to take back.",
    }


def test_hints_ask_and_name_the_player() -> None:
    assert SPEAKERS.say("hint.taken_back", seat="blue", was=4, now=3) == {
        "de": "Hat Anna etwas zurückgelegt? Vorher waren es 4, jetzt sind es 3.",
        "en": "Did Anna put something back? There were 4, now there are 3.",
    }


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Anna dreht die Scheibe: 3, dann: Gelb legt 3 Plättchen beiseite"),
        ("en", "Anna spins the disc: 3, then: Yellow sets 3 tiles aside"),
    ],
)
def test_moves_are_joined_each_said_from_where_it_began(language: Language, said: str) -> None:
    state, world = open_table(GAME, 2, "keen", "sentences", {})
    start = next(before for before, _, _ in playing(GAME, state, world) if before.phase == "mood" and not before.king)
    assert say_moves(SPEAKERS[language], GAME, start, (Spin(0, (3,)), SetAside(1))) == said


def test_a_last_move_that_breaks_a_rule_can_still_be_said() -> None:
    state, _ = open_table(GAME, 2, "keen", "sentences", {})
    assert GAME.check(state, Pass(0))
    assert say_moves(ENGLISH, GAME, state, (Pass(0),)) == "Anna passes"
    assert say_moves(ENGLISH, GAME, state, (Place(1, 0, ("bread1",), 1, 0),)) == "Yellow builds on A1 and pays 1 bread"
