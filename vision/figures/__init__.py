"""Standing figures: pawns, houses, cubes, meeples, whatever was taught from a few examples.

    figures = Figures(piece)
    figures.learn_ground(sight, box)             # a place known to be empty
    figures.learn(sight, box, "blue_pawn")       # one to three times for each label
    figures.read(sight, {"s1": box})["s1"].label
    [finds] = figures.find(sight, [rack], [ground])
    Counter(figure.label for figure in finds.figures if figure.sure)

`find` looks at whole areas with any number of figures. A small network of our own (`finder.onnx`, run by `cv2.dnn`)
says for every 3 mm whether a figure stands there, shows there, or something hangs above the table (`finder`). Where
the taught labels differ in colour, figures are named by it, and strong paint is a second witness of how many there are
(`colours`, `paint`, `witnesses`); on tiles whose faces are known, so is the colour that shows there (`spots`). Where
labels differ in shape only, and for single places (`read`), two more networks say which pixels of a window belong to a
figure (`masks.onnx`) and turn its shape into a direction (`shapes.onnx`; a doubtful figure gets several looks, and
`strays.npy` says how directions of one shape usually stray). Labels of several words ("blue_pawn") are then learnt word
by word: blue from everything blue, pawn from every pawn. All were made by `vision.training.figures` from rendered
pictures of random figures alone, and know no kind of figure by name.
"""

from vision.figures.places import FigureGuess
from vision.figures.reader import Figures, Finds
from vision.figures.spots import Spots

__all__ = ["FigureGuess", "Figures", "Finds", "Spots"]
