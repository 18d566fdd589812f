"""The settings of a claim by their names, and what is certified of others in their place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from accounting.mechanism import Maps, Mechanism
from accounting.numerics.validation import scalar
from accounting.problems.answer import shown
from forgetproof.certificates.certificate import UnlearningCertificate
from forgetproof.certificates.strict_json import parse

_MAPS = {"distance": "start", "sigma": "steps.noise.deviation"}


@dataclass(frozen=True)
class SettingsCheck:
    """What a claim says, and what is certified of the settings in use.

    Attributes:
        claimed, delta: the claim's epsilon and delta.
        certified: epsilon at delta of the settings in use; inf where none is certified.
        route: how it was computed; empty where none is certified.
        differences: settings that are not those of the claim, in words.
        reasons: why no epsilon is certified, each with the path of a field.
    """

    claimed: float
    delta: float
    certified: float
    route: str
    differences: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the claim is true of the settings in use."""
        return self.certified <= self.claimed

    def __str__(self) -> str:
        """Both numbers, the second rounded up, and what has changed."""
        parts = [f"claimed epsilon {self.claimed:g}, certified {shown(self.certified, 5)}"]
        return "; ".join([*parts, *self.differences, *self.reasons])


def check_settings(
    target: str | os.PathLike[str] | Mapping[str, Any], settings: Mapping[str, Any]
) -> SettingsCheck:
    """Return what is certified of a claim's mechanism with these settings in place of its own.

    target: the file of a certificate or claim, or its document.  settings: by the names of
    `settings_of`.  Raises ValueError for a document or a setting that is none, OSError for a file
    that cannot be read.
    """
    try:
        certificate = read_claim(target)
        mechanism = Mechanism.of_document(certificate.predicate["mechanism"])
    except ValueError as error:
        raise ValueError(f"target must be a certificate or a claim: {error}") from None
    claimed = certificate.predicate["claim"]
    in_use, differences = _changed(mechanism, settings) if settings else (mechanism, ())
    truth = in_use.truth(claimed["delta"])
    return SettingsCheck(
        float(claimed["epsilon"]),
        float(claimed["delta"]),
        truth.upper,
        truth.route.partition("; ")[0],
        differences,
        truth.open_fields,
    )


def read_claim(target: str | os.PathLike[str] | Mapping[str, Any]) -> UnlearningCertificate:
    """The document of a claim, with its shape checked; errors as `check_settings`."""
    if isinstance(target, Mapping):
        return UnlearningCertificate(target)
    if not isinstance(target, str | os.PathLike):
        raise ValueError(f"it must be a file or a document, got {target!r:.60}")
    path = Path(target)
    if not path.is_file():
        raise ValueError(f"there must be such a file, got {str(path)!r}")
    return UnlearningCertificate(parse(path.read_bytes(), path.name))


def settings_of(mechanism: Mechanism) -> dict[str, Any]:
    """Return the settings of a mechanism by name: the fields of the problem that it is, and sigma.

    Of maps, such as a minimiser with noise: `distance`, of the two first states, and `sigma`, the
    deviation of the noise of a single step.  Raises ValueError, with the path of a field, where no
    problem says what the mechanism does.
    """
    if _maps(mechanism):
        steps = mechanism.steps
        noise = {"sigma": steps[0].noise.deviation.value} if len(steps) == 1 else {}
        return {"distance": mechanism.start.value, **noise}
    problem, sigma = mechanism.problem()
    return {**{each.name: getattr(problem, each.name) for each in fields(problem)}, "sigma": sigma}


def _maps(mechanism: Mechanism) -> bool:
    return any(isinstance(step, Maps) for step in mechanism.steps)


def _changed(
    mechanism: Mechanism, settings: Mapping[str, Any]
) -> tuple[Mechanism, tuple[str, ...]]:
    """The mechanism with other settings, and in words how they differ."""
    before = settings_of(mechanism)
    for name, value in settings.items():
        if name not in before:
            raise ValueError(f"{name} must be one of {', '.join(before)}, got {value!r:.60}")
    in_use = _with_maps(mechanism, settings) if _maps(mechanism) else _with(mechanism, settings)
    after = settings_of(in_use)
    return in_use, tuple(
        f"{name} is {after[name]} in the code, {before[name]} in the claim"
        for name in settings
        if after[name] != before[name]
    )


def _with(mechanism: Mechanism, settings: Mapping[str, Any]) -> Mechanism:
    problem, sigma = mechanism.problem()
    fields_changed = {name: value for name, value in settings.items() if name != "sigma"}
    other = replace(problem, **fields_changed)
    if "sigma" in settings:
        sigma = scalar("sigma", settings["sigma"], low=0.0, high_open=True)
    # A problem does not say which requests are allowed: what the claim says of them stays.
    return replace(
        Mechanism.of(other, sigma),
        requests=mechanism.requests,
        tuned_on_rows=mechanism.tuned_on_rows,
    )


def _with_maps(mechanism: Mechanism, settings: Mapping[str, Any]) -> Mechanism:
    values: dict[str, Any] = {}
    for name, value in settings.items():
        path = _MAPS[name]
        values[path] = scalar(name, value, low=0.0, high_open=True)
    if "start" in values and mechanism.start.origin != "public":
        values["start"] = {"value": values["start"], "origin": mechanism.start.origin}
    return mechanism.with_values(values)
