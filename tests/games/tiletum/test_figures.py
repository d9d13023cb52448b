"""Architektur and Händler, action points, markers and the joker."""

from __future__ import annotations

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    Gather,
    PutHouse,
    PutPillar,
    TakeDie,
    TakeFromCity,
    UseHelper,
    Walk,
)
from companion.games.tiletum.rulebook.actions import available, joker_is_for, points_left
from companion.kernel.rules import changed

from .table import (
    ARCHITECT,
    GREEN,
    JOKER,
    MERCHANT,
    ORANGE,
    PURPLE,
    RED,
    acting,
    breach,
    broken_rules,
    city,
    deviation,
    note,
    played,
    replace,
    table,
    told_rules,
    with_figures,
    with_house,
    with_pillars,
    with_warehouse,
)

PARIS = city("Paris")


def test_example_five_points_lead_to_paris_and_on_to_bordeaux() -> None:
    """A walk to Paris, its tile, a pillar there, and two more steps."""
    state = acting(ARCHITECT, 5)
    moves = (
        Walk(RED, "architect", PARIS),
        TakeFromCity(RED, PARIS, "architect"),
        PutPillar(RED, PARIS),
        Walk(RED, "architect", city("Bordeaux")),
    )
    after = played(state, *moves)
    assert (sum(after.ap), after.architects[RED], after.warehouse[RED]) == (0, city("Bordeaux"), ("crest lily",))


def test_architect_walk__a_point_for_each_step() -> None:
    state = acting(ARCHITECT, 3)
    facts = {"seat": "red", "city": "Bordeaux", "steps": 3}
    assert note(state, Walk(RED, "architect", city("Bordeaux")), "architect.walk").facts == facts
    assert played(state, Walk(RED, "architect", city("Bordeaux"))).ap[ARCHITECT] == 0
    assert broken_rules(state, Walk(RED, "architect", city("Verona"))) == {"points.spend"}


def test_walk_city__nowhere_and_here_are_no_way() -> None:
    state = acting(ARCHITECT, 3)
    assert breach(state, Walk(RED, "architect", 99), "walk.city").facts == {"city": "?"}


def test_walk_here__walking_means_going_to_another_place() -> None:
    state = acting(ARCHITECT, 3)
    facts = {"seat": "red", "figure": "figure architect", "city": "Tiletum"}
    assert breach(state, Walk(RED, "architect", city("Tiletum")), "walk.here").facts == facts


def test_walk_on__until_something_is_done_a_figure_may_go_on_or_back() -> None:
    state = acting(ARCHITECT, 3)
    away = played(state, Walk(RED, "architect", city("Köln")))
    assert away.ap[ARCHITECT] == 2
    assert note(away, Walk(RED, "architect", PARIS), "walk.on").facts == {"seat": "red", "city": "Tiletum"}
    assert played(away, Walk(RED, "architect", PARIS)).ap[ARCHITECT] == 2
    assert played(away, Walk(RED, "architect", city("Tiletum"))) == state
    assert broken_rules(away, Walk(RED, "architect", city("Verona"))) == {"points.spend"}
    stayed = played(away, PutPillar(RED, city("Köln")), Walk(RED, "architect", city("Tiletum")))
    assert stayed.ap[ARCHITECT] == 0


def test_walk_on__what_is_done_elsewhere_ends_no_walk() -> None:
    state = with_warehouse(acting(ARCHITECT, 3), RED, "points3")
    away = played(state, Walk(RED, "architect", city("Köln")))
    back = Walk(RED, "architect", city("Tiletum"))
    assert played(away, UseHelper(RED, "points3"), back) == played(state, UseHelper(RED, "points3"))


def test_walk_stands__figures_act_where_they_stand() -> None:
    state = acting(ARCHITECT, 3)
    facts = {"seat": "red", "figure": "figure architect", "city": "Paris"}
    assert breach(state, PutPillar(RED, PARIS), "walk.stands").facts == facts
    assert broken_rules(acting(MERCHANT, 3), PutHouse(RED, PARIS, 0)) == {"walk.stands"}
    assert broken_rules(acting(MERCHANT, 3), TakeFromCity(RED, PARIS, "merchant")) == {"walk.stands"}
    assert broken_rules(state, PutPillar(RED, 99)) == {"walk.city"}


