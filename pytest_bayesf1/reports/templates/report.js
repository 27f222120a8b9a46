"use strict";
{
  const of = (id) => document.getElementById(id);
  const form = document.querySelector(".choose");

  // what is chosen stands in the address, as in #failed&q=spam: rows, and the sections that they lead to
  const changeOf = (row) => {
    const text = row.querySelector("[data-is=change] b")?.textContent ?? "Infinity";
    return Number(text.replace("\u2212", "-").replaceAll(",", ""));
  };
  const isGate = () => location.hash.startsWith("#gate-");
  const choose = (form) => {
    const [find, verdict] = ["find", "verdict"].map(of);
    const tables = [...document.querySelectorAll(".forest")];
    const gates = tables.flatMap((table) => {
      const later = table.querySelector("template");
      const bodies = [...table.tBodies, ...(later?.content.children ?? [])];
      later?.remove();
      return bodies.map((body, place) => {
        const rows = [...body.rows];
        const link = rows[0].querySelector("a");
        return {
          table,
          body,
          place,
          article: link && of(link.hash.slice(1)),
          name: rows[0].querySelector(".name").textContent,
          text: body.textContent.toLowerCase(),
          verdict: rows[0].classList[0],
          change: changeOf(rows[0]),
        };
      });
    });
    const orders = {
      "": (a, b) => a.place - b.place,
      name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.place - b.place,
      change: (a, b) => a.change - b.change || a.place - b.place,
    };
    let order = "";
    // rows that are found, in their order, of which a table has the first ones; more when its end comes into view
    const found = new Map();
    const render = (table, most) => {
      table.most = most;
      for (const { body } of found.get(table).slice(table.tBodies.length, most)) table.append(body);
      const left = found.get(table).length - table.tBodies.length;
      const further = table.nextElementSibling;
      if (further?.matches(".further")) further.textContent = left > 0 ? `${left} more gates` : "";
    };
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        const table = target.previousElementSibling;
        if (isIntersecting && found.has(table)) render(table, table.most + Number(table.dataset.most));
      }
    });
    const apply = () => {
      const wanted = find.value.trim().toLowerCase();
      let n = 0;
      for (const table of tables) found.set(table, []);
      for (const gate of [...gates].sort(orders[order])) {
        const shown = gate.text.includes(wanted) && (!verdict.value || verdict.value === gate.verdict);
        if (gate.article) gate.article.hidden = !shown;
        if (!shown) continue;
        found.get(gate.table).push(gate);
        n += 1;
      }
      for (const table of tables) {
        const [rows, fold] = [found.get(table), table.closest(".quiet")];
        const present = [...table.tBodies];
        if (present.some((body, place) => body !== rows[place]?.body)) table.replaceChildren(table.tHead);
        render(table, Number(table.dataset.most));
        table.hidden = !rows.length;
        if (!fold) continue;
        fold.hidden = !rows.length;
        if (wanted || verdict.value) fold.open = rows.length > 0;
      }
      for (const button of document.querySelectorAll("[data-order]")) {
        button.closest("th").ariaSort = button.dataset.order === order ? "ascending" : null;
      }
      of("found").textContent = wanted || verdict.value ? `${n} found` : "";
    };
    const read = () => {
      if (isGate()) return;
      const [its, ...others] = location.hash.slice(1).split("&");
      const chosen = new URLSearchParams(others.join("&"));
      verdict.value = its;
      if (verdict.selectedIndex < 0) verdict.value = "";
      find.value = chosen.get("q") ?? "";
      order = chosen.get("by") in orders ? chosen.get("by") : "";
      apply();
    };
    const write = () => {
      const chosen = new URLSearchParams({ ...(find.value && { q: find.value }), ...(order && { by: order }) });
      const all = [verdict.value || "all", chosen.toString()].filter(Boolean).join("&");
      history.replaceState(history.state, "", `#${all}`);
      apply();
    };
    form.addEventListener("input", write);
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", read);
    addEventListener("click", ({ target }) => {
      const button = target.closest?.("[data-order]");
      if (!button) return;
      order = order === button.dataset.order ? "" : button.dataset.order;
      write();
    });
    form.hidden = false;
    read();
    apply();
    for (const further of document.querySelectorAll(".further")) seen.observe(further);
  };

  // a link to a gate goes into the clipboard, where the browser lets it
  addEventListener("click", ({ target }) => {
    const link = target.closest?.("a.copy");
    if (link) navigator.clipboard?.writeText(link.href).then(() => (link.textContent = "copied"));
  });

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
    const box = plot.getBoundingClientRect();
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
