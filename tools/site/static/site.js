// The gallery's choices. Without this script every picture is there.
(() => {
  "use strict";
  const form = document.getElementById("fp-filter");
  if (!form) return;
  const cards = [...document.querySelectorAll(".fp-cards li")];
  const show = () => {
    const { paper, verdict } = Object.fromEntries(new FormData(form));
    let shown = 0;
    for (const card of cards) {
      const fits = (!paper || card.dataset.paper === paper) && (!verdict || card.dataset.verdict === verdict);
      card.hidden = !fits;
      shown += fits;
    }
    form.querySelector("output").textContent = `${shown} of ${cards.length} pictures`;
  };
  form.addEventListener("change", show);
  show();
})();
