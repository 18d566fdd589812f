// Copy buttons, entries that the address opens, and paper, on which everything is open. Without
// this script every text is there to be selected, and every section opens by a click.
(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);

  const select = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };

  const copy = async (button) => {
    const source = byId(button.dataset.copy);
    let copied = true;
    // Files on disk may have no clipboard; the selection is copied, or left for a hand to copy.
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      select(source);
      copied = document.execCommand("copy");
    }
    button.dataset.name ??= button.textContent;
    button.textContent = copied ? "Copied" : "Selected";
    setTimeout(() => { button.textContent = button.dataset.name; }, 1500);
  };

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }

  const open = () => {
    let element = byId(decodeURIComponent(location.hash.slice(1)));
    if (!element) return;
    for (let outer = element; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") outer.open = true;
    }
    element.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();

  const entries = [...document.querySelectorAll("details.entry")];
  const all = byId("open-all");
  if (all) {
    all.hidden = false;
    all.addEventListener("click", () => {
      const opens = entries.some((entry) => !entry.open);
      for (const entry of entries) entry.open = opens;
      all.textContent = opens ? "Close all" : "Open all";
    });
  }

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
