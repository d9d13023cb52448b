"""The command line: `companion COMMAND …`. Exit codes: 0 success, 1 a check failed, 2 unusable input."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from companion import __version__
from companion.cli import (
    boxes,
    demo,
    doctor,
    journals,
    loop,
    pictures,
    play,
    rig,
    run,
)
from companion.cli.bench import rules
from companion.cli.terminal import Unusable
from companion.games import UnknownGame
from companion.journal import JournalError
from companion.kernel.box import BoxError
from companion.kernel.catalogue import CatalogueError
from companion.kernel.game import BadSetup

SENTENCES = (BoxError, CatalogueError, UnknownGame, JournalError, BadSetup, Unusable)
"""Errors whose message is a sentence for a person."""

MOST_PIXELS = 2**27
"""Maximum size of a picture, about 134 million: far more than a table needs, and 400 MB of memory. OpenCV checks it
against the file's header; its default limit is eight times as large."""


def main(argv: Sequence[str] | None = None) -> int:
    # Set before numpy is imported: our tiny matrix products are several times slower on many threads than on one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")  # we report problems of pictures in our own sentences
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()  # here, where a closed pipe is handled
        return code
    except SENTENCES as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has closed the pipe
        return 0
    except Exception as error:
        # Errors of these packages are sentences too, but importing them would load their libraries for every command.
        if not type(error).__module__.startswith(("vision.", "hardware.", "web.", "companion.daemon.")):
            raise
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="companion",
        description="A companion for the real game table: watches, times, checks, scores, explains.",
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (play, loop, rules, journals, boxes, pictures, rig, doctor):
        module.add_to(commands)
    run.add_to(commands)
    demo.add_to(commands)
    return parser
