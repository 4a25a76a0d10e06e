"""3MF: what is built, where it is built, in metres; and archives made to do harm."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.io import limits

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
    'Target="/3D/main.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
TRIANGLE = (
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
    '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
)
SAME_FACE = '<triangle v1="0" v2="1" v3="2"/>'
COMPONENT = '<component objectid="{}"/>'
MOVED = "1 0 0 0 1 0 0 0 1 10 20 30"
TURNED = "0 1 0 -1 0 0 0 0 1 0 0 0"  # rows times matrix: x becomes y


def archive(path: Path, resources: str, build: str, *, unit: str | None = None, head: str = "", **parts: str) -> Path:
    said = "" if unit is None else f'unit="{unit}"'
    model = (
        f'<model {said} xmlns="{CORE}" xmlns:p="{PRODUCTION}"><resources>{resources}</resources><build>{build}</build>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_rels/.rels", RELATIONS)
        file.writestr("3D/main.model", f"{head}{model}</model>")
        for name, text in parts.items():
            file.writestr(f"3D/{name}.model", f'<model xmlns="{CORE}"><resources>{text}</resources><build/></model>')
    return path


def corners(path: Path) -> list[list[float]]:
    return io.read(path, vertices=True).world.tolist()


@pytest.mark.parametrize(("unit", "metres"), [(None, 0.001), ("inch", 0.0254), ("foot", 0.3048), ("micron", 1e-6)])
def test_the_unit_is_the_files_own(unit: str | None, metres: float, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.3mf", f'<object id="1">{TRIANGLE}</object>', '<item objectid="1"/>', unit=unit)
    np.testing.assert_allclose(corners(path), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]) * metres, rtol=1e-6)


def test_components_items_and_other_parts_are_placed(tmp_path: Path) -> None:
    resources = (
        f'<object id="1">{TRIANGLE}</object><object id="9" type="support">{TRIANGLE}</object>'
        f'<object id="2"><components><component objectid="1" transform="{TURNED}"/></components></object>'
        f'<object id="3"><components><component objectid="7" p:path="/3D/other.model"/></components></object>'
        f'<object id="4">{TRIANGLE}</object>'
    )
    build = f'<item objectid="2" transform="{MOVED}"/><item objectid="3"/><item objectid="9"/>'
    large = TRIANGLE.replace('x="1"', 'x="5"').replace('y="1"', 'y="5"')
    path = archive(tmp_path / "a.3mf", resources, build, unit="meter", other=f'<object id="7">{large}</object>')
    found = sorted(map(tuple, np.round(corners(path), 6).tolist()))
    turned = [(10, 20, 30), (10, 21, 30), (9, 20, 30)]
    assert found == sorted([*turned, (0, 0, 0), (5, 0, 0), (0, 5, 0)])  # neither the support nor what nobody builds


@pytest.mark.parametrize(
    ("resources", "build", "head"),
    [
        ('<object id="1"/>', '<item objectid="2"/>', ""),
        ("<object id='1'><mesh><vertices><vertex x='a' y='0' z='0'/></vertices></mesh></object>", "", ""),
        (f'<object id="1">{TRIANGLE.replace("v3=", "v9=")}</object>', '<item objectid="1"/>', ""),
        (f'<object id="1">{TRIANGLE.replace("2", "7")}</object>'.replace("v7", "v2"), '<item objectid="1"/>', ""),
        ('<object id="1"/>', '<item objectid="1"/>', ""),
        ('<object id="1"/>', '<item objectid="1" transform="1 2 3"/>', ""),
        ('<object id="1"/>', '<item objectid="1"/>', '<!DOCTYPE a [<!ENTITY b "ccc">]>'),
        ('<object id="1"><components><component objectid="1"/></components></object>', '<item objectid="1"/>', ""),
        ('<object id="1"', "", ""),
    ],
)
def test_what_is_wrong_is_a_sentence(resources: str, build: str, head: str, tmp_path: Path, capsys) -> None:
    path = archive(tmp_path / "wrong.3mf", resources, build, head=head)
    assert main(["info", str(path)]) == 2
    message = capsys.readouterr().err
    assert "wrong.3mf" in message
    assert message.count("\n") == 1


def test_what_swells_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE_BYTES", 1 << 17)
    spaces = archive(tmp_path / "spaces.3mf", " " * 10_000_000, "")
    with pytest.raises(InputError, match=r"more than 40 times its size.*--max-expand"):
        io.read(spaces, vertices=True)
    doubled = "".join(
        f'<object id="{n + 1}"><components>{2 * f"<component objectid={chr(34)}{n}{chr(34)}/>"}</components></object>'
        for n in range(40)
    )
    laughs = archive(tmp_path / "laughs.3mf", f'<object id="0">{TRIANGLE}</object>{doubled}', '<item objectid="40"/>')
    with pytest.raises(InputError, match="more than 40 times its size"):
        io.read(laughs, vertices=True)


HARM = {
    "objects": ("".join(f'<object id="{number}"/>' for number in range(9000)), ""),
    "items": (f'<object id="1">{TRIANGLE}</object>', '<item objectid="1"/>' * 5000),
    "triangles": (f'<object id="1">{TRIANGLE.replace("<triangles>", "<triangles>" + SAME_FACE * 50_000)}</object>', ""),
    "depth": ("<a>" * 50_000, ""),
    "nothing, doubled": (
        '<object id="0"/>'
        + "".join(
            f'<object id="{n + 1}"><components>{2 * COMPONENT.format(n)}</components></object>' for n in range(40)
        ),
        '<item objectid="40"/>',
    ),
}


@pytest.mark.parametrize("name", HARM)
def test_what_elements_take_is_counted(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in small what took gigabytes or for ever in 64 MB of text that shrink to a few kilobytes."""
    monkeypatch.setattr(limits, "FREE_BYTES", 1 << 17)
    path = archive(tmp_path / "harm.3mf", *HARM[name])
    with pytest.raises(InputError, match=r"harm\.3mf: .*more than 40 times its size.*--max-expand"):
        io.read(path, vertices=True)


def test_more_can_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE_BYTES", 1 << 17)
    path = archive(tmp_path / "items.3mf", f'<object id="1">{TRIANGLE}</object>', '<item objectid="1"/>' * 5000)
    assert len(io.read(path, vertices=True, max_expand=1e5)) == 15_000
    assert main(["info", str(path), "--max-expand", "100000"]) == 0


def test_long_tags_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "long.3mf", f"<!--{'a' * 6_000_000}-->", "")
    with pytest.raises(InputError, match=r"one of its tags is longer than 4 MB"):
        io.read(path, vertices=True)
