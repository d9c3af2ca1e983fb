// @ts-check
// The list of views: it fetches the page again and replaces the elements that differ, filters the
// list, and moves the focus from view to view.

import { request } from "../frame/requests.js";
import { Live } from "./live.js";
import { showLocalTimes } from "./times.js";
import { replaceContent } from "./regions.js";

/** @type {() => HTMLInputElement} */
const find = () => document.querySelector("#find");
let latest = 0; // The number of the last request. Answers to earlier ones are ignored.

// MARK: Refreshing

async function refresh() {
  const number = ++latest;
  const text = await request(location.href.split("#")[0], "text/html").catch((error) => {
    if (number === latest) throw error;
  });
  if (number !== latest) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  /** @type {any} */
  const focused = document.activeElement;
  for (const name of ["header", "main"]) replaceContent(document.querySelector(name), page.querySelector(name));
  // A card that moved has lost the focus.
  if (focused.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

showLocalTimes();
const live = new Live({ place: document.querySelector(".controls"), every: 3000, refresh });

// MARK: The filter

function filter() {
  const url = new URL(location.href);
  if (find().value.trim()) url.searchParams.set("find", find().value);
  else url.searchParams.delete("find");
  history.replaceState(null, "", url);
  refresh().then(unfold, (error) => live.failed(error));
}

// The views that have ended are folded, but not those that a reader searches.
function unfold() {
  /** @type {HTMLDetailsElement} */
  const ended = document.querySelector("#ended details");
  if (ended && find()?.value.trim()) ended.open = true;
}

document.addEventListener("input", (event) => event.target === find() && filter());
document.addEventListener("submit", (event) => {
  event.preventDefault();
  move(0);
});

// MARK: Keys

/** @type {() => any[]} */
const shown = () => [...document.querySelectorAll("a.name")].filter((link) => link.checkVisibility());

// Moves the focus to the view after or before the focused one. `0` is the first view.
function move(step) {
  const links = shown();
  const view = document.activeElement.closest(".view");
  const here = links.findIndex((link) => view?.contains(link));
  const next = step === 0 || here < 0 ? 0 : Math.max(0, Math.min(links.length - 1, here + step));
  links[next]?.focus();
  links[next]?.closest(".view").scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === find()) {
    if (event.key === "ArrowDown") move(0);
    else if (event.key !== "Escape") return;
    else if (find().value) (find().value = ""), filter();
    else find().blur();
    return event.preventDefault();
  }
  const steps = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
  // Arrows scroll until a view has the focus.
  const isArrow = event.key.startsWith("Arrow");
  if (event.key in steps && (!isArrow || document.activeElement.closest(".view"))) move(steps[event.key]);
  else if (event.key === "/") find()?.select();
  else return;
  event.preventDefault();
});
