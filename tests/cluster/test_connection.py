"""The way to a cluster: what is wrong with it is one sentence, and soon."""

import importlib.util
import socket
from pathlib import Path
from typing import Any

import pytest

from cloud_transformers import cli
from cloud_transformers.cluster.connection import check_address, connected
from cloud_transformers.cluster.resources import plan_workers
from cloud_transformers.errors import InputError

GB = 1 << 30


@pytest.mark.parametrize("good", ["ray", "auto", "head:6379", "10.0.0.1:6379", "ray://head.example:10001"])
def test_addresses_that_are_understood(good: str) -> None:
    assert check_address(good) == good


@pytest.mark.parametrize("bad", ["", "rya", "head", "http://head:8265", "head:port", "ray://head"])
def test_others_are_one_sentence(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="write ray for this machine"):
        check_address(bad)
    with pytest.raises(SystemExit):
        cli.main(["classify", "a.ply", "--on", bad])
    assert "write ray for this machine" in capsys.readouterr().err


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ray" else found(name))
    with pytest.raises(InputError, match=r"pip install 'cloud-transformers\[cluster\]'"), connected("ray"):
        pass


def _silent() -> socket.socket:
    """Takes connections and never says a word."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    return listening


@pytest.mark.parametrize("prefix", ["", "ray://"])
def test_an_address_nobody_answers_at_is_one_sentence(prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setattr("cloud_transformers.cluster.connection._SECONDS", 0.5)
    with _silent() as listening:
        address = f"{prefix}127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(InputError, match=f"--on {address}: no Ray answers at {address}"), connected(address):
            pass
    with pytest.raises(InputError, match="no Ray answers"), connected(f"{prefix}127.0.0.1:1"):
        pass


def test_auto_without_a_cluster_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")

    def nothing(address: str, folder: Any) -> str:
        raise ConnectionError

    monkeypatch.setattr("ray._private.services.get_ray_address_from_environment", nothing)
    with pytest.raises(InputError, match="no cluster runs on this machine"), connected("auto"):
        pass


def test_workers_share_the_cores_and_keep_to_the_memory() -> None:
    def planned(*machines: tuple[int, int, int], wanted: int | None = None, device: str | None = "cpu") -> Any:
        known = [{"CPU": cpus, "memory": gigabytes * GB, "GPU": gpus} for cpus, gigabytes, gpus in machines]
        plan = plan_workers(known, wanted=wanted, memory=2 * GB, device=device)
        return plan.count, plan.cpus, plan.gpus

    assert planned((2, 24, 0)) == (2, 1, 0)
    assert planned((8, 24, 0), wanted=2) == (2, 4, 0)
    assert planned((8, 5, 0)) == (2, 4, 0)  # memory for two
    assert planned((64, 500, 0), wanted=1) == (1, 8, 0)
    assert planned((4, 24, 0), (2, 24, 0), wanted=2) == (2, 2, 0)  # either may lie on the small machine
    assert planned((8, 64, 2), (8, 64, 0), device=None) == (2, 8, 1)  # cards, where there are some
    assert planned((8, 64, 2), device="cpu") == (8, 1, 0)
    with pytest.raises(InputError, match="no machine of the cluster has room"):
        planned((8, 1, 0))
    with pytest.raises(InputError, match="graphics card"):
        planned((8, 64, 0), device="cuda")


@pytest.mark.cluster
def test_a_ray_of_ones_own_ends_with_the_block_and_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("ray")
    import os

    monkeypatch.setenv("HOME", str(tmp_path))
    before = dict(os.environ)
    with connected("ray", cpus=1) as ray:
        assert ray.cluster_resources()["CPU"] == 1
        folder = Path(ray._private.worker._global_node.get_temp_dir_path())
        assert folder.exists()
        with connected("auto") as same:
            assert same is ray
        assert ray.is_initialized()
    assert not ray.is_initialized()
    assert not folder.exists()
    assert not list(tmp_path.iterdir())
    left = {name: value for name, value in os.environ.items() if before.get(name) != value}
    assert not [name for name in left if name not in ("RAY_AUTH_MODE", "RAY_CLIENT_MODE")]
