"""The backend answers phones while the table runs in its own thread."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.daemon.health import Health
from companion.games.tumult_royale.moves import DealCard, LayOut
from companion.kernel.events import Missed
from companion.kernel.messages import Command, Update
from web.backend import Backend, Refused

from .homes import PATIENCE, Home, told
from .tiny import GAME, begin, command


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path).live()
    yield home
    home.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path, wanted=None).live()
    yield home
    home.close()


def test_it_is_a_backend(home: Home) -> None:
    backend: Backend = home.backend
    assert backend.demo is None


# CommandSender


def test_who_asks_is_answered_when_the_table_has_taken_it(home: Home) -> None:
    number = home.tell(LayOut())
    assert home.state.phase == "cards"
    snapshot = home.backend.snapshot()
    assert number == snapshot.number > 0
    assert snapshot.table["last"][0]["says"]["de"] == "Der Tisch ist aufgebaut"


def test_a_refusal_is_the_tables_own(home: Home) -> None:
    with pytest.raises(Refused) as refused:
        home.tell(DealCard(0, 1))
    assert refused.value.reason == "not_a_move"
    assert refused.value.says["en"].startswith("This move is not possible")
    assert refused.value.says["de"].startswith("Dieser Zug geht nicht")
    assert refused.value.detail == "round.phases", "programmers find the rule"
    assert "round.phases" not in str(refused.value.says)


def test_what_is_no_move_is_refused_in_both_languages(home: Home) -> None:
    with pytest.raises(Refused) as refused:
        home.backend.ask(Command("x", "move", body={"move": {"type": "Fly"}}), PATIENCE)
    assert refused.value.says == {
        "de": "Dieser Zug geht nicht: Ich kann ihn nicht lesen. Lade die Seite neu.",
        "en": "This move is not possible: I cannot read it. Reload the page.",
    }
    assert "Fly" in refused.value.detail


def test_the_same_command_twice_is_done_once_and_answered_alike(home: Home) -> None:
    once = told(LayOut())
    first = home.backend.ask(once, PATIENCE)
    home.tell(DealCard(0, 1))
    assert home.backend.ask(once, PATIENCE) == first
    wrong = told(LayOut())
    answers = []
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            home.backend.ask(wrong, PATIENCE)
        answers.append((refused.value.reason, refused.value.says))
    assert answers[0] == answers[1]
    heard = home.bus.since(0, home.bus.edition)
    assert heard is not None
    assert sum(event.update.kind == "refused" for event in heard) == 1


def test_many_phones_ask_at_once_and_each_is_answered(home: Home) -> None:
    numbers: dict[str, int] = {}

    def ask(one: Command) -> None:
        numbers[one.id] = home.backend.ask(one, PATIENCE)

    asked = [command("put_right") for _ in range(50)]
    threads = [threading.Thread(target=ask, args=(one,)) for one in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(set(numbers.values())) >= 1
    assert numbers.keys() == {one.id for one in asked}


def test_who_asks_too_long_is_told_so_and_may_ask_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    asked = told(LayOut())
    with pytest.raises(Refused) as refused:
        home.backend.ask(asked, 0.0)
    assert refused.value.reason == "late"
    home.live()
    assert home.backend.ask(asked, PATIENCE) > 0
    home.close()
    with pytest.raises(Refused) as refused:
        home.tell(DealCard(0, 1))
    assert refused.value.reason == "busy"


def test_a_command_that_the_table_cannot_take_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home.game_thread.opened is not None
    monkeypatch.setattr(home.game_thread.opened.table, "snapshot", lambda: 1 / 0)
    with pytest.raises(Refused) as refused:
        home.tell(LayOut())
    assert refused.value.reason == "failed"


# No game


def test_without_a_game_there_is_nothing_to_tell_and_everything_to_begin(empty: Home) -> None:
    backend = empty.backend
    assert backend.snapshot().table == {"game": None}
    assert backend.layout() is None
    assert backend.history(None, 10)["moves"] == []
    assert backend.picture("any", 1) is None
    for ask in (lambda: backend.choices(None, []), backend.scores, lambda: backend.ask(command("undo"), PATIENCE)):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.reason == "no_game"
    backend.ask(begin(), PATIENCE)
    assert backend.snapshot().table["game"] == GAME.name
    with pytest.raises(Refused) as refused:
        backend.ask(begin(), PATIENCE)
    assert refused.value.reason == "playing"


# Listening


def test_a_subscription_gets_everything_in_order(home: Home) -> None:
    subscription, snapshot = home.backend.bus.listen()
    home.play(12)
    heard = []
    while (news := subscription.get(0.0)) is not None:
        assert isinstance(news, Update)
        heard.append(news)
    subscription.close()
    assert [news.number for news in heard] == list(range(snapshot.number + 1, heard[-1].number + 1))
    after = home.backend.snapshot()
    assert after.number == after.table["number"] == heard[-1].number


def test_a_subscription_is_told_that_another_game_begins(home: Home) -> None:
    subscription, _ = home.backend.bus.listen()
    home.backend.ask(command("begin", game=GAME.name, seats=[{"colour": "grey"}, {"colour": "blue"}], instead=True), 20)
    assert subscription.get(PATIENCE) == Missed(home.bus.edition)
    subscription.close()


# By hand


def test_a_whole_game_is_played_by_hand_through_choices(home: Home) -> None:
    for _ in range(40):
        chosen: list[str] = []
        while (asked := home.backend.choices(None, chosen))["move"] is None:
            chosen.append(asked["options"][0]["id"])
        assert asked["number"] == home.backend.snapshot().number
        home.backend.ask(command("move", move=asked["move"]), PATIENCE)
    assert len(home.backend.history(None, 100)["moves"]) == 40


def test_a_seat_is_offered_its_own_moves(home: Home) -> None:
    home.tell(LayOut())
    assert [option["id"] for option in home.backend.choices(0, [])["options"]] == ["rank=1", "rank=2"]
    assert home.backend.choices(1, [])["options"] == []


def test_an_earlier_move_is_corrected_by_one_of_the_likely_ones(home: Home) -> None:
    home.tell(LayOut())
    home.tell(DealCard(0, 1))
    event = home.backend.history(None, 1)["moves"][0]["event"]
    home.tell(DealCard(1, 2))
    offered = home.backend.alternatives(event, [])
    assert offered["instead"]["en"] == "Anna draws the “King” card"
    assert [one["move"]["rank"] for one in offered["likely"]] == [2]
    assert offered["move"] == offered["likely"][0]["move"], "there is only one other"
    home.backend.ask(command("correct", event=event, move=offered["move"]), PATIENCE)
    assert home.state.ranks[0] == 2
    with pytest.raises(Refused) as refused:
        home.backend.alternatives(event, [])
    assert refused.value.reason == "no_event"


# The game so far


def test_the_history_is_told_page_by_page_newest_first(home: Home) -> None:
    home.play(25)
    first = home.backend.history(None, 10)
    assert len(first["moves"]) == 10
    assert first["more"]
    assert first["moves"][0]["says"] == home.backend.snapshot().table["last"][0]["says"]
    rest = home.backend.history(first["moves"][-1]["event"], 100)
    assert not rest["more"]
    events = [move["event"] for move in (*first["moves"], *rest["moves"])]
    assert len(events) == 25
    assert events == sorted(events, reverse=True)
    newest = first["moves"][0]
    assert newest["known"] == {"de": "Von Hand eingetragen", "en": "Entered by hand"}
    assert newest["undone"] is False


def test_what_was_taken_back_stays_in_the_history(home: Home) -> None:
    home.tell(LayOut())
    home.backend.ask(command("undo"), PATIENCE)
    told = home.backend.history(None, 10)
    assert [move["undone"] for move in told["moves"]] == [True]
    assert [one["kind"] for one in told["after"]] == ["undone"]


def test_scores_come_with_their_reasons_and_the_way_they_came_about(home: Home) -> None:
    home.play(60)
    sheet = home.backend.scores()
    assert [seat["total"] for seat in sheet["seats"]] == home.backend.snapshot().table["totals"]
    line = sheet["seats"][0]["lines"][0]
    assert line["label"]["de"] != line["label"]["en"]
    assert line["because"]["de"]
    chart = sheet["chart"]
    assert chart[0] == {"event": 0, "totals": [0, 0]}
    assert chart[-1]["totals"] == home.backend.snapshot().table["totals"]
    assert (sheet["over"], sheet["winners"]) == (False, [])


def test_the_chart_follows_a_correction(home: Home) -> None:
    home.play(20)
    before = home.backend.scores()["chart"][-1]["totals"]
    for _ in range(20):
        home.backend.ask(command("undo"), PATIENCE)
    assert home.backend.scores()["chart"] == [{"event": 0, "totals": [0, 0]}]
    for _ in range(20):
        home.backend.ask(command("redo"), PATIENCE)
    assert home.backend.scores()["chart"][-1]["totals"] == before


@pytest.mark.parametrize("language", ["de", "en"])
def test_people_take_the_game_home_as_files(home: Home, language: str) -> None:
    home.play(30)
    sheet, kind, name = home.backend.export("csv", language)
    rows = list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"))))
    assert kind.startswith("text/csv")
    assert name == "0001-tumult_royale-2026-01-01.csv"
    assert rows[0][0] == {"de": "Farbe", "en": "Colour"}[language]
    assert {row[1] for row in rows[1:]} == {"Anna", "Bert"}
    whole = json.loads(home.backend.export("json", language)[0])
    assert len(whole["moves"]) == 30
    assert whole["game"] == GAME.name
    page = home.backend.export("page", language)[0].decode()
    assert f'lang="{language}"' in page
    assert "Anna" in page


def test_a_name_that_looks_like_a_formula_stays_a_name(tmp_path: Path) -> None:
    from companion.daemon.journal_folder import Begin
    from companion.kernel.rules import Seat

    home = Home(tmp_path, wanted=Begin(GAME.name, (Seat("blue", "=1+1"), Seat("grey")))).live()
    sheet = home.backend.export("csv", "en")[0].decode("utf-8-sig")
    home.close()
    assert "'=1+1" in sheet
    assert ",=1+1" not in sheet


# The table


def test_the_layout_has_what_this_table_uses_in_words(home: Home) -> None:
    drawn = home.backend.layout()
    assert drawn is not None
    assert "castle blue" in drawn["zones"]
    assert "castle grey" not in drawn["zones"], "nobody plays grey"
    assert drawn["zones"].keys() == home.backend.snapshot().table["view"].keys()
    assert drawn["zones"]["castle yellow"]["seat"] == 1
    assert drawn["zones"]["castle yellow"]["says"]["de"] == "Burgtafel von Bert"
    land = drawn["zones"]["land"]
    assert land["cells"].keys() == home.backend.snapshot().table["view"]["land"]["at"].keys()
    assert land["rect"] == [362, 204, 168, 168], "with two players half of it is used"
    assert land["area"] == [362, 204, 336, 168], "which is what the camera's picture of it shows"
    assert drawn["zones"]["disc"]["sectors"][0] == {"value": 2, "start": 0, "end": 90}
    assert drawn["labels"]["bread2"] == {"de": "Plättchen «2 Brote»", "en": "tile “2 bread”"}
    assert drawn["colours"]["blue"] == {"de": "Blau", "en": "Blue"}
    msgspec.json.encode(drawn)


# Set-up


def test_the_games_that_can_be_begun_are_offered_with_words_for_everything(home: Home) -> None:
    offered = home.backend.setup()
    assert offered["open"] == GAME.name
    assert offered["seats"][0] == {"colour": "blue", "side": "top"}
    assert [game["game"] for game in offered["games"]] == list(games.NAMES)
    game = offered["games"][0]
    assert game["players"] == [2, 3, 4]
    assert game["colours"] == ["blue", "yellow", "purple", "grey"]
    kinds = {option["key"]: option["kind"] for option in game["options"]}
    assert kinds["gamblers"] == "flag"
    assert kinds["passing"] == "choice"
    assert kinds["oldest"] == "seat"
    assert game["unverified"][0]["fact"] == "goods.plain"
    assert game["words"]["bread"] == {"de": "Brot", "en": "bread"}, "a dictionary's keys"
    assert game["words"]["meadow"] == {"de": "Wiese", "en": "meadow"}, "a row's words"
    msgspec.json.encode(offered)


def test_a_fact_of_the_box_is_kept_once_it_was_compared(home: Home) -> None:
    home.backend.keep_fact(GAME.name, "disc.areas", [1, 3, 4, 5])
    game = home.backend.setup()["games"][0]
    assert "disc.areas" not in [doubt["fact"] for doubt in game["unverified"]]
    (answered,) = game["answered"]
    assert (answered["fact"], answered["value"]) == ("disc.areas", [1, 3, 4, 5])


@pytest.mark.parametrize(
    ("game", "fact", "value", "reason"),
    [
        ("chess", "disc.areas", [1], "unknown_game"),
        (GAME.name, "statues_each", 3, "unknown_fact"),
        (GAME.name, "../../etc/passwd", 3, "unknown_fact"),
        (GAME.name, "disc.areas", "many", "not_a_box"),
        (GAME.name, "disc.areas", [1], "not_a_box"),
    ],
)
def test_a_fact_that_cannot_be_is_refused(home: Home, game: str, fact: str, value: object, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        home.backend.keep_fact(game, fact, value)
    assert refused.value.reason == reason
    assert home.backend.setup()["games"][0]["answered"] == []


# Health


def test_the_health_of_every_part_is_told(tmp_path: Path) -> None:
    parts = [
        Health("disk", "ok", "12 MB are free.", "12 MB sind frei."),
        Health("button of seat blue", "failed", "No."),
    ]
    home = Home(tmp_path, lambda: parts).live()
    disk, button = home.backend.health()
    home.close()
    assert (disk["name"], disk["state"], disk["label"]["de"]) == ("disk", "ok", "Speicherplatz")
    assert disk["says"] == {"de": "12 MB sind frei.", "en": "12 MB are free."}
    assert button["label"] == {"de": "Knopf Blau", "en": "Blue button"}
    assert button["state_says"] == {"de": "geht nicht", "en": "does not work"}
    assert button["says"] == {"de": "No.", "en": "No."}, "nobody has put it into German"


# Without a camera


def test_the_form_for_a_raid_asks_for_every_castle_and_the_middle_and_says_what_was_entered(home: Home) -> None:
    home.play(200, until=lambda state: state.phase == "raid")
    form = home.backend.choices(0, [])["entry"]
    assert form["together"]
    assert [(zone["zone"], zone["seat"]) for zone in form["zones"]] == [
        ("castle blue", 0),
        ("castle yellow", 1),
        ("middle", None),
    ]
    first = form["zones"][0]["groups"][0]["labels"][0]
    assert first == {"label": "bread1", "says": {"de": "1 Brot", "en": "1 bread"}}
    home.backend.ask(command("enter", zones={"castle blue": {"bread1": 2}}), PATIENCE)
    assert home.backend.choices(0, [])["entry"]["zones"][0]["entered"] == {"bread1": 2}
    assert home.backend.snapshot().table["entered"] == ["castle blue"]


def test_what_comes_next_without_a_choice_is_offered_as_one_step(home: Home) -> None:
    home.play(400, until=lambda state: state.phase == "coronation")
    steps = home.backend.choices(1, [])["next"]
    assert steps[0]["move"]["type"] == "Crown"
    assert steps[-1]["move"]["type"] == "Mix"
    home.backend.ask(command("moves", moves=[step["move"] for step in steps]), PATIENCE)
    assert home.state.round == 2


def test_the_host_may_count_loose_pieces_instead_of_telling_every_move(home: Home) -> None:
    home.play(200, until=lambda state: state.phase == "raid")
    zones = {"castle blue": {"back": 3}, "middle": {"back": home.state.hidden_middle - 3}}
    home.backend.ask(command("lies", zones=zones), PATIENCE)
    assert home.state.hidden_castles == (3, 0)
