"""How the dice reader's weights were made: rendered pictures of dice, the net, and its schooling.

Nothing here is needed to read dice, and nothing at run time imports it. `shapes`, `bodies`, `grounds` and
`scenes` render pictures with numpy and OpenCV alone (the tests use them too); `train` has the net and needs PyTorch,
which is not a dependency of the project: `pip install torch==2.13.0 onnx` into an environment of its own.
"""
