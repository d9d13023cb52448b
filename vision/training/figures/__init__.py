"""The training of the figures' three networks, on rendered figures with random shapes.

`solids`, `scenes`, `areas`, `pictures` and `trial` only need numpy and OpenCV (tests use them); the others
need PyTorch, which is not a dependency of the project: `pip install torch==2.13.0 onnx` into a separate environment.
The companion never imports it at run time. To train again, on one core in about an hour:

    python -m vision.training.figures.pictures FOLDER --seed 7 --chunks 40
    python -m vision.training.figures.pictures FOLDER --seed 8 --chunks 14 --stark
    python -m vision.training.figures.masks FOLDER vision/figures/masks.onnx --seed 7 --steps 800
    python -m vision.training.figures.shapes FOLDER A.onnx --seed 7 --steps 1500 --keep A.pt
    python -m vision.training.figures.shapes FOLDER B.onnx --seed 8 --steps 1500 --start A.pt --keep B.pt
    python -m vision.training.figures.shapes FOLDER C.onnx --seed 9 --steps 1200 --start B.pt --keep C.pt \\
        --rough --pace 2.5e-3
    python -m vision.training.figures.shapes FOLDER D.onnx --seed 10 --steps 1000 --start C.pt --keep D.pt \\
        --rough --pace 2e-3
    python -m vision.training.figures.pictures FOLDER --seed 12 --chunks 30 --alike
    python -m vision.training.figures.shapes FOLDER E.onnx --seed 11 --steps 1600 --start D.pt --keep E.pt \\
        --rough --alike --pace 2.5e-3
    python -m vision.training.figures.shapes FOLDER F.onnx --seed 12 --steps 2100 --start E.pt --keep F.pt \\
        --rough --alike --pace 2e-3
    python -m vision.training.figures.shapes FOLDER vision/figures/shapes.onnx --steps 0 --alike --start E.pt F.pt

Without the roughness the network tells rendered figures apart and fails on others: it adds what rendering lacks. The
last steps, another half hour, are for figures of one size (a house, a box) with sanded, glossy edges. F tells
more rendered figures than E but errs more on others; their mean errs no more than either. `trial` measures the shapes
on rigs rendered afresh:

    python -m vision.training.figures.trial --seed 80 --rigs 50 --alike
    python -m vision.training.figures.trial --seed 81 --rigs 40

`trial --strays` measures how shapes of one kind usually stray, on fresh rigs too, whenever the network changes:

    python -m vision.training.figures.trial --seed 90 --rigs 60 --strays vision/figures/strays.npy

The finder has pictures of its own, of whole areas; rendering them takes a quarter of an hour, teaching it 45 minutes:

    python -m vision.training.figures.pictures FOLDER --seed 9 --chunks 27 --areas
    python -m vision.training.figures.finder FOLDER A.onnx --seed 9 --steps 900 --keep A.pt
    python -m vision.training.figures.pictures FOLDER --seed 10 --chunks 8 --areas --bright
    python -m vision.training.figures.finder FOLDER B.onnx --seed 10 --steps 3800 --start A.pt --keep B.pt
    python -m vision.training.figures.finder FOLDER vision/figures/finder.onnx --seed 11 --steps 1200 --start B.pt \\
        --pace 1.5e-3

A last course of 20 minutes is for grey figures that look like their own shadows, and for figures on tiles. It has a
folder of its own with new pictures and some of the first ones, and begins with the network as it was written:

    python -m vision.training.figures.pictures SHADED --seed 21 --chunks 12 --areas --shaded
    python -m vision.training.figures.pictures SHADED --seed 9 --chunks 8 --areas
    python -m vision.training.figures.pictures SHADED --seed 10 --chunks 3 --areas --bright
    python -m vision.training.figures.finder SHADED vision/figures/finder.onnx --seed 21 --steps 2000 --pace 2e-3 \\
        --start vision/figures/finder.onnx

The seeds fix everything but the rounding of sums.
"""
