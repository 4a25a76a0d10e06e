"""What a model does inside while it answers: what every block is given and gives, and its heads taken apart.

The model runs as it always does, by whichever kernels suit the machine; hooks only note what passes by. Keys, grids
and reads are then computed again from what was noted, with the plain parts of the cloud transform, so that they can be
looked at one by one. `tests/inspect/test_walk.py` holds the two together.

Letters: B batch, N points, H heads, C channels per head, D grid dimension, w grid side, F model width, Z style
channels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from einops import rearrange
from torch import Tensor, nn

from cloud_transformers.layers import Cascade, CloudTransform, MultiHeadBlock
from cloud_transformers.models.trunk import Trunk
from cloud_transformers.ops import derasterize, rasterize


@dataclass(frozen=True, eq=False)
class SeenBlock:
    """One multi-head block, with what it was given and what it gave."""

    part: str  # "trunk", or "encoder" or "decoder" of a model that has both
    number: int  # among the blocks of its part, from 1
    cascade: int  # from 1
    block: MultiHeadBlock
    features: Tensor  # [B, N, F]
    positions: Tensor  # [B, N, 3]
    mask: Tensor | None  # [B, N], True = a real point
    style: Tensor | None  # [B, Z]
    output: Tensor  # [B, N, F']

    @property
    def visible(self) -> Tensor:  # [B, N]
        """The mask, all True where there is none."""
        return self.positions.new_ones(self.positions.shape[:2], dtype=torch.bool) if self.mask is None else self.mask

    def groups(self) -> list[SeenGroup]:
        """Its heads, by kind: planar ones first, then volumetric ones."""
        return [SeenGroup.of(self, transform) for transform in self.block.transforms]


@dataclass(frozen=True, eq=False)
class SeenGroup:
    """The heads of one kind of a block, at work."""

    seen: SeenBlock  # their block
    transform: CloudTransform  # the layer that they are
    keys: Tensor  # [B, H, N, D] in [-1, 1]
    values: Tensor  # [B, H, N, C]

    @staticmethod
    @torch.no_grad()
    def of(seen: SeenBlock, transform: CloudTransform) -> SeenGroup:
        """The heads of one layer of a block, with keys and values computed again."""
        keys, values = transform.projection(seen.features, seen.positions, seen.mask, seen.style)
        return SeenGroup(seen, transform, keys, values)

    @torch.no_grad()
    def residuals(self) -> Tensor | None:  # [B, H, N, 3]
        """What is added to positions before T. None where nothing is, or where keys do not come from positions."""
        seen, projection = self.seen, self.transform.projection
        keys = projection.keys
        if keys.norm is None or keys.mode == "linear":
            return None
        residuals = keys.norm(projection.linear(seen.features)[..., : keys.num_residuals], seen.mask, seen.style)
        residuals = residuals if keys.residual_scale is None else residuals * keys.residual_scale
        return rearrange(residuals, "b n (h k) -> b h n k", k=3)

    @property
    def kind(self) -> str:
        """ "planar" or "volumetric"."""
        return "planar" if len(self.size) == 2 else "volumetric"

    @property
    def size(self) -> tuple[int, ...]:
        """Nodes of the grid along each axis."""
        return self.transform.size

    @torch.no_grad()
    def rasterized(self) -> Tensor:  # [B, H, *size, C]
        """What the grids hold before the convolution."""
        return rasterize(self.values, self.keys, self.size, reduce=self.transform.reduce, mask=self.seen.mask)

    @torch.no_grad()
    def convolved(self) -> Tensor:  # [B, H, *size, C]
        """What they hold after it."""
        grid = self.transform.conv(rearrange(self.rasterized(), "b h ... c -> b (h c) ..."))
        return rearrange(grid, "b (h c) ... -> b h ... c", h=self.keys.shape[1]).contiguous()

    @torch.no_grad()
    def read(self) -> Tensor:  # [B, H, N, C]
        """What points read off them, before normalisation."""
        return derasterize(self.convolved(), self.keys, mask=self.seen.mask)


def seen_blocks(model: nn.Module, run: Callable[[], Any]) -> list[SeenBlock]:
    """The blocks of all trunks of a model in the order of the data, as they were when `run` used it.

    Of a block that runs more than once, the first time is kept. Features of all blocks stay in memory: 100 MB for
    4,096 points in the paper's segmenter.
    """
    places = [
        (part, number, cascade, block)
        for part, trunk in _trunks(model)
        for number, (cascade, block) in enumerate(_numbered_blocks(trunk), start=1)
    ]
    calls = first_calls([block for *_, block in places], run)
    seen = []
    for place in places:
        if (call := calls.get(place[-1])) is not None:
            features, positions, mask, style = (*call.given, None, None)[:4]
            seen.append(SeenBlock(*place, features, positions, mask, style, call.output))
    return seen


class Call(NamedTuple):
    given: tuple[Any, ...]
    output: Any


def first_calls(modules: Iterable[nn.Module], run: Callable[[], Any]) -> dict[nn.Module, Call]:
    """What these modules were given and gave when `run` first used them; those that it did not use are left out."""
    calls: dict[nn.Module, Call] = {}

    def note(module: nn.Module, given: tuple[Any, ...], output: Any) -> None:
        calls.setdefault(module, Call(given, output))

    with _hooked(modules, note):
        run()
    return calls


def run_by_steps(modules: Iterable[nn.Module], run: Callable[[], Any], step: Callable[[], object]) -> Any:
    """What `run` gives, with `step` called whenever one of the modules has worked for the first time."""
    done: set[nn.Module] = set()

    def note(module: nn.Module, given: tuple[Any, ...], output: Any) -> None:
        if module not in done:
            done.add(module)
            step()

    with _hooked(modules, note):
        return run()


def blocks_of(model: nn.Module) -> list[MultiHeadBlock]:
    return [block for _, trunk in _trunks(model) for _, block in _numbered_blocks(trunk)]


@contextmanager
def _hooked(modules: Iterable[nn.Module], hook: Callable[[nn.Module, tuple[Any, ...], Any], None]) -> Iterator[None]:
    """Has `hook` called with what the modules are given and give."""
    with ExitStack() as stack:
        for module in modules:
            stack.callback(module.register_forward_hook(hook).remove)
        yield


def _trunks(model: nn.Module) -> list[tuple[str, Trunk]]:
    named = [(name, module) for name, module in model.named_modules() if isinstance(module, Trunk)]
    return [(name.removesuffix("trunk").strip(".") or "trunk", trunk) for name, trunk in named]


def _numbered_blocks(trunk: Trunk) -> list[tuple[int, MultiHeadBlock]]:
    """With the number of their cascade, from 1."""
    found = []
    for number, cascade in enumerate(trunk.cascades, start=1):
        assert isinstance(cascade, Cascade)
        found += [(number, block) for block in cascade.blocks if isinstance(block, MultiHeadBlock)]
    return found
