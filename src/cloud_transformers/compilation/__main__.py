"""Print the levels that this processor has, lowest first: `python -m cloud_transformers.compilation [--below-best]`."""

import sys

from cloud_transformers.compilation import processor_levels

names = [level.name for level in processor_levels()]
print(*(names[:-1] if "--below-best" in sys.argv else names))
