"""What do the completer and the reconstructor make of things of your own? One row for each mesh:

    python examples/shapes_of_meshes.py FOLDER:UP picture.png NAME NAME ...

UP is the axis that points up in the files, NAME a file without its suffix. Without arguments, a chair and a table of
the embedded world are written into the folder meshes and drawn into shapes.png. From the left: what a depth camera saw
of the mesh (blue), the answer (orange: not seen) and the truth; then a picture of it, the answer and the truth, from
another side.
"""

import sys
from pathlib import Path

import numpy as np

import cloud_transformers as ct
from cloud_transformers.render import Picture, cameras
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import BLUE, ORANGE, by_height
from cloud_transformers.render.png import png
from cloud_transformers.render.sheets import side_by_side, stacked
from cloud_transformers.space.neighbours import nearest_points
from cloud_transformers.space.pictures import composed
from cloud_transformers.world import mesh_views, objects, views
from cloud_transformers.world.catalogue import read_colored
from cloud_transformers.world.mesh_views import MeshFolder
from cloud_transformers.world.seeds import generator

SIDE = 224  # pixels
SEEN = 0.02  # of the diagonal: no farther from a point that the camera saw
TURN, RISE = np.radians(-50), np.radians(25)  # the other side from which a reconstruction is shown


def completed(folder: MeshFolder, path: Path, predictor: ct.Predictor) -> list[Picture]:
    mesh = folder.read(path)
    given, truth = mesh_views.partial(mesh, 0, 0, 0), mesh_views.complete(mesh, 0, 0)
    answer = predictor(given).positions
    camera = cameras.object_camera(cameras.z_up(truth), SIDE)
    pictures = [painted(cameras.z_up(given), BLUE, camera, wide=3)]
    for points in (answer, truth):
        seen = nearest_points(given, points)[0] < SEEN
        pictures.append(painted(cameras.z_up(points), np.where(seen, BLUE, ORANGE), camera, wide=3))
    return pictures


def reconstructed(folder: MeshFolder, path: Path, predictor: ct.Predictor) -> list[Picture]:
    mesh = views.normalized(read_colored(path, folder.up_of(path)))
    layer, truth = views.pictured(mesh, generator("mesh picture", 0, 0, 0), size=SIDE)
    image = composed(layer, np.full(3, 255, np.uint8))
    pictures, camera = [image], cameras.viewer_camera(SIDE, TURN, RISE)
    for cloud in (predictor(image).positions, truth):
        points = cameras.z_up(cloud)
        pictures.append(painted(points, by_height(points, 0.2, 0.8), camera, wide=3))
    return pictures


def write_meshes(folder: Path, names: list[str]) -> None:
    """Things of the embedded world as .off files, z up."""
    folder.mkdir(exist_ok=True)
    for name in names:
        mesh = objects.build(7, 0, name)
        vertices = [" ".join(f"{number:.4f}" for number in vertex) for vertex in mesh.vertices]
        faces = [" ".join(map(str, (3, *face))) for face in mesh.faces]
        lines = ["OFF", f"{len(vertices)} {len(faces)} 0", *vertices, *faces]
        (folder / f"{name}.off").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(text: str, picture: Path, names: list[str]) -> None:
    folder = MeshFolder.parse(text)
    completer, reconstructor = ct.Predictor.load("completer-small"), ct.Predictor.load("reconstructor-small")
    paths = {path.stem: path for path in folder.files()}
    rows = [
        side_by_side([*completed(folder, paths[name], completer), *reconstructed(folder, paths[name], reconstructor)])
        for name in names
    ]
    picture.write_bytes(png(stacked(rows)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
    else:
        write_meshes(Path("meshes"), ["chair", "table"])
        main("meshes:z", Path("shapes.png"), ["chair", "table"])
