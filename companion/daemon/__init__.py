"""The daemon: the table with its camera, its buttons and its phones, running until it is told to stop.

Sources (`camera_thread`, `reading_socket`, the buttons) put messages into one `inbox`. The `game_thread` is the only
thread that touches the game: it takes one message after the other, publishes what the table says on the event bus, and
lets lights and sounds follow (`hardware_link`). `backend` answers the phones, `health` knows the state of every part,
`systemd` is told of it, `journal_folder` keeps the journals. `app` puts all of this together.

No rule of any game, no picture, no pin and no page lives here. Only the command line imports this package.
"""
