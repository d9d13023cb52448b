"""The raid on phones: a tap counts like a press, all phones see it at once, and a practice raid does not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.kernel.events import Subscription
from companion.kernel.messages import Signal, Update
from hardware.rig import DEFAULT, Raid, Rig
from web.backend import Refused

from .homes import PATIENCE, Home
from .tiny import GAME, soon

RIG = msgspec.structs.replace(DEFAULT, raid=Raid(1.0), quiet=True)
MANY = 1000


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path, rig=RIG).live()
    yield home
    home.close()


@pytest.fixture
def due(home: Home) -> Home:
    """All seats have set tiles aside: the raid is due."""
    home.play(MANY, until=lambda state: GAME.countdown(state) is not None)
    assert soon(lambda: raid(home)["phase"] == "gathering")
    return home


def raid(home: Home) -> dict[str, Any]:
    return home.backend.raid() or {"phase": None}


def heard(subscription: Subscription, phase: str) -> dict[str, Any]:
    """The raid, once a subscription tells that it is in this phase."""
    while True:
        news = subscription.get(PATIENCE)
        assert isinstance(news, Update), "nothing was heard for too long"
        if news.kind == "raid" and news.body["phase"] == phase:
            return news.body


def refused(home: Home, act: str, seat: int | None) -> str:
    with pytest.raises(Refused) as refusal:
        home.backend.raid_act(act, seat)
    assert refusal.value.says["de"] != refusal.value.says["en"]
    return refusal.value.reason


def test_before_any_raid_there_is_none(home: Home) -> None:
    assert home.backend.raid() is None
    assert refused(home, "ready", 0) == "no_raid"
    assert refused(home, "dance", 0) == "unknown_act"


def test_without_hardware_there_is_no_raid(tmp_path: Path) -> None:
    home = Home(tmp_path).live()
    assert home.backend.raid() is None
    assert refused(home, "ready", 0) == "no_raid"
    home.close()


def test_ready_on_a_phone_counts_like_the_button(due: Home) -> None:
    subscription, _ = due.bus.listen()
    king = raid(due)["king"]
    assert refused(due, "start", king) == "not_now"
    assert refused(due, "ready", None) == "no_seat"
    assert refused(due, "ready", 7) == "no_seat"
    due.backend.raid_act("ready", 0)
    assert heard(subscription, "gathering")["ready"] == [0]
    due.backend.raid_act("ready", 0)  # a nervous thumb
    due.backend.raid_act("ready", 1)
    assert heard(subscription, "set")["ready"] == [0, 1]
    assert soon(lambda: all(due.state.ready)), "the table heard of it"
    subscription.close()


def test_the_king_starts_pauses_and_goes_on_and_so_may_the_host(due: Home) -> None:
    subscription, _ = due.bus.listen()
    king = raid(due)["king"]
    for seat in (0, 1):
        due.backend.raid_act("ready", seat)
    assert refused(due, "start", 1 - king) == "not_the_king"
    before = due.backend.now()
    due.backend.raid_act("start", king)
    running = heard(subscription, "running")
    assert before + 20 <= running["deadline"] <= due.backend.now() + 20
    assert soon(lambda: due.state.phase == "raid")
    assert refused(due, "pause", 1 - king) == "not_the_king"
    due.backend.raid_act("pause", None)
    paused = heard(subscription, "paused")
    assert paused["deadline"] is None
    assert 0 < paused["left"] <= 20
    due.backend.raid_act("resume", king)
    assert heard(subscription, "running")["left"] <= paused["left"]
    subscription.close()


def test_a_raid_that_is_called_off_is_still_due_and_gathers_anew(due: Home) -> None:
    due.backend.raid_act("ready", 0)
    assert refused(due, "call_off", 1 - raid(due)["king"]) == "not_the_king"
    due.backend.raid_act("call_off", None)
    assert (raid(due)["phase"], raid(due)["ready"]) == ("gathering", [])


def test_nobody_practises_while_a_raid_is_due(due: Home) -> None:
    assert refused(due, "practice", 0) == "raid_due"


def test_without_a_game_there_is_no_practice(tmp_path: Path) -> None:
    home = Home(tmp_path, wanted=None, rig=RIG).live()
    assert refused(home, "practice", None) == "no_game"
    home.close()


def test_a_practice_raid_counts_for_nothing(home: Home) -> None:
    subscription, snapshot = home.bus.listen()
    home.backend.raid_act("practice", 1)
    assert heard(subscription, "gathering")["practice"]
    assert home.desk is not None
    home.desk.press("blue")
    assert heard(subscription, "gathering")["ready"] == [0]
    home.backend.raid_act("ready", 1)
    home.backend.raid_act("start", 1)
    stopped = heard(subscription, "stopped")
    assert stopped["practice"]
    assert stopped["left"] == 0
    assert home.backend.snapshot().number == snapshot.number
    assert home.backend.history(None, 10)["moves"] == []
    subscription.close()


def test_nothing_of_a_practice_raid_goes_to_the_inbox(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[Signal] = []
    assert home.desk is not None
    monkeypatch.setattr(home.desk.hardware, "_put", put.append)
    home.backend.raid_act("practice", None)
    home.desk.press("yellow")
    assert soon(lambda: raid(home)["ready"] == [1])
    home.backend.raid_act("call_off", None)
    assert soon(lambda: raid(home)["phase"] == "off")
    assert put == []


def test_a_real_raid_takes_the_place_of_one_that_is_practised(home: Home) -> None:
    home.play(MANY, until=lambda state: state.phase == "mood" and state.aside.count(False) == 1)
    king = home.state.king
    home.backend.raid_act("practice", king)
    home.backend.raid_act("ready", 0)
    home.play(0)
    last = next(move for move in GAME.moves(home.state) if type(move).__name__ == "SetAside")
    home.tell(last)
    assert soon(lambda: not raid(home)["practice"])
    assert (raid(home)["phase"], raid(home)["ready"], raid(home)["seconds"]) == ("gathering", [], 20)


def test_the_timer_waits_neither_for_the_phones_nor_for_the_table(due: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    put: list[Signal] = []
    assert due.desk is not None
    monkeypatch.setattr(due.desk.hardware, "_put", put.append)
    with due.bus._changed:  # as if a thousand phones were being told something
        due.backend.raid_act("ready", 0)
        due.backend.raid_act("ready", 1)
        due.backend.raid_act("start", None)
        assert soon(lambda: "raid started" in [signal.source for signal in put])


def test_a_rig_without_pins_has_a_raid_all_the_same(tmp_path: Path) -> None:
    home = Home(tmp_path, rig=Rig(raid=Raid(1.0))).live()
    subscription, _ = home.bus.listen()
    home.backend.raid_act("practice", None)
    for seat in (0, 1):
        home.backend.raid_act("ready", seat)
    home.backend.raid_act("start", None)
    assert heard(subscription, "stopped")["since"] is not None
    subscription.close()
    home.close()
