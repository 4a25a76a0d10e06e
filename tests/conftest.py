"""Settings that must be made before anything else is imported."""

import os

import torch

if not torch.cuda.is_available():
    os.environ.setdefault(
        "TRITON_INTERPRET", "1"
    )  # Triton looks at it when it is imported, and torch may import Triton
