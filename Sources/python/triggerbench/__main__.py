"""The command `triggerbench`, and `python -m triggerbench`."""

from __future__ import annotations

import os
import sys

from ._binary import TriggerBenchError, find


def main() -> None:
    """Replaces this process by the executable; `experiment FILE --dask ADDRESS` runs on a Dask cluster instead."""
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["experiment"] and any(word.split("=")[0] == "--dask" for word in arguments):
            from ._dask import main as experiment

            sys.exit(experiment(arguments[1:]))
        binary = find()
        os.execv(binary, [binary, *arguments])
    except TriggerBenchError as problem:
        sys.exit(f"triggerbench: {problem}")


if __name__ == "__main__":
    main()
