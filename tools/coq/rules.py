"""The kernel's rules as proofs in Coq, a function for each."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from bounds.kernel import theorems
from bounds.kernel.rules import Theorem, bracketed
from bounds.kernel.syntax import expression, parts, quantified
from tools.coq.claims import Cited, Output
from tools.coq.context import Context, CoqFact, Names, NotExported, Rendering
from tools.coq.equations import replace
from tools.coq.line import Line, statement
from tools.coq.prelude import expressible
from tools.coq.words import binders, coq_name, theorem_name

_NAMED = re.compile(r"(\w+)\s*(\(.*)")
_INDUCTION = "induction on "


class LineProofs:
    """Lines of one proof; `output` takes what they need before them."""

    def __init__(self, output: Output) -> None:
        self.output = output

    def shown(
        self, context: Context, label: str, text: str, block: Sequence[str]
    ) -> tuple[CoqFact, str, list[str]]:
        """The fact that `CLAIM by RULE` shows, its statement, and the script that proves it."""
        stated_text, _, rule = text.partition(" by ")
        parameters, guards, claim = quantified(stated_text)
        fact = CoqFact(coq_name(label), parameters, guards, claim, dict(context.names))
        inner = context.inner()
        for name, sort in parameters:
            inner.declare(name, sort)
        stated = self.stated(inner, parameters, guards, claim)
        rule = rule.strip()
        if rule.startswith(_INDUCTION):
            script = self.induction(context, fact, rule.removeprefix(_INDUCTION), block)
            return fact, stated, script
        names = [coq_name(name) for name, _ in parameters]
        assumed = [*names, *self.assume(inner, guards, inner.names)]
        script = [f"intros {' '.join(assumed)}."] if assumed else []
        script += self.by(inner, claim, inner.names, rule)
        return fact, stated, script

    def stated(
        self,
        context: Context,
        parameters: tuple[tuple[str, str], ...],
        guards: Sequence[ast.expr],
        claim: ast.expr,
    ) -> str:
        """The statement for all values of the parameters, under the guards."""
        claims = statement(context, (*guards, claim), self.output.predicates)
        head = f"forall {binders(parameters)}, " if parameters else ""
        return head + " -> ".join(claims)

    def assume(self, context: Context, guards: Sequence[ast.expr], names: Names) -> list[str]:
        """Guards are facts named if, if1, if2, ..; their names in Coq."""
        labels = [f"if{place or ''}" for place in range(len(guards))]
        for label, guard in zip(labels, guards, strict=True):
            context.add(label, CoqFact(coq_name(label), (), (), guard, dict(names)))
        return [coq_name(label) for label in labels]

    def induction(self, context: Context, fact: CoqFact, n: str, block: Sequence[str]) -> list[str]:
        """The claim for n = 0, and for n + 1 from that for n, whatever the other parameters."""
        names = [coq_name(name) for name, _ in fact.parameters]
        others = tuple(each for each in fact.parameters if each[0] != n)
        general = [coq_name(name) for name, _ in others]
        variable = coq_name(n)
        script = [f"intros {' '.join(names)}."]
        if general:
            script.append(f"revert {' '.join(general)}.")
        script.append(f"induction {variable} as [| {variable} ih] using nat_step.")
        for part in ("base", "step"):
            inner = context.inner()
            for name, sort in fact.parameters:
                inner.declare(name, sort)
            here = dict(inner.names)
            if part == "step":
                inner.add("ih", CoqFact("ih", others, fact.guards, fact.claim, here))
            at = "0" if part == "base" else f"{n} + 1"
            renderings = Line(inner.inner(), self.output).terms
            goal = {**here, n: renderings.whole(expression(at), here)}
            assumed = self.assume(inner, fact.guards, goal)
            script.append(f"- (* {part} *)")
            if general or assumed:
                script.append(f"intros {' '.join([*general, *assumed])}.")
            script += self.part(inner, fact.claim, goal, part, block)
        return script

    def part(
        self, context: Context, claim: ast.expr, goal: Names, part: str, block: Sequence[str]
    ) -> list[str]:
        """The lines `base:` or `step:` of an induction."""
        script: list[str] = []
        for line in block:
            text = line.removeprefix(f"{part}:").strip()
            if not line.startswith(f"{part}:"):
                continue
            script.append(f"(* {line} *)")
            if text.startswith("hence by "):
                script += self.by(context, claim, goal, text.removeprefix("hence by ").strip())
                continue
            label, _, shown_text = text.partition(":")
            fact, stated, inner = self.shown(context, label.strip(), shown_text.strip(), [])
            context.add(label.strip(), fact)
            script += [f"assert ({fact.name} : {stated}).", "{ " + "\n".join(inner) + " }"]
        return script

    def by(self, context: Context, goal: ast.expr, names: Names, rule: str) -> list[str]:
        """A line by a theorem or an expression, after equations are put in."""
        rule, _, equations = rule.partition(" with ")
        line = Line(context.inner(), self.output)
        for equation in parts(equations, ","):
            replace(line, equation)
        named = _NAMED.fullmatch(rule.strip())
        claim = line.claim(goal, names)
        if named and named[1] in theorems():
            cited = self.theorem(line, theorems()[named[1]], named[2])
            proof = line.known(claim, [cited])
        else:
            proof = line.certificate(claim, rule.strip())
        return [*line.script, f"exact {proof}."]

    def theorem(self, line: Line, theorem: Theorem, rest: str) -> Cited:
        """What a named theorem says of these terms, its premises shown."""
        if not expressible(theorem):
            raise NotExported(f"no rule for the theorem {theorem.name}")
        terms, facts = bracketed(rest)
        names = line.context.names
        inner: dict[str, str | Rendering] = dict(names)
        texts = []
        for (name, sort), term in zip(theorem.parameters, terms, strict=True):
            rendering = line.terms.of_sort(expression(term), names, sort)
            inner[name] = rendering
            texts.append(rendering.text)
        used = [line.instance(expression(fact), names) for fact in facts]
        premises = [line.known(line.claim(p, inner), used) for p in theorem.premises]
        proof = f"({' '.join([theorem_name(theorem.name), *texts, *premises])})"
        return Cited(line.claim(theorem.conclusion, inner), proof)
