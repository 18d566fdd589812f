"""Appendix K.2 of sglu: "28 x 28 pixels (d = 724)"."""

pixels, printed = 28 * 28, 724
print(f"28 x 28 = {pixels}, printed d = {printed}")
assert pixels != printed
