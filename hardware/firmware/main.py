"""The program that the Pico starts. This file is in the Pico's root, the others in its folder `firmware`."""

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
        # Ctrl-C from mpremote, or an error: a ring that is not updated must not show a time.
        program.go_dark()


if __name__ == "__main__":
    main()
