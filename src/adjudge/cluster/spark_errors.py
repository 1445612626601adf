"""What Spark says when something goes wrong, as one line: it says it in hundreds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ..core import errors
from ..core.errors import AdjudgeError, DataError, MissingFileError

OURS = re.compile(r"adjudge\.core\.errors\.(\w+): (.+)")
VERSIONS = re.compile(r"PYTHON_VERSION_MISMATCH.*?[^\d.](\d+\.\d+)[^\d.].*?[^\d.](\d+\.\d+)", re.DOTALL)
MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
PATH = re.compile(r"Path does not exist: (.+?)\.(?: SQLSTATE|$)", re.MULTILINE)
COLON = re.compile(r"Relative path in absolute URI: (.+)")
LARGE = re.compile(r"length of (\S+) is \d+, which exceeds the max length")
RAISED = re.compile(r"^(?:: |Caused by: )?(\w+(?:\.\w+)*(?:Error|Exception|Interrupt)): ?(.*)$", re.MULTILINE)
MEMORY = (
    "MemoryError",
    "OutOfMemoryError",
    "exit code 52",
    "exit code 137",
    "exited with code 137",
    "ArrowMemoryError",
)
BROKEN = re.compile(r"exception|error|invalid|no such|not found|unrecognized|unsupported", re.IGNORECASE)
RAISER = re.compile(r'^(Exception in thread "\w+" )?([\w.]+(Exception|Error): )?')
WORKER = "An exception was thrown from the Python worker"
MORE = "give more partitions, or more memory (spark.executor.memory, spark.executor.pyspark.memory)"
TAIL = 400


class Fault(NamedTuple):
    """An error of ours as a worker hands it to the driver, in two columns of a row."""

    kind: str
    """The name of its class."""
    message: str

    @classmethod
    def of(cls, error: AdjudgeError) -> Fault:
        """The error as the nearest class that the driver knows too."""
        kinds = (kind.__name__ for kind in type(error).__mro__ if getattr(errors, kind.__name__, None) is kind)
        return cls(next(kinds), str(error))

    def error(self) -> AdjudgeError:
        """The error itself."""
        error: AdjudgeError = getattr(errors, self.kind)(self.message)
        return error


def translate(error: BaseException, log: Path | None = None) -> AdjudgeError:
    """An error of ours for one of Spark's."""
    try:
        text = str(error)
    except Exception:  # it asks Java for its words, which may have ended
        return DataError(f"Spark has ended: {last_complaint(log)}")
    if match := OURS.search(text):
        kind = getattr(errors, match[1], DataError)
        return kind(match[2]) if isinstance(kind, type) and issubclass(kind, AdjudgeError) else DataError(match[2])
    if "JAVA_GATEWAY_EXITED" in text:
        return DataError(f"Spark could not be started: {_why_not(log)}")
    if match := VERSIONS.search(text):
        return DataError(
            f"the workers have Python {match[1]} and the driver has {match[2]}: set PYSPARK_PYTHON to the same one"
        )
    if "PYTHON_VERSION_MISMATCH" in text:
        return DataError("the workers have another Python than the driver: set PYSPARK_PYTHON to the same one")
    if match := MODULE.search(text):
        return DataError(f"the workers' Python has no {match[1]}: install adjudge[spark] there, or set PYSPARK_PYTHON")
    if "Cannot run program" in text:
        program = re.search(r'Cannot run program "([^"]+)"', text)
        return DataError(f"the workers have no {program[1] if program else 'Python'}: set PYSPARK_PYTHON")
    if match := LARGE.search(text):
        return DataError(
            f"{match[1].removeprefix('file:')}: too large to be read by one task: make a Parquet table of it"
        )
    if "pyspark.daemon" in text:
        return DataError("the workers' Python could not be started: set PYSPARK_PYTHON to one that has adjudge[spark]")
    if match := PATH.search(text):
        path = match[1].removeprefix("file:")
        return MissingFileError(f"{path}: no such file", path)
    if match := COLON.search(text):
        return DataError(f"{match[1]}: Spark reads no names with a colon: give another one")
    if any(sign in text for sign in MEMORY):
        return DataError(f"a worker ran out of memory: {MORE}")
    if "crashed" in text or "exited unexpectedly" in text:
        return DataError(f"the Python of a worker was ended, most likely because memory ran out: {MORE}")
    if "ExecutorLostFailure" in text or "executor lost" in text.lower():
        return DataError(f"workers were lost again and again: {_first(text)}")
    if "Cannot call methods on a stopped SparkContext" in text or "SparkContext was shut down" in text:
        return DataError(f"Spark has ended while it was at work: {last_complaint(log)}")
    raised = [(name, why) for name, why in RAISED.findall(text) if why and not why.startswith(WORKER)]
    if raised:
        name, message = raised[-1]
        return DataError(f"Spark failed: {name.rpartition('.')[2]}: {message}")
    return DataError(f"Spark failed: {_first(text)}")


def _first(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:TAIL] if lines else "without a word"


def _why_not(log: Path | None) -> str:
    """The last output of Java, or of the script that starts it."""
    lines = [line for line in _lines(log) if BROKEN.search(line)]
    return RAISER.sub("", lines[0])[:TAIL].strip() if lines else "it does not say why"


def _lines(log: Path | None) -> list[str]:
    try:
        return [] if log is None else log.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []


def last_complaint(log: Path | None) -> str:
    """The last error in Spark's log."""
    wrong = [line for line in _lines(log) if " ERROR " in line or "Exception" in line]
    return wrong[-1][:TAIL].strip() if wrong else "it does not say why"
