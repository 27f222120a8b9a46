"use strict";
{
  const of = (id) => document.getElementById(id);
  const form = document.querySelector(".choose");

  // what is chosen: rows, and the articles that they lead to
  const choose = (form) => {
    const [find, verdict, order] = ["find", "verdict", "order"].map(of);
    const tables = [...document.querySelectorAll(".forest")];
    const passed = document.querySelector(".passed-gates");
    const gates = tables.flatMap((table) =>
      [...table.tBodies].map((body, place) => {
        const gate = body.querySelector("th").textContent.toLowerCase();
        const rows = [...body.rows].map((row) => {
          const link = row.querySelector("a");
          const article = link && document.querySelector(link.hash);
          return { row, article, text: gate + row.textContent.toLowerCase(), verdict: row.classList[0] };
        });
        const change = Math.min(...rows.map(({ row }) => Number(row.dataset.change ?? Infinity)));
        return { table, body, place, gate, rows, change, folded: passed?.contains(table) ?? false };
      }),
    );
    const orders = {
      "": (a, b) => a.place - b.place,
      name: (a, b) => a.gate.localeCompare(b.gate, undefined, { numeric: true }) || a.place - b.place,
      change: (a, b) => a.change - b.change || a.place - b.place,
    };
    let ordered = "";
    const apply = () => {
      const wanted = find.value.trim().toLowerCase();
      let found = 0;
      let foundFolded = 0;
      for (const { rows, folded } of gates) {
        for (const { row, article, text, verdict: its } of rows) {
          const shown = text.includes(wanted) && (!verdict.value || verdict.value === its);
          row.hidden = !shown;
          if (article) article.hidden = !shown;
          found += shown;
          foundFolded += shown && folded;
        }
      }
      if (passed && (wanted || verdict.value)) passed.open = foundFolded > 0;
      if (order.value !== ordered) {
        for (const { table, body } of [...gates].sort(orders[order.value])) table.append(body);
        ordered = order.value;
      }
      of("found").textContent = wanted || verdict.value ? `${found} found` : "";
      keep({ find: find.value, verdict: verdict.value, order: order.value });
    };
    const chosen = history.state ?? {};
    for (const each of [find, verdict, order]) each.value = chosen[each.id] ?? "";
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    apply();
  };

  // the way back leads to the link that was followed
  const keep = (more) => history.replaceState({ ...history.state, ...more }, "");
  addEventListener("click", ({ target }) => {
    const link = target.closest?.('a[href^="#"]');
    if (link) keep({ left: [...document.links].indexOf(link) });
  });
  addEventListener("popstate", ({ state }) => {
    document.links[state?.left]?.focus();
  });

  // what is below the pointer: how much of a density, which cell of a heat map
  const tip = document.body.appendChild(Object.assign(document.createElement("div"), { className: "tip", hidden: true }));
  const shareBelow = (path, x) => {
    const numbers = path.getAttribute("d").slice(1).split(" ").map(Number);
    const floor = numbers[1];
    let [below, all] = [0, 0];
    for (let i = 2; i + 3 < numbers.length; i += 2) {
      const [left, top, right, next] = numbers.slice(i, i + 4);
      const area = ((right - left) * (2 * floor - top - next)) / 2;
      all += area;
      below += area * Math.min(Math.max((x - left) / (right - left || 1), 0), 1);
    }
    return below / all;
  };
  const percent = (share) =>
    share < 0.001 ? "<0.1%" : share > 0.999 ? ">99.9%" : `${Number((100 * share).toPrecision(3))}%`;
  const ofPlot = (plot, clientX) => {
    const box = plot.querySelector("svg").getBoundingClientRect();
    const share = (clientX - box.left) / box.width;
    const [low, high] = [Number(plot.dataset.low), Number(plot.dataset.high)];
    const value = Number((low + share * (high - low)).toPrecision(3));
    const below = percent(shareBelow(plot.querySelector(".hill"), 1000 * share));
    return `${value} ${plot.dataset.unit}`.trim().replace("-", "\u2212") + `: ${below} lies below`;
  };
  const ofCell = (cell) => {
    const predicted = cell.closest("table").tHead.rows[0].cells[cell.cellIndex].textContent;
    const change = cell.title || cell.textContent;
    return `${cell.parentElement.cells[0].textContent} predicted as ${predicted}: ${change} points`;
  };
  addEventListener("pointermove", ({ target, clientX, clientY }) => {
    const plot = target.closest?.(".plot[data-low]");
    const cell = target.closest?.(".heat td[class]:not(.corner)");
    tip.hidden = !plot && !cell;
    if (tip.hidden) return;
    tip.textContent = plot ? ofPlot(plot, clientX) : ofCell(cell);
    tip.style.left = `${Math.max(0, Math.min(clientX + 12, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${clientY + 16}px`;
  });

  if (form) choose(form);
}
