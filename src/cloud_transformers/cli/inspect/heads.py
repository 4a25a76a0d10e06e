"""Draw the heads of a block at work on a cloud, or write their numbers.

CLOUD is a cloud or mesh of any format; a picture for a reconstructor. Of a scene, for a segmenter, the fullest region
is taken. A .png file shows some heads of one block: the scene with the head's plane, where keys fall, what the grid
holds before and after the convolution. A .html file is a page with all heads of all blocks, in which a click on a point
shows which points can influence it. A .json file has the numbers of all heads of all blocks.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cloud_transformers.inspect import Head, SeenBlock

SUFFIXES = (".png", ".html", ".json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from cloud_transformers.cli.inspect.options import add_input_arguments, add_output_argument, add_subject_arguments
    from cloud_transformers.cli.shared.predict_options import at_least_one

    add_subject_arguments(parser, "segmenter:full")
    parser.add_argument("cloud", metavar="CLOUD", help="a cloud or mesh; a picture for a reconstructor")
    add_output_argument(parser, SUFFIXES, required=True)
    parser.add_argument("--part", choices=["encoder", "decoder"], help="of a completer (default: the encoder)")
    parser.add_argument("--block", type=at_least_one, default=1, metavar="K", help="which block to draw (default 1)")
    parser.add_argument(
        "--heads", metavar="K,K,...", help="which heads of each kind to draw, by number (default: the first three)"
    )
    add_input_arguments(parser)


def run(args: argparse.Namespace) -> None:
    import json

    from cloud_transformers.cli.inspect.options import blocks_bar, check_output, inputs_of, opened
    from cloud_transformers.errors import InputError
    from cloud_transformers.files import whole_file
    from cloud_transformers.inspect import heads, heads_json
    from cloud_transformers.inspect.heads_figure import figure
    from cloud_transformers.inspect.heads_page import inspector
    from cloud_transformers.progress import progress
    from cloud_transformers.viewer import save

    check_output(args.output, SUFFIXES)
    numbers = _numbers(args.heads)
    subject = opened(args)
    given = inputs_of(args, subject, [args.cloud])
    if len(given) != 1:
        raise InputError(f"{args.cloud}: heads are looked at on one cloud, not on {len(given)}; name a file")
    with blocks_bar(subject, given[0]) as watched:
        blocks = subject.blocks(watched)
    block = _chosen(blocks, args.part, args.block)
    if args.output.suffix.lower() == ".png":
        shown = _shown(heads(block), numbers)
        positions = block.positions[0][block.visible[0]].numpy(force=True)
        place = f"{subject.name}, {block.part}, block {block.number} of cascade {block.cascade}, on {given[0].name}"
        figure(place, shown, positions, subject.up).save(args.output)
        return
    if args.output.suffix.lower() == ".html":
        start = next(number for number, each in enumerate(blocks) if each is block)
        save(args.output, inspector(f"{subject.name}, {given[0].name}", blocks, subject.up, start=start))
        return
    content = [heads_json(each) for each in progress(blocks, "blocks", len(blocks))]
    with whole_file(args.output) as temporary:
        text = json.dumps({"model": subject.name, "cloud": given[0].name, "blocks": content}, indent=1)
        temporary.write_text(text, encoding="utf-8")


def _numbers(words: str | None) -> list[int] | None:
    from cloud_transformers.errors import InputError

    if words is None:
        return None
    parts = [part.strip() for part in words.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise InputError(f"--heads {words}: must be numbers from 1, with commas between them, as 1,2,5")
    return [int(part) for part in parts]


def _chosen(blocks: list[SeenBlock], part: str | None, number: int) -> SeenBlock:
    from cloud_transformers.errors import InputError

    parts = list(dict.fromkeys(block.part for block in blocks))
    if part is not None and part not in parts:
        raise InputError(f"--part {part}: this model has {' and '.join(parts)} only")
    of_part = [block for block in blocks if block.part == (part or parts[0])]
    if number > len(of_part):
        raise InputError(f"--block {number}: the {of_part[0].part} has blocks 1 to {len(of_part)}")
    return of_part[number - 1]


def _shown(heads: list[Head], numbers: list[int] | None) -> list[Head]:
    from cloud_transformers.errors import InputError

    count = max(head.number for head in heads)
    wanted = numbers or range(1, min(count, 3) + 1)
    if (largest := max(wanted)) > count:
        raise InputError(f"--heads: there is no head {largest}; the block has heads 1 to {count} of each kind")
    return [head for head in heads if head.number in wanted]
