"""What `test_together` runs under torchrun: a training whose second process kills itself once."""

import os
import signal
import sys
from pathlib import Path

from tests.engine import toy


class Mortal(toy.Shapes):
    def __init__(self, mark: Path) -> None:
        super().__init__(20)
        self.mark, self.reads = mark, 0

    def read(self, index, rng, epoch):
        self.reads += 1
        if os.environ["RANK"] == "1" and self.reads == 6 and not self.mark.exists():  # in its third step
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(index, rng, epoch)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    toy.run(folder / "run", dataset=toy.Dataset(Mortal(folder / "died")), steps=4, checkpoint_every=2)
