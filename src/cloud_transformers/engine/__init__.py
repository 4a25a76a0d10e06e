"""One flat training loop, evaluation by protocol, checkpoints and the folder of a run, for all tasks.

`train` fills a `RunFolder` as `TrainingOptions` say; `evaluate` scores a model by a `Protocol` of one or more `Pass`es
over data, and `calibrate` measures how sure it may be. `Processes` are those that torchrun started, or this one alone.
Recipes put these together.
"""

from cloud_transformers.engine.calibration import calibrate
from cloud_transformers.engine.evaluation import Pass, Protocol, evaluate
from cloud_transformers.engine.options import TrainingOptions
from cloud_transformers.engine.processes import Processes
from cloud_transformers.engine.run import RunFolder
from cloud_transformers.engine.train import train

__all__ = ["Pass", "Processes", "Protocol", "RunFolder", "TrainingOptions", "calibrate", "evaluate", "train"]
