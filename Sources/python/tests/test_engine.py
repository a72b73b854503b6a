"""Python callables as engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ENGINE, ROOT

import triggerbench
from triggerbench import App
from triggerbench.engine import Effect, Event


def match(event: Event, app: App) -> Iterator[Effect]:
    """Requests a notification when the phone is unlocked between 9:00 and 18:00."""
    if event["event"] == "unlock":
        if 9 <= int(event["wall"][11:13]) < 18:
            yield triggerbench.request("water")
        else:
            yield triggerbench.no_request("water", "conditionFailed", "timeWindow")


def decide(request: Effect, now: Event, app: App) -> str | None:
    """Admits a request four hours or more after the last admitted one."""
    if now["uptime"] - app.memory.get("last", -1 << 60) < 4 * 60 * 60 * 1000:
        return "minimumInterval"
    app.memory["last"] = now["uptime"]
    return None


@pytest.mark.parametrize(
    "engine",
    [match, triggerbench.Engine(match, decide), triggerbench.Engine(decide=decide)],
    ids=["match", "match and decide", "decide"],
)
def test_each_half_of_an_engine_can_be_a_callable(water: Path, engine: triggerbench.Engine) -> None:
    result = triggerbench.run(water, engine=engine)
    assert result.passed, result.failures
    assert [row["decision"] for row in result.rows("requests")] == ["admit", "deny", "admit"]


def test_a_wrong_engine_fails_with_the_line(water: Path) -> None:
    def wrong(event: Event, app: App) -> Iterator[Effect]:
        if event["event"] == "unlock":
            yield triggerbench.request("water")

    result = triggerbench.run(water, engine=wrong)
    assert [failure.line for failure in result.failures] == [22]


def test_an_engine_without_callables_is_refused() -> None:
    with pytest.raises(ValueError, match="'match', 'decide' or both"):
        triggerbench.Engine()


def test_an_exception_of_a_callable_is_a_failure(water: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def broken(event: Event, app: App) -> list[Effect]:
        raise LookupError("no such thing")

    result = triggerbench.run(water, engine=broken)
    assert not result.passed
    assert "LookupError: no such thing" in result.failures[0].message
    assert "in broken" in capfd.readouterr().err


def test_a_callable_can_be_a_command(water: Path) -> None:
    script = water.with_name("engine.py")
    script.write_text(ENGINE.format(comparison="<").replace("    if event", "    print('a log line')\n    if event"))
    result = triggerbench.run(water, engine=f"{sys.executable} {script}")
    assert result.passed, result.messages


def test_memory_survives_a_restart_of_the_app(water: Path) -> None:
    restart = "  - 10:00 power off\n  - 10:30 power on\n  - 11:00 unlock\n"
    water.write_text(water.read_text().replace("  - 11:00 unlock\n", restart))
    seen: list[int] = []

    def count(event: Event, app: App) -> list[Effect]:
        if event["event"] == "launched":
            app.memory["launches"] = app.memory.get("launches", 0) + 1
            seen.append(app.memory["launches"])
        return list(match(event, app))

    triggerbench.run(water, engine=count)
    assert len(seen) > 1 and seen == list(range(1, len(seen) + 1))


def test_explain_takes_a_callable(water: Path) -> None:
    answer = triggerbench.explain(water, "water", at="2026-03-02 08:30", engine=match)
    assert str(answer).startswith("water at 2026-03-02 08:30")


def match_any(event: Event, app: App) -> Iterator[Effect]:
    """Requests a notification for each reminder at each unlock, and withdraws one when the app is opened."""
    reminders = sorted(app.scenario["reminders"])
    app.memory["events"] = app.memory.get("events", 0) + 1
    if event["event"] == "unlock":
        for name in reminders:
            yield triggerbench.request(name)
    elif event["event"] == "opened":
        yield {"event": "withdraw", "reminder": reminders[0], "reason": "cancelled"}


@pytest.mark.parametrize(
    "engine",
    [triggerbench.Engine(match_any), triggerbench.Engine(match_any, decide), triggerbench.Engine(decide=decide)],
    ids=["match", "match and decide", "decide"],
)
def test_an_engine_follows_the_protocol_whatever_happens(engine: triggerbench.Engine) -> None:
    """Phones that are switched off, stores that are locked or lost, refused and withdrawn requests."""
    names = "rebooted-and-locked reinstalled denied-permission two-devices-offline-week seventy-pending "
    names += "contact-deleted-on-screen repeated-by-the-phone snoozed-plants trial-flies-west switched-off-types"
    result = triggerbench.run([ROOT / "scenarios" / f"{name}.yaml" for name in names.split()], engine=engine)
    assert [failure for failure in result.failures if not failure.expected] == []
    assert len(result.rows("requests")) > 50
