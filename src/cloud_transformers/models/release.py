"""Weights of the official release: from its checkpoints' names and shapes to ours."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from torch import Tensor, nn

from cloud_transformers.checkpoints import read_state_dict, require_state_dict
from cloud_transformers.errors import InputError
from cloud_transformers.models.classifier import classifier
from cloud_transformers.models.completer import completer
from cloud_transformers.models.reconstructor import reconstructor
from cloud_transformers.models.segmenter import segmenter

RELEASES: dict[str, Callable[[], nn.Module]] = {
    "segmenter": segmenter,
    "segmenter_spheres": lambda: segmenter(num_features=4),
    "classifier": classifier,
    "classifier_scales": lambda: classifier(scales=True),
    "inpainter": completer,
    "reconstructor": reconstructor,
}

BLOCKS_PER_CASCADE = 3

# Each rule rewrites the part of a name that it matches; all that match are applied, in this order.
Rules = tuple[tuple[str, str], ...]

HEADS: Rules = (  # a group of heads, in a block or a pooling
    (r"keys_values_pred\.0\.", "projection.linear."),
    (r"values_bn\.(0\.)?", "projection.value_norm."),
    (r"keys?_bn\.(0\.)?", "projection.keys.norm."),
    (r"transform\.log_R$", "projection.keys.log_rotation"),
    (r"transform\.(shift|scales)$", r"projection.keys.\1"),
    (r"\.scale$", ".projection.keys.residual_scale"),
)
BLOCKS: Rules = (
    (r"attentions\.(\d+)\.conv\.0\.", r"transforms.\1.conv."),
    (r"attentions\.(\d+)\.after\.0\.", r"transforms.\1.norm."),
    (r"attentions\.(\d+)\.", r"transforms.\1."),
    (r"(blocks\.\d+)\.after\.0\.", r"\1.linear."),
    (r"(blocks\.\d+)\.after\.1\.", r"\1.norm."),
)
TRUNK: Rules = (
    (r"^first_process\.0\.", "trunk.linear."),
    (r"^first_process\.1\.", "trunk.norm."),
    (r"^attentions_encoder\.", "trunk."),
)
ENCODER: Rules = (
    (r"^trunk\.", "encoder.trunk."),
    (r"^pool2d\.", "encoder.pooling.poolings.0."),
    (r"^pool3d\.", "encoder.pooling.poolings.1."),
    (r"^after_pool2d\.", "encoder.pooling.poolings.0.blocks."),
    (r"^after_pool3d\.", "encoder.pooling.poolings.1.blocks."),
    (r"blocks\.2\.(res_branch|skip_con)\.", r"blocks.1.\1."),  # numbers 1 and 3 are the release's max-poolings
    (r"blocks\.4\.(res_branch|skip_con)\.", r"blocks.2.\1."),
    (r"res_branch\.0\.", "conv1."),
    (r"res_branch\.1\.", "norm1."),
    (r"res_branch\.3\.", "conv2."),
    (r"res_branch\.4\.", "norm2."),
    (r"skip_con\.0\.", "skip."),
    (r"skip_con\.1\.", "skip_norm."),
)
POINT_HEAD: Rules = (
    (r"^final\.0\.", "head.linear1."),
    (r"^final\.1\.", "head.norm."),
    (r"^final\.3\.", "head.linear2."),
)
DECODER: Rules = (
    (r"^mapping\.0\.", "mapping."),
    (r"^start\.0\.", "decoder.trunk.linear."),
    (r"^start\.1\.", "decoder.trunk.norm."),
    (r"^attentions_decoder\.", "decoder.trunk."),
    (r"^head\.", "decoder.head."),
)
CLASSIFIER: Rules = (
    (r"^class_vector\.0\.", "encoder.pooling.linear."),
    (r"^class_vector\.1\.", "encoder.pooling.norm."),
    (r"^mask_head\.1\.", "mask_head.linear1."),
    (r"^mask_head\.2\.", "mask_head.norm."),
    (r"^mask_head\.4\.", "mask_head.linear2."),
)
INPAINTER: Rules = (
    (r"^encoder\.class_head\.0\.", "encoder.pooling.linear."),
    (r"^encoder\.class_head\.1\.", "encoder.pooling.norm."),
    (r"^encoder\.(first_process|attentions_encoder|pool[23]d|after_pool)", r"\1"),
)
IMAGE_TRUNK: Rules = (
    (r"^res50_model\.0\.features\.0\.", "image_trunk.conv1."),
    (r"^res50_model\.0\.features\.1\.", "image_trunk.bn1."),
    (r"^res50_model\.0\.features\.4\.", "image_trunk.layer1."),
    (r"^res50_model\.0\.features\.5\.", "image_trunk.layer2."),
    (r"^res50_model\.0\.features\.6\.", "image_trunk.layer3."),
    (r"^res50_model\.0\.features\.7\.", "image_trunk.layer4."),
)

RULES: dict[str, Rules] = {
    "segmenter": HEADS + BLOCKS + TRUNK + POINT_HEAD,
    "segmenter_spheres": HEADS + BLOCKS + TRUNK + POINT_HEAD,
    "classifier": HEADS + BLOCKS + TRUNK + ENCODER + CLASSIFIER,
    "classifier_scales": HEADS + BLOCKS + TRUNK + ENCODER + CLASSIFIER,
    "inpainter": INPAINTER + HEADS + BLOCKS + TRUNK + ENCODER + POINT_HEAD + DECODER,
    "reconstructor": HEADS + BLOCKS + IMAGE_TRUNK + POINT_HEAD + DECODER,
}


def load_release(name: str, source: str | Path | Mapping[str, Tensor]) -> nn.Module:
    """A full-size model with the weights of a released checkpoint, in evaluation mode.

    `name` is a key of `models.release.RELEASES`. `source` is the checkpoint's path or a state dict in the release's
    naming; a `module.` prefix and `tensor_mod` buffers are allowed. All that does not fit is listed in one InputError.
    """
    if name not in RELEASES:
        raise InputError(f"unknown release {name!r}: choose one of {', '.join(RELEASES)}")
    if isinstance(source, (str, Path)):
        label, given = str(source), read_state_dict(source)
    else:
        label, given = "the state dict", require_state_dict(source, "the state dict")
    given = {key.removeprefix("module."): value for key, value in given.items()}
    given = {key: value for key, value in given.items() if key.rpartition(".")[2] != "tensor_mod"}

    model = RELEASES[name]()
    wanted = model.state_dict()
    converted: dict[str, Tensor] = {}
    problems: list[str] = []
    for key, value in given.items():
        own = _own_name(key, RULES[name])
        if own not in wanted or own in converted:
            problems.append(f"unexpected {key}")
            continue
        # The release's pointwise convolutions [out, in, 1] are our linear maps [out, in].
        fitted = value[..., 0] if value.dim() == 3 and value.shape[-1] == 1 and wanted[own].dim() == 2 else value
        if fitted.shape != wanted[own].shape:
            problems.append(f"wrong shape {key}: {list(value.shape)} where {list(wanted[own].shape)} is needed")
        elif fitted.is_floating_point() != wanted[own].is_floating_point():
            problems.append(f"wrong type {key}: {value.dtype} where {wanted[own].dtype} is needed")
        converted[own] = fitted
    problems += [f"missing {own} (our name)" for own in wanted if own not in converted]
    if problems:
        raise InputError(f"{label} is not a released {name}: {_summary(problems)}")
    model.load_state_dict(converted)
    return model.eval()


def _own_name(name: str, rules: Rules) -> str:
    name = re.sub(r"^((?:encoder\.)?attentions_(?:en|de)coder)\.(\d+)\.", _number_by_cascade, name)
    for pattern, replacement in rules:
        name = re.sub(pattern, replacement, name)
    return name


def _number_by_cascade(match: re.Match[str]) -> str:
    """The release numbers its blocks from 0 to 11; ours are numbered within their cascade."""
    cascade, block = divmod(int(match[2]), BLOCKS_PER_CASCADE)
    return f"{match[1]}.cascades.{cascade}.blocks.{block}."


def _summary(problems: list[str], most: int = 12) -> str:
    rest = len(problems) - most
    return "; ".join(problems[:most]) + (f"; and {rest} more" if rest > 0 else "")
