"""Files of weights as tables: one in full, or many with a line each."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STATISTICS = ("running_mean", "running_var", "num_batches_tracked")  # buffers of BatchNorm: not learned


def listed(files: Mapping[str, Path]) -> str:
    """Names, and what there is to know at a glance."""
    from cloud_transformers.checkpoints import read_safetensors
    from cloud_transformers.models.saving import description_of
    from cloud_transformers.predict.cards import card_of

    rows = [("name", "task", "classes", "parameters", "size", "score")]
    for name, path in files.items():
        tensors, metadata = read_safetensors(path)
        said = description_of(path, metadata)
        classes = len(said.preparation.classes) if said.preparation else 0
        card = card_of(path)
        score = card.facts.get("score", "") if card else ""
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        count = sum(_learned(tensors))
        rows.append(
            (name, said.kind.task, str(classes or "-"), f"{count:,}", size, score or metadata.get("score", "-"))
        )
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _learned(tensors: Mapping[str, Any]) -> list[int]:
    """The sizes of the tensors that were learned."""
    return [value.numel() for name, value in tensors.items() if name.rpartition(".")[2] not in STATISTICS]


def describe(path: Path) -> str:
    from cloud_transformers.checkpoints import read_safetensors
    from cloud_transformers.models.saving import description_of

    tensors, metadata = read_safetensors(path)
    description_of(path, metadata)  # says so if it is no model of ours
    learned = _learned(tensors)
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
