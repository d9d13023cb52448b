"""What people at the table hear when something is not allowed: who, what is wrong, what would be right, and why."""

from __future__ import annotations

import pytest

from companion.games.tumult_royale.moves import (
    Atone,
    Crown,
    DealCard,
    Exchange,
    GiveBack,
    LayOut,
    Mix,
    Move,
    Ready,
    Spin,
    StartRaid,
    TakeConsolation,
)
from companion.games.tumult_royale.state import State

from .raid_table import all_aside, reasons
from .statue_table import coronation, counting, put, sculptor, with_followers
from .table import (
    BLUE,
    GREY,
    YELLOW,
    after_raid,
    opened,
    placing,
    played,
    table,
)


@pytest.mark.parametrize(
    ("state", "move", "german", "english"),
    [
        (
            sculptor("bread1 marble1"),
            Exchange(YELLOW, 1),
            "«Adelskarte tauschen» (Gelb) ist jetzt nicht dran. Erst kommt: Statuen aufstellen (Blau).",
            "Swapping a nobility card (Yellow): not yet. First comes: placing statues (Blue).",
        ),
        (
            table(4),
            Mix(),
            "«Plättchen mischen» (alle) ist jetzt nicht dran. "
            "Erst kommt: Scheibe drehen, Plättchen beiseitelegen (alle).",
            "Mixing the tiles (everybody): not yet. First comes: spinning the disc, setting tiles aside (everybody).",
        ),
        (
            played(opened(3), LayOut()),
            Spin(BLUE, (3,)),
            "«Scheibe drehen» (Blau) ist jetzt nicht dran. Erst kommt: Adelskarten ziehen (Blau).",
            "Spinning the disc (Blue): not yet. First comes: drawing nobility cards (Blue).",
        ),
        (
            played(opened(3), LayOut(), DealCard(BLUE, 1)),
            DealCard(YELLOW, 1),
            "Gelb kann die Karte «König» nicht ziehen: Sie liegt schon bei Blau.",
            "Yellow cannot draw the “King” card: Blue has it already.",
        ),
        (
            placing(table(3), {}),
            put(table(3), "I3", ""),
            "«Statuen aufstellen» (Blau) ist jetzt nicht dran. Erst kommt: Trost verteilen (Blau, Gelb, Violett).",
            "Placing statues (Blue): not yet. First comes: handing out the consolation (Blue, Yellow, Purple).",
        ),
        (
            all_aside(table(2)),
            StartRaid(BLUE),
            "Blau kann den Raub noch nicht starten. Noch nicht bereit: Blau, Gelb.",
            "Blue cannot start the raid yet. Not ready yet: Blue, Yellow.",
        ),
        (
            table(2),
            Ready(BLUE),
            "Blau ist zu früh dran. Erst legt jede Person 3 Plättchen beiseite; noch nicht fertig: Blau, Gelb.",
            "Blue is too early. First each player sets aside 3 tiles; not done yet: Blue, Yellow.",
        ),
        (
            sculptor("bread1 marble2"),
            put(table(4), "I3", "bread1 marble1"),
            "Blau kann nur mit Plättchen der eigenen Burgtafel zahlen. Nicht von dort: 1 Marmor.",
            "Blue can pay only with tiles of their own castle board. Not from there: 1 marble.",
        ),
        (
            sculptor("bread1 marble2 tool2"),
            put(table(4), "H2", "marble2 tool2", statues=3),
            "Ein Schloss kostet 3 Werkzeuge; Blau hat davon nur 2 gezahlt.",
            "A castle costs 3 tools; Blue paid only 2.",
        ),
        (
            sculptor("bread1 marble1 tool3"),
            GiveBack(BLUE),
            "Blau kann mit den Plättchen noch bauen und gibt sie noch nicht zurück.",
            "Blue can still build with the tiles and does not give them back yet.",
        ),
        (
            played(placing(table(), {}), TakeConsolation(BLUE, 2)),
            TakeConsolation(BLUE, 2),
            "Blau nimmt 2 Gefolgsleute als Trost. "
            "Den gibt es nur einmal, und nur wenn man in dieser Runde gar nichts aufstellen konnte.",
            "Blue takes 2 followers as consolation. "
            "It comes only once, and only for a player who could not place anything this round.",
        ),
        (
            after_raid(table(2), {BLUE: ("bread2",), YELLOW: ("bread2",)}),
            Atone(YELLOW, "bread", (), 3),
            "Der Tumult trifft Blau, nicht Gelb: Bei beiden zählen 2 Brote, und Blau hat den höheren Rang.",
            "The tumult hits Blue, not Yellow: 2 bread count for each, and Blue has the higher rank.",
        ),
        (
            counting((1, 2, 3, 4), (10, 15, 20, 20)),
            Exchange(GREY, 1),
            "Violett wird König, nicht Grau: Beide haben 20 Gefolgsleute, "
            "und Violett hatte vor dem Tauschen den höheren Rang.",
            "Purple becomes King, not Grey: both have 20 followers, and Purple ranked higher before the swapping.",
        ),
        (
            counting((1, 2, 3, 4), (10, 15, 20, 20), rank_ties="card_held"),
            Exchange(GREY, 1),
            "Violett wird König, nicht Grau: Beide haben 20 Gefolgsleute, und Violett hält die höhere Karte.",
            "Purple becomes King, not Grey: both have 20 followers, and Purple holds the higher card.",
        ),
        (
            coronation(1),
            Crown(BLUE, 4, 1),
            "Blau muss für die Krönung 5 Gefolgsleute abgeben, nicht 4.",
            "Blue must give up 5 followers for the coronation, not 4.",
        ),
        (
            with_followers(coronation(1), 4, 10, 10, 10),
            Crown(BLUE, 4, 1),
            "Blau muss für die Krönung 5 Gefolgsleute abgeben, nicht 4. "
            "Wer zu wenige hat, bekommt vorher welche aus dem Vorrat, wie alle anderen auch.",
            "Blue must give up 5 followers for the coronation, not 4. "
            "A player with too few first takes some from the supply, and so does everybody else.",
        ),
    ],
)
def test_a_breach_says_who_what_is_wrong_and_what_would_be_right(
    state: State, move: Move, german: str, english: str
) -> None:
    assert reasons(state, move, "de") == [german]
    assert reasons(state, move, "en") == [english]
