"""People of the closed loop at Tiletum do not swap away what they have just swapped in."""

from __future__ import annotations

from random import Random

from companion.games.tiletum.moves import EndTurn, Swap, TakeDie
from companion.games.tiletum.simulation.world import KeenPerson
from tests.games.tiletum.table import CONTRACT, RED, acting, has, table

THERE = Swap(RED, "iron", ("wool",))
BACK = Swap(RED, "wool", ("iron",))


def test_nobody_swaps_back() -> None:
    state = has(acting(CONTRACT, 5), RED, iron=3, wool=3)
    for seed in range(20):
        person = KeenPerson(Random(seed))
        assert person.choose(state, (THERE,)) == THERE
        assert person.choose(state, (BACK, EndTurn(RED))) == EndTurn(RED)
        person.choose(table(), (TakeDie(RED, "yellow", 1),))
        assert person.choose(state, (BACK,)) == BACK, "in another turn"
