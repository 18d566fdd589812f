"""The printed TeX as a witness of its form's value: it is read, evaluated and compared.

`normalise` brings decorated TeX to one plain spelling, `split` tells the claim from the definitions
after it, `reader` makes trees of them, `evaluate` gives these values with 30 digits (`names` and
`lookup` say what a name means), and `compare` compares them with the form's own at points inside
its hypotheses; `listed` knows which forms of a paper did agree.
"""

from verify.tex.compare import TexOutcome, witness, witnesses

__all__ = ["TexOutcome", "witness", "witnesses"]
