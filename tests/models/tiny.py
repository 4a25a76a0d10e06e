"""The four tiny models behind one call, so that a property is written once and holds for all of them."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from cloud_transformers import models

BUILDERS: dict[str, Callable[..., nn.Module]] = {
    "segmenter": models.segmenter,
    "classifier": models.classifier,
    "completer": models.completer,
    "reconstructor": models.reconstructor,
}
VARIANTS: dict[str, dict[str, bool]] = {
    "classifier, max and mean": {"max_and_mean": True},
    "classifier, surroundings": {"surroundings": True, "fine": True},
}
CLOUD_MODELS = ("segmenter", "classifier", *VARIANTS, "completer")  # they take a cloud, and so a mask


def tiny(name: str, seed: int = 0, **options: object) -> nn.Module:
    """In double, without dropout, and with residuals that already move the keys."""
    torch.manual_seed(seed)
    name, options = name.partition(",")[0], {**options, **VARIANTS.get(name, {})}
    model = BUILDERS[name]("tiny", **options).double()
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    for parameter_name, parameter in model.named_parameters():
        if parameter_name.endswith(("keys.norm.weight", "residual_scale")):
            nn.init.constant_(parameter, 0.1)
    return model


def cloud(num_points: int, batch_size: int = 2, seed: int = 0) -> Tensor:  # [B, N, 6]: positions and colours
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(batch_size, num_points, 6, generator=generator, dtype=torch.float64)


SPHERE = cloud(12, 3, seed=7)[..., :4]  # what the decoders are given, made once: tracing cannot draw numbers


def run(name: str, model: nn.Module, points: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
    """Named outputs. For the completer: the style, and a shape decoded from it on a fixed sphere."""
    if name == "segmenter":
        return {"points": model(points[..., :3], points[..., 3:], mask)}
    if name.startswith("classifier"):
        classes, foreground = model(points[..., :3], mask)
        return {"cloud": classes, "points": foreground}
    sphere = SPHERE[: len(points)].to(points.dtype)
    if name == "completer":
        style = model.encode(points[..., :3], mask)
        return {"style": style, "shape": model.decode(style, sphere)}
    images = points.new_ones(len(points), 3, 64, 64) * points[:, :1, :3, None].transpose(1, 2)
    style = model.encode(images)
    return {"style": style, "shape": model.decode(style, sphere[..., :3])}
