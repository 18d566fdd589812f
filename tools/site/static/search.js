// pagefind's results in place of Sphinx's, where its index is there and a server serves it. A query
// with the name of a Greek letter finds the letter, and the other way round.
(async () => {
  "use strict";
  const theirs = document.getElementById("search-results");
  const text = new URLSearchParams(location.search).get("q")?.trim();
  if (!theirs || !text) return;
  const root = document.documentElement.dataset.content_root ?? "./";

  const names = {
    α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", η: "eta", θ: "theta", κ: "kappa",
    λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi",
    χ: "chi", ψ: "psi", ω: "omega", Γ: "Gamma", Δ: "Delta", Λ: "Lambda", Σ: "Sigma", Φ: "Phi",
  };
  const named = text.replace(/\p{Script=Greek}/gu, (letter) => names[letter] ?? letter);
  const lettered = named.replace(/[A-Za-z]+/g, (word) =>
    Object.keys(names).find((letter) => names[letter] === word) ?? word);

  let pagefind;
  try {
    pagefind = await import(new URL(`${root}pagefind/pagefind.js`, location.href).href);
  } catch {
    return;
  }
  const best = new Map();
  for (const query of new Set([named, lettered])) {
    for (const result of (await pagefind.search(query)).results) {
      const known = best.get(result.id);
      if (!known || known.score < result.score) best.set(result.id, result);
    }
  }
  const ordered = [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const list = document.createElement("ol");
  list.className = "fp-results";
  for (const data of await Promise.all(ordered.slice(0, 40).map((result) => result.data()))) {
    const item = list.appendChild(document.createElement("li"));
    const link = item.appendChild(document.createElement("a"));
    link.href = data.url;
    link.textContent = data.meta.title ?? data.url;
    const excerpt = item.appendChild(document.createElement("div"));
    excerpt.innerHTML = data.excerpt;
  }
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  count.textContent = `${ordered.length} pages`;
  theirs.hidden = true;
  theirs.before(count, list);
})();
