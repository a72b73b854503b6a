"""The command `triggerbench`, and `python -m triggerbench`."""

from __future__ import annotations

import os
import sys

from ._binary import TriggerBenchError, find


def main() -> None:
    """Replaces this process by the executable."""
    arguments = sys.argv[1:]
    try:
        binary = find()
        os.execv(binary, [binary, *arguments])
    except TriggerBenchError as problem:
        sys.exit(f"triggerbench: {problem}")


if __name__ == "__main__":
    main()
