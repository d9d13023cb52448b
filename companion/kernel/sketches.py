"""Parts of a box that people enter by drawing them: a graph of places and ways, and tracks of fields with values.

A game declares them as data. A drawing comes from a phone as plain data, is checked here, and becomes answers for the
box: facts like all others. Nothing here knows a game, or how a drawing is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Final, Protocol

import msgspec

from companion.kernel.forms import Form, checked

MOST: Final = 1000
"""A plan is so many thousandths wide and high."""
LONGEST: Final = 24
"""Letters of a place's name."""

Share = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Value = Annotated[int, msgspec.Meta(ge=-999, le=999)]


class Graph(msgspec.Struct, frozen=True, tag="graph"):
    """Places on a plan, what each of them is, and the ways between them.

    `nodes`, `edges` and `at` are the facts of the box that hold the places by their names, pairs of names, and where
    each lies; `lists` names, for a field of the form, the fact that lists the places of which it is true. `home` is a
    place that there must be, and what is `at_home` need not be said. `shape` is how wide and how high the plan is.
    """

    name: str
    nodes: str
    edges: str
    at: str
    form: Form
    home: str
    at_home: dict[str, Any] = {}
    lists: dict[str, str] = {}
    shape: tuple[int, int] = (1, 1)
    most: int = 60

    @property
    def facts(self) -> tuple[str, ...]:
        return (self.nodes, self.edges, self.at, *self.lists.values())


class Track(msgspec.Struct, frozen=True, tag="track"):
    """Fields in a row, each with a value. `values` is the fact that holds these.

    The fields are numbered from `start`, or, where a box has a fact `first`, from the number that it says; and to
    `last`. Values lie between `least` and `most`.
    """

    name: str
    values: str
    last: int
    start: int = 1
    first: str = ""
    lowest: int = 1
    """The least number that the first field may have."""
    least: int = 0
    most: int = 99

    @property
    def facts(self) -> tuple[str, ...]:
        return (self.first, self.values) if self.first else (self.values,)


Sketch = Graph | Track


class Lack(msgspec.Struct, frozen=True):
    """Something that a drawing has not yet, or has too much: a sentence of the catalogue's `sketches.<name>.lacks`.

    What `blocks` makes a box that cannot be played with; anything else may be as people say it is."""

    key: str
    facts: dict[str, Any] = {}
    blocks: bool = False


class Sketching(Protocol):
    """What of a game's box is entered by drawing."""

    @property
    def sketches(self) -> tuple[Sketch, ...]: ...

    def lacks(self, sketch: Sketch, facts: Mapping[str, Any]) -> Iterator[Lack]:
        """What the facts of a drawing do not have yet, by what is known of the box."""

    def layout(self, raw: Mapping[str, Any], box: Any) -> Mapping[str, Any]:
        """The table's layout, as its file writes it, with what follows from a box: where its places lie."""


class DrawnNode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: tuple[Share, Share]
    answers: dict[str, Any] = {}


class DrawnGraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nodes: dict[str, DrawnNode]
    edges: tuple[tuple[str, str], ...] = ()


class DrawnTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field whose value nobody has said yet is None."""

    first: Value
    values: tuple[Value | None, ...]


class NotDrawn(Exception):
    """Something that is no drawing of this kind: no page of ours sends it."""


# From the box to a drawing


def drawn(sketch: Sketch, fact: Mapping[str, Any]) -> dict[str, Any]:
    """The drawing of what a box holds; `fact` has the facts of the sketch by name."""
    match sketch:
        case Graph():
            return {
                "nodes": {
                    name: {"at": fact[sketch.at][name], "answers": _answers(sketch, fact, name, node)}
                    for name, node in fact[sketch.nodes].items()
                },
                "edges": [list(edge) for edge in fact[sketch.edges]],
            }
        case Track():
            return {"first": fact[sketch.first] if sketch.first else sketch.start, "values": list(fact[sketch.values])}


def _answers(sketch: Graph, fact: Mapping[str, Any], name: str, node: Mapping[str, Any]) -> dict[str, Any]:
    return {**node, **{field: name in fact[listed] for field, listed in sketch.lists.items()}}


def empty(sketch: Sketch) -> dict[str, Any]:
    """A drawing in which nothing is said yet."""
    if isinstance(sketch, Graph):
        return {"nodes": {}, "edges": []}
    first = 0 if sketch.first else sketch.start
    return {"first": first, "values": [None] * (sketch.last - first + 1)}


# From a drawing to answers for the box


def facts_of(sketch: Sketch, value: Any) -> dict[str, Any]:
    """The facts that a drawing says, as far as it has got. Raises `NotDrawn`, and `CannotLearn` for what somebody said
    of a place that its form does not take."""
    try:
        if isinstance(sketch, Graph):
            return _facts_of_graph(sketch, msgspec.convert(value, DrawnGraph))
        return _facts_of_track(sketch, msgspec.convert(value, DrawnTrack))
    except msgspec.ValidationError as error:
        raise NotDrawn(str(error)) from error


def _facts_of_graph(sketch: Graph, graph: DrawnGraph) -> dict[str, Any]:
    if len(graph.nodes) > sketch.most:
        raise NotDrawn(f"more than {sketch.most} places")
    if any(not 0 < len(name) <= LONGEST or name != " ".join(name.split()) for name in graph.nodes):
        raise NotDrawn("a place without a usable name")
    edges = list(dict.fromkeys(_in_order(graph, edge) for edge in graph.edges))
    said = {name: checked(sketch.form, dict(node.answers)) for name, node in graph.nodes.items()}
    return {
        sketch.nodes: {
            name: {field: one for field, one in answers.items() if field not in sketch.lists}
            for name, answers in said.items()
        },
        sketch.edges: [list(edge) for edge in edges],
        sketch.at: {name: list(node.at) for name, node in graph.nodes.items()},
        **{fact: [name for name, one in said.items() if one[field]] for field, fact in sketch.lists.items()},
    }


def _in_order(graph: DrawnGraph, edge: tuple[str, str]) -> tuple[str, str]:
    """A way is the same in both directions."""
    one, other = edge
    if one == other or one not in graph.nodes or other not in graph.nodes:
        raise NotDrawn("a way that leads nowhere")
    names = list(graph.nodes)
    return (one, other) if names.index(one) < names.index(other) else (other, one)


def _facts_of_track(sketch: Track, track: DrawnTrack) -> dict[str, Any]:
    least, most = (sketch.lowest, sketch.last) if sketch.first else (sketch.start, sketch.start)
    if not least <= track.first <= most or len(track.values) != sketch.last - track.first + 1:
        raise NotDrawn("a track with other fields")
    if any(value is not None and not sketch.least <= value <= sketch.most for value in track.values):
        raise NotDrawn("a value that no field has")
    said = {sketch.values: list(track.values)}
    return {sketch.first: track.first, **said} if sketch.first else said


# What is missing in any drawing


def missing(sketch: Sketch, facts: Mapping[str, Any]) -> Iterator[Lack]:
    """What every drawing of a kind needs, in sentences of the kernel."""
    match sketch:
        case Graph():
            yield from _missing_in_graph(sketch, facts)
        case Track():
            there = sum(value is not None for value in facts[sketch.values])
            if there < len(facts[sketch.values]):
                yield Lack("fields", {"there": there, "of": len(facts[sketch.values])}, True)


def _missing_in_graph(sketch: Graph, facts: Mapping[str, Any]) -> Iterator[Lack]:
    nodes = list(facts[sketch.nodes])
    if sketch.home not in nodes:
        yield Lack("home", {"name": sketch.home}, True)
        return
    alone = [name for name in nodes if name not in reached(facts[sketch.edges], sketch.home)]
    if len(nodes) > 1 and alone:
        yield Lack("alone", {"names": tuple(alone)}, True)


def reached(edges: Collection[Collection[str]], home: str) -> set[str]:
    """The places to which ways lead from home, and home."""
    found, waiting = {home}, [home]
    while waiting:
        here = waiting.pop()
        for place in {place for edge in edges if here in edge for place in edge} - found:
            found.add(place)
            waiting.append(place)
    return found
