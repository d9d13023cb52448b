"""Players whose companion gets killed: they keep the table and what they know, and show and tell it again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion import games
from companion.games.tumult_royale.simulation.world import habit
from companion.journal import Journal, replay
from companion.kernel.messages import Command, Message, Reading, Signal
from companion.simulation.camera import Noise, NoisyObserver
from companion.simulation.people import Act, People
from companion.simulation.selfplay import open_table
from companion.table.updates import Teller

from .test_reading_socket import Client
from .tiny import free_port

ROOT = Path(__file__).parents[3]
GAME = games.load("tumult_royale")
RIG = """
[camera]
source = "readings:{socket}"
[pins]
backend = "none"
[[seats]]
colour = "blue"
side = "bottom"
"""
ANNOUNCED = 0.25
"""How often people say a move before they make it."""
LOOKED_BACK = 0.15
"""How often people undo a move on a phone and restore it."""
PATIENT = 4.0
"""Seconds for which the companion is patient with anything; a machine as slow as that gets reminders, and rightly."""
LONGEST = 60.0
"""Seconds to wait for anything that must come."""


class Companion:
    """`companion run` as a process that is killed and started again."""

    def __init__(self, home: Path) -> None:
        self.home, self.rig, self.socket = home, home / "rig.toml", home / "readings"
        self.rig.write_text(RIG.format(socket=self.socket), encoding="utf-8")
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notices.bind(str(home / "notify"))
        self._notices.settimeout(LONGEST)
        self._log = (home / "log").open("wb")
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> Client:
        """Start it, and connect once it is ready."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COMPANION_HOME": str(self.home),
            "NOTIFY_SOCKET": str(self.home / "notify"),
        }
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "companion.cli",
                "run",
                "--rig",
                str(self.rig),
                "--port",
                str(self._port),
                *arguments,
            ],
            cwd=ROOT,
            env=environment,
            stdout=self._log,
            stderr=self._log,
        )
        while b"READY=1" not in self._notices.recv(4096):
            pass
        client = Client(self.socket)
        client.line.settimeout(LONGEST)
        return client

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        assert self._process.wait(LONGEST) == -signal.SIGKILL

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        assert self._process.wait(LONGEST) == 0, self.log()

    def log(self) -> str:
        return (self.home / "log").read_text(encoding="utf-8")

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(LONGEST)
        self._notices.close()
        self._log.close()

    @property
    def journal(self) -> Path:
        (path,) = (self.home / "games").glob("*.journal")
        return path


class Deaths:
    """The times of the kills: after how many messages, and how long after one was sent. Most messages are readings; it
    is killed after the others as often."""

    def __init__(self, rng: Random, wanted: int, between_kills: int) -> None:
        self._rng, self._between_kills = rng, between_kills
        self._kinds = cycle((Signal, Reading, Command))
        self._kind = next(self._kinds)
        self.left = wanted
        self.died: Counter[str] = Counter()
        """How often it died, and when."""
        self._after = rng.randint(1, 2 * between_kills)

    def due(self, said: Message) -> bool:
        self._after -= 1
        if self._after > 0 or not self.left or not isinstance(said, self._kind):
            return False
        self._after = self._rng.randint(1, 2 * self._between_kills)
        self._kind = next(self._kinds)
        self.left -= 1
        return True

    def note(self, said: Message, act: Act | None) -> None:
        self.died[f"after a {type(said).__name__.lower()}"] += 1
        if act is not None and any(pressed.kind == "timer" for pressed in act.signals):
            self.died["in a raid"] += 1

    def moment(self) -> float:
        """Seconds from a message to the kill: it may be unread then, or completely handled."""
        return self._rng.choice((0.0, self._rng.uniform(0, 0.005), self._rng.uniform(0, 0.04)))


