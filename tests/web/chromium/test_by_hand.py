"""A whole game can be told on the phone: any legal move in a few taps, and the same kind again with one less."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from companion.daemon import journal_folder
from companion.kernel.messages import Signal
from companion.kernel.rules import Seat

from .conftest import PHONE, Evening
from .stage import confirm, move_by_move

Begin = Callable[..., Evening]

FOUR = journal_folder.Begin("tumult_royale", tuple(Seat(colour) for colour in ("blue", "yellow", "purple", "grey")))
THUMB = 44


def told(page: Page) -> str:
    return page.locator(".by-hand .told p").inner_text()


def test_a_statue_is_put_up_by_tapping_the_map(evening: Begin) -> None:
    table = evening()
    table.until("first_statues")
    page = table.phone()
    page.goto("/#/by_hand")
    spot = page.locator(".places-map .spot").first
    field = spot.get_attribute("data-option")
    spot.click()
    expect(page.locator(".whole-move")).to_contain_text("first statue")
    confirm(page)
    expect(page.locator(".by-hand .told")).to_be_visible()
    assert field == f"field={[owner >= 0 for owner in table.home.state.owner].index(True)}"


def test_tiles_are_turned_up_one_after_the_other_without_asking_where_again(evening: Begin) -> None:
    table = evening()
    table.until("turning_up")
    hidden = table.home.state.hidden_middle
    page = table.phone()
    page.goto("/#/by_hand")
    move_by_move(page)
    page.locator(".option", has_text="Middle").first.click()
    for turned in (1, 2):
        page.locator(".options.pictured .option").first.click()
        confirm(page)
        expect(page.locator(".path .chosen")).to_have_text(["Middle"])
        assert table.home.state.hidden_middle == hidden - turned


def test_a_step_back_leads_to_the_question_before(evening: Begin) -> None:
    table = evening()
    table.until("turning_up")
    page = table.phone()
    page.goto("/#/by_hand")
    move_by_move(page)
    question = page.locator(".move-choice .asks")
    asked = question.inner_text()
    page.locator(".option").first.click()
    expect(question).not_to_have_text(asked)
    page.get_by_role("button", name="One step back").click()
    expect(question).to_have_text(asked)


def test_what_was_told_can_be_taken_back_at_once(evening: Begin) -> None:
    table = evening()
    page = table.phone()
    page.goto("/#/by_hand")
    expect(page.locator(".next-moves")).to_contain_text("The table is laid out")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".by-hand .told")).to_contain_text("The table is laid out")
    assert table.home.state.phase == "cards"
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".next-moves")).to_contain_text("The table is laid out")
    assert table.home.state.phase == "laying_out"


def test_everybody_enters_what_they_took_on_their_own_phone(evening: Begin) -> None:
    """The middle is open to all; the last part of the form brings the whole raid."""
    table = evening()
    table.until("raid")
    tiles = table.home.state.hidden_middle
    anna, bert = table.phone("seat", 0), table.phone("seat", 1)
    for page in (anna, bert):
        page.goto("/#/by_hand")
    key = "[data-label={}] .more"
    anna.locator(".entry-zone[open]").first.locator(key.format("bread2")).click(click_count=2)
    anna.get_by_role("button", name="That is how it is").click()
    expect(bert.locator(".waiting")).to_contain_text("entered")
    bert.locator(".entry-zone[open]").first.locator(key.format("marble1")).click()
    bert.get_by_role("button", name="That is how it is").click()
    middle = anna.locator(".entry-zone[open]")
    left = {"bread1": 3, "bread3": 2, "marble1": 2, "marble2": 2, "marble3": 2, "tool1": tiles - 14}
    for label, number in left.items():
        for _ in range(number):
            middle.locator(key.format(label)).click()
    anna.get_by_role("button", name="That is how it is").click()
    expect(anna.locator(".entry-form")).to_have_count(0)
    assert table.home.state.castles == (("bread2", "bread2"), ("marble1",))
    assert table.home.state.phase in ("tumults", "placing")


def test_after_a_raid_that_no_camera_saw_the_form_opens_by_itself(evening: Begin) -> None:
    table = evening()
    table.until("raid")
    page, watcher = table.phone("seat", 0), table.phone("watcher")
    for phone in (page, watcher):
        phone.goto("/#/table")
        expect(phone.locator(".table-page")).to_be_visible()
    table.home.inbox.put(Signal("timer", "raid stopped", time.monotonic()))
    expect(page.locator(".entry-form")).to_be_visible()
    expect(watcher.locator(".table-page")).to_be_visible()


def test_places_are_filled_one_after_the_other_with_a_tap_each(evening: Begin) -> None:
    table = evening()
    table.until("boards")
    page = table.phone("seat")
    page.goto("/#/by_hand")
    for _ in range(9):
        page.locator(".palette .choice").first.click()
    expect(page.locator(".cells .filled")).to_have_count(9)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="That is how it is").click()
    expect(page.locator(".cells .filled")).to_have_count(0)
    assert table.home.state.land.count("meadow") >= 9


def test_a_seat_is_offered_its_own_moves_only_and_a_watcher_none(evening: Begin) -> None:
    table = evening()
    table.until("first_statues")
    acts = table.home.backend.snapshot().table["expects"]["actor"]
    mine, other, watcher = table.phone("seat", acts), table.phone("seat", 1 - acts), table.phone("watcher")
    for page in (mine, other, watcher):
        page.goto("/#/by_hand")
    expect(mine.locator(".places-map")).to_be_visible()
    expect(other.get_by_text("Nothing for you to enter")).to_be_visible()
    expect(watcher.get_by_text("You are watching")).to_be_visible()


def test_the_widest_map_has_places_for_thumbs_and_the_page_does_not_scroll_sideways(evening: Begin) -> None:
    table = evening(wanted=FOUR)
    while table.home.state.phase != "first_statues":
        table.home.go_on(1)
    page = table.phone()
    page.goto("/#/by_hand")
    box = page.locator(".places-map .spot").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= THUMB
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_change_at_the_table_shows_while_somebody_chooses(evening: Begin) -> None:
    table = evening()
    page = table.phone()
    page.goto("/#/by_hand")
    expect(page.locator(".next-moves")).to_contain_text("laid out")
    table.home.play(1)
    expect(page.locator(".next-moves")).to_have_count(0)


def test_what_others_tell_while_a_move_is_told_is_not_missed(evening: Begin) -> None:
    """The next question is already requested when another player's move is accepted."""
    table = evening()
    table.until("first_statues")
    page = table.phone()
    page.goto("/#/by_hand")
    page.locator(".places-map .spot").first.click()
    expect(page.locator(".whole-move")).to_be_visible()
    asked: list[int] = []

    def slowly(route: Any) -> None:
        answer = route.fetch()
        if not asked:
            table.home.tell(next(iter(table.home.game.moves(table.home.state))))
        asked.append(1)
        route.fulfill(response=answer)

    page.route("**/api/choices*", slowly)
    with page.expect_response("**/api/choices*"):
        confirm(page)
    number = table.home.backend.snapshot().number
    expect(page.locator(".move-choice:not([aria-busy])")).to_have_attribute("data-number", str(number))


