"""What the Pico starts when it gets power. It lies in the Pico's root; the rest lies in its folder `firmware`."""

from firmware.board import PicoBoard  # type: ignore[import-not-found]
from firmware.program import Program  # type: ignore[import-not-found]


def main() -> None:
    board = PicoBoard()
    program = Program(board)
    try:
        while True:
            program.step()
            board.rest()
    finally:
        # Ctrl-C from mpremote, or a mistake: a ring that nobody drives must not show a time.
        program.go_dark()


if __name__ == "__main__":
    main()
