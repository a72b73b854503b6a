"""Runs TriggerBench: replays scenarios, explains reminders and compares policies.

The package finds the executable `triggerbench` and reads its reports and journals. It simulates nothing.
"""

from ._binary import TriggerBenchError, find
from ._experiment import ExperimentResult, experiment
from ._explain import Explanation, explain
from ._run import Failure, RunResult, run
from .engine import App, Engine, no_request, request, serve

__all__ = [
    "App", "Engine", "ExperimentResult", "Explanation", "Failure", "RunResult", "TriggerBenchError", "experiment",
    "explain", "find", "no_request", "request", "run", "serve",
]  # fmt: skip
