"""Our own weight files: safetensors with the model's kind and configuration inside, so that the file is enough."""

import json
import types
import typing
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from torch import nn

from cloud_transformers.checkpoints import load_exactly, read_metadata, read_safetensors, write_safetensors
from cloud_transformers.errors import InputError
from cloud_transformers.models.classifier import Classifier, ClassifierConfig, build_classifier
from cloud_transformers.models.completer import Completer, CompleterConfig, build_completer
from cloud_transformers.models.preparation import Preparation, preparation_from_json
from cloud_transformers.models.reconstructor import Reconstructor, ReconstructorConfig, build_reconstructor
from cloud_transformers.models.segmenter import Segmenter, SegmenterConfig, build_segmenter

FORMAT = "cloud-transformers 1"


@dataclass(frozen=True)
class Kind:
    model: type[nn.Module]
    config: type[Any]
    build: Callable[[Any], nn.Module]


KINDS = {
    "segmenter": Kind(Segmenter, SegmenterConfig, build_segmenter),
    "classifier": Kind(Classifier, ClassifierConfig, build_classifier),
    "completer": Kind(Completer, CompleterConfig, build_completer),
    "reconstructor": Kind(Reconstructor, ReconstructorConfig, build_reconstructor),
}
TASKS = {
    "segmenter": "segmentation",
    "classifier": "classification",
    "completer": "completion",
    "reconstructor": "reconstruction",
}


def save(model: nn.Module, path: str | Path, *, preparation: Preparation | None = None, **notes: str) -> None:
    """Write a model's weights and configuration; `notes` (where it comes from, say) are kept as metadata.

    With its `preparation` inside, the file is all that `ct.Predictor` needs.
    """
    if Path(path).suffix != ".safetensors":
        raise InputError(f"{path}: weights are written as .safetensors; change the file's ending")
    metadata = {**describing_metadata(model), **notes}
    if preparation is not None:
        metadata["preparation"] = preparation.to_json()
    write_safetensors(path, model.state_dict(), metadata)


def describing_metadata(model: nn.Module) -> dict[str, str]:
    """Format, kind and configuration: what any file of this model says about it."""
    kind = next((name for name, kind in KINDS.items() if isinstance(model, kind.model)), None)
    config = getattr(model, "config", None)
    if kind is None or config is None:
        raise ValueError(f"only models made by {', '.join(KINDS)} can be saved, got {type(model).__name__}")
    return {"format": FORMAT, "kind": kind, "config": json.dumps(asdict(config))}


def load(path: str | Path) -> nn.Module:
    """The model that `save` or `cloudt import-release` wrote, in evaluation mode on the CPU."""
    return load_prepared(path)[0]


def load_prepared(path: str | Path) -> tuple[nn.Module, Preparation | None]:
    """As `load`, with what the model expects of its input, where the file says it."""
    tensors, metadata = read_safetensors(path)
    kind, config = read_config(path, metadata)
    model = kind.build(config)
    load_exactly(model, tensors, f"{path}: its weights do not fit its configuration")
    text = metadata.get("preparation")
    return model.eval(), preparation_from_json(text, path) if text else None


def read_task(path: str | Path) -> str:
    """What the weights of a file are for, without building their model."""
    metadata = read_metadata(path)
    read_config(path, metadata)
    return TASKS[metadata["kind"]]


def read_config(path: str | Path, metadata: dict[str, str]) -> tuple[Kind, Any]:
    if metadata.get("format") != FORMAT or metadata.get("kind") not in KINDS:
        raise InputError(
            f"{path} holds no cloud-transformers model (format {metadata.get('format', 'not given')!r}, "
            f"kind {metadata.get('kind', 'not given')!r}): convert a released checkpoint with 'cloudt import-release'"
        )
    kind = KINDS[metadata["kind"]]
    try:
        return kind, config_from_dict(kind.config, json.loads(metadata["config"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: its configuration cannot be read: {error}") from error


def config_from_dict(config_type: type[Any], content: Any) -> Any:
    """The inverse of `dataclasses.asdict` after a trip through JSON: nested configs and tuples are restored."""
    if not isinstance(content, dict):
        raise TypeError(f"{config_type.__name__} needs named values, got {content!r}")
    unknown = content.keys() - {field.name for field in fields(config_type)}
    if unknown:
        raise TypeError(f"{config_type.__name__} has no {', '.join(sorted(unknown))}")
    hints = typing.get_type_hints(config_type)
    return config_type(**{name: _restore(hints[name], value) for name, value in content.items()})


def _restore(hint: Any, value: Any) -> Any:
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    nested = next((option for option in options if is_dataclass(option)), None)
    if nested is not None and value is not None:
        return config_from_dict(typing.cast(type[Any], nested), value)
    return _tuples(value)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
