"""The command line with the minimal table, as a program: `python -m tests.companion.daemon.with_tiny_table run …`."""

from __future__ import annotations

import sys

from companion.cli import main, run

from .tiny import TinyTable

if __name__ == "__main__":
    run.tables = lambda: TinyTable
    sys.exit(main())
