"""Mechanisms of all kinds, drawn: small ones, so that every route answers soon."""

from hypothesis import strategies as st

DRAWN = ("poisson", "fixed", "shuffled", "cyclic", "full")


def document(**fields):
    """A document with what every one needs."""
    usual = {"schema": "forgetproof/mechanism/1", "name": "drawn", "requests": "oblivious"}
    return {**usual, "claims": [], **fields}


@st.composite
def noise(draw):
    """Mostly fresh, sometimes none at all."""
    deviation = draw(st.sampled_from([0.0, *[draw(st.floats(0.2, 4))] * 9]))
    drawn = draw(st.sampled_from(["fresh"] * 8 + ["repeated", "public"]))
    return {"deviation": deviation, "on": "iterate", "drawn": drawn}


def constants(numbers):
    """A number, public or of another origin."""
    origins = st.sampled_from(["public", "enforced", "assumed", "estimated", "rows"])
    return numbers | st.fixed_dictionaries({"value": numbers, "origin": origins})


@st.composite
def maps(draw):
    """Segments of maps with bounds, released in every way."""
    segments = draw(st.integers(1, 4))
    ball = {"radius": draw(st.floats(0.1, 3))} if draw(st.integers(0, 3)) == 0 else {}
    steps = [
        {
            "count": draw(st.integers(1, 5)),
            "contraction": draw(st.floats(0, 1.2)),
            "shift": draw(st.sampled_from([0.0, draw(st.floats(0, 2))])),
            "noise": draw(noise()),
            **ball,
        }
        for _ in range(segments)
    ]
    total = sum(step["count"] for step in steps)
    return document(
        relation={"adjacency": "maps", "reference": "other"},
        start=draw(constants(st.sampled_from([0.0, 1.0]))),
        steps=steps,
        outputs=draw(st.sampled_from([1, 1, 3])),
        released=draw(released(total)),
        requests=draw(st.sampled_from(["oblivious", "oblivious", "adaptive"])),
    )


@st.composite
def released(draw, total):
    kind = draw(st.sampled_from(["last", "last", "every", "some"]))
    if kind != "some" or total == 1:
        return "last" if kind == "some" else kind
    times = draw(st.lists(st.integers(1, total - 1), unique=True, min_size=1, max_size=2))
    return sorted(times)


ODD = {
    "group": {"clip": {"each": "group", "groups": 3}},
    "microbatch": {"clip": {"each": "microbatch"}},
    "batch": {"clip": {"each": "batch"}},
    "unclipped": {"clip": {"each": "nothing"}},
    "decay inside": {"clip": {"each": "row", "decay": "inside"}},
    "follows": {"divisor": {"is": "from_n"}},
    "by the batch": {"divisor": {"is": "batch"}},
    "momentum": {"momentum": 0.9},
    "Adam": {"optimizer": "adam"},
    "a ball": {"radius": 1.0},
    "silent": {"noise": {"deviation": 0.0}},
    "repeated": {"noise": {"drawn": "repeated"}},
    "known": {"noise": {"drawn": "public"}},
    "small gradients": {"row_gradient": 0.2},
}
"""What a plain mechanism is changed by, one at a time."""


@st.composite
def gradients(draw):
    """Segments of gradient steps: every sampling, adjacency and release; half of them odd."""
    drawn = draw(st.sampled_from(DRAWN))
    size = draw(st.integers(2, 6))
    sampled = {"drawn": drawn}
    if drawn == "poisson" and draw(st.booleans()):
        sampled["rate"] = draw(st.floats(0.05, 1))
    elif drawn != "full":
        sampled["size"] = size
    if drawn in ("shuffled", "cyclic"):
        sampled["last"] = draw(st.sampled_from(["kept", "kept", "dropped", "filled"]))
    odd = ODD[draw(st.sampled_from(list(ODD)))] if draw(st.booleans()) else {}
    clip = {"each": "row", **odd.get("clip", {})}
    if clip["each"] != "nothing":
        clip["norm"] = draw(constants(st.floats(0.5, 2)))
    value = draw(st.sampled_from([size, size, size + 0.5]))
    divisor = {"value": value, "is": "constant", **odd.get("divisor", {})}
    if divisor["is"] == "from_n":
        divisor["beside"] = value * draw(st.sampled_from([1.0, 0.95]))
    common = {
        "batches": sampled,
        "clip": clip,
        "divisor": divisor,
        "step_size": draw(st.floats(0.05, 1)),
        "decay": draw(st.sampled_from([0.0, 0.2])),
        **{name: odd[name] for name in ("momentum", "optimizer", "radius") if name in odd},
    }
    sigma, on = draw(st.floats(0.2, 4)), draw(st.sampled_from(["sum", "sum", "mean", "iterate"]))
    # Whatever it is on, it is comparable to the clip.
    scale = {"sum": 1.0, "mean": 1 / value, "iterate": common["step_size"] / value}[on]
    noise = {"deviation": sigma * scale, "on": on}
    counts = draw(st.sampled_from([(3,), (4, 1), (2, 2), (1, 3, 1)]))
    seen = [True, False] if len(counts) < 3 else [True, True, False]
    where = draw(st.integers(0, len(counts) - 1))
    steps = []
    for at, (count, sees) in enumerate(zip(counts, seen, strict=False)):
        changed = odd.get("noise", {}) if at == where else {}
        small = {"row_gradient": 0.2} if "row_gradient" in odd and sees else {}
        steps.append({"count": count, "sees": sees, "noise": noise | changed, **common, **small})
    return document(
        relation={
            "adjacency": draw(st.sampled_from(["zero", "zero", "delete", "add", "replace"])),
            "rows": draw(st.sampled_from([1, 1, 1, 2])),
        },
        n=draw(st.integers(12, 20)),
        dimension=draw(st.integers(1, 100)),
        losses=draw(st.sampled_from(["scalar", "scalar", "linear", "any"])),
        smoothness=draw(st.floats(0, 1)),
        steps=steps,
        released=draw(released(sum(counts))),
        requests=draw(st.sampled_from(["oblivious", "oblivious", "adaptive"])),
        layers=draw(st.sampled_from([[]] * 9 + [["BatchNorm"]])),
    )
