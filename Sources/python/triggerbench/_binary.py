"""Finds the executable `triggerbench`, and calls it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

#: The exit codes of the tool.
OK, FAILED, REFUTED, INCONCLUSIVE = 0, 1, 2, 5

StrPath = str | os.PathLike[str]


class TriggerBenchError(RuntimeError):
    """The tool could not do its work. The message is that of the tool."""


def find() -> str:
    """Returns the path of the executable.

    It is the one inside the package, else the one that the environment variable `TRIGGERBENCH` names, else the
    first one on the `PATH`.
    """
    packaged = Path(__file__).parent / "bin" / "triggerbench"
    if packaged.is_file():
        return str(packaged)
    if named := os.environ.get("TRIGGERBENCH"):
        if found := shutil.which(named):
            return found
        raise TriggerBenchError(f"TRIGGERBENCH names no executable: {named}")
    for folder in os.get_exec_path():
        found = shutil.which("triggerbench", path=folder)
        if found and not _is_script(found):
            return found
    raise TriggerBenchError(
        "there is no executable 'triggerbench'; install the wheel of this platform, put the executable on the PATH, "
        "or name it with the environment variable TRIGGERBENCH"
    )


def _is_script(path: str) -> bool:
    """Whether a file is a script, such as the console script of this package, which would call itself."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def call(
    arguments: Sequence[str], *, accepting: Iterable[int] = (OK,), binary: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs the tool and returns its exit code, output and messages.

    Raises:
        TriggerBenchError: The exit code is not one of `accepting`.
    """
    done = subprocess.run(
        [binary or find(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode not in accepting:
        raise failure(done)
    return done


def failure(done: subprocess.CompletedProcess[str]) -> TriggerBenchError:
    """Returns the error that describes an unsuccessful call."""
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
    return TriggerBenchError(done.stderr.strip() or f"triggerbench ended with {how} and no message")


def options(**values: object) -> list[str]:
    """Returns the arguments for options, without those that are `None` or `False`.

    `allow_path=["a", "b"]` becomes `--allow-path a --allow-path b`, and `settings={"seed": 7}` becomes
    `--set seed=7`.
    """
    arguments: list[str] = []
    for name, value in values.items():
        option = "--set" if name == "settings" else "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                word = str(item).lower() if isinstance(item, bool) else item
                arguments += [option, f"{key}={word}"]
        elif isinstance(value, (str, os.PathLike, int)):
            arguments += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        elif isinstance(value, Iterable):
            for item in value:
                arguments += [option, os.fspath(item)]
        else:
            raise TypeError(f"{name}: {value!r} is no value of an option")
    return arguments


def path_list(paths: StrPath | Iterable[StrPath]) -> list[str]:
    """Returns one path or several as a list."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]
