"""Ordinary dice in any photograph: where they lie, the value turned to the camera, and their colour.

    dice = find(cv2.imread("table.jpg"))
    cv2.imwrite("seen.png", draw(image, dice))

No markers, no layout and no taught kit are needed. A small net of our own (`finder.onnx`, run by `cv2.dnn`, made by
`vision.training.dice` from rendered pictures alone) looks at the picture in several sizes; a die counts when
the sizes agree. A die it is not sure of is left out: a missing die is asked for, a wrong one is believed.
`colours` names bodies from their own pixels; `pips` counts again where a table tells more.
"""

from vision.dice.finder import Die, draw, find

__all__ = ["Die", "draw", "find"]
