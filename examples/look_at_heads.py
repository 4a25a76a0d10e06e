"""What do the heads do? Draw one object as eight planar heads of the paper's segmenter see it.

    python examples/look_at_heads.py heads.png

Left: the object. Right: the grids (128 x 128) onto which the heads of the first block rasterise it. Each head has its
own rotation, here as it is before training; each point brings its position as its colour instead of a learned value.
"""

import sys
from pathlib import Path

import numpy as np
import torch

import cloud_transformers as ct
from cloud_transformers.ops import rasterize
from cloud_transformers.render.png import png
from cloud_transformers.world import objects
from cloud_transformers.world.contact_sheets import portrait


@torch.no_grad()
def main(path: Path, seed: int = 0, index: int = 0, grid_side: int = 128) -> None:
    torch.manual_seed(seed)
    mesh = objects.build(seed, index, "chair")
    drawn = objects.sample(seed, index, num_points=32768, classes=("chair",))
    points = torch.from_numpy(drawn["points"])[None]  # [1, N, 3] in the unit sphere

    transform = ct.models.segmenter("full").eval().trunk.cascades[0].blocks[0].transforms[0]
    features = torch.zeros(1, points.shape[1], 512)
    keys = transform.projection.keys(points, features[..., : transform.projection.keys.num_residuals])[:, :8]
    colors = ((points + 1) / 2).expand(8, -1, -1)[None]  # what each point brings: its position as a colour
    grids = rasterize(colors, keys, grid_side)[0]  # [8, w, w, 3]

    heads = (grids / grids.amax((1, 2), keepdim=True)).numpy()
    heads = np.pad(heads, ((0, 0), (2, 2), (2, 2), (0, 0)), constant_values=1.0)
    rows = [np.concatenate(list(heads[first : first + 4]), axis=1) for first in (0, 4)]
    right = np.round(255 * np.concatenate(rows)).astype(np.uint8)
    left = portrait(mesh, right.shape[0], angle=0.7)
    path.write_bytes(png(np.concatenate([left, right], axis=1)))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "heads.png"))
