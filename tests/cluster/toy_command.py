"""A command that trains the toy recipe: with the processes of torchrun or of Ray, or several trials side by side.

python -m tests.cluster.toy_command OUT [--on-ray | --sweep] [--kill-command MARK]

With `--kill-command`, the data kill the command itself, once.
"""

import argparse
import os
from pathlib import Path

from cloud_transformers.cluster.connection import connected
from cloud_transformers.cluster.search import side_by_side
from cloud_transformers.cluster.training import train_on_ray
from cloud_transformers.recipes import run_training
from tests.cluster.toy_recipe import slower, toy_recipe, toy_trials


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--on-ray", action="store_true")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--kill-command", default="")
    args = parser.parse_args()
    victim = {"victim": "command", "command": os.getpid(), "mark": args.kill_command} if args.kill_command else {}
    recipe = toy_recipe(**victim)
    if args.sweep:
        with connected("ray", cpus=1) as ray:  # one after the other, so that the first has ended
            list(side_by_side(ray, toy_trials(slow=slower(toy_recipe()), usual=recipe), args.out))
    elif args.on_ray:
        with connected("ray", cpus=2) as ray:
            train_on_ray(ray, recipe, args.out, workers=2)
    else:
        run_training(recipe, args.out)


if __name__ == "__main__":
    main()
