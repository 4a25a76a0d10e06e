"""Mirror planes that a style vector names: most things have one, and half of them is often all that a view shows.

Letters: B batch, N points, K planes, Z style channels.
"""

import torch
from torch import Tensor, nn


class MirrorPlanes(nn.Module):
    """For each style K planes that contain the up axis, y, and points mirrored in them.

    A plane is given by a direction of twice its normal's angle about y, which is the same for both normals of a plane
    and so never jumps, and by how far it takes the origin.
    """

    def __init__(self, style_channels: int, num_planes: int) -> None:
        super().__init__()
        self.num_planes = num_planes
        self.linear = nn.Linear(style_channels, 4 * num_planes)

    def forward(
        self,
        style: Tensor,  # [B, Z]
        points: Tensor,  # [B, N, 3]
        plane: Tensor,  # [B, N]: 0, ..., K - 1, in which plane each point is mirrored; other numbers: in none
    ) -> Tensor:  # [B, N, 3]
        parameters = self.linear(style).unflatten(-1, (self.num_planes, 4)).to(points.dtype)
        x, y, z = points.unbind(-1)
        for index in range(self.num_planes):
            twice, shift = parameters[:, index].split(2, dim=-1)  # [B, 2] each
            cos, sin = nn.functional.normalize(twice, dim=-1).unbind(-1)
            mirrored_x = shift[:, :1] - cos[:, None] * points[..., 0] - sin[:, None] * points[..., 2]
            mirrored_z = shift[:, 1:] - sin[:, None] * points[..., 0] + cos[:, None] * points[..., 2]
            is_mirrored = plane == index
            x, z = torch.where(is_mirrored, mirrored_x, x), torch.where(is_mirrored, mirrored_z, z)
        return torch.stack([x, y, z], dim=-1)
