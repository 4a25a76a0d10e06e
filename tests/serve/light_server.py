"""`cloudt serve` with the light worker."""

import sys
from pathlib import Path

from cloud_transformers.cli import main
from cloud_transformers.serve import crew

crew.PROGRAM = (sys.executable, str(Path(__file__).with_name("light_worker.py")))

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))
