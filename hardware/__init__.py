"""What stands on the table: buttons, lights, the buzzer, the raid timer, the serial link.

`rig` says what a table has, `pins` opens its pins, `hands` puts all of it together and knows how each part is. Presses
become signals (`debounce`, `presses`, `buttons`), and what the table wants becomes light and sound (`lights`,
`buzzer`). `raid` is the tax raid as a clockwork without a clock, `raid_timer` the thread that drives it.

No rule of any game, no picture, no web page lives here. The room may import gpiozero, pyserial and, of the companion,
only `companion.kernel.messages`.
"""
