"""The steps that put a table right, piece by piece: from what lies there to what should lie there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from companion.kernel.game import NO_BLOCKS, Blocks
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, several, wrong_cells
from companion.referee.findings import Spot, Step


def steps(seen: View, should: View, blocks: Blocks = NO_BLOCKS) -> tuple[Step, ...]:
    """The pieces to carry and turn over, and the dials to turn. Places that were not seen are left out.

    If several cells of a block are wrong, one step puts the block right, with the pieces that come into it and leave
    it."""
    arranged = tuple(_arranged(seen, should, blocks))
    done = {Spot(step.to.zone, cell) for step in arranged if step.to for cell in step.cells}
    others = (step for step in _single(seen, should) if step.source not in done and step.to not in done)
    return (*arranged, *others)


def _arranged(seen: View, should: View, blocks: Blocks) -> Iterator[Step]:
    for name, groups in blocks.items():
        match seen.zones.get(name), should.zones.get(name):
            case Cells(at=here), Cells(at=there):
                all_wrong = set(_wrong(here, there))
                for group in groups:
                    wrong = [cell for cell in group if cell in all_wrong]
                    if len(wrong) > 1:
                        shows = tuple(there.get(cell) for cell in group)
                        yield Step("arrange", "", 1, to=Spot(name, wrong[0]), cells=group, shows=shows)


def _wrong(here: Mapping[str, str | None], there: Mapping[str, str | None]) -> list[str]:
    """The wrong cells whose right contents are known."""
    return [cell for cell in wrong_cells(here, there) if there[cell] != UNKNOWN]


def _single(seen: View, should: View) -> tuple[Step, ...]:
    """The steps for single pieces."""
    pairs = [(name, seen.zones[name], contents) for name, contents in should.zones.items() if name in seen.zones]
    spare: dict[str, dict[Spot, int]] = defaultdict(dict)
    missing: dict[str, dict[Spot, int]] = defaultdict(dict)
    pointed: list[Step] = []
    for name, here, there in pairs:
        pointed.extend(_pointed(name, here, there))
        for label, spot, more in _moved(name, here, there):
            (missing if more > 0 else spare)[label][spot] = abs(more)
    carried = [
        step for label in spare.keys() & missing.keys() for step in _carried(label, spare[label], missing[label])
    ]
    turned = list(_turned(spare, missing))
    return (*sorted(carried, key=str), *turned, *_left(spare, missing), *pointed)


def _moved(name: str, seen: Contents, should: Contents) -> Iterator[tuple[str, Spot, int]]:
    """Each label of which a spot has too many (below 0) or too few."""
    match seen, should:
        case Cells(at=here), Cells(at=there):
            for cell in _wrong(here, there):
                yield from _difference(Spot(name, cell), _counted(here[cell]), _counted(there[cell]))
        case Pieces(count=here), Pieces(count=there):
            yield from _difference(Spot(name), here, there)


def _counted(label: str | None) -> dict[str, int]:
    return dict((several(label),)) if label else {}


def _difference(spot: Spot, here: dict[str, int], there: dict[str, int]) -> Iterator[tuple[str, Spot, int]]:
    for label in sorted(here.keys() | there.keys()):
        if more := there.get(label, 0) - here.get(label, 0):
            yield label, spot, more


def _carried(label: str, spare: dict[Spot, int], missing: dict[Spot, int]) -> Iterator[Step]:
    """Pieces that lie too many in one spot and are missing in another."""
    for source in list(spare):
        for to in list(missing):
            number = min(spare[source], missing[to])
            if number:
                spare[source] -= number
                missing[to] -= number
                yield Step("carry", label, number, source, to)


def _turned(spare: dict[str, dict[Spot, int]], missing: dict[str, dict[Spot, int]]) -> Iterator[Step]:
    """Pieces that lie in the right spot with the wrong side up."""
    for was, spots in spare.items():
        for what, wanted in missing.items():
            for spot in spots.keys() & wanted.keys():
                number = min(spots[spot], wanted[spot])
                if number:
                    spots[spot] -= number
                    wanted[spot] -= number
                    yield Step("turn", what, number, to=spot, was=was)


def _left(spare: dict[str, dict[Spot, int]], missing: dict[str, dict[Spot, int]]) -> Iterator[Step]:
    for label, spots in spare.items():
        yield from (Step("carry", label, number, source=spot) for spot, number in spots.items() if number)
    for label, spots in missing.items():
        yield from (Step("carry", label, number, to=spot) for spot, number in spots.items() if number)


def _pointed(name: str, seen: Contents, should: Contents) -> Iterator[Step]:
    match seen, should:
        case Marks(field=here), Marks(field=there):
            for marker, field in there.items():
                if marker in here and here[marker] != field:
                    yield Step("point", marker, field, to=Spot(name))
        case Pointing(value=here), Pointing(value=there):
            if here is not None and there is not None and here != there:
                yield Step("point", name, there, to=Spot(name))
