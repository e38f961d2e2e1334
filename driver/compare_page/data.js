"use strict";
// The page's data is the JSON of `tangram compare` (docs/compare.md); what is shown is kept in `state`, and
// each part of the page is drawn from it again when it changes. The scripts of this folder are one on the
// page, in the order data, table, answers, plan, difference, page.

const data = JSON.parse(document.getElementById("data").textContent);
const machines = data.machines;
const plans = data.plans;
const planById = new Map(plans.map((plan) => [plan.id, plan]));

const state = {
  plan: plans[0].id,
  other: null, // the plan that it is compared with
  machine: 0, // whose code is shown
  size: "", // its name; empty: the mean of all
  sort: { column: "machine0", descending: false },
  filter: "",
  possible: false,
  step: null, // that is held
};

/** What the plan of a row is on a machine: a machine of another kind has levels, and so steps, of its own. */
const onMachine = (plan, machine) => ({
  steps: plan.on[machine].steps ?? plan.steps,
  story: plan.on[machine].story ?? plan.story,
  picture: plan.on[machine].picture ?? plan.picture,
});

const byId = (id) => document.getElementById(id);

/** An element; attributes that are functions are listeners, children that are null are left out. */
function el(tag, attributes = {}, ...children) {
  const svg = tag.startsWith("svg:");
  const made = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

function figures(value) {
  if (value === 0) return "0";
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
const milliseconds = (seconds) => `${figures(seconds * 1e3)} ms`;
function scaled(value, unit) {
  const steps = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const step = steps.find(([size]) => value >= size) ?? [1, ""];
  return `${figures(value / step[0])} ${step[1]}${unit}`;
}
const sum = (size, part) => size.launches.reduce((all, launch) => all + launch[part], 0);

// Sizes and times -----------------------------------------------------------------------------------------

/** Names of all sizes that something is predicted for. */
function sizeNames() {
  const names = [];
  for (const plan of plans)
    for (const cell of plan.on)
      for (const size of cell.sizes ?? []) if (!names.includes(size.name)) names.push(size.name);
  return names;
}

/** The prediction that is shown of a cell; of all sizes the first that it serves. */
function shownSize(cell) {
  const served = (cell.sizes ?? []).filter((size) => size.seconds !== undefined);
  return state.size ? served.find((size) => size.name === state.size) : served[0];
}

/** What limits a plan: at the size that is shown, else at most of its sizes. */
function limitOf(cell) {
  const served = (cell.sizes ?? []).filter((size) => size.seconds !== undefined);
  if (state.size) return shownSize(cell)?.limit ?? "";
  const count = (limit) => served.filter((size) => size.limit === limit).length;
  return served.map((size) => size.limit).sort((a, b) => count(b) - count(a))[0] ?? "";
}

function predictedSeconds(cell) {
  if (!cell.sizes) return null;
  if (state.size) return shownSize(cell)?.seconds ?? null;
  return cell.seconds ?? null;
}

const sameExtents = (a, b) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);

/** What was measured at a size, the quickest device first. */
function measuredAt(cell, size) {
  return (cell.measured ?? [])
    .filter((each) => sameExtents(each.extents, size.extents))
    .sort((a, b) => a.seconds - b.seconds)[0];
}

/** Of all sizes the geometric mean, where all of them were measured. */
function measuredSeconds(cell) {
  const sizes = (cell.sizes ?? []).filter((size) => !state.size || size.name === state.size);
  const all = sizes.map((size) => measuredAt(cell, size)?.seconds);
  if (all.length === 0 || all.some((seconds) => seconds === undefined)) return null;
  return Math.exp(all.reduce((logs, seconds) => logs + Math.log(seconds), 0) / all.length);
}

const whyNot = (cell) => cell.missing ?? cell.refused ?? "serves none of these sizes";
