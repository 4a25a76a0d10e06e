"""A scene behind a URL, of which many processes read a range each."""

from pathlib import Path

import pytest

import cloud_transformers as ct
from cloud_transformers.predict.scene import ranged
from cloud_transformers.remote import copies, located
from tests.predict.scene.scenes import ByHeight, room
from tests.predict.scene.test_ranged import POINTS, Helped, segmented
from tests.remote.servers import WebServer


@pytest.mark.parametrize("suffix", [".las", ".laz"])
@pytest.mark.parametrize("with_ranges", [True, False])
def test_the_answer_is_that_of_the_file(
    web: WebServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, with_ranges: bool
) -> None:
    """A server without ranges would send the whole for each, so there one process reads the copy."""
    monkeypatch.setattr(ranged, "PART", 1000)
    monkeypatch.setattr(ranged, "_LEAST", 1000)
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    monkeypatch.setattr("cloud_transformers.io.las._READ_BYTES", 1 << 18)
    near = tmp_path / f"scene{suffix}"
    ct.write(near, room(POINTS, width=9.0, depth=9.0), scale=0.0001)
    web.files, web.ranges = {f"/scene{suffix}": near.read_bytes()}, with_ranges
    helped = Helped()
    segmented(near, tmp_path / "here.las", ByHeight())
    segmented(located(web.url + f"/scene{suffix}"), tmp_path / "far.las", helped)
    assert (tmp_path / "far.las").read_bytes() == (tmp_path / "here.las").read_bytes()
    assert ("_Surveying" in helped.elsewhere.steps) == with_ranges
