"""The memory of the machine, and limits of containers in both versions of control groups."""

from pathlib import Path

import psutil
import pytest

from cloud_transformers.memory import available_memory, group_limits

MB = 1 << 20
MACHINE = psutil.virtual_memory().total


def system(root: Path, groups: str, files: dict[str, str]) -> Path:
    for name, text in {"proc/self/cgroup": groups, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="ascii")
    return root


@pytest.mark.parametrize(
    ("groups", "files", "limit"),
    [
        ("0::/a/b", {"sys/fs/cgroup/a/b/memory.max": "max", "sys/fs/cgroup/a/memory.max": str(64 * MB)}, 64 * MB),
        ("0::/", {"sys/fs/cgroup/memory.max": str(32 * MB)}, 32 * MB),
        ("0::/", {}, None),
        (
            "9:cpu:/x\n4:memory:/docker/1f",
            {
                "sys/fs/cgroup/memory/docker/1f/memory.limit_in_bytes": str(48 * MB),
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str((1 << 63) - 4096),
            },
            48 * MB,
        ),
        # In a container the path is that of the machine outside, and only the group itself is mounted.
        ("4:cpu,memory:/docker/1f", {"sys/fs/cgroup/memory/memory.limit_in_bytes": str(16 * MB)}, 16 * MB),
    ],
)
def test_the_lowest_limit_counts(tmp_path: Path, groups: str, files: dict[str, str], limit: int | None) -> None:
    root = system(tmp_path, groups, files)
    assert min(group_limits(root), default=None) == limit
    assert available_memory(root) == (limit or MACHINE)


def test_without_control_groups_it_is_the_machine_s(tmp_path: Path) -> None:
    assert available_memory(tmp_path) == MACHINE
    assert 0 < available_memory() <= MACHINE
