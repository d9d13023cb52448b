"""The serial link: a board with a ring of lights, more buttons or the disc, on a USB cable (docs/serial.md).

`link` is what the rig holds: a thread that talks and comes back after every trouble. `conversation` is what the two
say, without port or thread; it turns the board's milliseconds into ours and keeps what it should be told. `ports` finds
and opens the port.
"""
