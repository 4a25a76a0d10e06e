"""Text from outside cannot steer a terminal or a page."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.printable import PrintableStream, printable
from cloud_transformers.report.curves import curve

HARMFUL = "\x1b[2J\x9b31m\u202ename\x07\udc80"


def test_what_does_more_than_show_itself_is_spelt_out() -> None:
    assert printable(HARMFUL) == r"\u001b[2J\u009b31m\u202ename\u0007\udc80"
    assert printable("größe 点\t\n") == "größe 点\t\n"
    assert json.loads(printable(json.dumps(HARMFUL, ensure_ascii=False))) == HARMFUL


def test_bars_can_still_be_drawn() -> None:
    stream = PrintableStream(io.StringIO())
    for part in ("\rhalf", "\r", "", "two\rlines", "\rdone\r"):
        stream.write(part)
    assert stream.getvalue() == "\rhalf\rtwo\\u000dlines\rdone\r"


def test_names_of_files_and_fields(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a\x1b[2Jb.ply"
    ct.write(path, ct.PointCloud(positions=np.zeros((2, 3), np.float32)))
    assert main(["info", str(path)]) == 0
    (tmp_path / "bad\x1b[2J.ply").write_text("ply\nformat ascii 1.0\n\x1b]0;title\x07\nend_header\n")
    assert main(["info", str(tmp_path / "bad\x1b[2J.ply")]) == 2
    shown = capsys.readouterr()
    assert r"a\u001b[2Jb.ply" in shown.out
    assert r"bad\u001b[2J.ply" in shown.err
    assert not {"\x1b", "\x07"} & set(shown.out + shown.err)


def test_pages() -> None:
    page = curve(HARMFUL, [(0, 1.0), (1, 2.0)])
    assert r"\u001b[2J" in page
    assert not {"\x1b", "\x9b", "\u202e", "\x07", "\udc80"} & set(page)
