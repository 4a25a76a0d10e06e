"""docs/cluster.md is true: its example runs and its commands are understood."""

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers import cli
from tests.predict.conftest import CLASSES, weights  # noqa: F401  # the fixture

TEXT = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # those of Ray Data and of pandas below it are not ours
def test_the_example_labels_files(ray: Any, tmp_path: Path, weights: dict[str, Path]) -> None:  # noqa: F811
    paths = [tmp_path / f"{number}.ply" for number in range(3)]
    for number, path in enumerate(paths):
        ct.write(path, ct.PointCloud(positions=np.random.default_rng(number).random((100, 3)).astype(np.float32)))
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(block, "docs/cluster.md", "exec"), names)
    rows = names["classified"](paths, str(weights["classification"])).take_all()
    assert {row["path"] for row in rows} == set(map(str, paths))
    assert all(row["label"] in CLASSES for row in rows)


def test_commands_are_understood() -> None:
    commands = re.findall(r"(?:^|&& |')(cloudt [^#\n']*)", TEXT, flags=re.MULTILINE)
    assert len(commands) >= 10
    for command in commands:
        cli.build_parser().parse_args(shlex.split(command)[1:])


def test_manifests_are_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    kuberay, aws = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL))
    assert kuberay["kind"] == "RayCluster"
    assert aws["head_node_type"] in aws["available_node_types"]
