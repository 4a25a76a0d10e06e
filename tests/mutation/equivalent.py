"""Mutants that change nothing that anyone could see, each with the reason: no test can notice them, so they count for
nothing. Only proofs belong here; a change that is merely hard to notice has survived."""

EQUIVALENT: dict[str, str] = {
    "src/cloud_transformers/datasets/folder/tiles.py SegmentationTiles._key: 1 -> 2": (
        "the version of entries in a cache: with another one they are made anew, with the same content"
    ),
    "src/cloud_transformers/datasets/hdf5.py _store: 1 -> 2": "NumPy takes every negative size for -1 in reshape",
    "src/cloud_transformers/datasets/s3dis/room_blocks.py room_to_blocks: 9 -> 10 (3)": (
        "the end of a slice of nine columns: 6:10 of them is 6:9"
    ),
    "src/cloud_transformers/engine/reporter.py Reporter.step: 1e-09 -> 2e-09 (2)": (
        "the least speed that is divided by: no run is between 1 and 2 clouds in a billion seconds"
    ),
}
