"""The curves of runs side by side, as one picture: the loss of each, and its first score on validation data, if any.

python -m benchmarks.learning RUN [RUN ...] --svg docs/images/learning.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cloud_transformers.engine import RunFolder
from cloud_transformers.files import whole_file
from cloud_transformers.report.curves import HEIGHT, WIDTH, curve


def curves(run: Path, name: str) -> list[str]:
    records = RunFolder(run).records()
    loss = curve(f"{name}: loss", [(record["step"], record["loss"]) for record in records if "loss" in record])
    checks = [record for record in records if "validation" in record]
    if len(checks) < 2:
        return [loss]
    first = next(iter(checks[0]["validation"]))
    scores = [(record["step"], record["validation"][first]) for record in checks]
    return [loss, curve(f"{name}: {first} on validation data", scores)]


def picture(rows: list[list[str]]) -> str:
    placed = [
        drawn.replace("<svg ", f'<svg x="{column * WIDTH}" y="{row * HEIGHT}" height="{HEIGHT}" ', 1)
        for row, drawn_row in enumerate(rows)
        for column, drawn in enumerate(drawn_row)
    ]
    width, height = 2 * WIDTH, len(rows) * HEIGHT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
    return f'{head}font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>{"".join(placed)}</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--names", nargs="*", default=[], help="instead of the folders' names")
    parser.add_argument("--svg", type=Path, required=True)
    args = parser.parse_args()
    names = args.names or [run.name for run in args.runs]
    with whole_file(args.svg) as temporary:
        rows = [curves(run, name) for run, name in zip(args.runs, names, strict=True)]
        temporary.write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
