"""The table: the only part that changes a game, from messages to Updates.

`table` takes the messages; `judging` asks the referee; `ledger` keeps the line of play on disk; `observations`
`patience` say what was seen and whether it is enough; `rush_watch` counts while everybody acts at once; `orders` are
what people ask for; `telling` puts it into words, and `snapshot` shows where the game stands.
"""

from companion.table.table import Table

__all__ = ["Table"]
