"""Turn clouds in the browser: colour, measure, cut, hide classes, read single points.

FILES are clouds and meshes of any format, folders (searched recursively) and patterns. Several are shown one at a time,
side by side, or blended; meshes as triangles, or as points drawn on them. With -o the page is written to a file that
works from disk and needs nothing else; without, it opens in the browser. Large clouds are thinned for display, which
the page says.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from cloud_transformers.cli.shared.many_files import Failures, Found
    from cloud_transformers.cli.shared.predict_options import CloudReader
    from cloud_transformers.cloud import PointCloud
    from cloud_transformers.viewer import Scene
    from cloud_transformers.viewer.scene import Mesh

MESH_POINTS = 200_000  # drawn on a mesh
MOST_FILES = 100  # on a page; each gets its share of the points, but at least
FEWEST_POINTS = 20_000
DEFAULT_UP = "z"  # where neither --up nor a format says which axis it is


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.shared.cloud_options import add_layout_arguments
    from cloud_transformers.cli.shared.places import path_or_url
    from cloud_transformers.cli.shared.predict_options import add_up_argument, at_least_one

    parser.add_argument("files", nargs="+", metavar="FILE", help="clouds, meshes, folders or patterns")
    parser.add_argument(
        "-o", "--output", type=path_or_url, metavar="PAGE", help="write the page to this .html file instead"
    )
    parser.add_argument(
        "--points",
        type=at_least_one,
        metavar="N",
        help="show at most N points of each cloud (default: a million in all)",
    )
    parser.add_argument("--exact", action="store_true", help="keep all digits of float32 (default: 16 bits per axis)")
    parser.add_argument("--seed", type=int, default=0, help="of the points drawn on meshes (default 0)")
    add_up_argument(parser, "the axis that points up")
    add_layout_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from cloud_transformers.cli.shared.many_files import Failures, find_files, say
    from cloud_transformers.io import FORMATS
    from cloud_transformers.viewer import Page

    if args.output is not None and args.output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{args.output}: a page must end in .html")
    files = find_files(args.files, FORMATS)
    failures = Failures(files.complaints)
    if len(files.found) > MOST_FILES:
        raise InputError(f"these are {len(files.found):,} files; a page shows at most {MOST_FILES}, so name fewer")
    scene = _scene(args, files.found, failures)
    if scene is None:
        raise InputError("none of these files could be read, so there is nothing to show")
    page = Page(scene)
    if args.output is not None:
        page.save(args.output)
    else:
        say(f"the page is {page.open()}; if no browser shows it, open it by hand")
    return failures.exit_code


def _scene(args: argparse.Namespace, found: list[Found], failures: Failures) -> Scene | None:
    from cloud_transformers.cli.shared.predict_options import CloudReader, mesh_note
    from cloud_transformers.io import format_of
    from cloud_transformers.viewer import Scene
    from cloud_transformers.viewer.scene import POINTS

    reader = CloudReader(args, MESH_POINTS, DEFAULT_UP)
    clouds: dict[str, PointCloud] = {}
    meshes: dict[str, Mesh] = {}
    notes, ups = [], []
    for each in found:
        read = failures.attempt(each.path, _read, reader, each.path)
        if read is None:
            continue
        cloud, mesh = read
        name = each.relative.as_posix()
        name = name if name not in clouds else str(each.path)
        clouds[name] = cloud
        if mesh is not None:
            meshes[name] = mesh
        notes += [f"{name} {note}" for note in mesh_note(cloud)]
        if left_out := cloud.metadata.get("non_finite"):
            notes.append(f"{name}: points with a NaN or infinite coordinate are left out: {left_out:,}")
        ups.append(format_of(each.path).up)
    if not clouds:
        return None
    return Scene.of(
        clouds,
        meshes=meshes,
        up=args.up or next(filter(None, ups), DEFAULT_UP),
        points=args.points or max(FEWEST_POINTS, POINTS // len(clouds)),
        exact=args.exact,
        notes=tuple(notes),
    )


def _read(reader: CloudReader, path: Path) -> tuple[PointCloud, Mesh | None]:
    """Points, and the triangles that they were drawn on, if they were."""
    from cloud_transformers.io import read_mesh

    cloud = reader.read(path)
    return cloud, read_mesh(path, reader.args.max_expand) if "faces" in cloud.metadata else None
