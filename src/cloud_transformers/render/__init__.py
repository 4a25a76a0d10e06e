"""Pictures of meshes and clouds: one z-buffer, one painter.

`clouds.portrait` paints a cloud, `meshes.shaded` a mesh; `cameras` says from where, `sheets` puts pictures side by
side, `png.png` makes a file's bytes of one. No graphics library is needed. Letters: H and W, height and width.
"""

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # [H, W, 3], or [H, W, 4] with transparency
