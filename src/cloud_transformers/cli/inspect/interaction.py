"""Measure how many points can influence a point after each block.

CLOUDS are clouds or meshes of any format, folders and patterns; pictures for a reconstructor. Of a scene, for a
segmenter, the fullest regions are taken. A point can influence another if there is a chain of heads, one in each block,
on whose grids the two meet; docs/inspect.md has the exact definition. The table is printed, and drawn with -o.
"""

from __future__ import annotations

import argparse

SUFFIXES = (".png", ".json", ".html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.inspect.options import add_input_arguments, add_output_argument, add_subject_arguments
    from cloud_transformers.cli.shared.predict_options import at_least_one

    add_subject_arguments(parser, "segmenter:full")
    parser.add_argument(
        "clouds", nargs="+", metavar="CLOUDS", help="clouds, meshes, folders or patterns; pictures for a reconstructor"
    )
    add_output_argument(parser, SUFFIXES, required=False)
    parser.add_argument(
        "--regions", type=at_least_one, default=1, metavar="N", help="how many regions of each scene (default 1)"
    )
    add_input_arguments(parser)


def run(args: argparse.Namespace) -> None:
    import json

    from cloud_transformers.cli.inspect.options import check_output, inputs_of, opened
    from cloud_transformers.files import whole_file
    from cloud_transformers.inspect import interactions
    from cloud_transformers.inspect.interaction_figure import figure, page, summary, table
    from cloud_transformers.progress import progress

    check_output(args.output, SUFFIXES)
    subject = opened(args)
    given = inputs_of(args, subject, args.clouds, regions=args.regions)
    results = []
    for each in progress(given, "clouds", len(given)):
        results += interactions(subject.blocks(each))
    parts = summary(results)
    print(f"{subject.name}\n{table(parts)}")
    if args.output is None:
        return
    suffix, title = args.output.suffix.lower(), f"{subject.name}, {given[0].name}"
    if len(given) > 1:
        title += f" and {len(given) - 1} more"
    if suffix == ".png":
        figure(title, results, subject.up).save(args.output)
        return
    if suffix == ".json":
        names = [each.name for each in given for _ in parts]
        clouds = [{"cloud": name, **each.to_json()} for name, each in zip(names, results, strict=True)]
        text = json.dumps({"model": subject.name, "parts": parts, "clouds": clouds}, indent=1)
    else:
        text = page(title, results, subject.up)
    with whole_file(args.output) as temporary:
        temporary.write_text(text, encoding="utf-8")
