// The page: what is chosen, its address, keys.

function choose(id, other = null) {
  state.plan = id;
  drawAnswers();
  if (other) state.other = other;
  const box = byId("table-box");
  const top = box.scrollTop;
  drawTable();
  box.scrollTop = top;
  drawPlan();
  drawDifference();
}

function writeAddress() {
  const parts = new URLSearchParams({ plan: state.plan, with: state.other });
  if (state.size) parts.set("size", state.size);
  try {
    history.replaceState(null, "", `#${parts}`);
  } catch { /* a page without an address */ }
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (planById.has(parts.get("plan"))) state.plan = parts.get("plan");
  if (planById.has(parts.get("with"))) state.other = parts.get("with");
  if (sizeNames().includes(parts.get("size"))) state.size = parts.get("size");
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  byId("theme").value = theme;
}

function keys(event) {
  const writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && !byId("keys").open) hold([], "");
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    byId("filter").focus();
    event.preventDefault();
  } else if (event.key === "t") {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    setTheme(dark ? "light" : "dark");
  } else if (event.key === "?") {
    byId("keys").showModal();
  }
}

function start() {
  readAddress();
  document.title = `${data.spectrum}: plans`;
  byId("title").textContent = data.spectrum;
  byId("subtitle").textContent =
    `${data.source}; ${plans.length} plans on ${machines.map((machine) => machine.name).join(", ")}; times are predicted` +
    (plans.some((plan) => plan.on.some((cell) => cell.measured?.length)) ? " and, where they were, measured" : "");
  byId("size").append(el("option", { value: "" }, "mean of all"),
    ...sizeNames().map((name) => el("option", { value: name }, name)));
  byId("size").value = state.size;
  byId("size").addEventListener("change", (event) => {
    state.size = event.target.value;
    choose(state.plan);
  });
  byId("theme").addEventListener("change", (event) => setTheme(event.target.value));
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("filter").addEventListener("input", (event) => {
    state.filter = event.target.value;
    drawTable();
  });
  byId("possible").addEventListener("change", (event) => {
    state.possible = event.target.checked;
    drawTable();
  });
  byId("table").addEventListener("keydown", moveInTable);
  document.addEventListener("keydown", keys);
  choose(state.plan);
}

start();
