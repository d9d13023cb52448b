"""The line protocol between the Pi and a board on the table; the same file runs on both.

A line is printable ASCII: `!version sequence word value … #checksum` and a newline. The mark, the version and the
checksum keep their places in every later version, so that a board of another version can be told from noise.
`docs/serial.md` explains the words, for people who build their own board.
"""

from collections import namedtuple

TYPE_CHECKING = False  # MicroPython has no typing; a type checker takes this name for true
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Value = int | str
    Reader = Callable[[str], Value]
    Words = Mapping[str, tuple[Reader, ...] | None]

VERSION = 1
LINE_LIMIT = 200  # the longest word, `pixels`, needs 170
SEQUENCES = 256  # a line's number goes from 0 to 255 and starts over
TICKS = 1 << 30  # MicroPython's milliseconds start over here, after twelve days

RING = 24
SOUNDS = ("ready", "start", "last_five", "stop", "breach", "your_turn")

Message = namedtuple("Message", ("sequence", "word", "values"))


def number(low: int, high: int) -> "Callable[[str], int]":
    """A reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isdigit() or len(text) > 10 or not low <= int(text) <= high:
            raise ValueError(f"{text} is no number from {low} to {high}")
        return int(text)

    return read


def one_of(names: "Sequence[str]") -> "Callable[[str], str]":
    """A reader of one of these names."""

    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{text} is no name we know")
        return text

    return read


def colours(least: int, most: int) -> "Callable[[str], str]":
    """A reader of colours as six hex digits each, red green blue, without gaps: `ff8000` is orange."""

    def read(text: str) -> str:
        if len(text) % 6 or not 6 * least <= len(text) <= 6 * most:
            raise ValueError(f"{text} is not {least} to {most} colours of six hex digits")
        for letter in text:
            if letter not in "0123456789abcdef":
                raise ValueError(f"{letter} is no lower-case hex digit")
        return text

    return read


def token(text: str) -> str:
    """Anything without a space."""
    return text


BUTTON = number(1, 99)
LEVEL = number(0, 255)
MILLISECONDS = number(0, TICKS - 1)
ECHO = number(0, 65535)

# The values of each word. None: any number of plain words, a sentence.
TO_BOARD: "Words" = {
    "hello": (),
    "ring": (number(0, RING), colours(1, 1), LEVEL),
    "pixels": (LEVEL, colours(1, RING)),
    "light": (number(1, 99), LEVEL),
    "sound": (one_of(SOUNDS),),
    "quiet": (number(0, 1),),
    "ping": (ECHO,),
}
FROM_BOARD: "Words" = {
    "hello": (token, number(0, 999), number(0, 99), number(0, 99), number(0, 99)),
    "press": (BUTTON, MILLISECONDS),
    "release": (BUTTON, MILLISECONDS),
    "dial": (number(1, 99), MILLISECONDS),
    "pong": (ECHO, MILLISECONDS),
    "error": None,
}


def checksum(data: bytes) -> int:
    """CRC-16-CCITT, beginning with FFFF ("CCITT-FALSE"); a byte at a time, for a small processor."""
    crc = 0xFFFF
    for byte in data:
        x = (crc >> 8) ^ byte
        x ^= x >> 4
        crc = ((crc << 8) ^ (x << 12) ^ (x << 5) ^ x) & 0xFFFF
    return crc


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now` on a clock that starts over at `TICKS`."""
    return (now - then) % TICKS


def read_values(words: "Words", word: str, texts: "Sequence[str]") -> "tuple[Value, ...]":
    """Convert the values of a known word; ValueError says what is wrong with them."""
    readers = words[word]
    if readers is None:
        return tuple(texts)
    if len(texts) != len(readers):
        raise ValueError(f"{word} takes {len(readers)} values, not {len(texts)}")
    return tuple([read(text) for read, text in zip(readers, texts)])  # noqa: B905 (MicroPython has no strict)


