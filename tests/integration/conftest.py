"""The tiny world and its homes, made once; a test that changes one works on a copy."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from homes import Home, open_home
from tiny import World, write_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The files of the tiny world; do not change them."""
    return write_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def embedded(world: World, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The whole graph of the publication-profile cohort, made; do not change it."""
    home = open_home(tmp_path_factory.mktemp("embedded"), world)
    home.run()
    return home


@pytest.fixture(scope="session")
def workstation(world: World, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The whole graph of the phenopacket cohort, made; do not change it."""
    home = open_home(tmp_path_factory.mktemp("workstation"), world, "workstation")
    home.run()
    return home


@pytest.fixture
def own_world(tmp_path: Path) -> World:
    """A world of the test's own."""
    return write_world(tmp_path / "world")


@pytest.fixture
def copy_of(tmp_path: Path) -> Callable[..., Home]:
    """Copy a made home, to be changed at will; it may be opened under other settings or checks."""

    def copy(home: Home, world: World, checks: list | None = None) -> Home:
        target = tmp_path / "home"
        shutil.copytree(home.platform.home_path, target)
        return open_home(target, world, home.platform.profile, checks=checks)

    return copy
