"""Our own weight files: safetensors with the model's kind and configuration inside, so that the file is enough."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from cloud_transformers.checkpoints import (
    read_metadata,
    read_safetensors,
    require_exactly,
    write_safetensors,
)
from cloud_transformers.decoding import decode, parse_json
from cloud_transformers.errors import InputError
from cloud_transformers.models.kinds import KINDS, Kind, kind_name
from cloud_transformers.models.preparation import Preparation, preparation_from_json
from cloud_transformers.remote import located

FORMAT = "cloud-transformers 1"


def save(model: nn.Module, path: str | Path, *, preparation: Preparation | None = None, **notes: str) -> None:
    """Write a model's weights and configuration; `notes` (where it comes from, say) are kept as metadata.

    With its `preparation` inside, the file is all that `ct.Predictor` needs. The file appears whole or not at all.
    ValueError for a model that no builder made; InputError for a path that does not end in .safetensors.

    >>> ct.save(ct.models.segmenter("tiny", num_classes=4), "weights.safetensors", origin="an example")
    """
    if located(path).suffix != ".safetensors":
        raise InputError(f"{path}: weights are written as .safetensors; change the file's ending")
    metadata = {**describing_metadata(model), **notes}
    if preparation is not None:
        metadata["preparation"] = preparation.to_json()
    write_safetensors(path, model.state_dict(), metadata)


def tell(path: str | Path, preparation: Preparation, **notes: str) -> None:
    """Let a weight file say something else about its input, and `notes` besides; its weights stay as they are."""
    tensors, metadata = read_safetensors(path)
    write_safetensors(path, tensors, {**metadata, **notes, "preparation": preparation.to_json()})


def describing_metadata(model: nn.Module) -> dict[str, str]:
    """Format, kind and configuration: what any file of this model says about it."""
    if getattr(model, "config", None) is None:
        raise ValueError(f"only models made by {', '.join(KINDS)} can be saved, got {type(model).__name__}")
    return {"format": FORMAT, "kind": kind_name(model), "config": json.dumps(asdict(model.config))}  # type: ignore[call-overload]


@dataclass(frozen=True, kw_only=True)
class Description:
    """What a weight file says about itself."""

    kind_name: str
    config: Any
    preparation: Preparation | None  # none: the file does not say what input its model expects

    @property
    def kind(self) -> Kind:
        return KINDS[self.kind_name]


def description_of(path: str | Path, metadata: dict[str, str] | None = None) -> Description:
    """What a file says, without building its model; `metadata` if it was read already."""
    metadata = read_metadata(path) if metadata is None else metadata
    name = metadata.get("kind", "not given")
    if metadata.get("format") != FORMAT or name not in KINDS:
        raise InputError(
            f"{path} holds no cloud-transformers model (format {metadata.get('format', 'not given')!r}, "
            f"kind {name!r}): convert a released checkpoint with 'cloudt import-release'"
        )
    complaint = f"{path}: its configuration cannot be read"
    content = parse_json(metadata.get("config", ""), complaint)
    text = metadata.get("preparation")
    return Description(
        kind_name=name,
        config=decode(KINDS[name].configuration, content, complaint),
        preparation=preparation_from_json(text, path) if text else None,
    )


def load(path: str | Path) -> nn.Module:
    """The model that `save` or `cloudt import-release` wrote, in evaluation mode on the CPU.

    InputError if the file holds anything else. Nothing in it is run.

    >>> ct.save(ct.models.segmenter("tiny", num_classes=4), "weights.safetensors")
    >>> type(ct.load("weights.safetensors")).__name__
    'Segmenter'
    """
    return load_prepared(path)[0]


def load_prepared(path: str | Path, *, task: str | None = None) -> tuple[nn.Module, Preparation | None]:
    """As `load`, with what the model expects of its input, where the file says it.

    Weights that are not for the `task`, if one is given, are refused.
    """
    tensors, metadata = read_safetensors(path)
    said = description_of(path, metadata)
    if task not in (None, said.kind.task):
        raise InputError(f"{path}: these weights are for {said.kind.task}, so use them with `cloudt {said.kind.verb}`")
    complaint = f"{path}: its weights do not fit its configuration"
    with torch.device("meta"):  # takes no memory, whatever sizes the file claims
        require_exactly(said.kind.build(said.config), tensors, complaint)
    model = said.kind.build(said.config)
    model.load_state_dict(tensors)
    return model.eval(), said.preparation
