"""What is known of the machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from adjudge.core.machine import cores, peak_memory


def test_cores_are_those_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores() == len(os.sched_getaffinity(0))
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    code += "from adjudge.core.machine import cores; print(cores())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores() == 1


@pytest.mark.slow
def test_memory_is_that_of_this_process_or_of_its_largest_child(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "x = bytearray(200 << 20); from adjudge.core.machine import peak_memory; print(peak_memory())"
    alone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 200 <= int(alone.stdout) < 400
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], stdout=-3)\n"
    parent += "from adjudge.core.machine import peak_memory; print(peak_memory())"
    above = subprocess.run([sys.executable, "-c", parent], capture_output=True, text=True, check=True)
    assert 200 <= int(above.stdout) < 400
    monkeypatch.setitem(sys.modules, "resource", None)
    assert peak_memory() > 0
