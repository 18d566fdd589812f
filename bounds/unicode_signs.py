"""The signs of formulas in Unicode: letters, relations, operators, and what can be a script."""

GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
LETTERS = GREEK | {
    "ell": "ℓ",
    "infty": "∞",
    "emptyset": "∅",
    "nabla": "∇",
    "partial": "∂",
    "bullet": "•",
    "star": "*",
    "ast": "*",
    "top": "ᵀ",
    "prime": "′",
    "dagger": "†",
    "ldots": "…",
    "dots": "…",
    "cdots": "⋯",
    "#": "#",
    "%": "%",
    "&": "&",
    "_": "_",
}
"""What stands for a quantity, or beside one."""
RELATIONS = {
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "ll": "≪",
    "gg": "≫",
    "lesssim": "≲",
    "gtrsim": "≳",
    "approx": "≈",
    "sim": "∼",
    "simeq": "≃",
    "equiv": "≡",
    "propto": "∝",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "gets": "←",
    "mapsto": "↦",
    "Rightarrow": "⇒",
    "implies": "⇒",
    "iff": "⇔",
    "in": "∈",
    "notin": "∉",
    "subset": "⊂",
    "subseteq": "⊆",
    "mid": "|",
}
OPERATORS = {
    "pm": "±",
    "mp": "∓",
    "cup": "∪",
    "cap": "∩",
    "setminus": "∖",
    "smallsetminus": "∖",
    "circ": "∘",
    "odot": "⊙",
    "oplus": "⊕",
    "otimes": "⊗",
    "wedge": "∧",
    "vee": "∨",
}
"""Between two quantities, with a space on either side."""
PRODUCTS = {"cdot": "·", "times": "×"}
LARGE = {"sum": "∑", "prod": "∏", "int": "∫", "bigcup": "⋃", "bigcap": "⋂"}
_LOGARITHMS = {"log", "ln", "lg", "exp", "erf"}
_EXTREMES = {"min", "max", "sup", "inf", "argmin", "argmax", "arg", "lim", "limsup", "liminf"}
_WAVES = {"sin", "cos", "tan", "tanh", "sinh", "cosh", "arctan"}
_NAMED = {"det", "dim", "Pr", "gcd", "mod", "sign", "diag", "tr", "rank"}
WORDS = frozenset(_LOGARITHMS | _EXTREMES | _WAVES | _NAMED)
OPENING = {"(": "(", "[": "[", "{": "{", "lceil": "⌈", "lfloor": "⌊", "langle": "⟨"}
CLOSING = {")": ")", "]": "]", "}": "}", "rceil": "⌉", "rfloor": "⌋", "rangle": "⟩"}
OPENING |= {"lbrace": "{", "lbrack": "["}
CLOSING |= {"rbrace": "}", "rbrack": "]"}
BARS = {"|": "|", "vert": "|", "\\|": "‖", "Vert": "‖"}
"""Bars that open or close, as what stands before them says."""
SIDED_BARS = {"lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖"}
ACCENTS = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "bar": "\u0304",
    "overline": "\u0304",
    "dot": "\u0307",
    "ddot": "\u0308",
}
DOUBLE_STRUCK = str.maketrans("RENPQZC", "ℝ𝔼ℕℙℚℤℂ")
# A superscript T is a horizon, never a transpose, and has no sign of its own.
SUPERSCRIPTS = dict(
    zip(
        "0123456789+-=()niktsjabcdeghlmopruvwxyzKJMNRBDEGHLPUV′*ᵀ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵏᵗˢʲᵃᵇᶜᵈᵉᵍʰˡᵐᵒᵖʳᵘᵛʷˣʸᶻᴷᴶᴹᴺᴿᴮᴰᴱᴳᴴᴸᴾᵁⱽ′*ᵀ",
        strict=True,
    )
)
SUBSCRIPTS = dict(
    zip("0123456789+-=()aeoxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", strict=True)
)
ROOTS = {"": "√", "3": "∛", "4": "∜"}
