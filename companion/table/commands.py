"""Carries out the Commands of phones: moves told by hand, answers, undo, corrections, and ways out when lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Final

import msgspec

from companion.journal import Joining
from companion.kernel.box import Learned
from companion.kernel.forms import CannotLearn, checked
from companion.kernel.game import Game, new_pieces
from companion.kernel.messages import Command
from companion.kernel.rules import IllegalMove, seat_of
from companion.kernel.views import Pieces, View, distance
from companion.referee import Explained, Referee, Settled
from companion.table.actions import News, TableActions
from companion.table.entries import enter
from companion.table.ledger import Act, Answer, Point, Seen, Told, state_after

Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
LONGEST_NAME: Final = 40
Order = Callable[[TableActions[Any, Any], Command, Told], Iterator[News]]


class Refused(Exception):
    """A command that is not carried out; `body` says why."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body["reason"])
        self.body = body


def carry_out(table: TableActions[Any, Any], command: Command) -> Iterator[News]:
    """Carry out a command. A repeated one is ignored."""
    if command.id in table.ledger.commands or table.is_pending_stop(command.id):
        return
    order = _ORDERS.get(command.kind)
    if order is None:
        yield "refused", table.tell.refused("unknown_kind", kind=command.kind)
        return
    try:
        yield from order(table, command, Told(command.id, command.kind, command.seat))
    except Refused as refused:
        yield "refused", refused.body


def _refused(table: TableActions[Any, Any], reason: str, **facts: Any) -> Refused:
    return Refused(table.tell.refused(reason, **facts))


# A move, told


