"""The code of the README and of the notebook runs."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

PACKAGE = ROOT / "Sources" / "python"


def test_the_engine_of_the_readme_passes(water: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if "def water" in block]
    monkeypatch.chdir(water.parent)
    names: dict[str, Any] = {}
    exec(block, names)
    assert names["result"].passed, names["result"].failures


def test_the_scenarios_of_the_readme_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if "profile=" in block]
    (tmp_path / "scenarios").mkdir()
    milk = (ROOT / "scenarios" / "milk.yaml").read_text()
    (tmp_path / "scenarios" / "milk.yaml").write_text(milk)
    (tmp_path / "milk.yaml").write_text(milk)
    monkeypatch.chdir(tmp_path)
    exec(block, {})


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Runs the cells in one namespace. An expression at the end of a cell is shown, as in a notebook."""
    pytest.importorskip("pandas")
    notebook = json.loads((PACKAGE / "examples" / "first-look.ipynb").read_text())
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "the notebook is committed without outputs"
            body = ast.parse("".join(cell["source"])).body
            last = body.pop() if isinstance(body[-1], ast.Expr) else None
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                print("" if value is None else value)
    text = capsys.readouterr().out
    for word in ("because   lost: notPresented", "minimumInterval", "deliveryRate", "hidden", "three-hours"):
        assert word in text
