"""Normalisations in which masked points do not exist: BatchNorm, instance norm and adaptive instance norm.

All share one call, `norm(features, mask=None, style=None)`, so that a block does not care which one it was given;
`normalize_together` runs several as one. Statistics are computed in float32 or better, under autocast too.

Letters: B batch, N points, C channels, S channels of several inputs together, Z style channels.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm

from cloud_transformers.ops import normalize, normalize_apart, scale_and_shift
from cloud_transformers.ops.block.recompute import mark_recomputable
from cloud_transformers.ops.norm import EPS


def normalize_together(
    norms: Sequence[nn.Module],  # their channels, one after another, are those of the features
    features: Sequence[Tensor],  # each [B, N, C]
    mask: Tensor | None = None,  # [B, N]
    style: Tensor | None = None,  # [B, Z]
    *,
    relu: bool = False,
    residual: Tensor | None = None,  # [B, N, S]
) -> Tensor:  # [B, N, S]
    """`residual + relu(norms(features joined along the channels))`, in as few passes over memory as can be.

    Rows of masked points are 0.
    """
    features = [x.to(torch.promote_types(x.dtype, torch.float32)) for x in features]
    fixed = fixed_scale_and_shift(norms)
    if fixed is not None:
        return scale_and_shift(features, *(x[None] for x in fixed), mask=mask, relu=relu, residual=residual)
    if _see_several_processes(norms):
        return _normalize_one_by_one(norms, features, mask, relu=relu, residual=residual)
    weight, bias = joined_affine(norms, style, features[0])
    output, mean, variance = normalize(features, weight, bias, mask=mask, relu=relu, residual=residual)
    if residual is None:
        _mark_recomputable(output, features, mean, variance, weight, bias, mask, relu)
    track_together(norms, mean, variance, features[0], mask)
    return output


def normalize_and_split(
    norms: Sequence[nn.Module],  # their channels, one after another, are those of the features
    features: Tensor,  # [B, N, S]
    sizes: Sequence[int],  # channels of each output
    mask: Tensor | None = None,  # [B, N]
    style: Tensor | None = None,  # [B, Z]
) -> list[Tensor]:  # each [B, N, size]
    """`norms(features)`, in parts. Rows of masked points are 0."""
    if fixed_scale_and_shift(norms) is not None or _see_several_processes(norms):
        return list(normalize_together(norms, [features], mask).split(list(sizes), dim=-1))
    features = features.to(torch.promote_types(features.dtype, torch.float32))
    weight, bias = joined_affine(norms, style, features)
    outputs, mean, variance = normalize_apart(features, weight, bias, sizes, mask=mask)
    first = 0
    for output, size in zip(outputs, sizes, strict=True):
        part = slice(first, first + size)
        inputs = [features[..., part]]
        _mark_recomputable(
            output, inputs, mean[:, part], variance[:, part], weight[:, part], bias[:, part], mask, False
        )
        first += size
    track_together(norms, mean, variance, features, mask)
    return outputs


def fixed_scale_and_shift(norms: Sequence[nn.Module]) -> tuple[Tensor, Tensor, Tensor] | None:
    """What the norms subtract, multiply by and add [S], if that does not depend on the data.

    So it is for BatchNorms in evaluation mode.
    """
    if not all(isinstance(norm, MaskedBatchNorm) and not norm.training for norm in norms):
        return None
    batch_norms = [norm for norm in norms if isinstance(norm, MaskedBatchNorm)]
    scales = [norm.weight * torch.rsqrt(norm.running_var + EPS) for norm in batch_norms]
    centres = [norm.running_mean for norm in batch_norms]
    return torch.cat(centres), torch.cat(scales), torch.cat([norm.bias for norm in batch_norms])


def folded(
    weight: Tensor,  # [S, ...], of a linear map or a convolution
    bias: Tensor | None,  # [S]
    centre: Tensor,  # [S], as `fixed_scale_and_shift` gives them
    scale: Tensor,
    shift: Tensor,
) -> tuple[Tensor, Tensor]:
    """Weight and bias of one map that does what the map and the normalisation behind it do."""
    moved = -centre if bias is None else bias - centre
    return weight * scale.view(-1, *[1] * (weight.dim() - 1)), moved * scale + shift


def affines(
    norms: Sequence[nn.Module],
    style: Tensor | None,  # [B, Z]
    batch_size: int,
    factors: Sequence[Tensor | None] | None = None,  # scalars, one for each norm: what its output is multiplied by
) -> list[tuple[Tensor, Tensor]]:  # each [C] or [B, C]
    """Weight and bias of each normalisation."""
    kinds = MaskedBatchNorm | MaskedInstanceNorm | AdaptiveInstanceNorm
    found = [norm.affine(style, batch_size) for norm in norms if isinstance(norm, kinds)]
    if factors is None:
        return found
    pairs = zip(found, factors, strict=True)
    return [(w, b) if factor is None else (w * factor, b * factor) for (w, b), factor in pairs]


def joined_affine(
    norms: Sequence[nn.Module],
    style: Tensor | None,  # [B, Z]
    features: Tensor,  # [B, ...]
) -> tuple[Tensor, Tensor]:  # [G, S]
    """Weight and bias of several normalisations, as the operators take them."""
    found = affines(norms, style, features.shape[0])
    weight, bias = (torch.cat(parts, dim=-1).to(features) for parts in zip(*found, strict=True))
    return torch.atleast_2d(weight), torch.atleast_2d(bias)


def _mark_recomputable(
    output: Tensor,
    features: Sequence[Tensor],
    mean: Tensor,
    variance: Tensor,
    weight: Tensor,
    bias: Tensor,
    mask: Tensor | None,
    relu: bool,
) -> None:
    if torch.compiler.is_compiling():  # compilers decide by themselves what to compute again
        return
    kept = [x.detach() for x in features]

    def recompute() -> Tensor:
        return scale_and_shift(kept, mean, weight * torch.rsqrt(variance + EPS), bias, mask=mask, relu=relu)

    mark_recomputable(output, recompute)


@torch.no_grad()
def track_together(
    norms: Sequence[nn.Module], mean: Tensor, variance: Tensor, features: Tensor, mask: Tensor | None
) -> None:
    """Move the running statistics of BatchNorms towards those of a batch, [1, S] for all of them."""
    batch_norms = [norm for norm in norms if isinstance(norm, MaskedBatchNorm)]
    if not batch_norms:
        return
    num_rows = features.shape[0] * features.shape[1]
    sizes = [len(norm.weight) for norm in batch_norms]
    means, variances = mean[0].split(sizes), variance[0].split(sizes)
    momentum, running_dtype = batch_norms[0].momentum, batch_norms[0].running_mean.dtype
    alike = all(norm.momentum == momentum and norm.running_mean.dtype == running_dtype for norm in batch_norms)
    if mask is not None or num_rows < 2 or not alike or mean.dtype != running_dtype or torch.compiler.is_compiling():
        for norm, its_mean, its_variance in zip(batch_norms, means, variances, strict=True):
            norm.track(its_mean, its_variance, num_rows, mask)
        return
    unbiased = (variance[0] * (num_rows / (num_rows - 1))).split(sizes)
    torch._foreach_lerp_([norm.running_mean for norm in batch_norms], means, momentum)
    torch._foreach_lerp_([norm.running_var for norm in batch_norms], unbiased, momentum)
    torch._foreach_add_([norm.num_batches_tracked for norm in batch_norms], 1)


def depends_on_batch(norm: nn.Module) -> bool:
    """Whether statistics are those of the points at hand, of this process: what the fused kernels compute."""
    if isinstance(norm, MaskedBatchNorm):
        return norm.training and norm.reduce is None
    return isinstance(norm, MaskedInstanceNorm | AdaptiveInstanceNorm)


def _see_several_processes(norms: Sequence[nn.Module]) -> bool:
    return any(isinstance(norm, MaskedBatchNorm) and norm.reduce is not None for norm in norms)


def _normalize_one_by_one(
    norms: Sequence[nn.Module], features: Sequence[Tensor], mask: Tensor | None, *, relu: bool, residual: Tensor | None
) -> Tensor:
    """For statistics over several processes: the fused kernels see one process's points only."""
    joined = torch.cat(list(features), dim=-1)
    joined = joined if mask is None else joined.where(mask[:, :, None], 0)  # masked points may hold anything
    batch_norms = [norm for norm in norms if isinstance(norm, MaskedBatchNorm)]
    parts = joined.split([len(norm.weight) for norm in batch_norms], dim=-1)
    normalized = [norm.with_batch_statistics(part, mask) for norm, part in zip(batch_norms, parts, strict=True)]
    output = torch.cat(normalized, dim=-1)
    output = output.relu() if relu else output
    output = output if residual is None else output + residual
    return output if mask is None else output.where(mask[:, :, None], 0)


