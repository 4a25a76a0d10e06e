"""Files of weights, read without running anything that is in them, and written whole or not at all."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.remote import at_hand, located

# What a run leaves: the weights that did best on its validation data, if it had any, and those at its end.
BEST, FINAL = "best.safetensors", "weights.safetensors"
# What it keeps on its way, in a folder per checkpoint: the weights, and their average if there is one.
CHECKPOINTS, WEIGHTS, AVERAGE = "checkpoints", "model.safetensors", "average.safetensors"

Which = Literal["best", "final", "last"]


def read_state_dict(path: str | Path) -> dict[str, Tensor]:
    """Names and tensors of a .safetensors file, or of a `torch.save` file of a state dict, on the CPU."""
    path = Path(path)
    if path.suffix == ".safetensors":
        return read_safetensors(path)[0]
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # whatever torch makes of a damaged file
        # Its own text suggests weights_only=False, which would run code from the file: it is not repeated here.
        raise InputError(
            f"{path} is not a checkpoint that can be read safely ({type(error).__name__}): it is damaged, or "
            "holds more than tensors; save its state dict alone with torch.save(model.state_dict(), path)"
        ) from error
    return require_state_dict(content, str(path))


def require_state_dict(content: object, source: str) -> dict[str, Tensor]:
    if not isinstance(content, Mapping):
        raise InputError(f"{source} holds a {type(content).__name__}, not a state dict (names to tensors)")
    others = [str(name) for name, value in content.items() if not (isinstance(name, str) and isinstance(value, Tensor))]
    if others:
        raise InputError(
            f"{source} is not a state dict: its entries {', '.join(others[:5])} are not tensors; "
            "save the state dict inside it alone"
        )
    return dict(content)


def read_safetensors(path: str | Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors and metadata."""
    with _opened(path) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118


def read_metadata(path: str | Path) -> dict[str, str]:
    """Metadata alone, which takes no time however large the file is."""
    with _opened(path) as file:
        return file.metadata() or {}


@contextmanager
def _opened(path: str | Path) -> Iterator[Any]:
    path = located(path)
    try:
        with at_hand(path) as near:
            if not near.is_file():
                raise InputError(f"{path}: there is no such file")
            with safe_open(near, framework="pt") as file:
                yield file
    except InputError:
        raise
    except (SafetensorError, ValueError, RuntimeError, MemoryError, OverflowError, TypeError, KeyError) as error:
        raise InputError(f"{path} is not a readable safetensors file: {error}") from error


def checkpoints_in(folder: Path) -> list[Path]:
    """`step-00001000` ..., oldest first."""
    return sorted(folder.glob("step-*"))


def weights_of_run(folder: Path, wanted: Sequence[Which] = ("best", "final")) -> Path:
    """The first of the wanted weights that a run has; "last" are those of its newest checkpoint."""
    there = {"best": folder / BEST, "final": folder / FINAL}
    for checkpoint in checkpoints_in(folder / CHECKPOINTS)[-1:]:
        average = checkpoint / AVERAGE
        there["last"] = average if average.is_file() else checkpoint / WEIGHTS
    there = {name: path for name, path in there.items() if path.is_file()}
    found = next((there[name] for name in wanted if name in there), None)
    if found is None:
        instead = f"it has {' and '.join(there)}" if there else f"neither {BEST} nor {FINAL} is there"
        raise InputError(f"{folder}: holds no weights that are {' or '.join(wanted)} ({instead}); train it to its end")
    return found


def load_exactly(module: nn.Module, tensors: Mapping[str, Tensor], complaint: str) -> None:
    """Give a module all of its tensors and nothing else; otherwise one error, the complaint followed by the names."""
    require_exactly(module, tensors, complaint)
    module.load_state_dict(tensors)


def require_exactly(module: nn.Module, tensors: Mapping[str, Tensor], complaint: str, most: int = 8) -> None:
    """InputError unless these are the tensors of the module, by name and shape, and all of their numbers are finite."""
    wanted = module.state_dict()
    wrong = sorted(wanted.keys() ^ tensors.keys())
    wrong += [name for name in sorted(wanted.keys() & tensors.keys()) if wanted[name].shape != tensors[name].shape]
    if wrong:
        more = f" and {len(wrong) - most} more" if len(wrong) > most else ""
        raise InputError(f"{complaint}: missing, unknown or misshapen: {', '.join(wrong[:most])}{more}")
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
            raise InputError(f"{complaint}: {name} holds NaN or infinite numbers")


def write_safetensors(path: str | Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    with whole_file(path) as temporary:
        temporary.touch()
        usual = temporary.stat().st_mode  # safetensors would make a file that nobody else may read
        try:
            save_file({name: value.contiguous() for name, value in tensors.items()}, temporary, metadata=dict(metadata))
        except SafetensorError as error:  # it hides what the system says in a class of its own
            raise InputError(f"{path}: could not be written ({error}); make room or allow writing") from error
        _sort_metadata(temporary)
        temporary.chmod(usual)


def _sort_metadata(path: Path) -> None:
    """safetensors puts the metadata in another order every time: the same weights shall be the same bytes."""
    with path.open("r+b") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        header["__metadata__"] = dict(sorted(header.get("__metadata__", {}).items()))
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        assert len(text) <= size, "the same values in another order are as long"
        file.seek(8)
        file.write(text.ljust(size))
