"""List the recipes, or show one: its command, its cost, the score to expect and where that was measured."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one recipe, in full")


def run(args: argparse.Namespace) -> None:
    import inspect

    from cloud_transformers.recipes import RECIPES, recipe

    if args.name is not None:
        recipe(args.name)  # says so if there is none
        print(inspect.getdoc(RECIPES[args.name]))
        return
    for name, make in RECIPES.items():
        lines = (inspect.getdoc(make) or "").splitlines()
        paper = next((line.removeprefix("paper").strip() for line in lines if line.startswith("paper")), "")
        print(f"{name:<20} {lines[0]}")
        if paper:
            print(f"{'':<20} the paper: {paper}")
    print("\n`cloudt recipes NAME` shows command, cost and expected score; `cloudt train NAME --help` all settings.")