def test_architect_pillar__where_the_architect_stands() -> None:
    state = with_figures(acting(ARCHITECT, 1), RED, architect="Paris")
    assert note(state, PutPillar(RED, PARIS), "architect.pillar").facts == {"seat": "red", "city": "Paris"}
    after = played(state, PutPillar(RED, PARIS))
    assert (after.pillars[PARIS], after.ap[ARCHITECT]) == (1, 0)


def test_architect_cathedral__no_pillar_without_one() -> None:
    state = with_figures(acting(ARCHITECT, 1), RED, architect="Venezia")
    assert breach(state, PutPillar(RED, city("Venezia")), "architect.cathedral").facts == {"city": "Venezia"}


def test_architect_room__only_so_many_pillars() -> None:
    state = with_figures(acting(ARCHITECT, 1), RED, architect="Bordeaux")
    state = with_pillars(with_pillars(state, GREEN, "Bordeaux"), ORANGE, "Bordeaux")
    facts = {"city": "Bordeaux", "places": 2}
    assert breach(state, PutPillar(RED, city("Bordeaux")), "architect.room").facts == facts


def test_architect_once__one_of_each_colour() -> None:
    state = with_pillars(with_figures(acting(ARCHITECT, 1), RED, architect="Paris"), RED, "Paris")
    assert breach(state, PutPillar(RED, PARIS), "architect.once").facts == {"seat": "red", "city": "Paris"}


def test_architect_stock__two_until_contracts_are_fulfilled() -> None:
    state = with_figures(acting(ARCHITECT, 1), RED, architect="Paris")
    state = with_pillars(state, RED, "London", "Köln")
    assert breach(state, PutPillar(RED, PARIS), "architect.stock").facts == {"seat": "red"}


def test_merchant_walk__a_point_for_each_step() -> None:
    state = acting(MERCHANT, 2)
    facts = {"seat": "red", "city": "Troyes", "steps": 2}
    assert note(state, Walk(RED, "merchant", city("Troyes")), "merchant.walk").facts == facts
    assert broken_rules(state, Walk(RED, "architect", PARIS)) == {"points.spend"}


def test_merchant_house__with_what_its_place_brings() -> None:
    state = with_figures(acting(MERCHANT, 2), RED, merchant="London")
    london = city("London")
    facts = {"seat": "red", "city": "London", "place": 2}
    assert note(state, PutHouse(RED, london, 1), "merchant.house").facts == facts
    after = played(state, PutHouse(RED, london, 1))
    assert (after.houses[london], after.points[RED]) == ((-1, RED), 1)
    assert broken_rules(state, PutHouse(RED, london, 1, off=deviation(gold=1))) == {"bonus.exact"}


def test_merchant_room__only_on_a_free_place() -> None:
    state = with_house(with_figures(acting(MERCHANT, 2), RED, merchant="Paris"), GREEN, "Paris", 0)
    assert breach(state, PutHouse(RED, PARIS, 0), "merchant.room").facts == {"city": "Paris", "place": 1}
    assert broken_rules(state, PutHouse(RED, PARIS, 2)) == {"merchant.room"}


def test_merchant_room__two_play_with_one_place_a_city() -> None:
    state = with_figures(acting(MERCHANT, 2, players=2), RED, merchant="Paris")
    assert broken_rules(state, PutHouse(RED, PARIS, 1)) == {"merchant.room"}
    assert broken_rules(state, PutHouse(RED, PARIS, 0)) == set()


def test_merchant_once__one_of_each_colour() -> None:
    state = with_house(with_figures(acting(MERCHANT, 2), RED, merchant="Paris"), RED, "Paris", 0)
    assert breach(state, PutHouse(RED, PARIS, 1), "merchant.once").facts == {"seat": "red", "city": "Paris"}


def test_merchant_stock__two_until_buildings_are_full() -> None:
    state = with_figures(acting(MERCHANT, 2), RED, merchant="Paris")
    state = with_house(with_house(state, RED, "Köln"), RED, "London")
    assert breach(state, PutHouse(RED, PARIS, 1), "merchant.stock").facts == {"seat": "red"}