def test_a_game_goes_on_by_this_page_alone(evening: Begin) -> None:
    """What comes next or the last answer each time, from an empty table far into the first round."""
    table = evening()
    page = table.phone()
    page.goto("/#/by_hand")
    seen: set[Any] = set()
    for _ in range(60):
        seen.add(table.home.state.phase)
        if "stopped" in seen or "turning_up" in seen:
            break
        _tell_something(page, table)
    assert {"laying_out", "cards", "boards", "first_statues", "mood", "raid"} <= seen


def _tell_something(page: Page, table: Evening) -> None:
    """Answer until there is a whole move, and tell it. Of the kinds of move the last leads on: to be ready, to stop."""
    ready, option = page.get_by_role("button", name="That is it"), page.locator(".option")
    events = table.home.backend.snapshot().table["events"]
    for _ in range(6):
        expect(page.locator(".by-hand:not([data-telling])")).to_be_visible()
        number = table.home.backend.snapshot().number
        expect(page.locator(".move-choice:not([aria-busy])")).to_have_attribute("data-number", str(number))
        if page.locator(".next-moves").count():
            with page.expect_response("**/api/command"):
                page.locator(".next-moves .primary").click()
            return
        move_by_move(page)
        expect(ready.or_(option).first).to_be_visible()
        if ready.is_visible():
            with page.expect_response("**/api/command"):
                confirm(page)
            assert table.home.backend.snapshot().table["events"] > events
            return
        whole = page.locator(".others .option")
        if whole.count():
            with page.expect_response("**/api/command"):
                whole.last.click()
            return
        with page.expect_response("**/api/choices*"):
            option.last.click()
    raise AssertionError("no move came of it")
