"""The noise is Philox's words through Box and Muller, the same bits from both of its makers."""

import hashlib
import math
import sys

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import simulators.random
from simulators.random import normals, philox, philox_loops
from simulators.random.normals import Normals, numbers
from tests.equality import same_bits

CPU = torch.device("cpu")
KINDS = {"double": np.float64, "single": np.float32}
KEY = (0x1234ABCD, 0x89EF5678)
LEVEL = stats.norm.isf(0.5e-5)

# Random123's kat_vectors, philox4x32 with 10 rounds: counter, key, words.
KNOWN = {
    "zeros": ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    "ones": ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    "pi": (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
}


@pytest.fixture
def by_numba(monkeypatch):
    """Every number by numba; returns what leaves them all to numpy."""
    monkeypatch.setattr(normals, "FEW", -(1 << 63))
    monkeypatch.setattr(normals._Process, "loops", None)
    monkeypatch.setattr(normals._Process, "made", 0)

    def by_numpy():
        monkeypatch.setattr(normals, "FEW", 1 << 62)
        monkeypatch.setattr(normals._Process, "loops", None)

    return by_numpy


def looped(kind, shape, first=0, steps=range(1), key=KEY, turned=False):
    """Numbers (steps, rows, trials) of the compiled loop."""
    long = (shape[1], shape[0], len(steps)) if turned else (len(steps), *shape)
    made = np.zeros(long, dtype=kind)
    add = philox_loops.add64 if kind is np.float64 else philox_loops.add32
    add(made, first, steps.start, key, kind(1.0), turned)
    return made.T if turned else made


@pytest.mark.parametrize("name", KNOWN)
def test_published_words(name):
    counter, key, words = KNOWN[name]
    arrays = [np.array([word], dtype=np.uint64) for word in (*counter, *key)]
    assert [int(word[0]) for word in philox.philox(*arrays)] == words


def exact(radius_word, turn_word, bits, kept):
    """r sin a and r cos a in 40 digits."""
    with mpmath.workdps(40):
        u = (mpmath.mpf(radius_word >> (bits - kept)) + mpmath.mpf(1) / 2) / mpmath.mpf(2) ** kept
        r = mpmath.sqrt(-2 * mpmath.log(u))
        turn = 2 * mpmath.pi * turn_word / mpmath.mpf(2) ** bits
        return r, r * mpmath.sin(turn), r * mpmath.cos(turn)


WORD = st.integers(0, 2**64 - 1) | st.sampled_from([0, 2**64 - 1, 2**63, 2**62, 2**61, 2**11 - 1])


@settings(max_examples=100, deadline=None)
@given(WORD, WORD)
def test_transform_against_forty_digits(first, second):
    """Every word, the ends of both ranges and the quadrants' edges included, to a few ulps."""
    wide = [np.array([word], dtype=np.uint64) for word in (first, second)]
    r, *pair = exact(first, second, 64, 53)
    radius = philox.radius64(wide[0])[0]
    # Next to u = 1 the radius is a root of the distance from 1, of which u keeps an ulp.
    assert abs(radius - r) <= 4 * 2.0**-53 * r + 2.0**-53 / max(r, 2.0**-27)
    for found, wanted in zip(philox.direction64(wide[1]), pair, strict=True):
        assert abs(found[0] * radius - wanted) <= 8 * 2.0**-53 * r + abs(radius - r)
    narrow = [word >> 32 for word in (first, second)]
    r, *pair = exact(*narrow, 32, 32)
    half = [np.array([word], dtype=np.uint64) for word in narrow]
    radius = float(philox.radius32(half[0])[0])
    assert abs(radius - r) <= 4 * 2.0**-24 * r + 2.0**-24 / max(r, 2.0**-12)
    for found, wanted in zip(philox.direction32(half[1]), pair, strict=True):
        assert abs(float(found[0]) * radius - wanted) <= 8 * 2.0**-24 * r + abs(radius - r)


def test_tail_ends_where_the_words_do():
    """The smallest u is half a unit: sqrt(-2 log 2^-54) = 8.65, and 6.76 in float32."""
    zero = np.zeros(1, dtype=np.uint64)
    assert philox.radius64(zero)[0] == pytest.approx(math.sqrt(108 * math.log(2)), rel=1e-15)
    assert philox.radius32(zero)[0] == pytest.approx(math.sqrt(66 * math.log(2)), rel=1e-6)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(1, 9),
    trials=st.sampled_from([1, 2, 63, 511, 512, 513, 700]),
    first=st.sampled_from([0, 1, 4096, 2**32 - 800]),
    start=st.integers(0, 2**31),
    steps=st.integers(1, 3),
    key=st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
)
def test_both_makers_give_the_same_bits(kind, rows, trials, first, start, steps, key):
    at = range(start, start + steps)
    made = numbers(key, (rows, trials), first, at, kind)
    assert made.dtype == kind
    for turned in (False, True):
        same_bits(made, looped(kind, (rows, trials), first, at, key, turned))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["double", "single"])
