"""Describe a file of weights."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="weights.safetensors")


def run(args: argparse.Namespace) -> None:
    describe_weights(args.file)


def describe_weights(path: Path) -> None:
    import json

    from cloud_transformers.checkpoints import read_safetensors
    from cloud_transformers.models.saving import read_config

    tensors, metadata = read_safetensors(path)
    read_config(path, metadata)
    counters = sum(value.numel() for name, value in tensors.items() if name.rpartition(".")[2] in STATISTICS)
    total = sum(value.numel() for value in tensors.values())
    rows = {
        "kind": metadata["kind"],
        "parameters": f"{total - counters:,} in {len(tensors)} tensors, {path.stat().st_size / 1e6:.1f} MB",
        **{key: value for key, value in sorted(metadata.items()) if key not in ("format", "kind", "config")},
        **_flatten(json.loads(metadata["config"])),
    }
    width = max(map(len, rows))
    print(f"{path}: weights, format {metadata['format']}")
    for name, text in rows.items():
        print(f"  {name:<{width}}  {text}")


STATISTICS = ("running_mean", "running_var", "num_batches_tracked")  # buffers of BatchNorm: not learned


def _flatten(config: dict[str, object], prefix: str = "") -> dict[str, str]:
    rows: dict[str, str] = {}
    for name, value in config.items():
        if isinstance(value, dict):
            rows |= _flatten(value, f"{prefix}{name}.")
        else:
            rows[prefix + name] = str(value)
    return rows
