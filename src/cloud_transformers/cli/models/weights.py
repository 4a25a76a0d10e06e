"""List the weights that come with the package, or show the card of one.

NAME is a name of the list, a .safetensors file, the folder of a run, or owner/name on Hugging Face. The card says what
the weights were trained on, how good they are on unseen data, and what they cannot do.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="show the card of these weights")


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.cli.shared.weights_table import describe, listed
    from cloud_transformers.models.weights import BOX, boxed, find_weights
    from cloud_transformers.predict.cards import card_of

    if args.name is None:
        box = boxed()
        if not box:
            print(f"There are no weights in the box ({BOX}); train some: `cloudt train scanobjectnn --size small`")
            return
        print(listed(box))
        print("\n`cloudt weights NAME` shows what they were trained on, their scores and their limits.")
        return
    path = find_weights(args.name)
    card = card_of(path)
    print(f"{card.text}\n" if card is not None else "", end="")
    print(describe(path))
