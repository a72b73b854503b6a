"""What the tests share. They need an executable: see `triggerbench.find`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

#: The root folder of the repository.
ROOT = Path(__file__).resolve().parents[3]

WATER = """\
kind: scenario
version: 1
title: A glass of water
start: 2026-03-02T08:00
zone: Europe/Berlin
reminders:
  water:
    when: unlock
    if: between 09:00 and 18:00
    repeat: always
    notify: {title: A glass of water, bucket: standard}
policy: {minimumInterval: 4 h, typeDailyCap: none}
timeline:
  - 09:30 unlock
  - 11:00 unlock
  - 14:00 unlock
  - 18:00 unlock
expect:
  - water fires once at 09:30
  - water never at 11:00
  - water fires once at 14:00
  - water never at 18:00
"""

ENGINE = """\
import triggerbench

def water(event, app):
    if event["event"] == "unlock" and 9 <= int(event["wall"][11:13]) {comparison} 18:
        yield triggerbench.request("water")

if __name__ == "__main__":
    triggerbench.serve(water)
"""


@pytest.fixture
def water(tmp_path: Path) -> Path:
    """A scenario that passes."""
    file = tmp_path / "water.yaml"
    file.write_text(WATER)
    return file


@pytest.fixture
def no_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides pandas."""
    monkeypatch.setitem(sys.modules, "pandas", None)
