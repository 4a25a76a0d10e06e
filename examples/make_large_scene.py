"""Make a scene of any size: rooms of the embedded world side by side, in the coordinates of a map.

python examples/make_large_scene.py scene.laz --points 20000000 --rooms 10
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cloud_transformers.cloud import PointCloud
from cloud_transformers.io import Outline, write_parts
from cloud_transformers.world.rooms import room

CORNER = np.array([412_000.0, 5_403_000.0, 280.0])  # of the scene, as UTM coordinates
PITCH = 20.0  # metres from room to room


def parts(num_points: int, num_rooms: int, side: int) -> Iterator[PointCloud]:
    """Rooms in rows of `side`; the same ones again when all have been used, and the last cut to the number wanted."""
    made = [room(7, index) for index in range(num_rooms)]
    done = place = 0
    while done < num_points:
        cloud = made[place % num_rooms].select(slice(0, num_points - done))
        positions = cloud.positions - cloud.positions.min(axis=0)
        positions[:, :2] += np.array(divmod(place, side), np.float32) * np.float32(PITCH)
        yield PointCloud(positions=positions, fields={"color": cloud.fields["color"]}, offset=CORNER)
        done, place = done + len(cloud), place + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", default=Path("scene.laz"))
    parser.add_argument("--points", type=int, default=200_000)
    parser.add_argument("--rooms", type=int, default=2, help="different ones")
    args = parser.parse_args()
    side = int(np.ceil(np.sqrt(args.points / 100_000)))
    outline = Outline(args.points, np.zeros(3), np.array([(side + 1) * 2 * PITCH, (side + 1) * PITCH, 10.0]))
    write_parts(args.out, parts(args.points, args.rooms, side), outline)


if __name__ == "__main__":
    main()
