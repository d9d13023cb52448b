"""The table: the only part that changes a game, from messages to Updates.

`table` takes the messages; `actions` accept and take back moves; `judging` asks the referee; `ledger` keeps the line of
play on disk; `observations` and `patience` say what was seen and whether it is enough; `countdown` counts pieces while
everybody acts at once; `commands` are what people ask for; `updates` puts it into words, and `snapshot` shows where the
game stands.
"""

from companion.table.table import Table

__all__ = ["Table"]
