"""Exact laws and divergences, by routes that share nothing with the accountants they test.

Laws: `gaussian` (quadratics in any dimension), `linear_chain` (the linear worst case, also in
Fractions), `transfer` (projected chains on an interval), `mixture` (random batch position),
`projected_normal` (one normal number on an interval).
Divergences: `gaussian_divergence`, `line_divergence` and `line_winf` (laws of `line`), `discrete`
and `shifted` (finite laws, also in Fractions).
"""
