"""The wheel with an executable. Needs pip and PyPI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

BUILD = ROOT / "Sources" / "python" / "build-wheel"


def test_a_wheel_runs_its_executable_in_an_empty_environment(tmp_path: Path) -> None:
    """Any executable will do, so it is `echo`, which needs only glibc."""
    built = subprocess.run([BUILD, "/bin/echo", tmp_path], capture_output=True, text=True, check=True)
    wheel = built.stdout.strip()
    assert Path(wheel).parent == tmp_path
    assert "-py3-none-manylinux_2_" in wheel
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    folder = tmp_path / "env" / "bin"
    subprocess.run([folder / "pip", "install", "--quiet", "--no-index", wheel], check=True)
    environment = {**os.environ, "TRIGGERBENCH": "/missing", "PATH": "/missing"}
    for command in ([folder / "triggerbench"], [folder / "python", "-m", "triggerbench"]):
        done = subprocess.run(
            [*command, "a b", "c"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.returncode) == ("a b c\n", 0), done.stderr


def test_libraries_and_licences_next_to_the_executable_are_in_the_wheel(tmp_path: Path) -> None:
    release = tmp_path / "release"
    for name in ("lib/libgeos_c.so.1", "licenses/geos.txt", "completions/triggerbench.fish"):
        (release / name).parent.mkdir(parents=True)
        (release / name).write_text(name)
    shutil.copy("/bin/echo", release / "triggerbench")
    built = subprocess.run([BUILD, release / "triggerbench", tmp_path], capture_output=True, text=True, check=True)
    with zipfile.ZipFile(built.stdout.strip()) as wheel:
        inside = {name.removeprefix("triggerbench/bin/") for name in wheel.namelist() if "/bin/" in name}
    assert inside == {"triggerbench", "lib/libgeos_c.so.1", "licenses/geos.txt"}


@pytest.mark.skipif(not Path("/usr/bin/git").exists(), reason="needs an executable with other libraries, such as git")
def test_a_wheel_with_other_libraries_is_not_portable(tmp_path: Path) -> None:
    built = subprocess.run([BUILD, "/usr/bin/git", tmp_path], capture_output=True, text=True, check=True)
    assert "-py3-none-linux_" in built.stdout
    assert "runs only where these libraries are" in built.stderr and "libpcre2" in built.stderr
