"""Pieces that people described, as pieces of the box: what each is called, and how the box makes room for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.kernel import box as kernel
from companion.kernel.box import Learned

from .box import (
    Bonus,
    Box,
    ByPlayers,
    Character,
    Contract,
    Cost,
    Family,
    GuestTile,
    Tile,
)

NEW: Final = "new"
SAME: Final = "same"
"""Among what a contract asks for: identical goods of any kind."""
MARKS: Final = ("all", "three", "four")
"""With how many players a tile is in play: always, or as printed on it."""
ALL: Final[ByPlayers] = (1, 1, 1)
_HELPERS: Final = ("joker", "raise")
_FAMILIES: Final[Mapping[str, Family]] = {"tile": "tiles", "contract": "contracts", "guest": "guests"}


def marked(learned: Learned) -> int:
    """Return with how many players a piece is in play at least."""
    return MARKS.index(learned.answers.get("mark", MARKS[0])) + 2


def in_play(learned: Learned) -> ByPlayers:
    least = marked(learned)
    return int(least <= 2), int(least <= 3), 1


def character(learned: Learned) -> str:
    answers = learned.answers
    chosen: str = answers["name"] if answers["character"] == NEW else answers["character"]
    return chosen


# The pieces themselves


def tile_effect(learned: Learned) -> Tile:
    """Return the bonus tile, in play with any number of players."""
    answers = learned.answers
    brings = dict(answers["brings"])
    joker, raises = (brings.pop(word, 0) for word in _HELPERS)
    does = {answers["does"]: True} if answers["does"] != "brings" else {}
    return Tile(number=ALL, bonus=Bonus(**brings), joker=joker, raises=raises, **does)


def contract_of(learned: Learned) -> Contract:
    answers = learned.answers
    needs = dict(answers["needs"])
    same = needs.pop(SAME, msgspec.UNSET)
    return Contract(needs, same, Bonus(**answers["brings"]), answers["crest"], marked(learned))


def guest_of(learned: Learned) -> GuestTile:
    return GuestTile(Bonus(**learned.answers["brings"]), marked(learned))


# Their names


def names(learned: tuple[Learned, ...]) -> tuple[str | int, ...]:
    """Return what moves call each of them.

    Tiles and costs that are alike share one name with a number in the box; each contract and each guest has a name of
    its own.
    """
    seen, found = Counter[str](), list[str | int]()
    for one in learned:
        name = _name(one)
        if one.form in ("contract", "guest"):
            seen[str(name)] += 1
            name = name if seen[str(name)] == 1 else f"{name} ({seen[str(name)]})"
        found.append(name)
    return tuple(found)


def _name(learned: Learned) -> str | int:
    answers = learned.answers
    match learned.form:
        case "tile":
            return _tile_name(answers)
        case "contract" if answers["crest"]:
            return "crest contract"
        case "contract":
            return f"{_counted(answers['needs'])} for {_counted(answers['brings'])}"
        case "guest":
            return f"{character(learned)} with {_counted(answers['brings'])}"
        case "cost":
            return f"stone{answers['stone']} points{answers['points']}"
        case _:
            steps: int = answers["steps"]
            return steps


def _tile_name(answers: Mapping[str, Any]) -> str:
    match answers["does"]:
        case "brings":
            brings = answers["brings"]
            single = len(brings) == 1 and not set(brings) & {"gold", "food", "wool", "stone", "iron"}
            # Contracts of the original box are named by goods alone.
            return _counted(brings) if single else f"helper {_counted(brings)}"
        case "crest":
            return f"crest {answers['look'] or 'shield'}"
        case "recolours":
            return "recolour"
        case _:
            return "again"


def _counted(amounts: Mapping[str, int]) -> str:
    return " ".join(f"{word}{number}" for word, number in amounts.items())


# How many there may be


def described(box: Box, form: str) -> tuple[int, int]:
    """Return how many pieces of a form are known for sure, and how many there are.

    If people entered the whole family from the real box, all of them are known.
    """
    counts = box.counts
    learned = sum(one.form == form for one in box.learned)
    match form:
        case "tile":
            sure = sum(tile.number[-1] for tile in box.tiles.values()) if "tiles" not in box.unverified else learned
            return sure, counts.tiles
        case "contract":
            return len(box.contracts) if "contracts" not in box.unverified else learned, counts.contracts
        case "guest":
            known = sum(len(kind.tiles) for kind in box.guests.values())
            return known if "guests" not in box.unverified else learned, counts.guests
        case "cost":
            known = sum(cost.number for cost in box.costs.values())
            return known if "costs" not in box.unverified else learned, counts.costs
        case _:
            markers = len(box.corruption.markers)
            return markers if "corruption.markers" not in box.unverified else learned, counts.corruption


# A box with one piece more


def added(box: Box, learned: Learned) -> Box:
    """Return the box with one more piece; from then on it holds one too many. Raises `BoxError`."""
    name = names((*box.learned, learned))[-1]
    changes = dict(_with(box, learned, str(name)))
    family = _FAMILIES.get(learned.form)
    if family is not None and family in box.unverified:
        changes["surplus"] = _one_too_many(box, family, in_play(learned))
    return kernel.with_piece(box, learned, changes)


def _with(box: Box, learned: Learned, name: str) -> Iterator[tuple[str, Any]]:
    match learned.form:
        case "tile":
            there = box.tiles.get(name, replace(tile_effect(learned), number=(0, 0, 0)))
            yield "tiles", {**box.tiles, name: replace(there, number=_sum(there.number, in_play(learned)))}
        case "contract":
            yield "contracts", {**box.contracts, name: contract_of(learned)}
        case "guest":
            who, section = character(learned), learned.answers["section"]
            tiles = {} if who not in box.guests else box.guests[who].tiles
            known = {**tiles, name.removeprefix(f"{who} "): guest_of(learned)}
            yield "guests", {**box.guests, who: Character(section, known)}
        case "cost":
            stone, points = learned.answers["stone"], learned.answers["points"]
            number = box.costs[name].number if name in box.costs else 0
            yield "costs", {**box.costs, name: Cost(number + 1, stone, points)}
        case _:
            markers = tuple(sorted((*box.corruption.markers, learned.answers["steps"])))
            yield "corruption", replace(box.corruption, markers=markers)


def _one_too_many(box: Box, family: Family, more: ByPlayers) -> dict[Family, ByPlayers]:
    """Return by how many pieces each family has too many, with this piece counted."""
    before = {} if isinstance(box.surplus, msgspec.UnsetType) else box.surplus
    return {**before, family: _sum(before.get(family, (0, 0, 0)), more)}


def _sum(one: ByPlayers, other: ByPlayers) -> ByPlayers:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


# Stand-ins that leave the box


def without_stand_ins(box: Box) -> Box:
    """Return the box for a new game, from which a stand-in has been removed for each piece that was described."""
    known = dict(zip(names(box.learned), box.learned, strict=True))
    facts: dict[str, Any] = {
        "tiles": _tiles_left(box) if "tiles" in box.unverified else box.tiles,
        "contracts": _contracts_left(box, known) if "contracts" in box.unverified else box.contracts,
        "guests": _guests_left(box, known) if "guests" in box.unverified else box.guests,
        "costs": _costs_left(box) if "costs" in box.unverified else box.costs,
    }
    if "corruption.markers" in box.unverified:
        facts["corruption"] = replace(box.corruption, markers=_markers_left(box))
    plain = {name: value for name, value in msgspec.to_builtins(box).items() if name != "surplus"}
    return kernel.from_facts(msgspec.to_builtins({**plain, **facts}), Box, f"The box of {box.game} with all its pieces")


def _last_like(standing: Mapping[str, int], players: int) -> str:
    """Return the last stand-in with the same mark, or else the last one."""
    alike = [name for name, mark in standing.items() if mark == players]
    return (alike or list(standing))[-1]


def _contracts_left(box: Box, known: Mapping[str | int, Learned]) -> dict[str, Contract]:
    contracts = dict(box.contracts)
    for learned in known.values():
        standing = {name: one.players for name, one in contracts.items() if name not in known}
        if learned.form == "contract" and standing:
            del contracts[_last_like(standing, marked(learned))]
    return contracts


def _guests_left(box: Box, known: Mapping[str | int, Learned]) -> dict[str, Character]:
    guests = {who: dict(kind.tiles) for who, kind in box.guests.items()}
    for learned in known.values():
        standing = {
            f"{who} {tile}": one.players
            for who, tiles in guests.items()
            for tile, one in tiles.items()
            if f"{who} {tile}" not in known
        }
        if learned.form == "guest" and standing:
            leaves = _last_like(standing, marked(learned))
            who = next(
                who
                for who, tiles in guests.items()
                if leaves.removeprefix(f"{who} ") in tiles and leaves.startswith(who)
            )
            del guests[who][leaves.removeprefix(f"{who} ")]
    kept = {who: replace(box.guests[who], tiles=tiles) for who, tiles in guests.items()}
    for who in [who for who, kind in reversed(kept.items()) if not kind.tiles]:
        if len(kept) > len(box.buildings.floors):
            del kept[who]
    return kept


def _tiles_left(box: Box) -> dict[str, Tile]:
    tiles = dict(box.tiles)
    sure = Counter(_name(one) for one in box.learned if one.form == "tile")
    for learned in (one for one in box.learned if one.form == "tile"):
        spare = {name: tile.number[-1] - sure[name] for name, tile in tiles.items() if tile.number[-1] > sure[name]}
        if not spare:
            break
        less = in_play(learned)
        fitting = [name for name in spare if _fits(tiles[name].number, less)]
        name = max(fitting or spare, key=lambda one: spare[one])
        number = tiles[name].number
        most = number[-1] - 1
        left = (min(number[0] - less[0], most), min(number[1] - less[1], most), most)
        tiles[name] = replace(tiles[name], number=(max(0, left[0]), max(0, left[1]), left[2]))
    return {name: tile for name, tile in tiles.items() if tile.number[-1]}


def _fits(number: ByPlayers, less: ByPlayers) -> bool:
    left = [one - other for one, other in zip(number, less, strict=True)]
    return left[0] >= 0 and left == sorted(left)


def _costs_left(box: Box) -> dict[str, Cost]:
    costs = dict(box.costs)
    sure = Counter(_name(one) for one in box.learned if one.form == "cost")
    for _ in range(sure.total()):
        spare = {name: cost.number - sure[name] for name, cost in costs.items() if cost.number > sure[name]}
        if spare:
            name = max(spare, key=lambda one: spare[one])
            costs[name] = replace(costs[name], number=costs[name].number - 1)
    return {name: cost for name, cost in costs.items() if cost.number}


def _markers_left(box: Box) -> tuple[int, ...]:
    markers = Counter(box.corruption.markers)
    sure = Counter(int(one.answers["steps"]) for one in box.learned if one.form == "corruption")
    for _ in range(sure.total()):
        spare = {value: markers[value] - sure[value] for value in markers if markers[value] > sure[value]}
        if spare:
            markers[max(spare, key=lambda one: spare[one])] -= 1
    return tuple(sorted(markers.elements()))
