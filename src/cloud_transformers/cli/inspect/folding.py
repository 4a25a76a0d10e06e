"""Show how a completer or reconstructor folds the sphere into a shape.

INPUT is a partial cloud or mesh for a completer, a picture for a reconstructor. Points are coloured by where they began
on the sphere: red, green and blue are x, y and z. A .png file shows before and after, a .html file moves from one to
the other, a .json file has the points.
"""

from __future__ import annotations

import argparse

SUFFIXES = (".png", ".html", ".json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.inspect.options import add_input_arguments, add_output_argument, add_subject_arguments
    from cloud_transformers.cli.shared.predict_options import at_least_one

    add_subject_arguments(parser, "reconstructor:tiny")
    parser.add_argument("input", metavar="INPUT", help="a partial cloud, or a picture")
    add_output_argument(parser, SUFFIXES, required=True)
    parser.add_argument(
        "--points", type=at_least_one, metavar="N", help="how many points to fold (default: as in training)"
    )
    add_input_arguments(parser)


def run(args: argparse.Namespace) -> None:
    import json

    from cloud_transformers.cli.inspect.options import blocks_bar, check_output, inputs_of, opened
    from cloud_transformers.errors import InputError
    from cloud_transformers.files import whole_file
    from cloud_transformers.inspect import check_folds, folding
    from cloud_transformers.inspect.folding_figure import figure, scene
    from cloud_transformers.viewer import save

    check_output(args.output, SUFFIXES)
    subject = opened(args)
    check_folds(subject)
    if args.points is not None:
        subject = subject.with_points(args.points)
    given = inputs_of(args, subject, [args.input])
    if len(given) != 1:
        raise InputError(f"{args.input}: folding is looked at on one input, not on {len(given)}; name a file")
    with blocks_bar(subject, given[0]) as watched:
        result = folding(subject, watched)
    title, suffix = f"{subject.name}, {given[0].name}", args.output.suffix.lower()
    if suffix == ".png":
        figure(title, result, subject.up).save(args.output)
    elif suffix == ".html":
        save(args.output, scene(title, result, subject.up))
    else:
        with whole_file(args.output) as temporary:
            temporary.write_text(json.dumps({"model": subject.name, **result.to_json()}), encoding="utf-8")
