"""Figure 3 and Table 3 of sglu, as `reproduce` runs them: small, on scikit-learn's digits."""

import pytest

from bounds.sglu.figure_3cd import STORED, STORED_SIGMAS
from verify.exhibits.data import Chosen
from verify.sglu.reproduced import exhibits


def cells(exhibit, **options):
    shown = exhibit.show(Chosen(stand_in="digits", quick=True, **options), 0)
    return {(c["row"], c["column"]): c for c in shown.document["cells"]}, shown.document["bounds"]


def test_every_entry_of_table_3_is_the_formula_cut_off():
    found, held = cells(exhibits.TABLE_3)
    assert len(found) == 24
    assert all(c["ours"]["formula, cut off"]["mean"] == c["printed"] for c in found.values())
    assert all(c["cause"] == "agrees" for c in found.values())
    tight = [b["reach"] for b in held if b["form"] == "tight"]
    assert tight == pytest.approx([1.0] * 4, rel=1e-6)


def test_the_stored_lists_come_from_a_constant_that_is_not_printed():
    found, held = cells(exhibits.FIGURE_3D)
    for c in found.values():
        assert c["ours"]["unprinted constant"]["mean"] == c["printed"]
        assert c["ours"]["exact"]["mean"] <= c["ours"]["printed formulas"]["mean"]
    assert found["MNIST, b = 512", "1"]["printed"] == STORED["MNIST", 512][STORED_SIGMAS.index(1.0)]
    assert all(b["reach"] <= 1 for b in held)
    assert found["MNIST, b = 512", "1"]["cause"] == "stand-in data, quick run, formula not printed"


@pytest.mark.parametrize("figure", ["3A", "3C"])
def test_runs_on_images_keep_to_their_bounds(figure):
    found, held = cells(getattr(exhibits, f"FIGURE_{figure}"))
    shares = [
        value["mean"]
        for (_, column), c in found.items()
        for value in c["ours"].values()
        if column != "epochs"
    ]
    assert shares
    assert all(0 <= share <= 1 for share in shares)
    own = [b for b in held if b["claim"] in ("sglu.lem3.5", "sglu.thml.1")]
    assert own
    assert all(0 < b["reach"] <= 1 for b in own)


def test_less_noise_is_more_accurate():
    """Learning from scratch, a thousand times the noise."""
    from verify.sglu.reproduced.world import Digits

    world = Digits(Chosen(stand_in="digits", quick=True), 0)
    clean, noisy = (world.accuracy(world.learned(128, sigma)) for sigma in (0.001, 1.0))
    assert clean > 0.9 > noisy
