"""What stands on the table: buttons, lights, the buzzer, the raid timer, the serial link.

This room is still empty. It will turn presses into signals and updates into light and sound: no rule
of any game, no picture, no web page lives here. It may import gpiozero, pyserial and, of the
companion, only `companion.messages`.
"""
