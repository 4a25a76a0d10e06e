"""Where weights are: in the box that comes with the package, in a file, in the folder of a run, on Hugging Face."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path

from cloud_transformers.checkpoints import BEST, FINAL, WEIGHTS, weights_of_run
from cloud_transformers.errors import InputError
from cloud_transformers.remote import is_url, located

BOX = Path(__file__).parents[1] / "weights"

# What a model on Hugging Face may be called, the most usual name first.
HUB_FILES = (WEIGHTS, BEST, FINAL)
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", re.ASCII)


def boxed(box: Path | None = None) -> dict[str, Path]:
    """The weights that come with the package: name -> file, by name."""
    folder = BOX if box is None else box
    return {path.stem: path for path in sorted(folder.glob("*.safetensors"))} if folder.is_dir() else {}


def is_name(text: str) -> bool:
    """Whether these weights are named rather than a file or folder of the user's."""
    return text in boxed() or (not Path(text).exists() and _is_hub_id(text))


def find_weights(name: str | os.PathLike[str]) -> Path:
    """The .safetensors file that a name stands for.

    - a name of the box ("classifier-small"; `./classifier-small` is a folder of that name)
    - a .safetensors file
    - the folder of a run: its best weights, if it validated, else those of its end
    - the URL of a .safetensors file, which is fetched when it is opened
    - "owner/name" or "owner/name@revision" on Hugging Face, fetched once and kept in its cache; a folder or file of
      that name comes first
    """
    if is_url(name):
        return _weights_url(located(name))
    text = os.fspath(name)
    path = Path(text)
    box = boxed()
    if text in box:
        return box[text]
    if path.is_dir():
        downloaded = path / WEIGHTS  # a copy of a model on Hugging Face
        return downloaded if downloaded.is_file() and not (path / BEST).is_file() else weights_of_run(path)
    if path.is_file():
        if path.suffix != ".safetensors":
            raise InputError(
                f"{path}: weights are .safetensors files; convert a checkpoint of the official release with "
                "'cloudt import-release'"
            )
        return path
    if _is_hub_id(text):
        return _from_hub(text)
    close = difflib.get_close_matches(text, box, n=1)
    hint = f"; did you mean {close[0]}" if close else ""
    raise InputError(
        f"{text}: no such weights{hint}; there are {', '.join(box) or 'none'} in the box (`cloudt weights`), or name a "
        ".safetensors file, the folder of a run, or owner/name on Hugging Face"
    )


def _weights_url(path: Path) -> Path:
    if path.suffix != ".safetensors":
        raise InputError("weights behind a URL are a .safetensors file; name it whole", path=path)
    return path


def _is_hub_id(text: str) -> bool:
    return not text.endswith(".safetensors") and _HUB_ID.fullmatch(text) is not None


def _from_hub(text: str) -> Path:
    try:
        import huggingface_hub
        from huggingface_hub import errors
    except ImportError:
        raise InputError(
            f"{text}: there is no such file or folder, and a model on Hugging Face needs huggingface_hub: "
            "pip install 'cloud-transformers[hub]'"
        ) from None
    repository, _, revision = text.partition("@")
    try:
        # One question with a short wait; a download would be tried again for minutes, name by name.
        model = huggingface_hub.HfApi().model_info(repository, revision=revision or None, timeout=10)
    except errors.HFValidationError:
        raise InputError(f"{text}: no such file or folder, and no name that a model on Hugging Face can have") from None
    except errors.RevisionNotFoundError:
        raise InputError(f"{repository} on Hugging Face has no revision {revision!r}") from None
    except errors.RepositoryNotFoundError:
        raise InputError(
            f"{repository}: there is no such file or folder here, and no such model on Hugging Face (or it is "
            "private: log in with `hf auth login`)"
        ) from None
    except Exception as error:  # no network, in the words of whichever library the hub's version uses for it
        return _from_hub_cache(text, repository, revision, error)
    file = _weights_among([each.rfilename for each in model.siblings or []])
    if file is None:
        raise InputError(f"{text}: the model on Hugging Face has none of {', '.join(HUB_FILES)}")
    return Path(huggingface_hub.hf_hub_download(repository, file, revision=revision or None))


def _from_hub_cache(text: str, repository: str, revision: str, error: Exception) -> Path:
    import huggingface_hub

    try:
        folder = huggingface_hub.snapshot_download(repository, revision=revision or None, local_files_only=True)
    except OSError:
        folder = None
    file = _weights_among([path.name for path in Path(folder).iterdir()]) if folder else None
    if folder is not None and file is not None:
        return Path(folder) / file
    why = f"could not be reached ({str(error).strip().partition(chr(10))[0] or type(error).__name__})"
    if huggingface_hub.constants.HF_HUB_OFFLINE:
        why = "is switched off (HF_HUB_OFFLINE)"
    raise InputError(
        f"{text}: there is no such file or folder here, Hugging Face {why}, and its cache does not have it; "
        "fetch it once while online"
    ) from error


def _weights_among(files: list[str]) -> str | None:
    """The one that is the model: by its name, or because there is no other."""
    names = [file for file in files if file.endswith(".safetensors")]
    return next((file for file in HUB_FILES if file in names), names[0] if len(names) == 1 else None)
