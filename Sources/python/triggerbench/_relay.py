"""Connects standard input and output to a socket. The bench starts this file as the process of an engine."""

import os
import select
import socket
import sys


def main(path: str) -> None:
    """Relays bytes in both directions until the socket closes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        sources: list[int] = [0, connection.fileno()]
        while True:
            for ready in select.select(sources, [], [])[0]:
                data = os.read(ready, 1 << 16)
                if ready == 0:
                    connection.sendall(data)
                    if not data:
                        connection.shutdown(socket.SHUT_WR)
                        sources.remove(0)
                elif not data:
                    return
                else:
                    _write(data)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main(sys.argv[1])
