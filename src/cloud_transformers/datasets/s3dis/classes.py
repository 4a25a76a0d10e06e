"""The 13 classes of S3DIS in both orders that are in use, and what the paper's two protocols fix.

A number means another class in the block protocol than in the sphere protocol: weights and labels must come from the
same one.
"""

BLOCK_CLASSES = (
    "ceiling",
    "floor",
    "wall",
    "beam",
    "column",
    "window",
    "door",
    "table",
    "chair",
    "sofa",
    "bookcase",
    "board",
    "clutter",
)

SPHERE_CLASSES = (
    "ceiling",
    "floor",
    "wall",
    "beam",
    "column",
    "window",
    "door",
    "chair",
    "table",
    "bookcase",
    "sofa",
    "board",
    "clutter",
)

SPHERE_COLOR_MEAN = (0.5136457, 0.49523646, 0.44921124)
SPHERE_COLOR_STD = (0.18308958, 0.18415008, 0.19252081)

AREAS = tuple(f"Area_{number}" for number in range(1, 7))
