"""`cloudt doctor` on whole and on broken machines: each problem is named with its remedy, on one line."""

import ctypes
import os
import re
from pathlib import Path

import pytest

from cloud_transformers import native
from cloud_transformers.cli import main
from cloud_transformers.cli.doctor import machine, packages, places
from cloud_transformers.compilation import best_level
from tests import forked
from tests.needs import needs_compiler


def doctor(folder: Path, *arguments: str, **environment: str) -> tuple[int, list[str], str]:
    """Exit code, the lines of problems, everything: in a process of its own, since loaded kernels stay loaded."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CLOUDT_", "TRITON_"))}
    code = "import sys\nfrom cloud_transformers.cli import main\nsys.exit(main(sys.argv[1:]))"
    done = forked.run(code, "doctor", *arguments, cwd=folder, env={**inherited, **environment}, strict=True)
    assert not done.stderr or done.stderr.startswith("compiling the fast kernels"), done.stderr  # on an empty cache
    return done.returncode, [line for line in done.stdout.splitlines() if line.startswith("!")], done.stdout


@needs_compiler
def test_a_whole_machine_has_no_problem(tmp_path: Path) -> None:
    code, problems, text = doctor(tmp_path)
    assert (code, problems) == (0, []), text
    assert text.endswith("everything that is needed works\n")
    for line in ("torch", "threads", "native kernels", "cache", "free disk", "extra export"):
        assert f"  {line} " in text or f"- {line} " in text, line
    assert f", level {best_level().name}\n" in text
    assert re.search(rf"native kernels +{best_level().name}, (from the cache|compiled now)\n", text), text


@pytest.mark.parametrize(("asked", "remark"), [("native", "CLOUDT_CPU asks for native, unset it for speed"), ("", "")])
def test_another_level_than_the_best_is_a_remark(monkeypatch: pytest.MonkeyPatch, asked: str, remark: str) -> None:
    monkeypatch.setenv("CLOUDT_CPU", asked)
    level = asked or best_level().name
    monkeypatch.setattr(native, "load", lambda name: native.Loaded(ctypes.CDLL(None), level, "from the wheel"))
    _, kernels = machine._native()
    assert (kernels.value, kernels.remedy) == (f"{level}, from the wheel", remark)
    assert not kernels.is_problem


def test_without_a_compiler_the_remedy_is_to_install_one(tmp_path: Path) -> None:
    code, problems, text = doctor(tmp_path, PATH=str(tmp_path), CXX="", CLOUDT_CACHE=str(tmp_path / "cache"))
    assert code == 1
    (line,) = problems
    assert "native kernels" in line
    assert "install g++ or clang++, or name one in CXX" in line
    assert "reference for float32 on cpu" in text


@needs_compiler
def test_a_cache_that_cannot_be_written_names_the_variable(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    code, problems, text = doctor(tmp_path, CLOUDT_CACHE=str(tmp_path / "cache"))
    assert code == 1
    assert len(problems) == 2, text  # kernels do not run, and the cache cannot be written
    for line in problems:
        assert "in CLOUDT_CACHE" in line


def test_a_wrong_level_is_one_line(tmp_path: Path) -> None:
    code, problems, text = doctor(tmp_path, CLOUDT_CPU="fast")
    assert code == 1
    assert "CLOUDT_CPU must be one of baseline, avx2, avx512, native, got 'fast'" in problems[0], text


def test_a_wrong_backend_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CLOUDT_BACKEND", "fastest")
    assert main(["doctor"]) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("!") and "backend" in line]
    assert "must be one of reference, native, triton, got 'fastest'" in line
    assert "unset CLOUDT_BACKEND" in line


def test_the_reference_backend_is_a_remark_not_a_problem(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLOUDT_BACKEND", "reference")
    main(["doctor"])
    assert "- backend" in capsys.readouterr().out


def test_data_is_recognised_in_a_folder_and_below_it(tmp_path: Path) -> None:
    (tmp_path / "modelnet40_ply_hdf5_2048").mkdir()
    (tmp_path / "modelnet40_ply_hdf5_2048" / "train_files.txt").write_text("ply_data_train0.h5\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "dataset.toml").write_text('task = "classification"\n')
    above = places.data_root(tmp_path)
    assert not above.is_problem
    assert f"ModelNet40 in {tmp_path / 'modelnet40_ply_hdf5_2048'}" in above.value
    assert f"your own data in {tmp_path / 'mine'}" in above.value
    assert not places.data_root(tmp_path / "mine").is_problem


@pytest.mark.parametrize("make", [True, False])
def test_data_that_is_not_there_is_a_problem(tmp_path: Path, make: bool) -> None:
    root = tmp_path / "data"
    if make:
        root.mkdir()
    finding = places.data_root(root)
    assert finding.is_problem
    assert finding.remedy


def test_what_is_not_installed_is_named_with_its_use_and_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = ["numpy>=1", 'laspy[lazrs]>=2; extra == "io"', 'numpy; extra == "io"', 'not-there; extra == "odd"']
    monkeypatch.setattr(packages, "requires", lambda name: declared)
    monkeypatch.setattr(packages, "_is_installed", lambda package: package == "numpy")
    io, odd = packages.findings()
    assert io.value == "lacks laspy, so no .las and .laz files"
    assert io.remedy == "pip install 'cloud-transformers[io]'"
    assert odd.value == "lacks not-there"
    assert not io.is_problem


def test_what_other_pythons_need_is_left_out() -> None:
    declared = [
        f"a>=2; python_version {compared} '{version}' and extra == 'data'"
        for compared, version in ((">=", "3.10"), ("<", "3.99"))
    ]
    others = ["b; python_version < '3.10' and extra == 'data'", "c; python_version >= '3.99' and extra == 'data'"]
    assert packages._by_extra([*declared, *others]) == {"data": ["a", "a"]}


def test_every_package_in_the_table_is_declared() -> None:
    declared = {
        p for packages in packages._by_extra(packages.requires("cloud-transformers")).values() for p in packages
    }
    assert set(packages.USES) <= declared


def test_writable_is_tried_not_read_off(tmp_path: Path) -> None:
    assert places.why_not_writable(tmp_path / "not" / "made" / "yet") is None
    (tmp_path / "file").write_text("")
    assert places.why_not_writable(tmp_path / "file") is not None
    assert places.why_not_writable(tmp_path / "file" / "below") is not None