class MaskedBatchNorm(nn.Module):
    """BatchNorm over all visible points of all clouds. Parameters and buffers are named as in `torch.nn.BatchNorm1d`.

    A batch with one visible point has no variance: its output is the bias. A batch with none leaves the running
    statistics alone.

    >>> norm = ct.layers.MaskedBatchNorm(1)
    >>> features = torch.tensor([[[1.0], [3.0], [99.0]]])
    >>> norm(features, torch.tensor([[True, True, False]])).round().flatten().tolist()
    [-1.0, 1.0, 0.0]
    """

    def __init__(
        self,
        num_channels: int,  # C
        *,
        channel_axis: int = -1,  # -1 for [B, N, C], 1 for grids [B, C, ...]
        momentum: float = 0.1,  # the share of a new batch in the running statistics
    ) -> None:
        super().__init__()
        self.channel_axis = channel_axis
        self.momentum = momentum
        # Adds up what all processes counted, where several train together: see `layers.synchronized`.
        self.reduce: Callable[[Tensor], Tensor] | None = None
        self.weight = nn.Parameter(torch.ones(num_channels))
        self.bias = nn.Parameter(torch.zeros(num_channels))
        self.running_mean: Tensor
        self.running_var: Tensor
        self.num_batches_tracked: Tensor
        self.register_buffer("running_mean", torch.zeros(num_channels))
        self.register_buffer("running_var", torch.ones(num_channels))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def forward(
        self,
        features: Tensor,  # [B, ..., C], or [B, C, ...] with channel_axis=1
        mask: Tensor | None = None,  # [B, N] or [B]: True = counts
        style: Tensor | None = None,  # not used: BatchNorm has no condition
    ) -> Tensor:
        if features.dim() == 3 and self.channel_axis == -1:
            return normalize_together([self], [features], mask)
        features = features.to(torch.promote_types(features.dtype, torch.float32))
        if not self.training:
            return self._applied(features, self.running_mean, self.running_var)
        if mask is None and self.reduce is None and self.channel_axis == 1 and features.shape[0] > 1:
            # Nothing is hidden and nobody else counts: torch's own is the fastest.
            self.num_batches_tracked += 1
            running = self.running_mean, self.running_var
            return batch_norm(features, *running, self.weight, self.bias, True, self.momentum, EPS)
        return self.with_batch_statistics(features, mask)

    def with_batch_statistics(self, features: Tensor, mask: Tensor | None = None) -> Tensor:
        """Training mode in plain operations, for grids and for several processes."""
        return self._applied(features, *self._batch_statistics(features, mask))

    def _applied(self, features: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
        scale = self.weight * torch.rsqrt(variance + EPS)
        shift = self.bias - mean * scale
        return features * self._along_channels(scale, features) + self._along_channels(shift, features)

    def affine(self, style: Tensor | None, batch_size: int) -> tuple[Tensor, Tensor]:  # weight and bias, [C]
        """What normalised features are multiplied by, and what is added; the same for any style and batch_size."""
        return self.weight, self.bias

    @torch.no_grad()
    def track(self, mean: Tensor, variance: Tensor, num_rows: int, mask: Tensor | None = None) -> None:
        """Move the running statistics towards a batch's biased `mean` and `variance`, [C], over `num_rows` rows.

        A batch without any visible point leaves them alone.
        """
        rows = num_rows // max(mask.numel(), 1) if mask is not None else num_rows  # per entry of the mask
        count = variance.new_tensor(num_rows) if mask is None else mask.sum().to(variance.dtype) * rows
        self._track(mean, variance, count)

    @torch.no_grad()
    def _track(self, mean: Tensor, variance: Tensor, count: Tensor) -> None:
        momentum = self.momentum * (count > 0).to(self.running_mean)
        unbiased = variance * (count / (count - 1).clamp(min=1))
        self.running_mean.lerp_(mean.to(self.running_mean), momentum)
        self.running_var.lerp_(unbiased.to(self.running_var), momentum)
        self.num_batches_tracked += 1

    def _batch_statistics(self, features: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        reduce = self.reduce or (lambda values: values)
        axes = [axis for axis in range(features.dim()) if axis != self.channel_axis % features.dim()]
        num_rows = features.numel() // features.shape[self.channel_axis]
        if mask is None:
            count = reduce(features.new_tensor(num_rows))
            mean = reduce(features.sum(axes)) / count.clamp(min=1)
            deviation = features - self._along_channels(mean, features)
        else:
            visible = mask.view(*mask.shape, *[1] * (features.dim() - mask.dim()))
            count = reduce(mask.sum().to(features.dtype) * (num_rows // max(mask.numel(), 1)))
            mean = reduce(features.where(visible, 0).sum(axes)) / count.clamp(min=1)
            deviation = (features - self._along_channels(mean, features)).where(visible, 0)
        var = reduce(deviation.square().sum(axes)) / count.clamp(min=1)
        self._track(mean, var, count)
        return mean, var

    def _along_channels(self, vector: Tensor, features: Tensor) -> Tensor:
        if self.channel_axis == -1:
            return vector
        return vector.view(-1, *[1] * (features.dim() - 2))

    def extra_repr(self) -> str:
        return f"{len(self.weight)}"


class MaskedInstanceNorm(nn.Module):
    """Each channel of each cloud to mean 0 and variance 1 over the cloud's visible points. Nothing is learned."""

    def __init__(
        self,
        num_channels: int,  # C
    ) -> None:
        super().__init__()
        self.num_channels = num_channels

    def forward(
        self,
        features: Tensor,  # [B, N, C]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # not used
    ) -> Tensor:
        return normalize_together([self], [features], mask)

    def affine(self, style: Tensor | None, batch_size: int) -> tuple[Tensor, Tensor]:  # weight and bias, [B, C]
        """Ones and zeros for `batch_size` clouds; style is not used."""
        return torch.ones(batch_size, self.num_channels), torch.zeros(batch_size, self.num_channels)


class AdaptiveInstanceNorm(nn.Module):
    """Instance norm, then `x * (1 + gamma(style)) + beta(style)`: one linear layer maps the style to both."""

    def __init__(
        self,
        num_channels: int,  # C
        style_channels: int,  # Z
    ) -> None:
        super().__init__()
        self.linear = nn.Linear(style_channels, 2 * num_channels)

    def forward(
        self,
        features: Tensor,  # [B, N, C]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:
        return normalize_together([self], [features], mask, style)

    def affine(self, style: Tensor | None, batch_size: int) -> tuple[Tensor, Tensor]:  # weight and bias, [B, C]
        """1 + gamma and beta of the style, whose rows are the batch; batch_size is not used. ValueError without one."""
        if style is None:
            raise ValueError("adaptive instance norm needs a style [B, Z]: pass the encoder's output")
        gamma, beta = self.linear(style).chunk(2, dim=-1)
        return 1 + gamma, beta
