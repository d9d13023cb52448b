"""The training of the dice reader: rendered pictures of dice, the network, and its training.

The companion never imports it at run time. `shapes`, `bodies`, `grounds` and `scenes` render pictures with only numpy
and OpenCV (tests use them too); `train` has the network and needs PyTorch, which is not a dependency of the project:
`pip install torch==2.13.0 onnx` into a separate environment.
"""