def test_city_tile__goes_to_the_warehouse() -> None:
    state = with_figures(acting(MERCHANT, 2), RED, merchant="Paris")
    facts = {"seat": "red", "tile": "crest lily", "city": "Paris"}
    assert note(state, TakeFromCity(RED, PARIS, "merchant"), "city.tile").facts == facts
    after = played(state, TakeFromCity(RED, PARIS, "merchant"))
    assert (after.city_tiles[PARIS], after.warehouse[RED]) == ("", ("crest lily",))
    assert breach(after, TakeFromCity(RED, PARIS, "merchant"), "city.tile").facts == {"city": "Paris"}
    full = with_warehouse(state, RED, "again", "any2", "points3", "recolour")
    assert broken_rules(full, TakeFromCity(RED, PARIS, "merchant")) == {"warehouse.room"}


def test_points_spend__nothing_goes_without_points() -> None:
    state = acting(MERCHANT, 1)
    facts = {"seat": "red", "action": "merchant", "points": 2, "have": 1}
    assert breach(state, Walk(RED, "merchant", city("Troyes")), "points.spend").facts == facts
    told = note(state, Walk(RED, "merchant", PARIS), "points.spend").facts
    assert told == {"seat": "red", "action": "merchant", "points": 1}


def test_points_marker__own_markers_beside_the_section_count() -> None:
    state = played(table(), TakeDie(RED, "yellow", 1))
    markers = changed(state.markers, RED, (ARCHITECT, ARCHITECT, MERCHANT, -1, -1, -1))
    state = replace(state, markers=markers)
    facts = {"seat": "red", "action": "architect", "points": 5}
    assert note(state, Gather(RED, "gold"), "points.marker").facts == facts
    assert played(state, Gather(RED, "gold")).ap[ARCHITECT] == 11


def test_points_joker__for_one_action_of_ones_choice() -> None:
    state = acting(JOKER, 3)
    walk = Walk(RED, "merchant", PARIS)
    assert note(state, walk, "points.joker").facts == {"seat": "red", "action": "merchant"}
    after = played(state, walk)
    assert (points_left(after), joker_is_for(after)) == (2, MERCHANT)
    facts = {"seat": "red", "action": "merchant"}
    assert breach(after, Walk(RED, "architect", PARIS), "points.joker").facts == facts
    assert "points.joker" not in told_rules(after, PutHouse(RED, PARIS, 0))


def test_points_joker__points_of_a_helper_bind_nobody() -> None:
    state = with_warehouse(acting(JOKER, 2), RED, "joker1")
    state = played(state, UseHelper(RED, "joker1"), Walk(RED, "merchant", PARIS))
    assert joker_is_for(state) == -1
    assert broken_rules(state, Walk(RED, "architect", PARIS)) == set()
    assert joker_is_for(played(state, Walk(RED, "architect", city("Troyes")))) == ARCHITECT


def test_points_joker__in_whatever_order_points_are_got_and_spent_it_comes_to_the_same() -> None:
    state = with_warehouse(acting(JOKER, 3), RED, "joker1", "architect2")
    walks = [Walk(RED, "architect", PARIS), PutPillar(RED, PARIS), Walk(RED, "merchant", city("Troyes"))]
    helped = [UseHelper(RED, "joker1"), UseHelper(RED, "architect2")]
    first, last = played(state, *helped, *walks), played(state, *walks[:2], *helped, walks[2])
    assert first == last
    assert points_left(first) == 3 + 1 + 2 - 2 - 2
    assert available(first, MERCHANT) == points_left(first)


def test_points_joker__markers_beside_the_chosen_action_count_but_for_a_house_rule() -> None:
    marked = (MERCHANT, JOKER, -1, -1, -1, -1)
    for option, points in (("joker_only", 3), ("chosen_too", 6)):
        state = played(table(joker_marker=option), TakeDie(RED, "yellow", 6))
        state = replace(state, markers=changed(state.markers, RED, marked))
        state = played(state, Gather(RED, "gold"))
        assert state.ap[JOKER] == 3
        assert points_left(played(state, Walk(RED, "merchant", PARIS))) == points - 1


def test_figures_of_others_are_nobodys_business() -> None:
    state = with_figures(acting(ARCHITECT, 6), PURPLE, architect="Paris")
    assert not any(getattr(move, "seat", RED) != RED for move in GAME.moves(state))
