"""Plots of claims: every form against the experiment, over a variable of the claim."""

from verify.drawable import drawable
from verify.plots.curves import asked, formulas, picture, plottable, scene
from verify.plots.figure import draw, embed, save
from verify.plots.inline import inline_svg
from verify.plots.picture import Curve, Picture
from verify.plots.verdict import Told, gathered, told

__all__ = [
    "Curve",
    "Picture",
    "Told",
    "asked",
    "draw",
    "drawable",
    "embed",
    "formulas",
    "gathered",
    "inline_svg",
    "picture",
    "plottable",
    "save",
    "scene",
    "told",
]
