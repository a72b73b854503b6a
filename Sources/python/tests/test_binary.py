"""Where the executable is found, and what a failed call says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import triggerbench
from triggerbench import _binary


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package without an executable, and an empty `PATH`."""
    monkeypatch.setattr(_binary, "__file__", str(tmp_path / "package" / "_binary.py"))
    monkeypatch.delenv("TRIGGERBENCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    return tmp_path


def test_the_package_comes_before_the_variable_and_the_variable_before_the_path(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path = executable(nowhere / "path" / "triggerbench", "\x7fELF")
    assert triggerbench.find() == str(on_path)
    named = executable(nowhere / "named", "\x7fELF")
    monkeypatch.setenv("TRIGGERBENCH", str(named))
    assert triggerbench.find() == str(named)
    packaged = executable(nowhere / "package" / "bin" / "triggerbench", "\x7fELF")
    assert triggerbench.find() == str(packaged)


def test_the_console_script_does_not_find_itself(nowhere: Path) -> None:
    executable(nowhere / "path" / "triggerbench", "#!/usr/bin/python3\n")
    with pytest.raises(triggerbench.TriggerBenchError, match="put the executable on the PATH"):
        triggerbench.find()


def test_a_variable_that_names_nothing_is_reported(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGGERBENCH", str(nowhere / "missing"))
    with pytest.raises(triggerbench.TriggerBenchError, match="TRIGGERBENCH names no executable"):
        triggerbench.find()


def test_the_message_of_the_tool_is_the_error(tmp_path: Path) -> None:
    with pytest.raises(triggerbench.TriggerBenchError, match="there is no such file"):
        triggerbench.run(tmp_path / "missing.yaml")


def test_options_are_written_as_the_command_line_takes_them() -> None:
    assert _binary.options(seed=7, profile=None, json=True, plan=False) == ["--seed", "7", "--json"]
    assert _binary.options(allow_path=[Path("a"), "b"]) == ["--allow-path", "a", "--allow-path", "b"]
    assert _binary.options(settings={"a.b": 3, "c": True}) == ["--set", "a.b=3", "--set", "c=true"]
    with pytest.raises(TypeError, match="seed"):
        _binary.options(seed=1.5)


def test_the_module_replaces_itself_by_the_executable(tmp_path: Path) -> None:
    echo = executable(tmp_path / "echo", '#!/bin/sh\necho "$@"; exit 3\n')
    done = subprocess.run(
        [sys.executable, "-m", "triggerbench", "run", "a b", "--json"],
        env={**os.environ, "TRIGGERBENCH": str(echo)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("run a b --json\n", 3)
