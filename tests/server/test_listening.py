"""Where the portal listens."""

from __future__ import annotations

import socket

import pytest

from affectcheck.cli.serve import _listening
from affectcheck.errors import InputError


def test_answers_do_not_wait_for_more_to_send() -> None:
    """asyncio turns Nagle's delay off where a socket names its protocol, and nowhere else."""
    with _listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_in_use_is_told() -> None:
    with _listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen at 127.0.0.1 port {port}"), _listening("127.0.0.1", port):
            pass
