"""An InputError is a sentence, and its parts."""

import pickle
from pathlib import Path

import pytest

from cloud_transformers import io
from cloud_transformers.errors import InputError


def test_the_sentence_is_made_of_its_parts() -> None:
    assert str(InputError("choose another")) == "choose another"
    assert str(InputError("is empty", path=Path("a.ply"))) == "a.ply: is empty"
    assert str(InputError("is not a number", path="a.ply", place="line 3")) == "a.ply, line 3: is not a number"
    assert str(InputError("line 3 is empty", path="a.ply", place="line 3")) == "a.ply: line 3 is empty"


def test_it_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(InputError("is not a number", path="a.ply", place="line 3")))
    assert (str(error), error.path, error.place, error.text) == (
        "a.ply, line 3: is not a number",
        "a.ply",
        "line 3",
        "is not a number",
    )


def test_readers_fill_in_the_parts(tmp_path: Path) -> None:
    path = tmp_path / "a.xyz"
    path.write_text("1 2 3\n4 5 6\n7 oops 9\n")
    with pytest.raises(InputError) as caught:
        io.read(path)
    assert (caught.value.path, caught.value.place) == (str(path), "line 3")
    assert str(caught.value) == f"{path}: line 3 has 'oops' where a number belongs"
