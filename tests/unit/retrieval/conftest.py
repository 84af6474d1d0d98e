"""One open index an engine."""

import pytest
from indexes import NO_SERVER, URL, drop, open_engine


@pytest.fixture(params=["edge", "memory", "server"])
def index(request, tmp_path):
    if request.param == "server" and not URL:
        pytest.skip(NO_SERVER)
    opened = open_engine(request.param, tmp_path)
    yield opened
    drop(opened)
