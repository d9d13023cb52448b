"""The setup choices: each has words, and damaged answers hide no game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import inspect

from companion import games
from companion.daemon.setup_choices import SetupChoices
from companion.kernel.box import Answers
from companion.kernel.rules import Seat
from tests import nine_beds


@pytest.mark.parametrize("name", games.NAMES)
def test_every_option_of_every_game_has_words_and_no_word_is_left_over(name: str) -> None:
    game = games.load(name)
    described = inspect.type_info(game.options_type)
    assert isinstance(described, inspect.StructType)
    assert {field.name for field in described.fields} == game.catalogue.options.keys()
    for field in described.fields:
        words = game.catalogue.options[field.name]
        texts = [words.says, *words.values.values(), *([words.hint] if words.hint else [])]
        assert all(text.de and text.en and text.de != text.en for text in texts), field.name
        values = {str(value) for value in field.type.values} if isinstance(field.type, inspect.LiteralType) else set()
        assert words.values.keys() == values, field.name


@pytest.mark.parametrize("name", games.NAMES)
def test_what_is_offered_can_be_begun(name: str, tmp_path: Path) -> None:
    (offered,) = SetupChoices(tmp_path, names=(name,)).setup(None)["games"]
    game = games.load(name)
    chosen = {option["key"]: option["default"] for option in offered["options"]}
    for players in offered["players"]:
        seats = tuple(games.load(name).load_box().colours[:players])
        game.setup(game.load_box(), tuple(map(Seat, seats)), chosen)
    for option in offered["options"]:
        for value in option["values"]:
            seats = tuple(map(Seat, offered["colours"][: offered["players"][0]]))
            game.setup(game.load_box(), seats, {**chosen, option["key"]: value["value"]})


@pytest.mark.parametrize("name", ["tiletum", "viscounts"])
def test_nobody_compares_pieces_one_by_one_that_are_described_on_sight(name: str, tmp_path: Path) -> None:
    """Whether the family is one fact of the box, or each of its pieces has its own."""
    game = games.load(name)
    (offered,) = SetupChoices(tmp_path, names=(name,)).setup(None)["games"]
    assert game.learning is not None
    families = [family.fact for family in game.learning.families(game.load_box())]
    asked = [doubt["fact"] for doubt in offered["unverified"]]
    assert len(offered["families"]) == len(families) > 0
    assert asked
    assert not [fact for fact in asked for family in families if fact == family or fact.startswith(f"{family}.")]


def test_a_game_without_options_is_offered_too(tmp_path: Path) -> None:
    setup_choices = SetupChoices(tmp_path, names=("nine_beds",), load=lambda _name: nine_beds.GAME)
    (offered,) = setup_choices.setup(None)["games"]
    assert (offered["options"], offered["players"], offered["unverified"]) == ([], [2, 3], [])


def test_damaged_answers_hide_no_game(tmp_path: Path) -> None:
    name = games.NAMES[0]
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / f"{name}.json").write_text("{ this is no JSON")
    (offered,) = SetupChoices(tmp_path, names=(name,)).setup(None)["games"]
    assert offered["answered"] == []
    assert offered["players"]


def test_what_people_described_is_told_and_survives_other_answers(tmp_path: Path) -> None:
    name = "council_of_four"
    one = {"form": "permit coast", "answers": {"city": ["A", "C"], "gold": 2}}
    Answers(tmp_path, name).keep("learned", [one, {"form": "token", "answers": {"gold": 7}}])
    setup_choices = SetupChoices(tmp_path, names=(name,))
    setup_choices.keep_fact(name, "politics.jokers", 12)
    (offered,) = setup_choices.setup(None)["games"]
    assert [piece["de"] for piece in offered["learned"]] == ["Baugenehmigung AC", "Belohnungsmarker «7 Gold»"]
    assert [fact["fact"] for fact in offered["answered"]] == ["politics.jokers"]
    Answers(tmp_path, name).keep("learned", "rubbish")
    (offered,) = setup_choices.setup(None)["games"]
    assert offered["learned"] == []


TWO_PHONES = """
import sys, threading
from pathlib import Path
from companion.daemon.setup_choices import SetupChoices
setup_choices, together = SetupChoices(Path(sys.argv[1])), threading.Barrier(4)
def look():
    together.wait()
    setup_choices.setup(None)
phones = [threading.Thread(target=look) for _ in range(4)]
for phone in phones: phone.start()
for phone in phones: phone.join()
"""


@pytest.mark.parametrize("time", range(3))
def test_several_phones_may_open_the_set_up_at_once(tmp_path: Path, time: int) -> None:
    """In a new process, in which no file was read yet."""
    done = subprocess.run([sys.executable, "-c", TWO_PHONES, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (time, done.stderr[-2000:])
