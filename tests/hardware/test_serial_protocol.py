"""The line protocol: messages arrive, noise is counted, and the two are never confused."""

from __future__ import annotations

import ast
import binascii
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import firmware
from hardware.firmware.protocol import (
    FROM_BOARD,
    LINE_LIMIT,
    RING,
    SEQUENCES,
    SOUNDS,
    TICKS,
    TO_BOARD,
    Listener,
    Message,
    Speaker,
    checksum,
    elapsed,
    encode,
)

levels = st.integers(0, 255)
ticks = st.integers(0, TICKS - 1)
echoes = st.integers(0, 65535)
colours = st.integers(0, 0xFFFFFF).map("{:06x}".format)
tokens = st.text(st.characters(min_codepoint=ord('"'), max_codepoint=ord("~")), min_size=1, max_size=12)

said_to_board = st.one_of(
    st.just(("hello", ())),
    st.tuples(st.just("ring"), st.tuples(st.integers(0, RING), colours, levels)),
    st.tuples(
        st.just("pixels"),
        st.tuples(levels, st.lists(colours, min_size=1, max_size=RING).map(lambda each: "".join(each))),
    ),
    st.tuples(st.just("light"), st.tuples(st.integers(1, 99), levels)),
    st.tuples(st.just("sound"), st.tuples(st.sampled_from(SOUNDS))),
    st.tuples(st.just("quiet"), st.tuples(st.integers(0, 1))),
    st.tuples(st.just("ping"), st.tuples(echoes)),
)
counts = st.integers(0, 99)
said_by_board = st.one_of(
    st.tuples(st.just("hello"), st.tuples(tokens, st.integers(0, 999), counts, counts, counts)),
    st.tuples(st.sampled_from(["press", "release", "dial"]), st.tuples(st.integers(1, 99), ticks)),
    st.tuples(st.just("pong"), st.tuples(echoes, ticks)),
    st.tuples(st.just("error"), st.lists(tokens, max_size=10).map(tuple)),
)
directions = st.one_of(
    st.tuples(st.just(TO_BOARD), said_to_board),
    st.tuples(st.just(FROM_BOARD), said_by_board),
)
sequences = st.integers(0, SEQUENCES - 1)


def troubles(listener: Listener) -> int:
    return (
        listener.garbage
        + listener.bad_checksum
        + listener.too_long
        + listener.missed
        + listener.unknown
        + listener.bad_values
        + listener.strangers
    )


def line_of_version(version: int, text: str) -> bytes:
    body = f"{version} {text}".encode()
    return b"!" + body + f" #{checksum(body):04x}\n".encode()


def test_the_strategies_speak_every_word() -> None:
    assert set(TO_BOARD) == {"hello", "ring", "pixels", "light", "sound", "quiet", "ping"}
    assert set(FROM_BOARD) == {"hello", "press", "release", "dial", "pong", "error"}


@given(st.binary())
def test_the_checksum_is_the_one_everybody_calls_ccitt(data: bytes) -> None:
    assert checksum(data) == binascii.crc_hqx(data, 0xFFFF)
    assert checksum(b"123456789") == 0x29B1


@given(directions, sequences)
def test_whatever_is_said_arrives(direction, sequence: int) -> None:
    words, (word, values) = direction
    listener = Listener(words)
    assert listener.feed(encode(sequence, word, values)) == [Message(sequence, word, values)]
    assert troubles(listener) == 0


@given(st.lists(said_to_board, max_size=12), st.data())
def test_it_does_not_matter_how_the_bytes_are_portioned(said, data) -> None:
    speaker, whole, portioned = Speaker(), Listener(TO_BOARD), Listener(TO_BOARD)
    line = b"".join(speaker.line(word, *values) for word, values in said)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(line)), max_size=20)))
    pieces = [line[a:b] for a, b in zip([0, *cuts], [*cuts, len(line)], strict=True)]
    heard = [message for piece in pieces for message in portioned.feed(piece)]
    assert heard == whole.feed(line)
    assert [(message.word, message.values) for message in heard] == said
    assert troubles(portioned) == 0


@given(st.lists(st.binary(max_size=400), max_size=8))
def test_no_bytes_ever_raise_or_pile_up(portions: list[bytes]) -> None:
    listener = Listener(FROM_BOARD)
    for portion in portions:
        assert listener.feed(portion) == []
        assert len(listener._begun) <= LINE_LIMIT


@given(st.binary(max_size=300).map(lambda noise: noise.replace(b"\n", b"")), directions)
def test_noise_before_a_line_costs_at_most_that_line(noise: bytes, direction) -> None:
    words, (word, values) = direction
    listener = Listener(words)
    first = listener.feed(noise + encode(0, word, values))
    assert first in ([], [Message(0, word, values)])
    assert listener.feed(encode(1, word, values)) == [Message(1, word, values)]
    if noise.strip(b"\r"):
        assert troubles(listener) > 0


