"""Normalisations in which masked points do not exist: BatchNorm, instance norm and adaptive instance norm.

All share one call, `norm(features, mask=None, style=None)`, so that a block does not care which one it was given.
Statistics are computed in float32 or better, under autocast too.

Letters: B batch, N points, C channels, Z style channels.
"""

import torch
from torch import Tensor, nn

EPS = 1e-5


class MaskedBatchNorm(nn.Module):
    """BatchNorm over all visible points of all clouds. Parameters and buffers are named as in `torch.nn.BatchNorm1d`.

    A batch with one visible point has no variance: its output is the bias. A batch with none leaves the running
    statistics alone.
    """

    def __init__(self, num_channels: int, *, channel_axis: int = -1, momentum: float = 0.1) -> None:
        super().__init__()
        self.channel_axis = channel_axis  # -1 for [B, N, C], 1 for grids [B, C, ...]
        self.momentum = momentum
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
        features = features.to(torch.promote_types(features.dtype, torch.float32))
        if self.training:
            mean, var = self._batch_statistics(features, mask)
        else:
            mean, var = self.running_mean, self.running_var
        scale = self.weight * torch.rsqrt(var + EPS)
        shift = self.bias - mean * scale
        return features * self._along_channels(scale, features) + self._along_channels(shift, features)

    def _batch_statistics(self, features: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        axes = [axis for axis in range(features.dim()) if axis != self.channel_axis % features.dim()]
        num_rows = features.numel() // features.shape[self.channel_axis]
        if mask is None:
            count = features.new_tensor(num_rows)
            mean = features.sum(axes) / count.clamp(min=1)
            deviation = features - self._along_channels(mean, features)
        else:
            visible = mask.view(*mask.shape, *[1] * (features.dim() - mask.dim()))
            count = mask.sum().to(features.dtype) * (num_rows // max(mask.numel(), 1))
            mean = features.where(visible, 0).sum(axes) / count.clamp(min=1)
            deviation = (features - self._along_channels(mean, features)).where(visible, 0)
        var = deviation.square().sum(axes) / count.clamp(min=1)
        with torch.no_grad():
            momentum = self.momentum * (count > 0).to(self.running_mean)
            unbiased = var * count / (count - 1).clamp(min=1)
            self.running_mean.lerp_(mean.to(self.running_mean), momentum)
            self.running_var.lerp_(unbiased.to(self.running_var), momentum)
            self.num_batches_tracked += 1
        return mean, var

    def _along_channels(self, vector: Tensor, features: Tensor) -> Tensor:
        if self.channel_axis == -1:
            return vector
        return vector.view(-1, *[1] * (features.dim() - 2))

    def extra_repr(self) -> str:
        return f"{len(self.weight)}"


class MaskedInstanceNorm(nn.Module):
    """Each channel of each cloud to mean 0 and variance 1 over the cloud's visible points. No parameters."""

    def forward(
        self,
        features: Tensor,  # [B, N, C]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # not used
    ) -> Tensor:
        features = features.to(torch.promote_types(features.dtype, torch.float32))
        if mask is None:
            centred = features - features.mean(1, keepdim=True)
            var = centred.square().mean(1, keepdim=True)
        else:
            visible = mask[:, :, None]
            count = visible.sum(1, keepdim=True).clamp(min=1)
            mean = features.where(visible, 0).sum(1, keepdim=True) / count
            centred = (features - mean).where(visible, 0)
            var = centred.square().sum(1, keepdim=True) / count
        return centred * torch.rsqrt(var + EPS)


class AdaptiveInstanceNorm(nn.Module):
    """Instance norm, then `x * (1 + gamma(style)) + beta(style)`: one linear layer maps the style to both."""

    def __init__(self, num_channels: int, style_channels: int) -> None:
        super().__init__()
        self.instance_norm = MaskedInstanceNorm()
        self.linear = nn.Linear(style_channels, 2 * num_channels)

    def forward(
        self,
        features: Tensor,  # [B, N, C]
        mask: Tensor | None = None,  # [B, N]
        style: Tensor | None = None,  # [B, Z]
    ) -> Tensor:
        if style is None:
            raise ValueError("adaptive instance norm needs a style [B, Z]: pass the encoder's output")
        normalised = self.instance_norm(features, mask)
        gamma, beta = self.linear(style).to(normalised.dtype)[:, None].chunk(2, dim=-1)
        return normalised * (1 + gamma) + beta
