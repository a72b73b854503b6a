"""The tables of a run agree with its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import triggerbench
from triggerbench import RunResult


@pytest.fixture(scope="module")
def shipped() -> RunResult:
    """The run of the shipped scenarios."""
    return triggerbench.run(ROOT / "scenarios")


def of(rows: list[dict[str, Any]], file: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["file"] == file]


def steps(scenario: Mapping[str, Any]) -> dict[str, int]:
    return {step["step"]: step["count"] for step in scenario["total"]["funnel"]}


def test_the_shipped_scenarios_pass(shipped: RunResult) -> None:
    assert shipped.passed and shipped.failures == []
    assert len(shipped.report["scenarios"]) > 60


def test_fires_are_those_of_the_report(shipped: RunResult) -> None:
    rows = shipped.rows("fires")
    for scenario in shipped.report["scenarios"]:
        mine = of(rows, scenario["file"])
        assert len(mine) == len(scenario["fires"]) == steps(scenario)["delivered"]
        assert [{**fire, "file": scenario["file"]} for fire in scenario["fires"]] == [
            {key: value for key, value in row.items() if value is not None} for row in mine
        ]
        assert sum(row["exposure"] in ("banner", "list") for row in mine) == steps(scenario)["exposed"]


def test_requests_add_up_to_the_counts_of_the_report(shipped: RunResult) -> None:
    rows = shipped.rows("requests")
    for scenario in shipped.report["scenarios"]:
        mine = of(rows, scenario["file"])
        kept = [row for row in mine if row["endReason"] != "superseded"]
        total = scenario["total"]
        assert len(kept) == steps(scenario)["requested"], scenario["file"]
        assert len(mine) - len(kept) == total["replaced"], scenario["file"]
        admitted = [row for row in kept if row["decision"] == "admit" and row["end"] != "refused"]
        assert len(admitted) == steps(scenario)["admitted"], scenario["file"]
        assert sum(row["end"] == "delivered" for row in kept) == steps(scenario)["delivered"], scenario["file"]
        denied = [row for row in kept if row["decision"] == "deny"]
        assert Counter(row["reason"] for row in denied) == total["denied"], scenario["file"]
        assert Counter(blocker for row in denied for blocker in row["blockers"]) == total["blockedBy"]


def test_events_add_up_to_the_counts_of_the_report(shipped: RunResult) -> None:
    counts: Counter[tuple[str, str, str]] = Counter()
    for row in shipped.rows("events"):
        if not row.get("found"):
            counts[row["file"], row["track"], row["event"]] += 1
    expected = {
        (scenario["file"], track, event): count
        for scenario in shipped.report["scenarios"]
        for track in ("truth", "observed")
        for event, count in scenario["events"][track].items()
    }
    assert counts == expected


def test_metrics_are_those_of_the_report(shipped: RunResult) -> None:
    rows = shipped.rows("metrics")
    for scenario in shipped.report["scenarios"]:
        mine = [row for row in of(rows, scenario["file"]) if row["reminder"] is None]
        assert [{key: row[key] for key in metric} for row, metric in zip(mine, scenario["metrics"], strict=True)] == (
            scenario["metrics"]
        )
    numbers = [row for row in rows if row["denominator"]]
    assert all(row["value"] == row["numerator"] / row["denominator"] for row in numbers)


@pytest.mark.parametrize("name", ["fires", "requests", "events", "metrics", "expectations"])
def test_dataframes_have_the_same_rows(shipped: RunResult, name: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame, rows = getattr(shipped, name), shipped.rows(name)
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(rows)
    for column in set(frame) - {"at", "t", "endAt"}:
        read = [None if value is None or value != value else value for value in frame[column]]
        assert read == [row.get(column) for row in rows], column


def test_instants_are_times_and_wall_clocks_are_texts(shipped: RunResult) -> None:
    pandas = pytest.importorskip("pandas")
    first = shipped.fires.iloc[0]
    assert first["at"] == pandas.Timestamp(shipped.rows("fires")[0]["at"])
    assert first["local"] == shipped.rows("fires")[0]["local"]


def test_without_pandas_tables_are_lists(water: Path, no_pandas: None) -> None:
    result = triggerbench.run(water)
    fires: Any = result.fires
    assert fires == result.rows("fires")
    assert [fire["local"] for fire in fires] == ["2026-03-02 09:30", "2026-03-02 14:00"]


def test_empty_tables_have_columns(water: Path) -> None:
    pytest.importorskip("pandas")
    water.write_text(water.read_text().split("timeline:")[0] + "timeline: [19:00 unlock]\nexpect: [water never]\n")
    result = triggerbench.run(water)
    assert result.passed and len(result.fires) == 0
    assert "local" in result.fires and "decision" in result.requests


def test_a_failed_expectation_has_its_line_and_its_reason(water: Path) -> None:
    result = triggerbench.run(water, settings={"policy.minimumInterval": "5 h"})
    assert not result.passed
    [failure] = result.failures
    assert (failure.file, failure.line) == (str(water), 21)
    assert failure.expected == "water fires once at 14:00"
    assert str(failure).startswith(f"{water}:21:5: expectation failed\n  expected  water fires once at 14:00\n")
    assert "minimumInterval" in "".join(failure.reasons)


def test_an_unusable_file_is_a_failure_with_its_line(water: Path) -> None:
    water.write_text(water.read_text().replace("title:", "titel:"))
    result = triggerbench.run(water)
    assert not result.passed
    assert (result.failures[0].line, result.failures[0].message) == (
        3,
        "error: unknown key 'titel'; did you mean 'title'?",
    )


def test_reports_are_kept_where_they_are_wanted(water: Path, tmp_path: Path) -> None:
    result = triggerbench.run([water], reports=tmp_path / "reports", profile="ios", seed=3)
    assert (tmp_path / "reports" / "junit.xml").exists()
    assert result.report["scenarios"][0]["profile"] == "ios"
    assert "--seed 3" in result.report["command"]


def test_a_run_leaves_no_files(water: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    result = triggerbench.run(water)
    assert len(result.rows("requests")) == 3
    del result
    assert list((tmp_path / "temporary").iterdir()) == []


def test_explain_names_the_reason_and_the_change(water: Path) -> None:
    answer = triggerbench.explain(water, "water", at="2026-03-02 08:30")
    assert str(answer).startswith("water at 2026-03-02 08:30")
    assert answer.data["reminder"] == "water"
    assert answer.smallest_change == answer.data.get("smallestChange")
    plan = triggerbench.explain(water, plan=True)
    assert plan.data["plan"] == []