def test_noise_that_leaves_room_costs_not_even_that_line() -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(b"\x00\xff>>> !" + encode(3, "ping", (7,))) == [Message(3, "ping", (7,))]
    assert listener.garbage == 1


@pytest.mark.parametrize(
    ("words", "word", "values"),
    [
        (TO_BOARD, "ring", (12, "ff8000", 200)),
        (TO_BOARD, "sound", ("last_five",)),
        (FROM_BOARD, "press", (2, 183042)),
        (FROM_BOARD, "dial", (3, 190500)),
    ],
)
def test_no_single_wrong_byte_makes_another_message(words, word, values) -> None:
    line = encode(41, word, values)
    for place in range(len(line) - 1):
        for byte in range(256):
            harmed = line[:place] + bytes([byte]) + line[place + 1 :]
            if byte != line[place]:
                assert Listener(words).feed(harmed) == []


@given(directions, st.integers(0, 1 << 16), st.integers(1, (1 << 16) - 1))
def test_no_burst_of_sixteen_wrong_bits_makes_another_message(direction, where: int, wrong: int) -> None:
    words, (word, values) = direction
    line = bytearray(encode(5, word, values))
    place = where % (len(line) - 2)
    line[place] ^= wrong >> 8
    line[place + 1] ^= wrong & 0xFF
    if b"!" in line[1:]:
        return  # a mark in the middle begins a shorter line, which only the checksum's chance can save
    assert Listener(words).feed(bytes(line)) == []


def test_lines_that_never_came_are_counted_by_their_numbers() -> None:
    listener = Listener(TO_BOARD)
    for sequence in (254, 255, 0, 3):
        listener.feed(encode(sequence, "ping", (0,)))
    assert listener.missed == 2
    listener.feed(encode(200, "hello"))
    listener.feed(encode(201, "ping", (0,)))
    assert listener.missed == 2


def test_a_line_that_never_ends_is_counted_once_and_left() -> None:
    listener = Listener(TO_BOARD)
    for _ in range(50):
        listener.feed(b"x" * 100)
    assert (listener.too_long, listener._begun) == (1, b"")
    assert listener.feed(b"\n" + encode(0, "hello")) == [Message(0, "hello", ())]


def test_an_unknown_word_of_our_version_is_counted_and_left() -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(line_of_version(1, "0 dance 7")) == []
    assert listener.unknown == 1


def test_another_version_is_never_obeyed_but_known_for_what_it_is() -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(line_of_version(2, "0 ping 7")) == []
    assert (listener.strangers, listener.stranger, listener.missed) == (1, 2, 0)


@pytest.mark.parametrize(
    "text",
    [
        "0 ring 25 ff8000 10",
        "0 ring 1 FF8000 10",
        "0 ring 1 ff800 10",
        "0 ring -1 ff8000 10",
        "0 ring 1 ff8000",
        "0 pixels 10 " + "00ff00" * 25,
        "0 light 0 10",
        "0 sound tada",
        "0 quiet 2",
        "0 ping 99999999999999999999",
        "0 hello there",
    ],
)
def test_values_that_make_no_sense_are_counted_and_left(text: str) -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(line_of_version(1, text)) == []
    assert (listener.bad_values, troubles(listener)) == (1, 1)


@pytest.mark.parametrize("text", ["256 ping 1", "+1 ping 1", "1  ping 1", "1", "1 ping 1 ", "1 ping \x07"])
def test_a_good_checksum_on_a_bad_line_is_garbage_all_the_same(text: str) -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(line_of_version(1, text)) == []
    assert (listener.garbage, troubles(listener)) == (1, 1)


def test_empty_lines_and_carriage_returns_are_nothing() -> None:
    listener = Listener(TO_BOARD)
    assert listener.feed(b"\n\r\n" + encode(0, "hello").replace(b"\n", b"\r\n")) == [Message(0, "hello", ())]
    assert troubles(listener) == 0


@pytest.mark.parametrize("value", ["two words", "bang!", "", "é", "line\n", "x" * LINE_LIMIT])
def test_what_cannot_stand_in_a_line_is_not_sent(value: str) -> None:
    with pytest.raises(ValueError, match="line"):
        encode(0, "error", (value,))


def test_the_longest_line_fits() -> None:
    assert len(encode(255, "pixels", (255, "ffffff" * RING))) <= LINE_LIMIT


def test_milliseconds_go_on_after_their_clock_began_anew() -> None:
    assert elapsed(20, TICKS - 10) == 30
    assert elapsed(1050, 1000) == 50


def imports_at_run_time(path: Path) -> set[str]:
    """The imports of a file, without those for type checkers."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module))
        waiting += ast.iter_child_nodes(node)
    return found


def test_the_firmware_imports_only_what_a_pico_has() -> None:
    here = Path(firmware.__file__).parent
    imports = {path.name: imports_at_run_time(path) for path in here.glob("*.py")}
    assert imports.pop("board.py") == {"machine", "neopixel", "select", "sys", "time"}
    assert imports.pop("main.py") == {"firmware.board", "firmware.program"}
    assert set().union(*imports.values()) == {"collections"}
