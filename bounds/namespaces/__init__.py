"""Namespaces of forms: one function over a namespace `xp`, for floats, for many digits, for
symbols.

A form is written once, as a function whose first argument is the namespace:

    def printed(xp, eta, m, K):
        return xp.geometric(eta * m, K) / xp.sqrt(K)

`Numeric` (numpy) makes it the shipped numbers, `Precise` (mpmath) its value with any number of
digits, `Symbolic` (sympy) an expression in free symbols, `Dimensions` (`bounds.units`) its unit.
They have the same names:

    inf pi                                   constants
    rational(p, q)                           p/q; a float such as 1.6 would not be exact
    sqrt log exp log1p expm1 floor ceiling   elementary; abs() and the operators are Python's
    minimum maximum                          of any number of arguments
    where(condition, yes, no)                cases; a callable is called only where it is needed
    step(x)                                  1 where x > 0, else 0
    equal(a, b)                              a condition; <, <=, >, >=, & and | are Python's
    times(q, x)                              q x; 0 where q = 0, also for x infinite
    decay(gap, N, rest)                      (1 - gap)^N, N up to infinity
    geometric(gap, N)                        sum_{i < N} (1 - gap)^i, N up to infinity
    spread(gap, N)                           sum_{i < N} (1 - gap)^(2i), the papers' G_c(N)
    first_whole(x, enough)                   least whole K >= max(1, x), where enough(K) first holds
    homogeneous(n, *x)                       the sum of all monomials of degree n, in two numbers
                                             or in more >= 0; 0 for negative n > -len(x)
    total product greatest least             of term(i) over i = low..high, both ends included
    over(term, *lists)                       sum over i of term(i, x_i, y_i, ...), i from 1
    orbit(step, x)                           x_1 = x, x_{i+1} = step(i, x_i), a list without end
    log_sum_exp(term, *lists)                log of the sum over i of e^term(i, x_i, y_i, ...)
    norm(x)                                  the Euclidean norm of a list
    prefix(x, t)                             x_1 + ... + x_t of a list
    count(x)                                 the length of a list
    over_hits(term, hits, J)                 sum over batches j < J of term(j, hits_j)
    last_hit(hits, J)                        the last batch j < J with hits_j > 0
    harmonic trigamma zeta binomial gamma log_gamma erf erfc hyp1f1
    softplus(x) hypot(a, b)                  log(1 + e^x); sqrt(a^2 + b^2)
    gamma_ratio(d)                           Gamma((d + 1)/2)/Gamma(d/2)
    gamma_above(a, x)                        Gamma(a, x)/Gamma(a)
    pochhammer(a, q)                         prod_{t >= 0} (1 - a q^t), for 0 < q < 1
    student(d, x)                            the distribution function of Student's t
    Phi(x)                                   the standard normal distribution function
    gaussian_delta(epsilon, mu)              delta of mu-Gaussian-DP at epsilon
    mu_star(epsilon, delta)                  the mu of Gaussian-DP that attains (epsilon, delta)

Powers of 1 - x are written by `decay`, `geometric` and `spread`, which take the gap x: that is
what keeps digits where 1 - x is near 1; `rest` is 1 - gap where that is the argument, which keeps
them near 0.  A list arrives as `x[1], x[2], ...`, numbered as papers
do.
"""
