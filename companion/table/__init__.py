"""One game at one table, from messages to Updates.

`table` takes the messages and `commands` what people ask for; `actions` accepts moves and takes them back; `judging`
asks the referee; `ledger` keeps the line of play on disk; `observations` are what was seen and pressed, and `decisions`
whether it is enough to act; `unknown_pieces` finds pieces that the box lacks; `countdown` watches a timed phase;
`updates` puts everything into words, and `snapshot` is the full status.
"""

from companion.table.table import Table

__all__ = ["Table"]
