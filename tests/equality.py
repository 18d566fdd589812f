"""The two ways in which two results are the same.

`same_bits`: a promise.  It can hold only where the same operations are carried out on arrays of
the same shapes, with each number at the same place in them, by as many threads: then one machine
gives one answer, whichever kernels it has.  Use it for what is read back, drawn from one seed, or
computed in blocks of one size, and for nothing whose products have other shapes.

`same_sums`: everything else.  Kernels cut and order the sums of a product by its shape; what comes
out then differs by rounding, and no more than the problem magnifies it.

`python -m tools.machines` runs the files that import this as other processors would.
"""

import numpy as np

_UNIT = 2.0**-53  # of float64: half an ulp of 1


def same_bits(found, wanted, what=""):
    """Asserts that two arrays, or tensors, have one shape, one type and the same numbers."""
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}"
    assert a.dtype == b.dtype, f"{what}: types {a.dtype} and {b.dtype}"
    if not np.array_equal(a, b):
        differ = np.argwhere(a != b)
        first = tuple(differ[0])
        raise AssertionError(
            f"{what}: {len(differ)} of {a.size} numbers differ, the first at {first}: "
            f"{a[first]!r} and {b[first]!r}"
        )


def same_sums(found, wanted, *, terms, scale=None, condition=1.0, what=""):
    """Asserts that two float64 results differ by no more than the order of their sums explains.

    Two computations of a sum of `terms` products, in any two orders, are at most 2 gamma_terms of
    the sum of their sizes apart, gamma_k = k u/(1 - k u), u = 2^-53 (Higham, Accuracy and
    Stability, 3.1).

    terms: additions and products on the longest way from what is given to a number.  scale: the
    sum of the sizes of what is added; by default the largest number wanted, which is right where
    nothing cancels.  condition: by how much what comes after magnifies an error made on the way:
    1/(1 - c) for a recursion that contracts by c, the condition number for a linear system.
    """
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape, f"{what}: shapes {a.shape} and {b.shape}"
    size = np.abs(b).max(initial=0.0) if scale is None else scale
    allowed = 2 * condition * size * terms * _UNIT / (1 - terms * _UNIT)
    apart = np.abs(a - b).max(initial=0.0)
    # Written so that NaN fails.
    assert apart <= allowed, f"{what}: {apart:.3g} apart, where rounding explains {allowed:.3g}"