def encode(sequence: int, word: str, values: "Iterable[Value]" = ()) -> bytes:
    """One whole line. ValueError if a value cannot be in a line."""
    parts = [str(VERSION), str(sequence % SEQUENCES), word]
    parts.extend([str(value) for value in values])
    for part in parts:
        if not _is_plain(part):
            raise ValueError(f"{part!r} cannot stand in a line: only printable ASCII without space and !")
    body = " ".join(parts).encode()
    line = b"!" + body + f" #{checksum(body):04x}\n".encode()
    if len(line) > LINE_LIMIT:
        raise ValueError(f"{word} does not fit in a line of {LINE_LIMIT} characters")
    return line


def _is_plain(text: str) -> bool:
    for letter in text:
        if not "!" < letter <= "~":
            return False
    return text != ""


class Speaker:
    """The sending end, which numbers its lines."""

    def __init__(self) -> None:
        self.sequence = 0

    def line(self, word: str, *values: "Value") -> bytes:
        line = encode(self.sequence, word, values)
        self.sequence = (self.sequence + 1) % SEQUENCES
        return line


class Listener:
    """The receiving end: turns bytes in any portions into whole messages and counts invalid lines."""

    def __init__(self, words: "Words") -> None:
        self.words = words
        self.garbage = 0  # lines, or beginnings of lines, that are not of this protocol
        self.bad_checksum = 0
        self.too_long = 0
        self.missed = 0  # lines that were lost, by their numbers
        self.unknown = 0  # good lines with a word that this side does not know
        self.bad_values = 0  # good lines with invalid values
        self.strangers = 0  # good lines of another version
        self.stranger = VERSION  # the version of the latest of them
        self.restart()

    def restart(self) -> None:
        """Forget the half line and the numbering, for a new connection. The counts stay."""
        self._begun = b""
        self._skipping = False
        self._expected = -1

    def feed(self, data: bytes) -> "list[Message]":
        """The messages completed by these bytes."""
        messages = []
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._take(piece)
            message = self._finish()
            if message is not None:
                messages.append(message)
        self._take(pieces[-1])
        return messages

    def _take(self, piece: bytes) -> None:
        if self._skipping:
            return
        if len(self._begun) + len(piece) > LINE_LIMIT:
            self.too_long += 1
            self._skipping = True
            self._begun = b""
        else:
            self._begun += piece

    def _finish(self) -> "Message | None":
        line = self._begun
        skipping = self._skipping
        self._begun = b""
        self._skipping = False
        if skipping or line in (b"", b"\r"):
            return None
        mark = line.rfind(b"!")
        if mark != 0:
            self.garbage += 1
        if mark < 0:
            return None
        return self._read(line[mark + 1 :])

    def _read(self, line: bytes) -> "Message | None":
        """The message of a line without its mark; None for an invalid line, which is counted."""
        if line.endswith(b"\r"):
            line = line[:-1]  # terminals and println end lines with a carriage return
        body, tail = line[:-6], line[-6:]
        parts = _split(body)
        if parts is None or not tail.startswith(b" #"):
            self.garbage += 1
            return None
        if tail[2:] != f"{checksum(body):04x}".encode():
            self.bad_checksum += 1
            return None
        version, sequence, word = int(parts[0]), int(parts[1]), parts[2]
        if version != VERSION:
            self.strangers += 1
            self.stranger = version
            return None
        self._count_missed(sequence, word)
        if word not in self.words:
            self.unknown += 1
            return None
        try:
            return Message(sequence, word, read_values(self.words, word, parts[3:]))
        except ValueError:
            self.bad_values += 1
            return None

    def _count_missed(self, sequence: int, word: str) -> None:
        # A hello begins a conversation, perhaps after a restart: its number follows no other.
        if self._expected >= 0 and word != "hello":
            self.missed += (sequence - self._expected) % SEQUENCES
        self._expected = (sequence + 1) % SEQUENCES


def _split(body: bytes) -> "list[str] | None":
    """Version, sequence, word and values as text; None if it cannot be one of our lines."""
    for byte in body:
        if not 32 <= byte <= 126:
            return None
    parts = body.decode().split(" ")
    if len(parts) < 3 or "" in parts:
        return None
    for part, digits in ((parts[0], 3), (parts[1], 3)):
        if not part.isdigit() or len(part) > digits:
            return None
    return parts if int(parts[1]) < SEQUENCES else None