@pytest.mark.parametrize("shape", [(3, 8), (2, 3, 9), (64, 512), (1, 1), (5, 70)], ids=str)
def test_streams_do_not_depend_on_their_maker(by_numba, shape, dtype):
    """As arrays, and added to one or two states: bit for bit, with either maker."""

    def collected():
        one, two = (torch.zeros(shape, dtype=dtype) for _ in range(2))
        drawn = Normals(KEY, shape, CPU, dtype, first=5)
        found = [drawn.next().clone() for _ in range(3)]
        single, both = (Normals(KEY, shape, CPU, dtype, first=5) for _ in range(2))
        for _ in range(3):
            single.add_([one], 0.3)
            both.add_([two, found[0]], 0.3)
        same_bits(one, two)
        return torch.stack([*found, one])

    fast = collected()
    by_numba()
    same_bits(fast, collected())


@pytest.mark.parametrize(
    ("dtype", "digest"), [("float64", "d10ffb26b68d69c2"), ("float32", "cba9f3403414e40e")]
)
def test_every_machine_draws_these_numbers(dtype, digest):
    """Bits, sums, products, quotients and roots: no library's logarithm, which may be another's."""
    drawn = numbers(KEY, (7, 4000), 0, range(6), np.dtype(dtype).type)
    same_bits(np.isfinite(drawn), np.ones(drawn.shape, dtype=bool))
    assert hashlib.sha256(drawn.tobytes()).hexdigest()[:16] == digest


def test_numba_comes_after_the_first_numbers(by_numba, monkeypatch):
    """numpy serves FEW numbers, then the loops; where numba is missing, numpy goes on."""
    monkeypatch.setattr(normals, "FEW", 1)
    stream = Normals(KEY, (1, normals.PANEL["cpu"]), CPU, torch.float64)
    stream.next()
    assert normals._Process.loops is None
    stream.next()
    assert normals._Process.loops is philox_loops
    monkeypatch.setattr(normals._Process, "loops", None)
    monkeypatch.setitem(sys.modules, "simulators.random.philox_loops", None)
    monkeypatch.delattr(simulators.random, "philox_loops")
    wanted = numbers(KEY, (1, normals.PANEL["cpu"]), 0, range(2, 3), np.float64)
    same_bits(stream.next().numpy(), wanted[0])
    assert normals._Process.loops is None


