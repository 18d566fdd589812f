"""Numbers: roots, products beyond the floats, and arguments that are refused by name.

Modules
    monotone       inversion of increasing functions, rounded to the safe side
    root           where one function passes through zero, inside a bracket
    scaled         numbers as mantissa and exponent
    powers         sums and differences of powers without cancellation
    mills_ratio    the Gaussian tail over its density
    attempt        an accountant that fails counts as infinite, and says why
    validation     ranges: a bad argument is refused by name
    arguments      types
"""
