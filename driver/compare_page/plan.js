// The plan that is chosen: picture, steps beside code, and what is known of it on each machine.

const isComment = (line) => /^\s*(\/\/|\/\*|#)/.test(line);

function codeLine(text, number, extra = {}) {
  const line = el("div", { ...extra, "data-n": number }, text || " ");
  if (isComment(text)) line.classList.add("comment");
  return line;
}

/** Marks what belongs to steps: in the list, the code and the picture. */
function mark(steps, style) {
  const wanted = new Set(steps.map(String));
  for (const each of byId("plan").querySelectorAll("[data-steps]")) {
    const on = each.dataset.steps !== "" && each.dataset.steps.split(" ").some((step) => wanted.has(step));
    each.classList.toggle(style, on);
  }
}

function hold(steps, from) {
  const same = state.step !== null && steps.length > 0 && state.step.join() === steps.join();
  state.step = same || steps.length === 0 ? null : steps;
  mark(state.step ?? [], "on");
  for (const button of byId("plan").querySelectorAll(".steps button"))
    button.setAttribute("aria-pressed", String(button.classList.contains("on")));
  if (!state.step) return;
  if (from !== "code") scrollInside(byId("plan").querySelector(".code .on"));
  if (from !== "steps") byId("plan").querySelector(".steps .on")?.scrollIntoView({ block: "nearest" });
}

/** Shows a line of the code without moving the page. */
function scrollInside(line) {
  if (line) line.parentElement.scrollTop = line.offsetTop - line.parentElement.clientHeight / 4;
}

const stepsOf = (each) => (each.dataset.steps ? each.dataset.steps.split(" ").map(Number) : []);

function linked(element, from) {
  element.addEventListener("mouseenter", () => mark(stepsOf(element), "hover"));
  element.addEventListener("mouseleave", () => mark([], "hover"));
  element.addEventListener("click", () => hold(stepsOf(element), from));
  return element;
}

function stepList({ story, steps }) {
  const told = new Map(story.map((line) => [line.step, line]));
  let depth = 0;
  return el("ol", { class: "steps" }, steps.map((step, i) => {
    const line = told.get(i);
    depth = line ? line.depth : depth;
    return el("li", {}, linked(el("button", { type: "button", "data-steps": i, "aria-pressed": "false",
        style: `--depth:${depth}` }, el("code", {}, step), line ? el("span", {}, line.text) : null), "steps"));
  }));
}

function codeBox(cell) {
  if (!cell.code) return el("p", { class: "soft" }, `There is no code: ${whyNot(cell)}`);
  let before = "";
  return el("div", { class: "code", tabindex: "0", role: "region", "aria-label": `code, ${cell.code.file}` },
    cell.code.lines.map((text, i) => {
      const steps = cell.code.steps[i].join(" ");
      const line = codeLine(text, i + 1, { "data-steps": steps });
      if (steps === "") return line;
      line.classList.add("linked");
      if (steps !== before) {
        line.tabIndex = 0;
        line.addEventListener("keydown", (event) => {
          if (event.key === "Enter") hold(stepsOf(line), "code");
        });
      }
      before = steps;
      return linked(line, "code");
    }));
}

const partNames = ["memory", "cache", "accesses", "operations", "waiting", "atomics", "start"];

function partBars(size) {
  const parts = partNames.map((name) => [name, sum(size, name)]);
  const most = Math.max(...parts.map(([, seconds]) => seconds));
  return el("div", { class: "parts" }, parts.map(([name, seconds]) => [
    el("span", { class: name === size.limit ? "limit" : "" }, name),
    el("span", { class: "track" }, el("i", { style: `width:${(100 * seconds) / most}%` })),
    el("span", {}, milliseconds(seconds))]));
}

/** Predicted and measured times of all sizes, with quartiles. */
function timeBars(cell) {
  const rows = (cell.sizes ?? []).filter((size) => size.seconds !== undefined);
  const real = rows.map((size) => measuredAt(cell, size));
  if (real.every((each) => each === undefined)) return null;
  const most = Math.max(...rows.map((size) => size.seconds), ...real.map((each) => each?.quartiles[1] ?? 0));
  const x = (seconds) => 4 + (seconds / most) * 340;
  const chart = el("svg:svg", { class: "chart", viewBox: `0 0 460 ${rows.length * 46}`, role: "img",
    "aria-label": "times predicted and measured" });
  rows.forEach((size, i) => {
    const y = i * 46;
    chart.append(el("svg:text", { x: 4, y: y + 11 }, size.name),
      el("svg:rect", { class: "predicted-bar", x: 4, y: y + 16, width: x(size.seconds) - 4, height: 9 }),
      el("svg:text", { x: x(size.seconds) + 6, y: y + 24 }, milliseconds(size.seconds)));
    if (!real[i]) return;
    const { seconds, quartiles } = real[i];
    chart.append(el("svg:rect", { class: "measured-bar", x: 4, y: y + 27, width: x(seconds) - 4, height: 9 }),
      el("svg:line", { class: "whisker", x1: x(quartiles[0]), x2: x(quartiles[1]), y1: y + 31.5, y2: y + 31.5 }),
      ...quartiles.map((q) => el("svg:line", { class: "whisker", x1: x(q), x2: x(q), y1: y + 28, y2: y + 35 })),
      el("svg:text", { x: x(Math.max(quartiles[1], seconds)) + 6, y: y + 36 }, milliseconds(seconds)));
  });
  return [el("h3", {}, "Predicted and measured"), chart,
    el("p", { class: "key" }, el("i"), "predicted", el("i", { class: "real" }),
      `measured on ${[...new Set(cell.measured.map((each) => each.device))].join(", ")}; the line spans the quartiles`)];
}

/** Where the plans are below the machine's roof: operations a byte, operations a second. */
function roofline(machine, m) {
  const points = plans.map((plan) => {
    const size = shownSize(plan.on[m]);
    if (!size || sum(size, "bytes") === 0 || sum(size, "work") === 0) return null;
    const work = sum(size, "work");
    const real = measuredAt(plan.on[m], size);
    return { id: plan.id, x: work / sum(size, "bytes"), y: work / size.seconds,
      real: real ? work / real.seconds : null };
  }).filter((point) => point !== null);
  if (points.length === 0) return null;
  const peak = machine.operations_per_second;
  const ridge = peak / machine.bytes_per_second;
  const xs = [...points.map((p) => p.x), ridge];
  const ys = [...points.map((p) => p.y), ...points.map((p) => p.real ?? p.y), peak];
  const [x0, x1] = [Math.min(...xs) / 2, Math.max(...xs) * 4].map(Math.log10);
  const [y0, y1] = [Math.min(...ys) / 2, Math.max(...ys) * 2].map(Math.log10);
  const px = (x) => 46 + ((Math.log10(x) - x0) / (x1 - x0)) * 400;
  const py = (y) => 190 - ((Math.log10(y) - y0) / (y1 - y0)) * 176;
  const atLeft = Math.min(peak, machine.bytes_per_second * 10 ** x0);
  const chart = el("svg:svg", { class: "chart", viewBox: "0 0 460 226", role: "img",
    "aria-label": `roofline of ${machine.name}` });
  for (let e = Math.ceil(x0); e <= x1; ++e)
    chart.append(el("svg:line", { class: "axis", x1: px(10 ** e), x2: px(10 ** e), y1: 14, y2: 190 }),
      el("svg:text", { x: px(10 ** e), y: 203, "text-anchor": "middle" }, String(Number((10 ** e).toPrecision(1)))));
  for (let e = Math.ceil(y0); e <= y1; ++e)
    chart.append(el("svg:line", { class: "axis", x1: 46, x2: 446, y1: py(10 ** e), y2: py(10 ** e) }),
      el("svg:text", { x: 42, y: py(10 ** e) + 4, "text-anchor": "end" }, scaled(10 ** e, "")));
  chart.append(el("svg:path", { class: "roof",
    d: `M${px(10 ** x0)} ${py(atLeft)}L${px(ridge)} ${py(peak)}H446` }));
  for (const point of points) {
    const chosen = point.id === state.plan;
    chart.append(el("svg:circle", { class: chosen ? "dot chosen" : "dot", cx: px(point.x), cy: py(point.y),
      r: chosen ? 5 : 3 }, el("svg:title", {}, `${point.id}: ${scaled(point.y, "op/s")}`)));
    if (chosen && point.real)
      chart.append(el("svg:rect", { class: "real", x: px(point.x) - 4, y: py(point.real) - 4, width: 8, height: 8 },
        el("svg:title", {}, `${point.id}, measured: ${scaled(point.real, "op/s")}`)));
  }
  chart.append(el("svg:text", { x: 246, y: 219, "text-anchor": "middle" }, "operations a byte; up: operations a second"));
  return [el("h3", {}, "Roofline"), chart];
}

function hierarchy(machine) {
  return [el("h3", {}, "Levels"), el("ol", { class: "levels" }, machine.levels.map((level, depth) => {
    const memory = level.memory.filter((each) => each.bytes > 0)
      .map((each) => `${each.title || each.space} ${bytes(each.bytes)}` +
        (each.bytes_per_second ? `, ${scaled(each.bytes_per_second, "B/s")}` : ""));
    return el("li", { style: `--depth:${depth}` }, el("b", {}, level.title), ` ${level.name}`,
      el("span", { class: "soft" }, level.compute === "none" ? "" : ` computes ${level.compute}`,
        level.units ? `, ${level.units} units` : "", memory.length ? `; ${memory.join("; ")}` : ""));
  }))];
}

function bytes(value) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  for (; value >= 1024 && at + 1 < names.length; ++at) value /= 1024;
  return `${figures(value)} ${names[at]}`;
}