def _move(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    move = _decoded(table, command)
    _require_own_seat(table, command, move)
    _require_legal(table, table.state, move)
    yield from table.make([move], told)
    yield from table.judge_again(told=True)


def _moves(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    """Moves that had to come next, one after the other: every player may say that they were made."""
    try:
        moves = msgspec.convert(command.body.get("moves"), list[table.game.move_type])  # type: ignore[name-defined]
    except msgspec.ValidationError as error:
        raise _unreadable(table, error) from error
    state = table.state
    for move in moves:
        if move != table.game.only_move(state):
            raise _refused(table, "no_longer")
        state = table.game.play(state, move)
    yield from table.make(moves, told)
    yield from table.judge_again(told=True)


def _require_legal(table: TableActions[Any, Any], state: Any, move: Any) -> None:
    """Check a move by the rules. Raises `Refused`."""
    breaches = table.game.check(state, move)
    if breaches:
        body = table.tell.refused("not_a_move", why=table.tell.why_not(breaches))
        rules = ", ".join(breach.rule for breach in breaches)
        raise Refused({**body, "detail": rules, "breaches": table.tell.broken(breaches, state)})


def _decoded(table: TableActions[Any, Any], command: Command) -> Any:
    """The move of a command. Raises `Refused`."""
    try:
        return msgspec.convert(command.body.get("move"), table.game.move_type)
    except msgspec.ValidationError as error:
        raise _unreadable(table, error) from error


def _unreadable(table: TableActions[Any, Any], error: msgspec.ValidationError) -> Refused:
    """The refusal of what is no move at all. The error itself is for programmers."""
    body = table.tell.refused("not_a_move", why=table.tell.plain("refused.unreadable"))
    return Refused({**body, "detail": str(error)})


def _require_own_seat(table: TableActions[Any, Any], command: Command, move: Any) -> None:
    """Check that the move is not another seat's. A host's commands have no seat and may tell all moves. Raises
    `Refused`."""
    seat = seat_of(move, len(table.seats))
    if command.seat is not None and seat is not None and seat != command.seat:
        raise _refused(table, "not_your_seat", seat=table.tell.seat(seat))


# A piece that the box does not hold


def _learn(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    """Describe a piece that the box does not hold, and make the move with it."""
    move = _decoded(table, command)
    _require_own_seat(table, command, move)
    yield from table.accept(_described(table, table.state, move, command), told)
    yield from table.judge_again(told=True)


def _described(table: TableActions[Any, Any], state: Any, move: Any, command: Command) -> list[Any]:
    """The described piece and the move with it. Raises `Refused`."""
    learning, field = table.game.learning, str(command.body.get("field"))
    form = None if learning is None else learning.form(state, move, field)
    if learning is None or form is None:
        raise _refused(table, "nothing_to_learn")
    try:
        learned = Learned(form.name, checked(form, command.body.get("answers")))
        state = learning.learn(state, learned)
    except CannotLearn as error:
        raise _refused(table, "not_learned", why=table.tell.cannot_be(form, error)) from error
    move = msgspec.structs.replace(move, **{field: new_pieces(table.game, state)[-1].name})
    _require_legal(table, state, move)
    return [learned, move]


# An answer


def _answer(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    if table.question is None or command.body.get("question") != table.question[0]:
        raise _refused(table, "no_question")
    options, chosen = table.question[1], command.body.get("option")
    if not isinstance(chosen, int) or not 0 <= chosen < len(options):
        raise _refused(table, "no_option")
    option = options[chosen]
    if option is None:
        table.ledger.note("answered", {"nothing": True}, told)
        for dial in table.observations.turned():
            table.observations.dial_taken_in(dial)
        yield from table.clear_trouble()
        yield from table.judge_again(told=True)
        return
    elif isinstance(option, Joining):
        yield from _joined(table, option, told)
        return
    elif isinstance(option, Explained):
        yield from table.accept(option.moves, table.proof(), Answer(told, {"option": chosen}))
    else:
        yield from table.take_back(option, told)
    yield from table.judge_again()


# Pieces that people counted


def _count_loose(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    """Loose pieces that people counted because no camera sees them: as legal moves if there are some, else as told."""
    seen = _counted(table, command)
    found = table.judge.referee.judge(table.state, seen)
    if isinstance(found, Settled):
        table.ledger.note("counted", command.body, told)
        return
    if isinstance(found, Explained):
        yield from table.make(found.moves, told)
    else:
        table.ledger.take_over(seen, told)
        yield "adopted", {"says": table.tell.plain("news.counted")}
        yield from table.clear_trouble()
    yield from table.judge_again(told=True)


def _counted(table: TableActions[Any, Any], command: Command) -> View:
    """The counts of a command. Raises `Refused` unless its zones hold loose pieces and the pieces are of this game."""
    try:
        counts = msgspec.convert(command.body.get("zones"), dict[str, dict[str, Count]])
    except msgspec.ValidationError as error:
        raise _refused(table, "not_counted") from error
    loose = {name for name, zone in table.game.view(table.state).zones.items() if isinstance(zone, Pieces)}
    labels = {label for count in counts.values() for label in count}
    if not counts or not loose.issuperset(counts) or not all(map(table.game.catalogue.piece, labels)):
        raise _refused(table, "not_counted")
    return View({zone: Pieces(count) for zone, count in counts.items()})


# Back and forth


def _undo(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    line = table.ledger.line()
    left = table.ledger.undo(told)
    if left is None:
        raise _refused(table, "nothing_to_undo")
    undone = [point for point in line if point.n > table.ledger.now.n]
    table.ignore_until_change()
    yield "undone", table.tell.undone(undone)
    yield from table.clear_trouble()


def _redo(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    before = table.ledger.now
    if table.ledger.redo(told) is None:
        raise _refused(table, "nothing_to_redo")
    again = [point for point in table.ledger.line() if point.n > before.n]
    table.mark_unseen(again)
    yield "redone", table.tell.undone(again, "news.redone")
    yield from table.clear_trouble()
    yield from table.judge_again(told=True)


# A correction


def _correct(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    """Replace an earlier move, perhaps by one with a described piece, and derive all later moves again from what was
    seen and told."""
    event = command.body.get("event")
    point = table.ledger.point(event) if isinstance(event, int) else None
    if point is None or point.parent is None or point.move is None:
        raise _refused(table, "no_event", event=str(event))
    if any((later.joined or later.carried) and later.n > point.n for later in table.ledger.line()):
        raise _refused(table, "before_joining")
    move = _decoded(table, command)
    _require_own_seat(table, command, point.move)
    _require_own_seat(table, command, move)
    if "answers" in command.body:
        steps = _described(table, point.parent.state, move, command)
    else:
        _require_legal(table, point.parent.state, move)
        steps = [move]
    corrected = _rewritten(table, point, tuple(steps), told)
    yield from (table.description_news(one) for one in table.ledger.line() if one.learned is steps[0])
    yield "corrected", corrected
    yield from table.clear_trouble()
    yield from table.judge_again(told=True)


def _rewritten(table: TableActions[Any, Any], point: Point[Any], steps: tuple[Any, ...], told: Told) -> dict[str, Any]:
    """Rewrite the line of play from a point on; returns only what changed."""
    ledger, parent = table.ledger, point.parent
    assert parent is not None
    before = [one for group in ledger.after(parent) for one in group if one.move is not None]
    says = table.tell.corrected(parent.state, steps[-1], point.move)
    state, acts = _played(table.game, parent.state, steps), list[Act]([(told, steps, None)])
    for group in ledger.after(point):
        act = _derived(table.game, state, group)
        state = _acted(table.game, state, act)
        acts.append(act)
    after = [one for one in ledger.rewrite(parent, [act for act in acts if act[1] or act[2]]) if one.move is not None]
    table.mark_unseen(one for one in after if not one.seen)
    return {
        "event": point.n,
        "says": says,
        "moves": [table.tell.move(one) for one in _only(after, before)],
        "gone": [table.tell.move(one) for one in _only(before, after)],
    }


def _only(points: list[Point[Any]], others: list[Point[Any]]) -> list[Point[Any]]:
    """Multiset difference: the points whose move the others do not have, or have fewer times."""
    spare = Counter(one.move for one in others)
    found = []
    for one in points:
        spare[one.move] -= 1
        if spare[one.move] < 0:
            found.append(one)
    return found


def _derived(game: Game[Any, Any], state: Any, group: list[Point[Any]]) -> Act:
    """What the same evidence means in this state: what people told, signals and adopted tables still hold; what was
    seen is explained again if its moves are no longer legal."""
    proof, same = group[0].proof, tuple(point.step for point in group)
    if group[0].adopted is not None:
        return proof, (), group[0].adopted
    legal = _legal(game, state, same)
    if isinstance(proof, Seen) and (legal != same or distance(proof.view, game.view(_played(game, state, legal)))):
        match Referee(game).judge(state, proof.view):
            case Explained(moves=moves):
                return proof, moves, None
            case Settled():
                return proof, (), None
    return proof, legal, None


def _legal(game: Game[Any, Any], state: Any, steps: tuple[Any, ...]) -> tuple[Any, ...]:
    """These moves and descriptions, up to the first that is no longer legal."""
    for number, step in enumerate(steps):
        try:
            state = state_after(game, state, step)
        except (IllegalMove, CannotLearn):
            return steps[:number]
    return steps


def _acted(game: Game[Any, Any], state: Any, act: Act) -> Any:
    _, moves, adopted = act
    return game.state_from_view(state, adopted) if adopted is not None else _played(game, state, moves)


def _played(game: Game[Any, Any], state: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        state = state_after(game, state, step)
    return state


# A game that began before the companion watched


def _join(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    """Find the state of a game under way: from the reading, or by asking if several states match."""
    if not table.game.setting_up(table.state):
        raise _refused(table, "under_way")
    if table.observations.latest is None:
        raise _refused(table, "nothing_seen")
    view = table.observations.view(table.ledger.ignored)
    states = table.game.states_matching(table.state, view)
    if not states:
        raise _refused(table, "no_moment")
    if len(states) == 1:
        yield from _joined(table, Joining(view, 0), told)
    else:
        table.ignore_until_change()
        yield from table.ask(table.tell.which_state(states), tuple(Joining(view, i) for i in range(len(states))))


def _joined(table: TableActions[Any, Any], joining: Joining, told: Told) -> Iterator[News]:
    table.ledger.join(joining, told)
    yield "joined", {"says": table.tell.plain("news.joined")}
    yield from table.clear_trouble()
    yield from table.judge_again()


# What people want to be called


def _name(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    seat, name = command.seat, command.body.get("name")
    if seat is None or not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise _refused(table, "no_name")
    table.name(seat, name, told)
    yield "named", {"seat": seat, "name": name}


# When all is lost


def _adopt_table(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    """Adopt the table as the game's state."""
    if table.observations.latest is None:
        raise _refused(table, "nothing_seen")
    table.ledger.take_over(table.observations.view(table.ledger.ignored), told)
    yield "adopted", {"says": table.tell.plain("news.adopted")}
    yield from table.clear_trouble()
    yield from table.judge_again()


def _put_right(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    """People say that they put it right. The trouble stays until the table shows that."""
    table.ledger.note("put_right", {}, told)
    yield "waiting", {}


def _dismiss(table: TableActions[Any, Any], _command: Command, told: Told) -> Iterator[News]:
    """People say that the companion is wrong: withdraw the trouble and wait for the table to change."""
    table.ledger.note("dismissed", {}, told)
    table.ignore_until_change()
    yield from table.clear_trouble()


def _ignore(table: TableActions[Any, Any], command: Command, told: Told) -> Iterator[News]:
    zone = command.body.get("zone")
    if not _has(table, zone):
        raise _refused(table, "unknown_zone", zone=str(zone))
    table.ledger.note(command.kind, {"zone": zone}, told)
    (table.ledger.ignored.add if command.kind == "ignore" else table.ledger.ignored.discard)(str(zone))
    yield command.kind, table.tell.zone("news.ignored" if command.kind == "ignore" else "news.watched", str(zone))
    yield from table.clear_trouble()
    yield from table.judge_again()


def _has(table: TableActions[Any, Any], zone: Any) -> bool:
    return isinstance(zone, str) and zone in table.game.view(table.state).zones


_ORDERS: Final[Mapping[str, Order]] = {
    "move": _move,
    "moves": _moves,
    "learn": _learn,
    "answer": _answer,
    "lies": _count_loose,
    "enter": enter,
    "undo": _undo,
    "redo": _redo,
    "correct": _correct,
    "join": _join,
    "name": _name,
    "take_it": _adopt_table,
    "put_right": _put_right,
    "dismiss": _dismiss,
    "ignore": _ignore,
    "watch": _ignore,
}
