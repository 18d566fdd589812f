"""An inequality of one's own against a run: a verdict at every point, a picture, what to cite.

bound         the inequality: an expression, its names, the range over which it is claimed
measurements  what a run measured: points, values, errors, constants
table         measurements from a CSV file
runs          measurements from an experiment of `forgetproof simulate`
verdict       the one held against the other, with confidence limits where there are trials
picture       the bound, the points, and the side that breaks it
citation      a sentence and BibTeX
"""

from forgetproof.inequality.bound import Over, OwnBound
from forgetproof.inequality.measurements import BoundMeasurements
from forgetproof.inequality.verdict import BoundVerdict, judge

__all__ = ["BoundMeasurements", "BoundVerdict", "Over", "OwnBound", "judge"]
