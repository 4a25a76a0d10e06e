"""Put a finished ablation table into the documentation: its numbers, its plot and the text of its table.

python -m benchmarks.ablations DIR        DIR as in `cloudt ablate ... --out DIR`
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from cloud_transformers.engine.run import read_json, write_json
from cloud_transformers.files import whole_file
from cloud_transformers.recipes.ablation_table import table
from cloud_transformers.report.ablations import ablation_plot

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"```\nAblations of .*?```", flags=re.DOTALL)  # of docs/ablations.md


def without_paths(found: dict[str, Any]) -> dict[str, Any]:
    """The same without what is true on one machine only: where its files are."""
    environment = {name: value for name, value in found["environment"].items() if name != "command"}
    configuration = found["configuration"]
    data = configuration["data"] | {"folder": Path(configuration["data"]["folder"]).name}
    return found | {"environment": environment, "configuration": configuration | {"data": data}}


def publish(found: dict[str, Any], docs: Path) -> None:
    page = docs / "ablations.md"
    text = BLOCK.sub(lambda _: f"```\n{table(found)}\n```", page.read_text(encoding="utf-8"))
    write_json(docs / "ablations.json", found)
    for path, content in ((docs / "images/ablations.svg", f"{ablation_plot(found)}\n"), (page, text)):
        with whole_file(path) as temporary:
            temporary.write_text(content, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    found = without_paths(read_json(parser.parse_args().folder / "ablations.json"))
    if found["finished"] < found["wanted"]:
        parser.error(f"only {found['finished']} of {found['wanted']} runs are finished")
    publish(found, DOCS)
    print(table(found))


if __name__ == "__main__":
    main()
