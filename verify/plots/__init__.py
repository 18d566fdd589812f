"""Plots of claims: every form against the experiment, over a variable of the claim."""

from verify.drawable import drawable
from verify.plots.curves import asked, formulas, picture, plottable, scene
from verify.plots.description import alternative, caption, save_caption
from verify.plots.facts import title
from verify.plots.figure import draw, embed, save
from verify.plots.inline import inline_svg
from verify.plots.labels import plain
from verify.plots.picture import Curve, Picture
from verify.plots.verdict import Told, gathered, told

__all__ = [
    "Curve",
    "Picture",
    "Told",
    "alternative",
    "asked",
    "caption",
    "draw",
    "drawable",
    "embed",
    "formulas",
    "gathered",
    "inline_svg",
    "picture",
    "plain",
    "plottable",
    "save",
    "save_caption",
    "scene",
    "title",
    "told",
]
