"""What can never happen in Viscounts, whatever people do."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.viscounts import GAME
from companion.games.viscounts.box import RIBBONS
from companion.games.viscounts.state import (
    EMPTY,
    NO_SEAT,
    UNSEEN,
    State,
    kind_of,
    number_built,
    number_of_cards,
    owner_of,
    unseen_manuscripts,
    unseen_townsfolk,
    workers_left,
)

from ..samples import games_by_chance, never_touched
from .random_games import playing, whole_game
from .sample import GAMES, states


@given(games_by_chance(GAMES), st.integers(0, 5000), st.integers(1, 9))
@settings(max_examples=200, deadline=None)
def test_a_table_seen_later_is_adopted_but_for_what_does_not_show(seed: int, index: int, later: int) -> None:
    """What is adopted looks like the table, but for what chance has still to lay out."""
    game = whole_game(seed)
    index %= max(1, len(game) - later)
    state, seen = game[index], game[min(index + later, len(game) - 1)]
    if state.phase in ("laying_out", "lots", "draft") or seen.phase in ("laying_out", "lots", "draft"):
        return
    taken = GAME.state_from_view(state, GAME.view(seen))
    assert (taken.poverty, taken.prosperity) == (seen.poverty, seen.prosperity)
    assert (taken.last_round >= 0) == (seen.last_round >= 0)
    adopted, wanted = GAME.view(taken), GAME.view(seen)
    assert {zone for zone in wanted.zones if adopted.zones[zone] != wanted.zones[zone]} <= {"townsfolk", "manuscripts"}


@given(games_by_chance(GAMES), st.integers(0, 5000), st.integers(1, 9))
@settings(max_examples=100, deadline=None)
def test_points_taken_over_from_the_table_have_the_reasons_that_play_gave_them(
    seed: int, index: int, later: int
) -> None:
    """All points lie on the table, but for symbols of cards in hands and piles, which some manuscripts count."""
    game = whole_game(seed)
    index %= max(1, len(game) - later)
    state, seen = game[index], game[min(index + later, len(game) - 1)]
    if state.phase in ("laying_out", "lots", "draft") or seen.phase in ("laying_out", "lots", "draft"):
        return
    taken = GAME.score(GAME.state_from_view(state, GAME.view(seen)))
    for mine, wanted in zip(taken.seats, GAME.score(seen).seats, strict=True):
        assert mine.total == sum(line.points for line in mine.lines)
        lines = [line for line in mine.lines if line.label != "manuscripts"]
        assert lines == [line for line in wanted.lines if line.label != "manuscripts"]


@given(states)
@settings(max_examples=300, deadline=None)
def test_nobody_has_a_move_but_whoever_is_to_act(state: State) -> None:
    """The opponent of the solo game is moved by anybody."""
    actor, seats = GAME.actor(state), {getattr(move, "seat", state.rival) for move in GAME.moves(state)}
    assert seats <= {actor if isinstance(actor, int) else state.rival}


# Nothing is lost or made


def conserved(state: State) -> None:
    """Cards, manuscripts, workers, buildings and the cards of honour are each in exactly one place."""
    piles = [name for name in state.offer if name not in (EMPTY, UNSEEN)]
    held = [card for mine in (*state.rows, *state.hidden, *state.discards) for card in mine if card]
    neutral = [card for card in held if card in state.box.townsfolk]
    gone = [name for name in state.gone if name in state.box.townsfolk]
    assert sorted([*piles, *neutral, *gone, *unseen_townsfolk(state)]) == sorted(state.box.townsfolk)
    scripts = [name for name in state.scripts if name not in (EMPTY, UNSEEN)]
    copied = [name for mine in state.manuscripts for name in mine]
    assert sorted([*scripts, *copied, *unseen_manuscripts(state)]) == sorted(state.box.manuscripts)
    heroes = Counter(card for card in held if card in state.box.heroes)
    assert max(heroes.values(), default=1) == 1
    starters = Counter(card for card in (*held, *state.gone) if card in state.box.starters)
    assert starters == Counter({card: len(state.seats) for card in state.box.starters})
    for seat in range(len(state.seats)):
        mine = [*state.rows[seat], *state.hidden[seat], *state.discards[seat]]
        assert max(Counter(card for card in mine if card).values()) == 1
        assert number_of_cards(state, seat) >= state.box.fewest_cards
        assert 0 <= state.hands[seat] <= len(state.hidden[seat])
        assert workers_left(state, seat) >= 0
    for seat in range(state.players):
        standing = [kind_of(one) for plots in state.plots for one in plots if one != NO_SEAT and owner_of(one) == seat]
        assert [standing.count(kind) for kind in range(3)] == [number_built(state, seat, kind) for kind in range(3)]
        assert 1 <= state.corruption[seat] <= state.virtue[seat] <= len(state.box.track.fields)
        assert min(*state.goods[seat], *state.debts[seat], *state.deeds[seat]) >= 0
    assert len(state.bonus) == len(RIBBONS)
    if state.rival != NO_SEAT:
        schemes = [*state.schemes, *state.futures, *filter(None, state.rows[state.rival]), *state.discards[state.rival]]
        known = {*state.box.solo.starting, *state.box.solo.future}
        removed = state.box.solo.boards[state.options.opponent].removed
        assert len(schemes) == len({*schemes} & known) == len(known) - len(removed)
        assert known - {*schemes} >= {*state.boxed}
        assert 0 <= state.mixed <= len(state.futures)


def test_nothing_is_lost_or_made_in_any_move_of_whole_games() -> None:
    for seed in range(25):
        for _, _, after in playing(seed):
            conserved(after)


def test_nothing_is_due_for_ever() -> None:
    """Between two moves of a turn there are only so many things to do, and at the end none is left."""
    for seed in range(GAMES):
        waiting = 0
        for _, _, after in playing(seed):
            waiting = waiting + 1 if after.due else 0
            assert waiting < 80
        assert after.due == ()


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those that only show when they are broken, in as many games as that takes."""
    assert never_touched(GAME, map(playing, range(400))) == set()
