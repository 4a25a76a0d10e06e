"""Run the four tasks forward with the tiny models on generated shapes: shapes, times, parameter counts.

The weights are random, so the answers mean nothing yet: this shows that everything runs on this machine.
"""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="of weights and shapes (default: %(default)s)")


def run(args: argparse.Namespace) -> None:
    import time

    import torch

    from cloud_transformers import models

    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    torus = _torus(2, 2048, generator)
    colors = torch.rand(2, 2048, 3, generator=generator)
    seen = torus[torus[..., 2] > 0].view(-1, 3)[:512].expand(2, -1, -1)
    images = torch.rand(2, 3, 128, 128, generator=generator)

    segmenter, classifier = models.segmenter("tiny").eval(), models.classifier("tiny").eval()
    completer, reconstructor = models.completer("tiny").eval(), models.reconstructor("tiny").eval()
    tasks = {
        "segmentation": (segmenter, "2 tori of 2048 points with colours", lambda: segmenter(torus, colors)),
        "classification": (classifier, "2 tori of 2048 points", lambda: classifier(torus)),
        "completion": (completer, "2 half tori of 512 points", lambda: completer(seen, num_points=2048)),
        "reconstruction": (reconstructor, "2 images of 128 x 128", lambda: reconstructor(images, num_points=2048)),
    }
    print(f"{'task':<16}{'parameters':>12}  {'input':<36}{'output':<28}{'seconds':>8}")
    for name, (model, given, forward) in tasks.items():
        num_parameters = sum(parameter.numel() for parameter in model.parameters())
        with torch.inference_mode():
            forward()  # the first time, kernels are compiled
            start = time.perf_counter()
            result = forward()
            seconds = time.perf_counter() - start
        outputs = result if isinstance(result, tuple) else (result,)
        shapes = ", ".join(str(list(output.shape)) for output in outputs)
        print(f"{name:<16}{num_parameters:>12,}  {given:<36}{shapes:<28}{seconds:>8.3f}")
    print("The weights are random: shapes and times (of the second pass) are real, the answers are not.")


def _torus(batch_size: int, num_points: int, generator: "torch.Generator") -> "torch.Tensor":
    import math

    import torch

    around, tube = 2 * math.pi * torch.rand(2, batch_size, num_points, generator=generator)
    radius = 0.7 + 0.25 * tube.cos()
    return torch.stack([radius * around.cos(), radius * around.sin(), 0.25 * tube.sin()], dim=-1)