function tunables(cell, size) {
  if (!cell.tunables || cell.tunables.length === 0) return null;
  return [el("h3", {}, "Tunables"), el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["name", "here", "may be", "meaning"].map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, cell.tunables.map((each) => el("tr", {},
      el("td", { class: "id" }, each.name),
      el("td", {}, String(size?.tunables?.[each.name] ?? each.default)),
      el("td", {}, each.values?.length ? each.values.join(", ") : `${each.min} to ${each.max}`),
      el("td", {}, each.meaning ?? ""))))))];
}

function machineCard(machine, m, cell) {
  const size = shownSize(cell);
  const title = el("h2", {}, machine.name);
  if (!size) return el("div", {}, title, el("p", { class: "soft" }, whyNot(cell)), hierarchy(machine));
  const place = cell.position ? `number ${cell.position} of this machine` : "not in this machine's list";
  return el("div", {}, title,
    el("p", {}, el("b", {}, milliseconds(predictedSeconds(cell))), state.size ? ` at ${size.name}` : " in the mean of all sizes",
      " ", el("span", { class: "tag" }, place)),
    el("h3", {}, `Predicted at ${size.name}: limited by ${size.limit}`), partBars(size),
    el("p", { class: "soft" }, size.launches.map((launch, i) =>
      `${i ? "; then " : ""}${figures(launch.groups)} groups of ${figures(launch.items)}`).join(""),
      `; ${scaled(sum(size, "bytes"), "B")} from memory`),
    timeBars(cell), roofline(machine, m), tunables(cell, size), hierarchy(machine));
}

