// What the page is asked first: which plan is best on each machine, what one for all would lose, and where the size
// of the problem changes the answer.

/** Rows that a machine has a time of, the quickest first. */
const ranked = (m) => plans
  .filter((plan) => predictedSeconds(plan.on[m]) !== null)
  .sort((a, b) => predictedSeconds(a.on[m]) - predictedSeconds(b.on[m]));

const chooser = (plan, text) => el("button", { type: "button", class: "id link", click: () => choose(plan.id) }, text);

/** Times that differ by less are called equal. */
const equalWithin = 1.005;

function bestLine(machine, m) {
  const order = ranked(m);
  if (order.length === 0) return el("li", {}, el("b", {}, machine.name), ": none of these plans has a time here");
  const best = predictedSeconds(order[0].on[m]);
  const equal = order.filter((plan) => predictedSeconds(plan.on[m]) <= equalWithin * best).length - 1;
  const next = order.find((plan) => predictedSeconds(plan.on[m]) > equalWithin * best);
  return el("li", {}, el("b", {}, machine.name), ": ", chooser(order[0], order[0].on[m].id), ` ${whatText(order[0])}, `,
    milliseconds(best), equal ? `, and ${equal} more that ${equal === 1 ? "is" : "are"} as quick` : "",
    next ? `; the next takes ${figures(predictedSeconds(next.on[m]) / best)} times as long` : "");
}

/** The row that loses least where it loses most. */
function forAllLine() {
  if (machines.length < 2) return null;
  const best = machines.map((_, m) => predictedSeconds(ranked(m)[0]?.on[m] ?? {}));
  const able = plans
    .filter((plan) => plan.on.every((cell) => predictedSeconds(cell) !== null))
    .map((plan) => ({ plan, ratios: plan.on.map((cell, m) => predictedSeconds(cell) / best[m]) }))
    .sort((a, b) => Math.max(...a.ratios) - Math.max(...b.ratios));
  if (able.length === 0) return el("li", {}, `No ${data.by} of the table is one that all machines can have.`);
  const { plan, ratios } = able[0];
  return el("li", {}, el("b", {}, `one ${data.by} for all`), ": ", chooser(plan, plan.id), ` ${whatText(plan)}; `,
    machines.map((machine, m) => `${m ? ", " : ""}${figures(ratios[m])} times the best of ${machine.name}`).join(""));
}

/** Where sizes stand along the axis: by the bytes that the first plan moves, if these tell them apart, else in their order. */
function sizeAxis(lines) {
  const sizes = lines[0].points.map((point) => point.bytes).sort((a, b) => a - b);
  const apart = sizes.every((bytes, i) => i === 0 || bytes > 1.2 * sizes[i - 1]);
  const names = sizeNames();
  return apart ? { label: "bytes from memory", of: (point) => Math.log10(point.bytes), names: [] }
    : { label: "sizes", of: (point) => names.indexOf(point.name), names };
}

