"""Puts the executable that `TRIGGERBENCH_BINARY` names into the wheel. Without it the wheel has none.

The folders `lib` and `licenses` next to the executable, which `.ci/release` makes, go with it.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ExecutableHook(BuildHookInterface[Any]):
    """Adds the executable, and tags the wheel for this kind of machine. `build-wheel` refines the tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Changes the build of a wheel, except an editable one."""
        binary = os.environ.get("TRIGGERBENCH_BINARY")
        if version == "editable" or not binary:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
        build_data["force_include"][binary] = "triggerbench/bin/triggerbench"
        for folder in ("lib", "licenses"):
            if (path := Path(binary).parent / folder).is_dir():
                build_data["force_include"][str(path)] = f"triggerbench/bin/{folder}"
