"""Instances: which forms they are compared with, and the program that goes with a refuted one."""

import pytest

import bounds
from verify.checks import Check, Instances, case_table
from verify.context import Context

LEMMA = bounds.get("hf.lema5")
INPUTS = case_table("rho eta q T lam M L", (0.5, 0.5, 0.5, 3, 1, 1, 1))


def evidence(**options):
    at = Instances("one run", INPUTS, interpretations=("literal",), **options)
    check = Check(LEMMA.id, exact_side=lambda **_: 0.5 * 0.75 * 0.875, at=(at,))
    return {found.form: found for found in check(Context(LEMMA))}


def test_all_forms_of_the_interpretation_are_held_unless_some_are_named():
    assert set(evidence()) == {"printed", "corrected"}
    assert set(evidence(forms=("corrected",))) == {"corrected"}


def test_what_is_refuted_names_the_program():
    found = evidence(script="lema5_decaying")
    assert found["printed"].violated
    assert found["printed"].script == "lema5_decaying"


@pytest.mark.parametrize(("profile", "count"), [("quick", 3), ("full", 7)])
def test_draws_hand_out_one_stream_as_often_as_the_profile_asks(profile, count):
    ctx = Context(bounds.get("sglu.lem3.4"), profile)
    streams = list(ctx.draws(3, 7, block=2))
    assert len(streams) == count
    assert all(stream is streams[0] for stream in streams)
    assert streams[0].random() == ctx.rng(2).random()
