"""Numbers that come from outside, as the arrays that tables hold and the compiled loops read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .errors import DataError

if TYPE_CHECKING:
    import numpy.typing as npt

Column: TypeAlias = "npt.NDArray[Any]"


def column(values: npt.ArrayLike, kind: npt.DTypeLike, what: str) -> Column:
    """The numbers as one contiguous array of a type; the same array if it is one already.

    Numbers become doubles as those in a file do: rounded to the nearest. They become whole numbers only if they are.

    >>> column(np.array([1, 3], np.float16), np.int32, "grades")
    array([1, 3], dtype=int32)
    """
    wanted = np.dtype(kind)
    try:
        given = np.asarray(values)
    except ValueError:
        raise DataError(f"{what}: one column of numbers is needed") from None
    if given.dtype == wanted and given.ndim == 1 and given.flags.c_contiguous and given.flags.aligned:
        return given
    if given.ndim != 1:
        raise DataError(f"{what}: one column is needed, not an array of {given.ndim} dimensions")
    if not given.size:
        return np.zeros(0, wanted)
    if given.dtype.kind not in "biuf":
        raise DataError(f"{what}: numbers are needed, not {given.dtype.name}")
    if wanted.kind == "f":
        with np.errstate(over="ignore"):  # what is too large becomes infinite, which is refused as such
            return given.astype(wanted, order="C")
    limits = np.iinfo(wanted)
    if given.dtype.kind == "f" and not bool((np.isfinite(given) & (given == np.rint(given))).all()):
        wrong = given[~(np.isfinite(given) & (given == np.rint(given)))][0]
        raise DataError(f"{what}: {wrong} is not a whole number")
    if given.dtype.kind != "b" and not limits.min <= int(given.min()) <= int(given.max()) <= limits.max:
        wrong = int(given.min()) if int(given.min()) < limits.min else int(given.max())
        raise DataError(f"{what}: {wrong} is not within {limits.min} and {limits.max}")
    return given.astype(wanted, order="C")


def read_only(array: Column) -> Column:
    """The same numbers, protected: values that were checked once stay as they were."""
    view = array.view()
    view.flags.writeable = False
    return view
