"""Write a model as ONNX or PT2, for programs without this package.

Batch size and number of points stay free. The file itself centres and scales what it classifies or completes. It is
run beside the model, on sizes other than the traced ones and with masked points, and is written only if both agree.
Needs for .onnx: pip install 'cloud-transformers[export]'
"""

import argparse
from typing import TYPE_CHECKING

from cloud_transformers.cli.shared.places import local_path

if TYPE_CHECKING:
    from cloud_transformers.export import Exported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("weights", metavar="WEIGHTS", help="a name (`cloudt weights`), a file, a run, or owner/name")
    parser.add_argument(
        "-o",
        "--output",
        type=local_path,
        required=True,
        metavar="FILE",
        help="model.onnx, or model.pt2 for torch.export",
    )
    parser.add_argument("--json", action="store_true", help="print inputs and outputs as JSON instead of a table")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.export import check_path, export
    from cloud_transformers.models import load_prepared
    from cloud_transformers.predict import find_weights

    check_path(args.output)
    model, preparation = load_prepared(find_weights(args.weights))
    exported = export(model, args.output, preparation=preparation, progress=True)
    print(_json(exported) if args.json else _table(exported))


def _table(exported: "Exported") -> str:
    size = exported.path.stat().st_size / 1e6
    rows = [
        (role, port.name, port.dtype, f"[{', '.join(map(str, port.shape))}]", port.meaning)
        for role, ports in (("input", exported.inputs), ("output", exported.outputs))
        for port in ports
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    written = (
        f"{exported.path}: {size:.1f} MB; differs from the model by at most {exported.difference:.1e} of the scale"
    )
    return "\n".join([*lines, written])


def _json(exported: "Exported") -> str:
    import json
    from dataclasses import asdict

    return json.dumps({**asdict(exported), "path": str(exported.path)}, indent=1)
