"""Pictures of meshes and clouds: one z-buffer, one painter."""

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # [H, W, 3]
