"""Standing figures on named places: pawns, houses, cubes, meeples, whatever was taught from a few examples.

    figures = Figures(piece)
    figures.learn_ground(sight, box)             # a place known to be empty
    figures.learn(sight, box, "blue_pawn")       # one to three times for each label
    figures.read(sight, {"s1": box})["s1"].label

Two small networks of our own (`masks.onnx`, `shapes.onnx`, run by `cv2.dnn`, made by `vision.figures.training` from
rendered pictures of random figures alone) say which pixels of a window belong to a figure, and turn its shape into a
direction; they know no kind of figure by name. Colour is judged classically on the figure's own pixels. Labels of
several words ("blue_pawn") are learnt word by word: blue from everything blue, pawn from every pawn.

`Eyes` does not use it yet: on the bench tables, which served to choose between versions, 226 of 235 figures are
read right and 1 wrong; a wrong one is believed, so figures stay unknown until that is near none.
"""

from vision.figures.reading import FigureGuess, Figures

__all__ = ["FigureGuess", "Figures"]
