"""The daemon: the table with its camera, its buttons and its listeners, running until it is told to stop.

Sources (`watching` the table, `readings` from another program, the hands) put messages into one `inbox`. The `owner`
is the only thread that touches the game: it takes one message after the other, publishes what the table says in the
`bulletin`, and lets the hands react (`reactions`). `health` knows how every part is, `notify` tells systemd, `shelf`
keeps the journals, `lobby` waits where no game is open. `daemon` puts all of this together.

No rule of any game, no picture, no pin and no page lives here. Only the command line imports this package.
"""
