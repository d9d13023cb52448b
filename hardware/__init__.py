"""What stands on the table: buttons, lights, the buzzer, the raid timer, the serial link.

`rig` says what a table has, `pins` opens its pins, `table_hardware` puts all parts together and knows how each of them
is. Presses become signals (`buttons`), and what the table wants becomes light and sound (`outputs`). `raid_timer` holds
the tax raid and the thread that drives it, `mock` a desk and a board without hardware.

No rule of any game, no picture, no web page lives here. The room may import gpiozero, pyserial and, of the companion,
only `companion.kernel`.
"""
