"""`docs/serial.md` and the firmware agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.firmware import wiring
from hardware.firmware.program import FIRMWARE, QUIET_MS, REST_MS, SILENCE_MS
from hardware.firmware.protocol import FROM_BOARD, LINE_LIMIT, SOUNDS, TICKS, TO_BOARD, Listener
from hardware.serial.conversation import Patience

TEXT = (Path(__file__).resolve().parents[2] / "docs/serial.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The table under a heading, without its head."""
    section = re.split(r"^#+ ", TEXT.split(f"# {heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize(
    ("heading", "words"), [("From the Pi to the board", TO_BOARD), ("From the board to the Pi", FROM_BOARD)]
)
def test_every_word_has_a_row_whose_example_is_a_real_line(heading: str, words) -> None:
    table = rows(heading)
    assert [row[0].strip("`") for row in table] == list(words)
    for word, _, example in table:
        (message,) = Listener(words).feed(example.strip("`").encode() + b"\n")
        assert message.word == word.strip("`")


def test_no_example_hides_elsewhere() -> None:
    assert len(re.findall(r"!1 ", TEXT)) == len(TO_BOARD) + len(FROM_BOARD)


def test_the_wiring_is_that_of_the_firmware() -> None:
    pins = {row[0].split(",")[0]: [int(pin) for pin in re.findall(r"GP(\d+)", row[1])] for row in rows("Wiring a Pico")}
    assert pins == {
        "ring": [wiring.RING],
        "buttons 1 to 6": list(wiring.BUTTONS),
        "lights 1 and 2": list(wiring.LIGHTS),
        "buzzer": [wiring.BUZZER],
        "tumult disc": list(wiring.DISC),
    }


def test_the_figures_are_those_of_the_code() -> None:
    for figure in (
        f"at most {LINE_LIMIT} characters",
        f"to {TICKS - 1} (",
        f"{SILENCE_MS // 1000} s without a good line",
        f"not listen to that button for {QUIET_MS} ms",
        f"not moved for {REST_MS} ms",
        f"nothing for {Patience().answer_within:.0f} s",
        f"after {Patience().first_pause} s, then less often, every {Patience().longest_pause:.0f} s",
        f"hello {FIRMWARE} 24",
        "`, `".join(SOUNDS[:-1]) + f"` or `{SOUNDS[-1]}`",
    ):
        assert figure in TEXT, figure
