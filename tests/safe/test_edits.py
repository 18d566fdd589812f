"""An edit that does not repair what safe prints."""

import dataclasses

import bounds
from bounds import Edit
from verify.edits import fault


def test_squaring_alone_does_not_repair_the_variance_of_safe():
    """phi = W sqrt(...)/eps squared is still the variance for sensitivity W, not for 2W."""
    claim = bounds.get("safe.phi")
    printed = bounds.get("safe.phi")["printed"].tex
    right = printed.partition("=")[2]
    interpretation = dataclasses.replace(
        claim.interpretations[0], edits={"printed": Edit("square", right, rf"\Big({right}\Big)^2")}
    )
    assert fault(claim, interpretation, "printed")
    inputs = {"W": 1.0, "epsilon": 0.5, "delta": 1e-5}
    once = float(bounds.get("safe.phi")("printed", **inputs)) ** 2
    assert once < float(bounds.get("safe.phi")("tight", **inputs, gamma=0.0))
