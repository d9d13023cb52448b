"""One game at one table, from messages to Updates.

`table` handles messages and `commands` the Commands of people; `actions` accepts moves and takes them back; `judge`
asks the referee; `ledger` keeps the line of play on disk; `observations` has what was seen and pressed, and `decisions`
decides whether that is enough to act, and finds pieces that the box lacks; `countdown` watches a timed
phase; `updates` puts everything into words, and `snapshot` is the full status.
"""

from companion.table.table import Table

__all__ = ["Table"]
