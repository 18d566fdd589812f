// Filters and sorts the table of claims. The state lives in the fragment, so that a view can be
// linked; without this script the table is complete, in groups by verdict.
(() => {
  "use strict";
  const table = document.getElementById("claims");
  const form = document.querySelector(".filters");
  const output = form.querySelector("output");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const body = document.createElement("tbody");
  const fields = [...form.elements].filter((field) => field.name && field.type !== "reset");
  // "Rényi" and "Renyi", "ε" and "epsilon" are the same word.
  const greek = {
    α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ζ: "zeta", η: "eta",
    θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho",
    σ: "sigma", τ: "tau", φ: "phi", χ: "chi", ψ: "psi", ω: "omega",
  };
  const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}+/gu, "")
    .replace(/[α-ω]/g, (letter) => greek[letter] ?? letter);
  const texts = new Map(rows.map((row) => [row, fold(row.dataset.text)]));
  let sort = { key: "", down: false };

  const value = (row, column, number) => {
    const cell = row.cells[column];
    if (!number) return cell.textContent.trim();
    const text = cell.dataset.value;
    return text === "" || text === undefined ? null : Number(text);
  };

  const order = () => {
    const column = heads.findIndex((head) => head.dataset.key === sort.key);
    heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== column ? "none" : sort.down ? "descending" : "ascending"));
    if (column < 0) return rows;
    const number = heads[column].dataset.sort === "number";
    const keyed = rows.map((row) => [value(row, column, number), row]);
    const missing = (key) => key === null || key === "";
    keyed.sort(([a], [b]) => {
      if (missing(a) || missing(b)) return missing(a) - missing(b);
      const way = number ? (a < b ? -1 : a > b ? 1 : 0) : a.localeCompare(b, "en", { numeric: true });
      return sort.down ? -way : way;
    });
    return keyed.map(([, row]) => row);
  };

  const show = () => {
    const words = fold(form.elements.q.value).split(/\s+/).filter(Boolean);
    const chosen = fields.filter((f) => f.name !== "q" && f.value !== "");
    let shown = 0;
    for (const row of rows) {
      const fits = chosen.every((f) => row.dataset[f.name] === f.value)
        && words.every((word) => texts.get(row).includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    output.value = `${shown} of ${rows.length}`;
    body.append(...order());
  };

  const read = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) {
      const wanted = state.get(field.name) ?? "";
      const known = field.name === "q" || [...field.options].some((o) => o.value === wanted);
      field.value = known ? wanted : "";
    }
    sort = { key: state.get("sort") ?? "", down: state.get("order") === "down" };
    show();
  };

  const write = () => {
    const state = new URLSearchParams();
    for (const field of fields) if (field.value) state.set(field.name, field.value);
    if (sort.key) state.set("sort", sort.key);
    if (sort.key && sort.down) state.set("order", "down");
    const text = state.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    show();
  };

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const same = sort.key === head.dataset.key;
      sort = same && sort.down ? { key: "", down: false } : { key: head.dataset.key, down: same };
      write();
    });
  }
  for (const old of [...table.tBodies]) old.remove();
  table.append(body);
  table.classList.add("live");
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", write);
  form.addEventListener("reset", () => {
    sort = { key: "", down: false };
    setTimeout(write);
  });
  addEventListener("hashchange", read);
  read();
})();
