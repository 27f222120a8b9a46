"""What ARCHITECTURE.md points at is there, and no room of the package is left out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
LAYERS = (ROOT / "pyproject.toml").read_text("utf-8").split("layers = [")[1].split("]")[0]
ROOMS = re.findall(r"\w+", LAYERS.partition('"_util"')[0])


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:pytest_bayesf1|tests|docs)/[\w/.]+)`", PAGE))))
def test_every_path_exists(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_in_the_picture(room):
    assert f'{room}["{room}: ' in PAGE


def test_arrows_point_downwards():
    """The layers of the import contract, top first, as the picture has them."""
    heights = {room: n for n, layer in enumerate(LAYERS.split(",")) for room in re.findall(r"\w+", layer)}
    arrows = re.findall(r'^    (\w+)\[".*?"\] --> (.*)$', PAGE, flags=re.MULTILINE)
    assert {upper for upper, _ in arrows} == set(ROOMS)
    for upper, lower in arrows:
        for room in re.findall(r"^\w+|(?<=& )\w+", lower):
            assert heights[upper] < heights[room]
