// What one plan does otherwise than another.

/** Lines of both texts, each with what happened to it: " ", "-" or "+". */
function difference(before, after) {
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; --i)
    for (let j = after.length - 1; j >= 0; --j)
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push([" ", before[i++]]);
      ++j;
    } else if (j === after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) {
      lines.push(["-", before[i++]]);
    } else {
      lines.push(["+", after[j++]]);
    }
  }
  return lines;
}

const context = 4; // lines around what differs

/** What is the same in both and far from what differs is left out, but for its number of lines. */
function withoutMuchInCommon(lines) {
  const near = new Set();
  lines.forEach(([sign], i) => {
    for (let k = i - context; sign !== " " && k <= i + context; ++k) near.add(k);
  });
  const kept = [];
  let same = 0;
  lines.forEach((line, i) => {
    if (!near.has(i)) ++same;
    if (same && (near.has(i) || i + 1 === lines.length)) {
      kept.push(["⋯", `${same} more lines are the same`]);
      same = 0;
    }
    if (near.has(i)) kept.push(line);
  });
  return kept;
}

function differenceBox(lines, label) {
  const style = { "+": "add", "-": "drop", "⋯": "comment" };
  const shown = withoutMuchInCommon(lines).map(([sign, text]) => {
    const line = codeLine(text, sign);
    if (style[sign]) line.classList.add(style[sign]);
    return line;
  });
  return el("div", { class: "code", tabindex: "0", role: "region", "aria-label": label }, shown);
}

function timesBeside(a, b) {
  const cells = (plan) => plan.on.map((cell) => shownSize(cell));
  const rows = machines.flatMap((machine, m) => {
    const [first, second] = [cells(a)[m], cells(b)[m]];
    if (!first || !second) return [];
    return [["all", machine.name, first.seconds, second.seconds],
      ...partNames.map((name) => [name, "", sum(first, name), sum(second, name)])]
      .filter(([name, , x, y]) => name === "all" || Math.abs(x - y) > 0.01 * Math.max(x, y));
  });
  if (rows.length === 0) return el("p", { class: "soft" }, "No machine has a prediction of both at this size.");
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["machine", "part", a.id, b.id, "ratio"].map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, rows.map(([name, machine, x, y]) => el("tr", {}, el("td", {}, machine),
      el("td", {}, name === "all" ? el("b", {}, "time") : name), el("td", {}, milliseconds(x)),
      el("td", {}, milliseconds(y)), el("td", {}, x > 0 ? `×${figures(y / x)}` : ""))))));
}

function drawDifference() {
  const section = byId("difference");
  section.hidden = plans.length < 2;
  if (section.hidden) return;
  if (!state.other || state.other === state.plan)
    state.other = visiblePlans().concat(plans).find((plan) => plan.id !== state.plan).id;
  const [a, b] = [planById.get(state.plan), planById.get(state.other)];
  const choice = el("select", { id: "other", change: (event) => {
    state.other = event.target.value;
    drawDifference();
  } }, plans.filter((plan) => plan.id !== state.plan).map((plan) => el("option",
    { value: plan.id, ...(plan.id === state.other ? { selected: "" } : {}) }, `${plan.id}  ${whatText(plan)}`)));
  const swap = el("button", { type: "button", click: () => choose(state.other, state.plan) }, "Swap");
  const told = (plan) => onMachine(plan, state.machine).story.map((line) => "  ".repeat(line.depth) + line.text);
  const [codeA, codeB] = [a.on[state.machine].code, b.on[state.machine].code];
  section.replaceChildren(
    el("div", { class: "bar" }, el("h2", { id: "difference-title" }, "From ", el("span", { class: "id" }, a.id), " to"),
      choice, swap),
    el("h3", {}, "Times predicted", state.size ? ` at ${state.size}` : ", first size"), timesBeside(a, b),
    el("h3", {}, "What it does"), differenceBox(difference(told(a), told(b)), "difference of the stories"),
    el("h3", {}, `Code for ${machines[state.machine].name}`),
    codeA && codeB ? differenceBox(difference(codeA.lines, codeB.lines), "difference of the code")
      : el("p", { class: "soft" }, "This machine has no code of both."));
  writeAddress();
}
