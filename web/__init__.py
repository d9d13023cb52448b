"""The phone dashboard: what the companion knows, and the one tap that corrects it.

This room is still empty. It will turn updates into pages and taps into commands: no rule of any game,
no picture reading, no pin lives here. It may import flask and, of the companion, only
`companion.messages`.
"""
