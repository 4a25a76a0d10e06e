"""The colours of the classes in the box can be told apart: by everyone, on a light page and on a dark one."""

import re

import numpy as np
import pytest

from cloud_transformers.class_colors import ROOM_COLORS
from cloud_transformers.viewer import asset

# What eyes without one kind of cones make of linear red, green and blue (Machado, Oliveira and Fernandes, 2009).
SEEN_BY = {
    "most people": np.eye(3),
    "deuteranopes": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopes": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "tritanopes": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def oklab(colors: np.ndarray, eyes: str = "most people") -> np.ndarray:
    """Colours [K, 3] of 0 to 255 where distances are alike to differences that are seen; 0.02 is just noticed."""
    share = colors / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = (linear @ np.transpose(SEEN_BY[eyes])).clip(0, 1)
    return np.cbrt(seen @ np.transpose(TO_CONES)) @ np.transpose(TO_OKLAB)


def distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.linalg.norm(first[:, None] - second[None], axis=-1)


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_any_two_classes_of_rooms_differ(eyes: str) -> None:
    places = oklab(np.array(list(ROOM_COLORS.values())), eyes)
    apart = distances(places, places)[np.triu_indices(len(places), 1)]
    assert apart.min() > (0.11 if eyes == "most people" else 0.065)


def test_all_classes_of_rooms_stand_out_of_both_pages() -> None:
    pages = re.findall(r"--cv-page: ?#([0-9a-f]{6})", asset("viewer.css"))
    assert len(pages) == 2  # light and dark
    backgrounds = np.array([list(bytes.fromhex(each)) for each in pages])
    assert distances(oklab(np.array(list(ROOM_COLORS.values()))), oklab(backgrounds)).min() > 0.15
