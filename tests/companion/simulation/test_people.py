"""Games of simulated people: the table always matches the truth, games end, people make and correct mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

from companion import games
from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import ForgetSpin, Pass, Place, Rob, Spin, StartRaid, Stop, TurnUp
from companion.games.tumult_royale.state import State
from companion.games.viscounts import GAME as VISCOUNTS
from companion.games.viscounts.moves import Push, Shift
from companion.kernel.messages import Signal
from companion.kernel.views import UNKNOWN, Cells, Pieces, Pointing, View, same_table
from companion.simulation.people import Act, People, explained_by_referee
from companion.simulation.selfplay import open_table
from tests.companion.simulation.tables import unlike
from tests.games.viscounts import table as viscounts

HIDES_SOMETHING = ("DealCard", "Uncover", "ShowBoard", "ShowField", "Rob", "TurnUp", "SetAside", "Mix", "Spin")


class Evening:
    def __init__(self, players: int, seed: int) -> None:
        bot = "keen" if seed % 2 else "random"
        self.state, world = open_table(GAME, players, bot, f"people/{seed}")
        people = People(GAME, self.state, world, Random(f"{players}/{seed}"))
        self.lying = people.lying
        self.acts = tuple(people.acts())

    def steps(self) -> Iterator[tuple[State, View, Act]]:
        """Each act with the state and the table before it."""
        state, lying = self.state, self.lying
        for act in self.acts:
            yield state, lying, act
            state, lying = act.state, act.moments[-1].view


@cache
def evenings() -> tuple[Evening, ...]:
    return tuple(Evening(players, seed) for players in (2, 3, 4) for seed in range(7))


def steps() -> Iterator[tuple[State, View, Act]]:
    for evening in evenings():
        yield from evening.steps()


def test_all_games_come_to_their_end() -> None:
    assert len(evenings()) > 20
    assert all(GAME.actor(evening.acts[-1].state) is None for evening in evenings())


def test_the_truth_follows_from_the_moves() -> None:
    for evening in evenings():
        before = [evening.state]
        for act in evening.acts:
            state = before[-1]
            for move in act.moves if act.kind == "moves" else ():
                state = GAME.play(state, move)
            if act.kind == "takeback":
                state = before[-2]
            assert act.state == state
            before.append(state)


def arrow_was_forgotten(state: State, act: Act) -> bool:
    """Whether the demanded number is not the one that the arrow was spun to."""
    started = any(isinstance(move, StartRaid) for move in act.moves)
    unspun = started and not any(state.demand) and not state.options.gamblers
    return unspun or any(isinstance(move, ForgetSpin) for move in act.moves)


def test_after_each_act_the_table_lies_as_the_truth_says() -> None:
    forgotten: set[tuple[int, int]] = set()
    for number, evening in enumerate(evenings()):
        for state, _, act in evening.steps():
            if arrow_was_forgotten(state, act):
                forgotten.add((number, state.round))
            if act.kind != "wrong":
                but = ("disc",) if (number, act.state.round) in forgotten else ()
                assert unlike(act.moments[-1].view, GAME.view(act.state), but) == {}, act


def test_the_end_of_an_act_is_a_still_table_without_hands() -> None:
    assert all(act.moments[-1].covered == () for *_, act in steps())


def test_every_moment_shows_the_whole_table() -> None:
    for *_, act in steps():
        for moment in act.moments:
            for zone, contents in moment.view.zones.items():
                assert contents != Pointing(None)
                assert not isinstance(contents, Cells) or UNKNOWN not in contents.at.values(), zone


def test_people_do_all_that_people_do() -> None:
    acts = [act for *_, act in steps()]
    assert {act.kind for act in acts} == {"moves", "wrong", "put_right", "takeback"}
    moved = [act for act in acts if act.kind == "moves"]
    assert any(sum(isinstance(move, Place) for move in act.moves) > 1 for act in moved)
    assert any(len(act.moves) == 1 and len(act.moments) > 3 for act in moved)
    assert any(act.told for act in moved)
    assert any(moment.covered for act in moved for moment in act.moments)
    wrong = sum(act.kind == "wrong" for act in acts)
    assert 1 / 16 < wrong / len(moved) < 1 / 11


def test_what_is_wrong_breaks_rules_stays_for_long_and_is_put_right() -> None:
    table = state = None
    for before, lying, act in steps():
        if act.kind == "wrong":
            table, state = lying, before
            assert act.rules == {breach.rule for breach in GAME.check(before, act.moves[0])} != set()
            assert not same_table(act.moments[-1].view, lying)
            assert act.moments[-1].seconds >= 15
        if act.kind == "put_right":
            assert act.moments[-1].view == table
            assert act.state == state


def test_a_takeback_leads_to_the_table_before_and_forgets_nothing_that_was_seen() -> None:
    for evening in evenings():
        acts = list(evening.steps())
        for (state, lying, made), (*_, act) in pairwise(acts):
            if act.kind == "takeback":
                assert act.moves == made.moves
                assert (act.state, act.moments[-1].view) == (state, lying)
                assert not any(type(move).__name__ in HIDES_SOMETHING for move in act.moves)


def test_a_raid_begins_and_ends_with_the_timer_and_its_middle_is_under_hands() -> None:
    raids = 0
    for state, _, act in steps():
        if not any(isinstance(move, Stop) for move in act.moves):
            continue
        raids += 1
        sources = [signal.source for signal in act.signals]
        assert sources[-2:] == ["raid started", "raid stopped"]
        assert set(sources[:-2]) <= {"raid ready"}
        names = [tuple(signal.source for signal in moment.signals) for moment in act.moments]
        running = act.moments[names.index(("raid started",)) : -1]
        assert all("middle" in moment.covered for moment in running)
        for seat in state.seats:
            zone = f"castle {seat.colour}"
            counts = [moment.view.zones[zone].count.get("back", 0) for moment in act.moments]
            assert counts == sorted(counts)
    assert raids > 50


def test_some_castles_can_be_seen_growing_during_a_raid() -> None:
    for state, _, act in steps():
        castles = {f"castle {seat.colour}" for seat in state.seats}
        robs = sum(isinstance(move, Rob) for move in act.moves)
        if robs > 5 and any(castles - set(moment.covered) for moment in act.moments[:-1] if moment.covered):
            return
    raise AssertionError


def test_tiles_are_turned_up_in_a_few_big_goes() -> None:
    goes: list[int] = []
    for _, _, act in steps():
        if any(isinstance(move, Stop) for move in act.moves):
            goes.append(0)
        elif act.kind == "moves" and isinstance(act.moves[0], TurnUp):
            goes[-1] += 1
    assert set(goes) <= {2, 3, 4, 5}


def test_a_pass_is_a_button_or_nothing_before_what_follows() -> None:
    pressed = silent = 0
    for _, _, act in steps():
        if act.kind == "moves" and isinstance(act.moves[-1], Pass):
            (press,) = act.signals
            assert press == Signal("press", press.source, 0.0, seat=act.moves[0].seat)
            pressed += 1
        elif any(isinstance(move, Pass) for move in act.moves):
            assert act.signals == ()
            silent += 1
    assert pressed
    assert silent


def test_a_spin_says_that_the_dial_was_turned_even_to_the_same_number() -> None:
    for _, _, act in steps():
        if any(isinstance(move, Spin) for move in act.moves):
            assert act.moments[-1].turned == ("disc",)


def test_no_tile_is_ever_in_two_places() -> None:
    for state, lying, act in steps():
        before = tiles(lying, state)
        if act.kind == "moves" and all(isinstance(move, Place) for move in act.moves):
            for moment in act.moments:
                assert tiles(moment.view, state) <= before


def tiles(view: View, state: State) -> Counter[str]:
    zones = ("middle", *(f"castle {seat.colour}" for seat in state.seats))
    total: Counter[str] = Counter()
    for zone in zones:
        contents = view.zones[zone]
        assert isinstance(contents, Pieces)
        total.update(contents.count)
    return total


def test_the_same_seed_gives_the_same_evening() -> None:
    assert Evening(2, 3).acts == Evening(2, 3).acts


def test_nobody_goes_home_without_having_said_so() -> None:
    """A seat that ends the game without moving a piece presses its button."""
    game = games.load("viscounts")
    for seed in (10, 16, 27):
        state, world = open_table(game, 2, "random", f"home/{seed}")
        *_, last = People(game, state, world, Random(f"home/{seed}"), mistake_rate=0.0).acts()
        assert last.signals, seed


def test_a_wrong_act_may_break_one_rule_or_another_where_nobody_can_see_which() -> None:
    early, unasked = frozenset({"too_early"}), frozenset({"unasked"})
    act = Act("wrong", (), (), None, rules=early, or_rules=(unasked,))
    assert act.breaks(early)
    assert act.breaks(unasked)
    assert not act.breaks(early | unasked)
    assert not Act("wrong", (), (), None, rules=early).breaks(unasked)


def test_a_worker_that_is_gone_may_have_been_pushed_off_next_door() -> None:
    state = viscounts.with_due(
        viscounts.with_workers(viscounts.with_workers(viscounts.table(), 1, 0, 2, 1), 1, 1, 0, 1),
        "move",
        seat=1,
    )
    pushed = viscounts.played(state, Shift(1, 1, 0), Push(1, 1, 0, 1))
    assert explained_by_referee(VISCOUNTS, state, VISCOUNTS.view(pushed))
    taken = viscounts.with_workers(state, 1, 0, 2, 0)
    assert not explained_by_referee(VISCOUNTS, state, VISCOUNTS.view(taken))
