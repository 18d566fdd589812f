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
  const long = { Thm: "Theorem", Prop: "Proposition", Lem: "Lemma", Alg: "Algorithm", eq: "Equation" };
  const spelled = text.replace(/\b(Thm|Prop|Lem|Alg|eq)\b\.?/g, (_, short) => long[short]);
  const named = spelled.replace(/\p{Script=Greek}/gu, (letter) => names[letter] ?? letter);
  const lettered = named.replace(/[A-Za-z]+/g, (word) =>
    Object.keys(names).find((letter) => names[letter] === word) ?? word);
  // Words without accents, as pagefind compares them; a number keeps its point.
  const words = (title) =>
    title.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}_]+(\.[\p{L}\p{N}_]+)*/gu) ?? [];

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
  const pages = await Promise.all(ordered.slice(0, 60).map((result) => result.data()));
  // A page whose title has all the words comes first, the shortest title of them before the others.
  const asked = words(named);
  const missing = (data) => {
    const title = words(data.meta.title ?? "");
    return asked.every((word) => title.includes(word)) ? title.length : Infinity;
  };
  const rank = new Map(pages.map((data, place) => [data, [missing(data), place]]));
  const order = (a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]);
  pages.sort((a, b) => order(rank.get(a), rank.get(b)));
  for (const data of pages.slice(0, 40)) {
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
