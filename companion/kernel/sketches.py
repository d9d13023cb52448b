"""Parts of a box that people enter by drawing: a graph of places and ways, or a track of fields with values.

A game declares them as data. A drawing comes from a phone as plain data, is checked here, and becomes answers about
facts of the box. Nothing here knows a particular game, or how a drawing is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Final, Protocol

import msgspec

from companion.kernel.forms import Form, checked

MOST: Final = 1000
"""Coordinates on a plan go from 0 to this number."""
LONGEST: Final = 24
"""Maximum number of letters in a place's name."""

Share = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Value = Annotated[int, msgspec.Meta(ge=-999, le=999)]


class Graph(msgspec.Struct, frozen=True, tag="graph"):
    """Places on a plan, what each of them is, and the ways between them.

    `nodes`, `edges` and `at` name the facts of the box for the places by name, for pairs of names, and for the position
    of each place. `lists` gives, for fields of the form, the fact that lists the places for which the field is true.
    The place `home` must exist, and its answers `at_home` are known. `shape` is the ratio of the plan's width and
    height.
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
    """Fields in a row, each with a value between `least` and `most`. `values` names their fact.

    The fields are numbered to `last`, from `start` or, if the box has a fact `first`, from its value.
    """

    name: str
    values: str
    last: int
    start: int = 1
    first: str = ""
    lowest: int = 1
    """The lowest number that the first field may have."""
    least: int = 0
    most: int = 99

    @property
    def facts(self) -> tuple[str, ...]:
        return (self.first, self.values) if self.first else (self.values,)


Sketch = Graph | Track


class Lack(msgspec.Struct, frozen=True):
    """Something that a drawing lacks, or has too much of: a key of the catalogue's `sketches.<name>.lacks`.

    If it `blocks`, the box cannot be played with; otherwise it is only a hint.
    """

    key: str
    facts: dict[str, Any] = {}
    blocks: bool = False


class Sketching(Protocol):
    """The parts of a game's box that people enter by drawing."""

    @property
    def sketches(self) -> tuple[Sketch, ...]: ...

    def lacks(self, sketch: Sketch, facts: Mapping[str, Any]) -> Iterator[Lack]:
        """What the facts of a drawing still lack, as far as the game knows."""

    def layout(self, raw: Mapping[str, Any], box: Any) -> Mapping[str, Any]:
        """The table's layout, as in its file, completed with what follows from a box: the positions of its places."""


class DrawnNode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: tuple[Share, Share]
    answers: dict[str, Any] = {}


class DrawnGraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nodes: dict[str, DrawnNode]
    edges: tuple[tuple[str, str], ...] = ()


class DrawnTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is still missing is None."""

    first: Value
    values: tuple[Value | None, ...]


class NotDrawn(Exception):
    """Data that is not a drawing of this kind. Our own page never sends it."""


# From the box to a drawing


def drawn(sketch: Sketch, fact: Mapping[str, Any]) -> dict[str, Any]:
    """The drawing of a box's facts; `fact` has the facts of the sketch by name."""
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
    """An empty drawing."""
    if isinstance(sketch, Graph):
        return {"nodes": {}, "edges": []}
    first = 0 if sketch.first else sketch.start
    return {"first": first, "values": [None] * (sketch.last - first + 1)}


# From a drawing to answers for the box


def facts_of(sketch: Sketch, value: Any) -> dict[str, Any]:
    """The facts in a drawing, even in an unfinished one.

    Raises `NotDrawn`, and `CannotLearn` for an invalid answer in the form of a place.
    """
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
    """A way in its normal direction: both directions are the same."""
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


# What is missing in a drawing


def missing(sketch: Sketch, facts: Mapping[str, Any]) -> Iterator[Lack]:
    """What is missing in a drawing of any game; the keys are sentences of the kernel."""
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
    """The places that can be reached from `home`, which is one of them."""
    found, waiting = {home}, [home]
    while waiting:
        here = waiting.pop()
        for place in {place for edge in edges if here in edge for place in edge} - found:
            found.add(place)
            waiting.append(place)
    return found
