"""Web servers that answer what nobody asked for: each is one sentence, and none is read for ever."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat

import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError

LENGTH = 20 << 20
SOUND = f'HTTP/1.1 200 OK\r\nContent-Length: {LENGTH}\r\nETag: "1"\r\nConnection: close\r\n\r\n'.encode()


@contextmanager
def rude_server(answer: Callable[[str], Iterable[bytes]]) -> Iterator[tuple[str, list[int]]]:
    """Its address, and how many bytes of each answer were sent; an answer is whatever the function says, raw."""
    sent: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_serve, args=(listening, answer, sent), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", sent


def _serve(listening: socket.socket, answer: Callable[[str], Iterable[bytes]], sent: list[int]) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                request = connection.recv(1 << 16).decode("latin1")
                sent.append(0)
                for part in answer(request):
                    connection.sendall(part)
                    sent[-1] += len(part)


def test_a_part_without_end_is_not_read_to_its_end() -> None:
    part = b'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-131072/20971520\r\nETag: "1"\r\n\r\n'

    def answer(request: str) -> Iterable[bytes]:
        return [SOUND] if request.startswith("HEAD") else chain([part], repeat(bytes(1 << 16)))

    with rude_server(answer) as (address, sent):
        with pytest.raises(InputError, match=r"sends more than was asked for"):
            ct.read(f"{address}/a.las")
        assert sum(sent) < LENGTH


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Range: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Range: bytes 0-1/abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nLast-Modified: Mon, 01 Jan 0001 00:00:00 +2359\r\nContent-Length: 5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nETag: \x1b[2J\x07\r\nContent-Length: 5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/9.9 999 Nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"",
    ],
    ids=lambda head: repr(head[15:50]),
)
def test_nonsense_is_one_sentence(head: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with rude_server(lambda request: [head]) as (address, _):
        assert main(["info", f"{address}/a.las?signature=secret"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "a.las?..." in said
    assert "secret" not in said
    assert "\x1b" not in said
