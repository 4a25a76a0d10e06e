"""docs/serve.md is true: its client runs, its tables have every option and every path."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import cloud_transformers as ct
from cloud_transformers.cli import build_parser
from tests.serve.servers import LIGHT, Server, running

TEXT = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_the_client_runs(
    real: Server,
    points: NDArray[np.float32],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    assert sum(bool(line) for line in program.splitlines()) <= 11
    program = program.replace("127.0.0.1:8765", f"127.0.0.1:{real.client.port}")
    program = program.replace("name=room.ply", "name=room.ply&weights=segmentation")
    monkeypatch.chdir(tmp_path)
    ct.write("room.ply", ct.PointCloud(positions=points))
    exec(compile(program, "docs/serve.md", "exec"), {})
    assert "'name': 'wall'" in capsys.readouterr().out
    assert len(ct.read("labelled.laz")) == len(points)


def test_every_option_of_a_limit_is_in_the_table_with_its_default() -> None:
    parser = build_parser()
    args = parser.parse_args(["serve"])
    table = dict(re.findall(r"^\| `(--[a-z-]+)` \| (\S+)", TEXT, flags=re.MULTILINE))
    assert len(table) == 9
    for option, default in table.items():
        value = getattr(args, option[2:].replace("-", "_"))
        assert value is None or str(value).removesuffix(".0") == default


def test_every_path_is_in_the_table(tmp_path: Path) -> None:
    with running(LIGHT, tmp_path) as server:
        paths = server.client.get("/openapi.json").json["paths"]
    for path in paths:
        known = re.sub(r"/(segmentation|reconstruction)$", "/TASK", path).replace("/room", "/SAMPLE")
        known = known.replace("{id}", "ID").replace("{format}", "FORMAT")
        assert f" {known}" in TEXT, path
