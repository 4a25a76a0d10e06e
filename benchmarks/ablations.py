"""Put a finished ablation table into the documentation: its numbers, its plot and the text of its table.

python -m benchmarks.ablations DIR        DIR as in `cloudt ablate ... --out DIR`
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cloud_transformers.decoding import read_object
from cloud_transformers.engine.run import flat, write_json
from cloud_transformers.files import whole_file
from cloud_transformers.recipes import recipe
from cloud_transformers.recipes.ablation_table import disagreements
from cloud_transformers.recipes.ablations import ablation_base
from cloud_transformers.recipes.trial_table import table
from cloud_transformers.report.trials import trials_plot

DOCS = Path(__file__).parents[1] / "docs"
HEADING = "## The table of one run"  # everything below it in docs/ablations.md is written here


def without_paths(found: dict[str, Any]) -> dict[str, Any]:
    """The same without what is true on one machine only: where its files are."""
    environment = {name: value for name, value in found["environment"].items() if name != "command"}
    configuration = found["configuration"]
    data = configuration["data"] | {"folder": Path(configuration["data"]["folder"]).name}
    return found | {"environment": environment, "configuration": configuration | {"data": data}}


def command(found: dict[str, Any]) -> str:
    """What makes the table again: every setting that is not the recipe's own."""
    own = flat(ablation_base(recipe(found["recipe"], found["size"])).configuration())
    ours = flat(found["configuration"])
    changed = [f"{name.partition('.')[2]}={ours[name]}" for name in own if ours.get(name, own[name]) != own[name]]
    settings = " ".join(each for each in changed if not each.startswith("folder="))
    data, seeds = found["configuration"]["data"]["folder"], max(len(row["runs"]) for row in found["rows"])
    return f"cloudt ablate {found['recipe']} --size {found['size']} --data {data} {settings} --seeds {seeds} --out DIR"


def section(found: dict[str, Any]) -> str:
    environment = found["environment"]
    differing = disagreements(found)
    rows = f"these rows move the other way than the paper's: {', '.join(differing)}"
    return f"""{HEADING}
{environment["started"][:10]}, {environment["machine"]}:
{found["finished"]} runs, {found["cpu_minutes"]:g} minutes of a core in all. The numbers of every seed are in
[ablations.json](ablations.json).
```
{command(found)}
```
```
{table(found)}
```
By more than seeds differ, {rows if differing else "no row moves the other way than the paper's"}.

![ours and the paper's columns, as differences to the full model](images/ablations.svg)
"""


def publish(found: dict[str, Any], docs: Path) -> None:
    page = docs / "ablations.md"
    above = page.read_text(encoding="utf-8").partition(HEADING)[0].rstrip()
    write_json(docs / "ablations.json", found)
    plot, text = f"{trials_plot(found)}\n", f"{above}\n\n{section(found)}"
    for path, content in ((docs / "images/ablations.svg", plot), (page, text)):
        with whole_file(path) as temporary:
            temporary.write_text(content, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    found = without_paths(read_object(parser.parse_args().folder / "ablations.json"))
    if found["finished"] < found["wanted"]:
        parser.error(f"only {found['finished']} of {found['wanted']} runs are finished")
    publish(found, DOCS)
    print(table(found))


if __name__ == "__main__":
    main()
