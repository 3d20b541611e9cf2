"""``affectcheck serve`` and ``worker`` as processes: how they begin, refuse and end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from affectcheck.cli import app, serve, worker
from affectcheck.errors import EXIT_BAD_INPUT, EXIT_DONE
from portal_children import runs, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

for _verb in (serve, worker):
    if _verb.__name__.rpartition(".")[2] not in app.VERBS:
        _verb.register(app.app)

PROGRAM = """
import sys
from affectcheck.cli import app, serve, worker
for verb in (serve, worker):
    if verb.__name__.rpartition(".")[2] not in app.VERBS:
        verb.register(app.app)
serve._WORKER = (sys.executable, __file__, "worker")
sys.exit(app.run(sys.argv[1:]))
"""


@dataclass
class Server:
    process: subprocess.Popen[str]
    said: str
    address: str

    def workers(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(one) for one in path.read_text().split()]

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=20) as answer:
            return answer.read().decode()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def begin(program: Path, tmp_path: Path) -> Iterator[object]:
    begun: list[subprocess.Popen[str]] = []
    errors = (tmp_path / "errors").open("ab")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AFFECTCHECK_")}

    def make(*words: str, ready: str = r"first organiser: .*|serves .*") -> Server:
        process = subprocess.Popen(
            [sys.executable, str(program), *words],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        )
        begun.append(process)
        said = ""
        while not re.search(ready, said):
            line = process.stdout.readline()
            if not line:
                break
            said += line
        found = re.search(r"http://[\d.]+:\d+", said)
        return Server(process, said, found[0] if found else "")

    yield make
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait()
    errors.close()


@pytest.mark.slow
def test_it_serves_is_alone_and_ends_cleanly(begin, tmp_path: Path) -> None:
    data = str(tmp_path / "portal")
    server = begin("serve", "--data", data, "--port", "0", "--workers", "2", ready="first organiser.*")
    (code,) = re.findall(r"organiser\?code=(\S+)", server.said)
    assert len(code) > 20
    wait_for(lambda: len(server.workers()) == 2)
    workers = server.workers()

    def answers() -> bool:
        try:
            return "<html" in server.get("/")
        except OSError:
            return False

    wait_for(answers)
    second = begin("serve", "--data", data, "--port", "0")
    assert second.process.wait(60) == EXIT_BAD_INPUT
    port = server.address.rpartition(":")[2]
    third = begin("serve", "--data", str(tmp_path / "other"), "--port", port)
    assert third.process.wait(60) == EXIT_BAD_INPUT
    told = (tmp_path / "errors").read_text()
    assert "another server uses" in told
    assert f"cannot listen at 127.0.0.1 port {port}" in told
    assert not (tmp_path / "other").exists()
    assert Path(data).stat().st_mode & 0o777 == 0o700
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == EXIT_DONE
    assert not [number for number in workers if runs(number)]
    errors = (tmp_path / "errors").read_text()
    assert "Traceback" not in errors
    assert code not in errors
    assert errors.endswith("stopped\n")


@pytest.mark.slow
def test_workers_end_with_a_server_that_is_killed(begin, tmp_path: Path) -> None:
    server = begin("serve", "--data", str(tmp_path / "portal"), "--port", "0")
    wait_for(server.workers)
    workers = server.workers()
    server.process.kill()
    server.process.wait()
    wait_for(lambda: not [number for number in workers if runs(number)])
    again = begin("serve", "--data", str(tmp_path / "portal"), "--port", "0", "--workers", "0")
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait(60) == EXIT_DONE


@pytest.mark.slow
def test_a_worker_by_itself(begin, tmp_path: Path) -> None:
    data = str(tmp_path / "portal")
    alone = begin("worker", "--data", data)
    assert alone.process.wait(60) == EXIT_BAD_INPUT
    assert "a database of revision none" in (tmp_path / "errors").read_text()
    server = begin("serve", "--data", data, "--port", "0", "--workers", "0")
    assert server.address
    (Path(data) / "secret").chmod(0)  # of another user's, whose workers do without
    process = subprocess.Popen([sys.executable, str(tmp_path / "program.py"), "worker", "--data", data], stderr=subprocess.PIPE, text=True)  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("working for ")
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == EXIT_DONE
    process.stderr.close()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == EXIT_DONE


def test_an_address_that_is_not_here(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert app.run(["serve", "--data", str(tmp_path), "--host", "203.0.113.1"]) == EXIT_BAD_INPUT
    assert "cannot listen at 203.0.113.1" in capsys.readouterr().err


def test_a_port_in_use_is_told_before_anything_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert app.run(["serve", "--data", str(tmp_path / "portal"), "--port", port]) == EXIT_BAD_INPUT
    assert "a free port" in capsys.readouterr().err
    assert not (tmp_path / "portal").exists()
