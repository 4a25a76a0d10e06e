"""A file of weights as a table."""

import json
from pathlib import Path

STATISTICS = ("running_mean", "running_var", "num_batches_tracked")  # buffers of BatchNorm: not learned


def describe(path: Path) -> str:
    from cloud_transformers.checkpoints import read_safetensors
    from cloud_transformers.models.saving import read_config

    tensors, metadata = read_safetensors(path)
    read_config(path, metadata)
    learned = [value.numel() for name, value in tensors.items() if name.rpartition(".")[2] not in STATISTICS]
    rows = {
        "kind": metadata["kind"],
        "parameters": f"{sum(learned):,} in {len(learned)} tensors, {path.stat().st_size / 1e6:.1f} MB on disk",
        **{key: value for key, value in sorted(metadata.items()) if key not in ("format", "kind", "config")},
        **_flatten(json.loads(metadata["config"])),
    }
    width = max(map(len, rows))
    lines = [f"{path}: weights, format {metadata['format']}"]
    return "\n".join(lines + [f"  {name:<{width}}  {text}" for name, text in rows.items()])


def _flatten(config: dict[str, object], prefix: str = "") -> dict[str, str]:
    rows: dict[str, str] = {}
    for name, value in config.items():
        if isinstance(value, dict):
            rows |= _flatten(value, f"{prefix}{name}.")
        else:
            rows[prefix + name] = str(value)
    return rows
