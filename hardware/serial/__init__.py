"""The serial link to a board with a ring of lights, more buttons or the disc, on a USB cable (docs/serial.md).

`link` has the thread that talks to the board and reconnects after every problem. `conversation` is the protocol without
port and thread; it converts the board's milliseconds to ours and queues what to send. `ports` finds and opens the port.
"""
