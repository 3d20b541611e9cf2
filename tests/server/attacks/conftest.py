"""Browsers and programs against one portal, as the folders beside this one have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..api.conftest import Client, Programs  # noqa: TID252  # tests are no package
from ..web.conftest import app, loop, person  # noqa: F401, TID252  # its fixtures are those of this folder too

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from fastapi import FastAPI

    from affectcheck.server.portal import Portal


@pytest.fixture
def programs(app: FastAPI, loop: BlockingPortal, sqlite_portal: Portal) -> Programs:  # noqa: F811
    return Programs(Client(app, loop), sqlite_portal)