class Evening:
    """One game of simulated players at a table that the companion sees through another program.

    They do not wait for mistakes to be noticed: each is put right in the next moment.
    """

    def __init__(self, companion: Companion, seed: str, deaths: Deaths, mistake_rate: float) -> None:
        self._companion, self._deaths = companion, deaths
        self._rng = Random(f"evening/{seed}")
        state, world = open_table(GAME, 2, "keen", seed)
        self._people = People(GAME, state, world, Random(f"people/{seed}"), mistake_rate)
        self._onlooker = NoisyObserver(Random(f"eyes/{seed}"), Noise(0.0, 0.0))
        self._tell = Teller(GAME, state.seats)
        self._commands = 0
        self._act: Act | None = None
        self._died = False
        self._since = time.monotonic()
        """When this act began, or the companion last came back."""
        self._recent: list[Any] = []
        """What people did last, for questions."""
        self._pressed: list[Signal] = []
        """Buttons and timers of this act."""
        self._unanswered: dict[str, Command] = {}
        self._acknowledged: dict[int, Any] = {}
        """Every move that was heard to count, by the number of its event."""
        self._unfair: list[str] = []
        """Verdicts about what is allowed, and other trouble that nobody made."""
        self._over = False
        options = msgspec.json.encode(msgspec.to_builtins(state.options)).decode()
        colours = ",".join(seat.colour for seat in state.seats)
        self._line = companion.start("--game", GAME.name, "--colours", colours, "--options", options)
        self._greeted()

    def play(self) -> Any:
        """Play to the end. Returns the true state."""
        state: Any = None
        for act in self._people.acts():
            self._live(act)
            state = act.state
        while not self._over:
            self._hear()
        assert not self._unfair, self._unfair
        return state

    def _live(self, act: Act) -> None:
        self._act, self._died, self._since = act, False, time.monotonic()
        self._pressed = []
        self._recent = [*self._recent, *act.moves][-20:]
        for move in act.told or self._announced(act):
            self._ask("move", move=msgspec.to_builtins(move))
        for moment in act.moments:
            for pressed in moment.signals:
                self._press(pressed)
            for reading in self._onlooker.show(moment, 0.0):
                self._show(reading)
        if self._died:
            self._tell_of_a_spin(act)
        self._look_back(act)

    # What people do

    def _announced(self, act: Act) -> tuple[Any, ...]:
        """Tell a move on a phone before hands make it."""
        return act.moves if _decided(act) and self._rng.random() < ANNOUNCED else ()

    def _look_back(self, act: Act) -> None:
        if _decided(act) and self._rng.random() < LOOKED_BACK and not self._over:
            self._ask("undo")
            self._ask("redo")

    def _press(self, pressed: Signal) -> None:
        stamped = msgspec.structs.replace(pressed, at=time.monotonic())
        self._pressed.append(stamped)
        self._say(stamped)

    def _ask(self, kind: str, **body: Any) -> None:
        self._commands += 1
        command = Command(f"command {self._commands}", kind, body=body)
        self._unanswered[command.id] = command
        self._say(command)

    def _show(self, reading: Reading) -> None:
        self._say(msgspec.structs.replace(reading, at=time.monotonic()))

    def _look_again(self, zones: list[str]) -> None:
        for reading in self._onlooker.look_again(zones, 0.0):
            self._show(reading)

    def _tell_of_a_spin(self, act: Act) -> None:
        """Tell a spin that the companion did not see and still asks for."""
        belief = self.belief()
        for move in act.moves:
            if type(move).__name__ == "Spin" and not GAME.check(belief, move):
                self._ask("move", move=msgspec.to_builtins(move))

    # What is said and heard

    def _say(self, message: Message) -> None:
        """Send a message and read all Updates that follow, unless the companion is killed meanwhile."""
        self._send(message)
        if self._deaths.due(message):
            time.sleep(self._deaths.moment())  # nothing is waited for: it may die at any moment
            self._die(message)
            return
        again: set[str] = set()
        question: dict[str, Any] | None = None
        for update in self._answers():
            if update["kind"] == "look_again":
                again |= set(update["body"]["zones"])
            elif update["kind"] in ("question", "settled"):
                question = update["body"] if update["kind"] == "question" else None
        if isinstance(message, Command):
            self._unanswered.pop(message.id, None)
        if question is not None:
            self._ask("answer", question=question["id"], option=self._option(question))
        elif again:
            self._look_again(sorted(again))

    def _option(self, question: dict[str, Any]) -> int:
        """The players' answer: some of the last moves, in the companion's words."""
        belief, said = self.belief(), [option["says"] for option in question["options"]]
        for number in range(len(self._recent)):
            moves = self._recent[number:]
            if _can(belief, moves) and (words := self._tell.moves(belief, moves)) in said:
                return said.index(words)
        raise AssertionError(f"{said} is none of what was done last: {self._recent}")

    def _send(self, message: Message) -> None:
        self._line.say(**{type(message).__name__.lower(): message})

    def _answers(self) -> list[dict[str, Any]]:
        """All Updates so far. An unknown command is sent, whose refusal comes after all of them."""
        self._commands += 1
        asked = f"dance {self._commands}"
        self._send(Command(asked, "dance"))
        heard = []
        while True:
            update = self._hear()
            if update["kind"] == "refused" and update["body"]["command"] == asked:
                return heard
            heard.append(update)

    def _hear(self) -> dict[str, Any]:
        line = self._line.hear()
        assert line is not None, f"It hung up:\n{self._companion.log()}"
        return self._heard(line)

    def _heard(self, line: dict[str, Any]) -> dict[str, Any]:
        update: dict[str, Any] = line["update"]
        kind, body = update["kind"], update["body"]
        if kind == "moved":
            self._acknowledged.update({move["event"]: move["move"] for move in body["moves"]})
        self._over |= kind == "over"
        wrong = self._act is not None and self._act.kind in ("wrong", "put_right")
        slow = time.monotonic() - self._since > PATIENT
        if kind in ("lost", "verdict") and not wrong and not slow:
            self._unfair.append(f"{kind} in {self._act and (self._act.kind, self._act.moves)}: {body}")
        return update

    # Death, and what comes after it

    def _die(self, said: Message) -> None:
        self._died = True
        self._deaths.note(said, self._act)
        self._companion.kill()
        while (line := self._line.hear()) is not None:
            self._heard(line)  # it was sent before the end
        self._line.close()
        self._line = self._companion.start()
        self._greeted()
        self._look_again([])
        self._repeat()

    def _greeted(self) -> None:
        """Check the snapshot: no acknowledged move is missing."""
        self._since = time.monotonic()
        snapshot = self._line.hear()["standing"]
        self._over = snapshot["table"]["over"]
        self.check_acknowledged()

    def _repeat(self) -> None:
        """Send unanswered commands and presses without effect again."""
        for command in tuple(self._unanswered.values()):
            self._say(command)
        written = self._signals()
        for number, pressed in enumerate(self._pressed):
            if pressed not in written:
                self._pressed[number] = again = msgspec.structs.replace(pressed, at=time.monotonic())
                self._say(again)

    # What is on disk

    def belief(self) -> Any:
        with Journal.read(self._companion.journal) as journal:
            return replay(journal, GAME)

    def _signals(self) -> list[Signal]:
        with Journal.read(self._companion.journal) as journal:
            return [msgspec.json.decode(e.body, type=Signal) for e in journal.events() if e.kind == "signalled"]

    def check_acknowledged(self) -> None:
        """Check that every acknowledged move is written, and no command was carried out twice."""
        with Journal.read(self._companion.journal) as journal:
            events = list(journal.events())
        moves = {event.n: msgspec.json.decode(event.body) for event in events if event.kind == "move"}
        commands = [msgspec.json.decode(event.body)["command"] for event in events if event.kind == "told"]
        assert len(commands) == len(set(commands))
        for number, move in self._acknowledged.items():
            assert moves.get(number) == move


def _decided(act: Act) -> bool:
    """Whether an act is a single visible move that a player decided on."""
    return act.kind == "moves" and len(act.moves) == 1 and habit(act.moves[0]).back


def _can(state: Any, moves: list[Any]) -> bool:
    for move in moves:
        if GAME.check(state, move):
            return False
        state = GAME.play(state, move)
    return True
