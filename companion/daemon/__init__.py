"""The daemon runs a table with its camera, buttons and phones until it is stopped.

Sources (`camera_thread`, `reading_socket`, the buttons) put messages into one `inbox`. The `game_thread` is the only
thread that touches the game: it handles one message at a time, publishes the table's updates on the event bus, and
passes them to lights and sounds (`hardware_link`). `backend` answers the phones, `health` has the state of every part,
`systemd` reports it, `journal_folder` keeps the journals. `app` starts and stops all of this.

Rules of games, pictures, pins and pages are in other packages. Only the command line imports this package.
"""
