"""`python -m cloud_transformers.cli`, for launchers that start modules: torchrun -m cloud_transformers.cli train ..."""

import sys

from cloud_transformers.cli import main

if __name__ == "__main__":
    sys.exit(main())