/** Time against size of the best rows of a machine, times on a logarithmic scale, with what was measured. */
function sizeChart(machine, m) {
  const lines = ranked(m).slice(0, 4).map((plan) => ({
    plan,
    points: (plan.on[m].sizes ?? [])
      .filter((size) => size.seconds !== undefined && sum(size, "bytes") > 0)
      .map((size) => ({ name: size.name, bytes: sum(size, "bytes"), y: size.seconds,
        real: measuredAt(plan.on[m], size)?.seconds })),
  })).filter((line) => line.points.length > 1);
  if (lines.length === 0) return null;
  const axis = sizeAxis(lines);
  const all = lines.flatMap((line) => line.points);
  const ends = (values) => [Math.min(...values), Math.max(...values)];
  const [x0, x1] = ends(all.map(axis.of));
  const [y0, y1] = ends(all.flatMap((point) => [point.y, point.real ?? point.y]).map(Math.log10));
  const px = (x) => 72 + ((x - x0) / (x1 - x0 || 1)) * 368;
  const py = (y) => 170 - ((Math.log10(y) - y0) / (y1 - y0 || 1)) * 150;
  const chart = el("svg:svg", { class: "chart", viewBox: "0 0 460 210", role: "img",
    "aria-label": `time against size on ${machine.name}` });
  const mark = (x, text) => chart.append(
    el("svg:line", { class: "axis", x1: px(x), x2: px(x), y1: 14, y2: 174 }),
    el("svg:text", { x: px(x), y: 187, "text-anchor": "middle" }, text));
  if (axis.names.length) axis.names.forEach((_, i) => mark(i, String(i + 1)));
  else for (let e = Math.ceil(x0); e <= x1; ++e) mark(e, scaled(10 ** e, "B"));
  for (const seconds of [10 ** y0, 10 ** ((y0 + y1) / 2), 10 ** y1])
    chart.append(el("svg:line", { class: "axis", x1: 68, x2: 446, y1: py(seconds), y2: py(seconds) }),
      el("svg:text", { x: 64, y: py(seconds) + 4, "text-anchor": "end" }, milliseconds(seconds)));
  lines.forEach((line, i) => drawLine(chart, line, i, m, (point) => px(axis.of(point)), py));
  chart.append(el("svg:text", { x: 250, y: 204, "text-anchor": "middle" }, `${axis.label}; up: time predicted`));
  return el("div", {}, el("h3", {}, machine.name), chart, el("p", { class: "key" },
    lines.map((line, i) => [el("i", { class: `line-${i}` }), line.plan.on[m].id])),
    axis.names.length ? el("p", { class: "soft" }, axis.names.map((name, i) => `${i + 1}: ${name}`).join("; ")) : null,
    crossings(lines, m));
}

function drawLine(chart, line, i, m, px, py) {
  const points = [...line.points].sort((a, b) => px(a) - px(b));
  chart.append(el("svg:polyline", { class: `size-line line-${i}`,
    points: points.map((point) => `${px(point).toFixed(1)},${py(point.y).toFixed(1)}`).join(" ") }));
  for (const point of points) {
    chart.append(el("svg:circle", { class: `size-dot line-${i}`, cx: px(point), cy: py(point.y), r: 3 },
      el("svg:title", {}, `${line.plan.on[m].id} at ${point.name}: ${milliseconds(point.y)}`)));
    if (point.real)
      chart.append(el("svg:rect", { class: "real", x: px(point) - 4, y: py(point.real) - 4, width: 8, height: 8 },
        el("svg:title", {}, `${line.plan.on[m].id} at ${point.name}, measured: ${milliseconds(point.real)}`)));
  }
}

/** Sizes at which another plan is the best than at the size before. */
function crossings(lines, m) {
  const names = sizeNames();
  const bestAt = names.map((name) => lines
    .map((line) => ({ id: line.plan.on[m].id, seconds: line.points.find((point) => point.name === name)?.y }))
    .filter((each) => each.seconds !== undefined)
    .sort((a, b) => a.seconds - b.seconds)[0]);
  const changes = names.map((name, i) => [name, bestAt[i]]).filter(([, best]) => best !== undefined)
    .filter(([, best], i, known) => i === 0 || known[i - 1][1].id !== best.id);
  if (changes.length < 2) return el("p", { class: "soft" }, `${lines[0].plan.on[m].id} is the best of them at all sizes.`);
  return el("p", { class: "soft" }, `Best: ${changes.map(([name, best]) => `${best.id} at ${name}`).join("; ")}.`);
}

function drawAnswers() {
  byId("answers-text").replaceChildren(el("ul", {}, machines.map(bestLine), forAllLine()));
  const charts = state.size ? [] : machines.map(sizeChart).filter((chart) => chart !== null);
  byId("answers-sizes").replaceChildren(...(charts.length
    ? [el("h3", {}, "Time against size"), el("div", { class: "cards" }, charts)] : []));
}
