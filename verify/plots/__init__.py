"""Plots of claims: every form against the experiment over the claim's natural variable."""

from verify.plots.curves import Curve, Picture, picture, plottable, scene
from verify.plots.figure import draw, embed, save
from verify.plots.inline import inline_svg

__all__ = [
    "Curve",
    "Picture",
    "draw",
    "embed",
    "inline_svg",
    "picture",
    "plottable",
    "save",
    "scene",
]
