"""Mutants that change nothing that anyone could see, each with the reason: no test can notice them, so they count for
nothing. Only proofs belong here; a change that is merely hard to notice has survived."""

ONLY_HASHED = "the name of an entry that is only hashed: equal ones stay equal, others stay apart"

EQUIVALENT: dict[str, str] = {
    "src/cloud_transformers/datasets/folder/tiles.py SegmentationTiles._key: 1 -> 2": (
        "the version of entries in a cache: with another one they are made anew, with the same content"
    ),
    "src/cloud_transformers/datasets/folder/proposal.py _is_label: 'iuf' -> 'no_iuf'": (
        "no kind of NumPy's types is called n, o or _"
    ),
    "src/cloud_transformers/datasets/hdf5.py _store: 1 -> 2": "NumPy takes every negative size for -1 in reshape",
    "src/cloud_transformers/datasets/s3dis/room_blocks.py room_to_blocks: 9 -> 10 (3)": (
        "the end of a slice of nine columns: 6:10 of them is 6:9"
    ),
    "src/cloud_transformers/engine/reporter.py Reporter.step: 1e-09 -> 2e-09 (2)": (
        "the least speed that is divided by: no run is between 1 and 2 clouds in a billion seconds"
    ),
    "src/cloud_transformers/predict/scene/spheres.py sphere_regions: True -> False": (
        "both sets hold each row once, and the first is sorted: NumPy would make them so otherwise"
    ),
    "src/cloud_transformers/predict/scene/streamed.py _Run.open_work: 'preparation' -> 'no_preparation'": ONLY_HASHED,
    "src/cloud_transformers/predict/scene/streamed.py _Run.open_work: 'settings' -> 'no_settings'": ONLY_HASHED,
    "src/cloud_transformers/predict/scene/streamed.py _Run.open_work: 'tile_points' -> 'no_tile_points'": ONLY_HASHED,
    "src/cloud_transformers/predict/scene/work.py WorkFolder._blocks: total - start -> (total + start)": (
        "without a size there is one block, and it starts at 0"
    ),
    "src/cloud_transformers/predict/scene/work.py WorkFolder._is_consistent: 0 -> 1": (
        "the size of a missing file, of which 8 bytes are a number: 1 // 8 is 0"
    ),
    "src/cloud_transformers/predict/scene/work.py _tile_of: 'tiles' -> 'no_tiles'": (
        "a folder's name within a folder of our own: every path to it is made here"
    ),
}
