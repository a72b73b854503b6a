"""Collects scenario files as test items.

A file `*.yaml` or `*.yml` of the kind `scenario` is one test. It fails with the line and the reason of each failed
expectation.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import _binary
from ._run import Failure, call_run, failures_of

#: The line of a file that declares a scenario, or the beginning of such a file in the flow style of YAML or in JSON.
_KIND = re.compile(
    rb"""(?:^|\A\s*\{\s*)["']?kind["']?[ \t]*:[ \t]*["']?scenario["']?[ \t]*(?:[,}#\r]|$)""", re.MULTILINE
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option for the engine under test."""
    parser.getgroup("triggerbench").addoption(
        "--triggerbench-engine",
        metavar="COMMAND",
        help="Run scenario files with this engine, which runs in its own process, instead of the built-in one.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """Collects a scenario file."""
    if file_path.suffix not in (".yaml", ".yml") or not _KIND.search(file_path.read_bytes()):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    """A scenario file."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Yields the only test of the file, which has its name."""
        yield ScenarioItem.from_parent(self, name=self.path.stem)


class ScenarioItem(pytest.Item):
    """The run of a scenario file."""

    def runtest(self) -> None:
        """Runs the file.

        Raises:
            ScenarioFailed: An expectation failed, or the file cannot be used.
        """
        folder = tempfile.mkdtemp(prefix="triggerbench-")
        try:
            arguments = _binary.options(
                engine=self.config.getoption("triggerbench_engine"),
                # Files may refer to others below the root folder of the tests.
                allow_path=[self.config.rootpath], reports=Path(folder) / "reports", jobs=1,
            )  # fmt: skip
            report, code, messages = call_run(arguments, self.path)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if messages:
            self.add_report_section("call", "triggerbench", messages)
        if code != _binary.OK:
            raise ScenarioFailed(failures_of(report), messages)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Returns the failures in the words of the command line."""
        if isinstance(excinfo.value, ScenarioFailed):
            return excinfo.value.text(self.config.invocation_params.dir)
        if isinstance(excinfo.value, _binary.TriggerBenchError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Returns the place and the name of the test."""
        return self.path, None, f"scenario {self.name}"


class ScenarioFailed(Exception):
    """A scenario did not pass."""

    def __init__(self, failures: list[Failure], messages: str) -> None:
        super().__init__(failures, messages)
        self.failures = failures
        self.messages = messages

    def text(self, folder: Path) -> str:
        """Returns the failures, with files relative to a folder."""
        text = "\n".join(str(failure) for failure in self.failures) or self.messages.strip()
        return text.replace(f"{folder}/", "")
