"""Several processes in each other's way: one works, the others say who it is, and what is left over harms nobody."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cloud_transformers as ct
from cloud_transformers.errors import InputError
from cloud_transformers.ownership import owning
from tests.engine import toy
from tests.predict.scene.scenes import room
from tests.predict.scene.test_streamed import Mortal, segmented

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from pathlib import Path
from cloud_transformers.ownership import owning

with owning(Path(sys.argv[1]), "at work"):
    print("here", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    ct.write(tmp_path / "scene.ply", room(6000))
    return tmp_path / "scene.ply"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_lock_dies_with_its_holder(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    command = [sys.executable, "-c", HOLDER, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"here\n"
        with pytest.raises(InputError, match=f"process {holder.pid} on .* is busy already"), owning(lock, "busy"):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        assert lock.exists()
        with owning(lock, "busy"):
            pass
    assert not lock.exists()


def test_two_of_the_same_segmentation(tmp_path: Path, scene: Path) -> None:
    class Second(Mortal):
        """Whoever is asked for an answer starts the same command once more."""

        def __call__(self, positions, features):
            if self.calls == 5:
                with pytest.raises(InputError, match=r"process \d+ on .* is segmenting .*scene\.ply to .*out\.ply"):
                    segmented(scene, tmp_path / "out.ply", tile_points=1500)
            return super().__call__(positions, features)

    segmented(scene, tmp_path / "whole.ply", tile_points=1500)
    segmented(scene, tmp_path / "out.ply", tile_points=1500, scorer=Second(1000, RuntimeError()))
    assert (tmp_path / "out.ply").read_bytes() == (tmp_path / "whole.ply").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.ply", "scene.ply", "whole.ply"]


@pytest.mark.parametrize(
    "name", ["spooled.json", "position", "number", "label", "confidence", "thin_values", "stands_for"]
)
@pytest.mark.parametrize("kind", ["short", "gone"])
def test_an_inconsistent_work_folder_is_begun_anew(tmp_path: Path, scene: Path, name: str, kind: str) -> None:
    from cloud_transformers.predict.scene import SceneSettings

    settings = SceneSettings(cell=0.05)
    out = tmp_path / "out.ply"
    with pytest.raises(KeyboardInterrupt):
        segmented(scene, out, tile_points=1500, settings=settings, scorer=Mortal(5, KeyboardInterrupt()))
    damaged = sorted(tmp_path.glob(f".out.ply.*.work/**/{name}"))[0]
    if kind == "gone":
        damaged.unlink()
    else:
        damaged.write_bytes(damaged.read_bytes()[:-3])
    segmented(scene, out, tile_points=1500, settings=settings)
    segmented(scene, tmp_path / "whole.ply", tile_points=1500, settings=settings)
    assert out.read_bytes() == (tmp_path / "whole.ply").read_bytes()
    assert not list(tmp_path.glob(".*"))


def test_two_trainings_into_one_folder(tmp_path: Path) -> None:
    class Second(toy.Shapes):
        reads = 0

        def read(self, index, rng, epoch):
            Second.reads += 1
            if Second.reads == 9:
                with pytest.raises(InputError, match=r"process \d+ on .* is training into"):
                    toy.run(tmp_path / "run")
            return super().read(index, rng, epoch)

    toy.run(tmp_path / "run", dataset=toy.Dataset(Second(20)))
    steps = [record["step"] for record in toy.RunFolder(tmp_path / "run").records()]
    assert steps == [1, 2, 3, 4, 5, 6]
    assert not (tmp_path / "run/.lock").exists()
