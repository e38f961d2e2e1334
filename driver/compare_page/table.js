// The table of plans.

const compareValues = (a, b) => (a ?? Infinity) - (b ?? Infinity) || 0;

function orderOf(a, b) {
  const { column, descending } = state.sort;
  let order;
  if (column === "id") order = a.id < b.id ? -1 : 1;
  else if (column === "what") order = whatText(a).localeCompare(whatText(b));
  else {
    const machine = Number(column.slice("machine".length));
    const [first, second] = [a, b].map((plan) => predictedSeconds(plan.on[machine]));
    if ((first === null) !== (second === null)) return first === null ? 1 : -1;
    order = compareValues(first, second);
  }
  return descending ? -order : order;
}

const whatText = (plan) => `${plan.top}; ${plan.levels.join(" ") || "one worker"}; ${plan.leaves.join(" ")}`;

function matches(plan) {
  if (state.possible && plan.on.some((cell) => predictedSeconds(cell) === null)) return false;
  const text = `${plan.id} ${plan.steps.join(", ")}`.toLowerCase();
  return state.filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

const visiblePlans = () => plans.filter(matches).sort(orderOf);

/** Smallest and largest time on any machine, predicted or measured, so that bars compare machines, too; at least a
    factor of ten apart, so that small differences look small. */
function rangeOfAll() {
  const times = plans
    .flatMap((plan) => plan.on.flatMap((cell) => [predictedSeconds(cell), measuredSeconds(cell)]))
    .filter((seconds) => seconds !== null);
  const least = Math.min(...times);
  return [least, Math.max(...times, 10 * least)];
}

/** On a logarithmic scale, so that factors are lengths. */
function share(seconds, [least, most]) {
  const width = Math.log(seconds / least) / Math.log(most / least);
  return `${(6 + 94 * width).toFixed(1)}%`;
}

function timeCell(cell, range, best) {
  const seconds = predictedSeconds(cell);
  if (seconds === null)
    return el("td", { class: "time" }, el("div", { class: "cannot", title: whyNot(cell) }, `— ${whyNot(cell)}`));
  const measured = measuredSeconds(cell);
  const ratio = seconds / best;
  return el("td", { class: "time" },
    el("div", { class: "line" },
      el("span", { class: "ms" }, milliseconds(seconds)),
      el("span", { class: "soft" }, `×${figures(ratio)}`),
      data.by === "way" ? el("span", { class: "soft id" }, cell.id) : null,
      el("span", { class: "soft" }, limitOf(cell)),
      measured === null ? null : el("span", { class: "soft" }, `measured ${milliseconds(measured)}`)),
    el("div", { class: "track", "aria-hidden": "true" },
      el("i", { style: `width:${share(seconds, range)}` }),
      measured === null ? null : el("i", { class: "real", style: `width:${share(measured, range)}` })));
}

function headerCell(column, text, title) {
  const sorted = state.sort.column === column;
  return el("th", { scope: "col", title,
      "aria-sort": sorted ? (state.sort.descending ? "descending" : "ascending") : "none" },
    el("button", { type: "button", click: () => {
      state.sort = { column, descending: sorted && !state.sort.descending };
      drawTable();
    } }, text));
}

function drawTable() {
  const range = rangeOfAll();
  const best = machines.map((_, m) => Math.min(...plans.map((plan) => predictedSeconds(plan.on[m]) ?? Infinity)));
  const shown = visiblePlans();
  const head = el("thead", {}, el("tr", {},
    headerCell("id", data.by === "way" ? "Way" : "Plan"),
    headerCell("what", "Top; distributed to; computed by"),
    machines.map((machine, m) => headerCell(`machine${m}`, machine.name, machine.description))));
  const body = el("tbody", {}, shown.map((plan, i) => el("tr", {
      "data-id": plan.id, "aria-selected": String(plan.id === state.plan),
      tabindex: plan.id === state.plan || (i === 0 && !shown.some((p) => p.id === state.plan)) ? "0" : "-1",
      click: () => choose(plan.id) },
    el("td", { class: "id" }, plan.id, el("div", { class: "brief" }, plan.top)),
    el("td", { class: "what" }, el("b", {}, plan.top), ` → ${plan.levels.join(" → ") || "one worker"}`,
      el("div", { class: "soft" }, plan.leaves.join(", ")),
      plan.apart.length ? el("div", { class: "soft" }, `with ${plan.apart.join(", ")}`) : null),
    plan.on.map((cell, m) => timeCell(cell, range, best[m])))));
  byId("table").replaceChildren(
    el("caption", { hidden: "" }, "Plans and what is predicted of them on each machine"), head, body);
  byId("count").textContent = `${shown.length} of ${plans.length}`;
}

function moveInTable(event) {
  const row = event.target.closest("tbody tr");
  if (!row) return;
  const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (next) {
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  } else if (event.key === "Enter" || event.key === " ") {
    choose(row.dataset.id);
    byId("table").querySelector(`tr[data-id="${row.dataset.id}"]`).focus();
    event.preventDefault();
  } else if (event.key === "d" && row.dataset.id !== state.plan) {
    state.other = row.dataset.id;
    drawDifference();
    byId("difference").scrollIntoView({ block: "start" });
  }
}
