"""No argument that Python can pass makes a compiled loop leave its arrays: what is wrong is refused, and by its name.

``make sanitize`` runs these tests with loops that report every step outside.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from native_calls import CALLS, Call, Path, leaves, replaced

module = pytest.importorskip("adjudge._native", reason="no C compiler when the package was installed")

KINDS = ["?", *"bhilqBHILQefdgFDO", "S1", "U1", "M8[s]", "V8"]
REFUSED = (TypeError, ValueError)
HANDLED = (TypeError, ValueError, IndexError, OverflowError, MemoryError)

OPTIONAL = {
    *(("judging", (5,)), ("splitting", (3,)), ("splitting", (7,)), ("tally", (4,)), ("tally", (5,)), ("spans", (3,))),
    *(("scoring", (1,)), ("scoring", (4,)), ("weighing", (7,)), ("weighing", (8,)), ("weighing", (9,))),
    *(("writing", (2,)), ("inverting", (2,)), ("adding", (13,))),
}
"""Arrays that may be None."""

each_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
"""One test an entry, which goes through its arguments: thousands of tests would take longer to manage than to run."""


def arrays(call: Call) -> list[Path]:
    return [path for path, argument in leaves(call.arguments()) if isinstance(argument, np.ndarray)]


def numbers(call: Call) -> list[Path]:
    found = [path for path, argument in leaves(call.arguments()) if type(argument) is int]
    return [path for path in found if path not in call.endless]


@contextmanager
def named(what: str, value: object) -> Iterator[None]:
    """Say with a failure which case it was."""
    try:
        yield
    except BaseException as error:  # pytest's own failures are no Exception
        error.add_note(f"{what} {value}")
        raise


def array_at(arguments: tuple[Any, ...], path: Path) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = dict(leaves(arguments))[path]
    return found


def same(kind: npt.DTypeLike, other: npt.DTypeLike) -> bool:
    """Whether two types are one to a loop: C has several names for whole numbers of one size."""
    one, two = np.dtype(kind), np.dtype(other)
    return (one.kind, one.itemsize, one.isnative) == (two.kind, two.itemsize, two.isnative)


def test_every_entry_is_here() -> None:
    jobs = {name: job for name, job in vars(module).items() if isinstance(job, ModuleType)}
    entries = {f"{name}.{entry}" for name, job in jobs.items() for entry, _ in inspect.getmembers(job, callable)}
    without_arrays = {"tally.new", "tally.size", "numbering.vocabulary"}
    assert entries - {name for name in entries if ".__" in name} == {call.name for call in CALLS} | without_arrays


@each_call
def test_the_calls_are_as_they_should_be(call: Call) -> None:
    call(call.arguments())


@each_call
def test_another_number_of_arguments(call: Call) -> None:
    arguments = call.arguments()
    for wrong in (arguments[:-1], (*arguments, 1), ()):
        with pytest.raises(TypeError):
            call(wrong)


@each_call
def test_another_type(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            kind = array_at(call.arguments(), path).dtype
            for other in KINDS:
                arguments = call.arguments()
                array = array_at(arguments, path)
                wrong = np.zeros(array.shape, other)
                if not same(kind, other):
                    with pytest.raises(TypeError, match=rf"^.+: .+ must be an array of {kind.name}"):
                        call(replaced(arguments, path, wrong))
            for no_array in (array.tolist(), 1, "text", object()):
                with pytest.raises(TypeError, match=r"^.+: .+ must be an array of "):
                    call(replaced(call.arguments(), path, no_array))


@each_call
def test_other_names_of_the_same_type(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            array = array_at(arguments, path)
            for name in "bhilqBHILQ":
                if same(array.dtype, name):
                    call(replaced(call.arguments(), path, array.astype(name)))


@each_call
def test_another_order_of_bytes(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            array = array_at(arguments, path)
            if array.itemsize > 1:
                with pytest.raises(TypeError, match=r"must be an array of "):
                    call(replaced(arguments, path, array.astype(array.dtype.newbyteorder())))


@each_call
def test_items_that_are_not_side_by_side(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            array = array_at(arguments, path)
            for wrong in (
                np.repeat(np.concatenate([array, array]), 2, axis=0)[::2],
                np.concatenate([array, array])[::-1],
            ):
                with pytest.raises(ValueError, match="not side by side"):
                    call(replaced(arguments, path, wrong))


@each_call
def test_items_that_are_not_aligned(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            array = array_at(arguments, path)
            if array.itemsize > 1:
                room = np.zeros(array.nbytes + 1, np.uint8)
                with pytest.raises(ValueError, match="not aligned"):
                    call(replaced(arguments, path, room[1:].view(array.dtype)))


@each_call
def test_one_item_too_few_and_none(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            flat = array_at(arguments, path).ravel()
            for short in (flat[:-1].copy(), flat[:0].copy()):
                if path in call.elastic:
                    try:
                        call(replaced(call.arguments(), path, short))
                    except ValueError:
                        assert not len(short)
                else:
                    with pytest.raises(ValueError, match=r"^.+: "):
                        call(replaced(call.arguments(), path, short))


@each_call
def test_nothing_for_an_array(call: Call) -> None:
    for path in arrays(call):
        with named("argument", path):
            try:
                call(replaced(call.arguments(), path, None))
            except REFUSED:
                continue
            assert (call.job, path) in OPTIONAL


@each_call
def test_what_is_written_must_be_writable(call: Call) -> None:
    """Each array of a call is protected in turn: it is refused, or as before afterwards."""
    for path in arrays(call):
        with named("argument", path):
            arguments = call.arguments()
            array = array_at(arguments, path)
            before = array.copy()
            array.flags.writeable = False
            why = ""
            try:
                call(arguments)
            except ValueError as error:
                why = str(error)
            assert not why or "read-only" in why
            assert array.tobytes() == before.tobytes()


EXTREMES = [-(2**63), -(2**31) - 1, -(2**31), -2, -1, 0, 1, 2, 3, 5, 255, 65536, 2**31 - 1, 2**31, 2**40, 2**63 - 1]


@each_call
def test_numbers_of_every_size(call: Call) -> None:
    for path in numbers(call):
        with named("argument", path):
            for number in EXTREMES:
                with suppress(*HANDLED):
                    call(replaced(call.arguments(), path, number))


@each_call
def test_whatever_the_arrays_hold(call: Call) -> None:
    """Items of all arrays replaced at random: an error, or any result at all, and always an end."""
    paths = arrays(call)
    for seed in range(20):
        rng = np.random.default_rng([seed, *call.name.encode()])
        for _ in range(30):
            arguments = call.arguments()
            for path in rng.permutation(len(paths))[: rng.integers(1, 4)]:
                flat = array_at(arguments, paths[path]).reshape(-1)
                for at in rng.integers(0, len(flat), rng.integers(1, 4)) if len(flat) else ():
                    flat[at] = extreme(rng, flat.dtype, len(flat))
            with named("seed", seed), suppress(*HANDLED):
                call(arguments)


@each_call
def test_arrays_of_every_length(call: Call) -> None:
    """Some arrays longer or shorter at random, whatever they hold."""
    for seed in range(10):
        rng = np.random.default_rng([seed, *call.name.encode()])
        for _ in range(30):
            arguments = call.arguments()
            for path, argument in list(leaves(arguments)):
                if isinstance(argument, np.ndarray) and rng.random() < 0.3:
                    size = max(0, argument.size + int(rng.integers(-2, 3)))
                    arguments = replaced(arguments, path, np.resize(argument.ravel(), size))
            with named("seed", seed), suppress(*HANDLED):
                call(arguments)


def extreme(rng: np.random.Generator, kind: np.dtype[Any], size: int) -> Any:
    """A number that may be too small, too large or just one too many."""
    if kind.kind == "f":
        return rng.choice(np.array([0, -1, 1e30, -1e30, np.inf, -np.inf, np.nan, 1e-30], kind))
    limits = np.iinfo(kind)
    near = [limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, size - 1, size, size + 1]
    choice = int(near[rng.integers(len(near))]) if rng.random() < 0.7 else int(rng.integers(-10, 300))
    return min(max(choice, limits.min), limits.max)