def test_numbers_belong_to_trial_step_and_coordinate():
    """Not to the block, its size, the other coordinates, or the steps before."""
    whole = numbers(KEY, (7, 40), 0, range(6), np.float64)
    same_bits(numbers(KEY, (7, 13), 20, range(3, 5), np.float64), whole[3:5, :, 20:33])
    same_bits(numbers(KEY, (3, 40), 0, range(6), np.float64), whole[:, :3])
    assert len(np.unique(whole)) == whole.size
    other = numbers((KEY[0], KEY[1] ^ 1), (7, 40), 0, range(6), np.float64)
    assert len(np.unique([whole, other])) == 2 * whole.size


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_distribution(kind):
    """A million numbers of a fixed key; each of the five tests has level 1e-5.

    Power: a scale wrong by 1 % shifts the variance statistic by 7 s.d., a shift of 0.01 the mean
    by 10, twelve uniforms summed (kurtosis 2.9) the kurtosis by 20.
    """
    draws = looped(kind, (61, 512), steps=range(32)).astype(np.float64).ravel()
    count = len(draws)
    assert abs(draws.mean()) * math.sqrt(count) < LEVEL
    assert abs((draws**2).mean() - 1) * math.sqrt(count / 2) < LEVEL
    assert abs((draws**3).mean()) * math.sqrt(count / 15) < LEVEL
    assert abs((draws**4).mean() - 3) * math.sqrt(count / 96) < LEVEL
    assert stats.kstest(draws, "norm").pvalue > 1e-5


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_tails(kind):
    """25 million numbers beyond 4, 5 and 6: counts that the binomial law has, level 1e-5 each."""
    counts, total = np.zeros(3), 0
    for start in range(0, 24, 4):
        draws = np.abs(looped(kind, (1024, 1024), steps=range(start, start + 4)))
        far = draws[draws > 4]
        counts += [(far > k).sum() for k in (4, 5, 6)]
        total += draws.size
    for k, count in zip((4, 5, 6), counts, strict=True):
        law = stats.binom(total, 2 * stats.norm.sf(k))
        assert min(law.cdf(count), law.sf(count - 1)) > 0.5e-5


def test_independence_of_the_two_numbers_of_a_pair():
    """Sine and cosine parts: neither they nor their squares are correlated (level 1e-5 each)."""
    made = looped(np.float64, (64, 512), steps=range(20))
    rows = np.stack([made[:, 0::2].ravel(), made[:, 1::2].ravel()])
    limit = LEVEL / math.sqrt(rows.shape[1])
    assert abs(np.corrcoef(rows)[0, 1]) < limit
    assert abs(np.corrcoef(rows**2)[0, 1]) < limit
    angle = np.arctan2(rows[1], rows[0]) / (2 * math.pi) + 0.5
    assert stats.kstest(angle, "uniform").pvalue > 1e-5
    assert stats.kstest((rows**2).sum(axis=0), "expon", args=(0, 2)).pvalue > 1e-5


@pytest.mark.parametrize("axis", [0, 1, 2], ids=["steps", "coordinates", "trials"])
def test_independence_along_every_axis(axis):
    """Neighbours of either kind of counter, in numbers and in squares (level 1e-5 each)."""
    made = np.moveaxis(looped(np.float64, (64, 64), steps=range(64)), axis, 0)
    for numbers_ in (made, made**2):
        one, two = numbers_[:-1].ravel(), numbers_[1:].ravel()
        assert abs(np.corrcoef(one, two)[0, 1]) < LEVEL / math.sqrt(len(one))


def test_float64_has_float64_resolution():
    """No two of a million agree, and none is a float32: 24-bit uniforms would fail both."""
    draws = looped(np.float64, (61, 512), steps=range(32)).ravel()
    assert len(np.unique(draws)) == len(draws)
    # A double in [1, 2) is a float32 with probability 2^-29.
    assert (draws.astype(np.float32) == draws).mean() < 1e-4


def test_a_loop_that_cannot_be_kept_on_disk_is_compiled_anew(monkeypatch):
    """numba raises RuntimeError where no folder for its cache can be written to."""

    def njit(**settings):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(philox_loops, "njit", njit)
    monkeypatch.setattr(philox_loops, "_jit", lambda loop: (loop, "anew"))
    assert philox_loops._compiled(len) == (len, "anew")
