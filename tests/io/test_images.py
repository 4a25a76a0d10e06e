"""Pictures of every kind that people have, as RGB the right way up; what is no picture is refused in a sentence."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cloud_transformers.errors import InputError
from cloud_transformers.io.images import read_image

RAMP = np.linspace(0, 255, 24, dtype=np.uint8).reshape(4, 6)


def test_the_camera_was_held_sideways(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by a quarter to see it upright
    wide = Image.fromarray(np.repeat(RAMP[..., None], 3, axis=2)).resize((60, 40))
    wide.save(tmp_path / "a.jpg", exif=exif, quality=100)
    image = read_image(tmp_path / "a.jpg")
    assert image.shape == (60, 40, 3)
    np.testing.assert_allclose(image, np.rot90(np.asarray(wide), -1), atol=8)


@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_sixteen_bits_of_grey(suffix: str, tmp_path: Path) -> None:
    Image.fromarray(RAMP.astype(np.uint16) * 257).save(tmp_path / f"a{suffix}")
    np.testing.assert_array_equal(read_image(tmp_path / f"a{suffix}")[..., 0], RAMP)


def test_floats_of_grey(tmp_path: Path) -> None:
    Image.fromarray((RAMP / 255).astype(np.float32)).save(tmp_path / "a.tif")
    np.testing.assert_array_equal(read_image(tmp_path / "a.tif")[..., 0], RAMP)
    Image.fromarray(RAMP.astype(np.float32) * 9).save(tmp_path / "b.tif")
    with pytest.raises(InputError, match="runs from 0 to 2295"):
        read_image(tmp_path / "b.tif")


def test_printers_inks(tmp_path: Path) -> None:
    ink = np.zeros((4, 6, 4), np.uint8)
    ink[:, :3, 0] = 255  # cyan is the lack of red
    Image.fromarray(ink, mode="CMYK").save(tmp_path / "a.tif")
    image = read_image(tmp_path / "a.tif")
    np.testing.assert_array_equal(image[0, 0], [0, 255, 255])
    np.testing.assert_array_equal(image[0, 5], [255, 255, 255])


def test_palettes_and_transparency(tmp_path: Path) -> None:
    picture = Image.fromarray(np.array([[0, 1]], np.uint8), mode="P")
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.save(tmp_path / "a.png", transparency=1)
    np.testing.assert_array_equal(read_image(tmp_path / "a.png")[0], [[255, 0, 0], [255, 255, 255]])
    np.testing.assert_array_equal(read_image(tmp_path / "a.png", alpha="dropped")[0], [[255, 0, 0], [0, 0, 255]])


def test_the_first_of_moving_pictures(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (4, 4), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    np.testing.assert_array_equal(read_image(tmp_path / "a.gif")[0, 0], [255, 0, 0])


def test_phones_of_one_maker(tmp_path: Path) -> None:
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    with pytest.raises(InputError, match="HEIC"):
        read_image(tmp_path / "a.heic")


def test_only_formats_of_pictures_are_tried(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
    with pytest.raises(InputError, match="not a readable picture"):
        read_image(tmp_path / "a.png")


def test_a_size_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 12_000, 10_000, 8, 2, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(InputError, match=r"12,000 x 10,000 pixels"):
        read_image(tmp_path / "a.png")


def test_damaged_tags_are_one_sentence(tmp_path: Path) -> None:
    """The place of a TIFF's pixels as a fraction: Pillow has no exception of its own for that."""
    path = tmp_path / "a.tif"
    Image.new("RGB", (4, 4)).save(path)
    content = bytearray(path.read_bytes())
    (first,) = struct.unpack_from("<I", content, 4)
    (count,) = struct.unpack_from("<H", content, first)
    for entry in range(first + 2, first + 2 + 12 * count, 12):
        if struct.unpack_from("<H", content, entry) == (273,):
            struct.pack_into("<HII", content, entry + 2, 5, 1, 8)
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a readable picture"):
        read_image(path)