function drawPlan() {
  const plan = planById.get(state.plan);
  state.step = null;
  if (!plan.on[state.machine].code) {
    const able = plan.on.findIndex((cell) => cell.code);
    if (able >= 0) state.machine = able;
  }
  const picture = el("div", { class: "picture", tabindex: "0", role: "region", "aria-label": "picture of the plan" });
  const shown = onMachine(plan, state.machine);
  picture.innerHTML = shown.picture;
  for (const part of picture.querySelectorAll(".plan-part[data-steps]")) linked(part, "picture");
  const where = el("select", { "aria-label": "code for", change: (event) => {
    state.machine = Number(event.target.value);
    drawPlan();
    drawDifference();
  } }, machines.map((machine, m) => el("option", { value: m, ...(m === state.machine ? { selected: "" } : {}),
    ...(plan.on[m].code ? {} : { disabled: "" }) }, `${machine.name}`)));
  byId("plan").replaceChildren(
    el("div", { class: "bar" }, el("h2", { id: "plan-title" }, "Plan ", el("span", { class: "id" }, plan.id)),
      el("span", { class: "soft" }, whatText(plan))),
    picture,
    el("div", { class: "pair" },
      el("div", {}, el("h3", {}, "Steps"), stepList(shown)),
      el("div", {}, el("div", { class: "bar" }, el("h3", {}, "Code of "), where,
        el("span", { class: "soft" }, plan.on[state.machine].code?.file ?? "")), codeBox(plan.on[state.machine]))),
    el("div", { class: "cards", style: "margin-top:18px" },
      machines.map((machine, m) => machineCard(machine, m, plan.on[m]))));
  scrollInside(byId("plan").querySelector(".code .linked"));
}
