"""Scenario files as tests of pytest."""

from __future__ import annotations

import sys

import pytest
from conftest import ENGINE, WATER


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with three scenarios, one of them wrong, and with two other files."""
    folder = pytester.mkdir("scenarios")
    (folder / "water.yaml").write_text(WATER)
    (folder / "tea.yml").write_text(WATER.replace("water", "tea"))
    (folder / "wrong.yaml").write_text(WATER.replace("once at 14:00", "once at 14:05"))
    (folder / "other.yaml").write_text("kind: deployment\n# kind: scenario\nspec:\n  kind: scenario\n")
    (folder / "notes.txt").write_text("kind: scenario\n")
    return pytester


def test_a_folder_with_one_wrong_scenario(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*scenario wrong*",
            "scenarios/wrong.yaml:21:5: expectation failed",
            "  expected  water fires once at 14:05",
            "  got       no fire",
            "  nearest   fired at 2026-03-02 14:00",
        ]
    )


def test_scenarios_are_chosen_by_name(suite: pytest.Pytester) -> None:
    suite.runpytest_subprocess("-k", "tea or water").assert_outcomes(passed=2, deselected=1)
    suite.runpytest_subprocess("scenarios/tea.yml::tea").assert_outcomes(passed=1)


def test_scenarios_run_in_parallel(suite: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    result = suite.runpytest_subprocess("-n", "2")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*wrong.yaml:21:5: expectation failed"])


@pytest.mark.parametrize(("comparison", "failed"), [("<", 0), ("<=", 1)])
def test_scenarios_run_with_an_engine(pytester: pytest.Pytester, comparison: str, failed: int) -> None:
    pytester.path.joinpath("water.yaml").write_text(WATER)
    pytester.path.joinpath("engine.py").write_text(ENGINE.format(comparison=comparison))
    result = pytester.runpytest_subprocess("--triggerbench-engine", f"{sys.executable} engine.py")
    result.assert_outcomes(passed=1 - failed, failed=failed)
    if failed:
        result.stdout.fnmatch_lines(["water.yaml:22:5: expectation failed"])


def test_an_unusable_scenario_fails_with_its_line(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("water.yaml").write_text(WATER.replace("title:", "titel:"))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["water.yaml:3:1: error: unknown key 'titel'; did you mean 'title'?"])


def test_a_scenario_includes_a_pack_below_the_root(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.mkdir("packs").joinpath("types.yaml").write_text("kind: pack\nversion: 1\ntitle: Places\nplaces: {}\n")
    folder = pytester.mkdir("scenarios")
    folder.joinpath("water.yaml").write_text(
        WATER.replace("version: 1\n", "version: 1\ninclude: ../packs/types.yaml\n")
    )
    pytester.runpytest_subprocess("scenarios").assert_outcomes(passed=1)


def test_a_missing_executable_is_a_message(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGGERBENCH", "/missing")
    pytester.path.joinpath("water.yaml").write_text(WATER)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["TRIGGERBENCH names no executable: /missing"])
