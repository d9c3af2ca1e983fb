// @ts-check
// The page of a view: shows each new version and each followed link without loading the page again.
// The server renders the same page for the same address, so without this script a reload shows the
// same.

import { Failure, request } from "../frame/requests.js";
import { Live, write } from "./live.js";
import { Regions } from "./regions.js";
import { Timeline, Tree } from "./lines.js";
import { addressOf, Keys } from "./keys.js";
import { button } from "./button.js";
import { closeMenus } from "./menus.js";
import { showLocalTimes } from "./times.js";
import { divide } from "./panes.js";
import { highlight } from "./highlight.js";

// Times in milliseconds.
const calm = 1000; // How long a followed version is shown before its late parts.
const done = 1000; // How long the menu stays open after a button has had its effect.
const freshFor = 2000; // How long new lines are highlighted.
const pause = 150; // The pause in typing after which a search or a filter begins.

const newLines = 3; // How many new lines of the timeline are shown while many versions arrive.

const main = document.querySelector("main");
const { events } = document.body.dataset;
const path = location.pathname;
const regions = new Regions();
const timeline = new Timeline(document.getElementById("diffs"));
const tree = new Tree(document.getElementById("nodes"), `closed ${path}`);
/** @type {Partial<InspectorPage>} */
let state = { version: Number(document.body.dataset.version), event_id: document.body.dataset.eventId, live: document.body.dataset.live === "view" };
let requests = 0;

// MARK: Showing

/** @returns {Promise<InspectorPage>} */
function requested(address, known) {
  const url = new URL(address);
  url.pathname = `${path}/inspector`;
  url.hash = "";
  return request(url, "application/json", { "Known-Digests": known });
}

// The mirror shows its region by itself.
const regionsOf = (page) => page.regions.filter(({ id }) => id !== "mirror");

// The regions that wait, unless used, while versions arrive faster than they can be read.
const unread = "#chart, #place, #filters, #timeline-foot, #headline:not(:empty) ~ :not(:hover, :focus-within, :has(details[open]))";
let completion = 0; // The timer that shows everything when no other version has arrived for a while.

// A followed version has no pictures at first, because their frames load longer than it may be shown.
function showRegions(page, isFollowed, isFast) {
  clearTimeout(completion);
  if (isFollowed) completion = setTimeout(show, calm, page);
  const now = [];
  for (const region of regionsOf(page)) {
    const place = document.getElementById(region.id);
    const isLate = isFast && place.matches(unread);
    place.toggleAttribute("data-late", isLate);
    if (isLate) continue;
    if (region.id === "pictures") place.toggleAttribute("data-now", !(isFollowed && region.html));
    now.push(isFast && region.id === "diffs" ? { ...region, newLines } : region);
  }
  return regions.show(now);
}

// Requests a page without the HTML that is shown already, and shows it unless `isWanted` prevents
// that. If the HTML has changed since the request, all of it is requested again. Returns whether
// the page is of another version.
async function update(address, isWanted, isRefresh = false) {
  let page = await requested(address, regions.known);
  if (!regions.canShow(regionsOf(page))) page = await requested(address, "");
  return isWanted() && show(page, isRefresh);
}

function show(page, isRefresh = false) {
  const isNew = page.event_id !== state.event_id || page.version !== state.version;
  const isFollowed = isRefresh && isNew;
  const isFast = isFollowed && live.isStreaming;
  const holds = [timeline.hold(), tree.hold()];
  const fresh = showRegions(page, isFollowed, isFast);
  showMirror(page);
  write(document.querySelector("title"), `${page.title} · LiveView Mirror`);
  if (document.body.className !== page.kind) document.body.className = page.kind;
  state = page;
  settle(fresh);
  for (const hold of holds) hold();
  if (isFast) unmark();
  else if (isNew) mark(fresh);
  return isNew;
}

function settle(fresh) {
  timeline.settle(fresh);
  tree.settle(fresh);
  keys.settle();
  settleExport();
}

// Highlights new lines, and the nodes that the shown version changed: at most one flash per second,
// because faster ones are dangerous for some readers.
let marked = -Infinity;
let unmarking = 0;

function mark(fresh) {
  if (performance.now() < marked + 1000) return;
  marked = performance.now();
  unmark();
  for (const element of fresh) if (element.matches("#diffs > li, #nodes > .touched")) element.dataset.fresh = "";
  unmarking = setTimeout(unmark, freshFor);
}

function unmark() {
  clearTimeout(unmarking);
  for (const element of document.querySelectorAll("[data-fresh]")) element.removeAttribute("data-fresh");
}

async function refresh(live) {
  const number = requests;
  if (await update(location.href, () => number === requests, true)) live.say(state.summary);
}

// MARK: Following links

async function navigate(address, isStep = false) {
  const number = ++requests;
  const isLast = () => number === requests;
  try {
    await update(address, () => {
      if (!isLast()) return false;
      if (isStep) history.replaceState(null, "", address);
      else if (address !== location.href) history.pushState(null, "", address);
      return true;
    });
  } catch (error) {
    // The mirror answers with a page that shows the problem. Without an answer, this page stays.
    if (!(error instanceof Failure) || error.status) return location.assign(address);
    return live.failed(error);
  }
  if (!isLast()) return;
  reveal(new URL(address).hash.slice(1));
  live.moved();
}

// Scrolls to the shown entry, and to the selected, first found or first changed node. A single
// column only scrolls to the section of the link.
function reveal(fragment) {
  const isColumn = getComputedStyle(main).display !== "grid";
  if (!isColumn) document.querySelector("#diffs .shown")?.scrollIntoView({ block: "nearest" });
  const line = ["[aria-selected=true]", ".found", ".touched"].map((kind) => document.querySelector(`#nodes > ${kind}`)).find(Boolean);
  if (line) {
    tree.reveal(line);
    tree.activate(line);
    if (!isColumn) line.scrollIntoView({ block: "nearest" });
  }
  if (fragment && isColumn) document.getElementById(fragment)?.scrollIntoView({ block: "nearest" });
}

const isOwn = (address) => {
  const url = new URL(address, location.href);
  return url.origin === location.origin && url.pathname === path;
};

document.addEventListener("click", (/** @type {MouseEvent & { target: Element }} */ event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const address = new URL(link.getAttribute("href"), location.href).href;
  if (!isOwn(address) || link.classList.contains("skip")) return;
  event.preventDefault();
  navigate(address);
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "get" || !isOwn(form.action)) return;
  event.preventDefault();
  clearTimeout(typing);
  navigate(addressOf(form));
});

// A search or a filter begins when the typing pauses. It is one entry of the history, however long it
// becomes.
let typing = 0;

document.addEventListener("input", (/** @type {Event & { target: any }} */ { target }) => {
  if (target.id === "slider") navigate(addressOf(target.form), true);
  if (target.id !== "find" && target.id !== "filter") return;
  clearTimeout(typing);
  typing = setTimeout(() => navigate(addressOf(target.form).split("#")[0], new URLSearchParams(location.search).has(target.id)), pause);
});

function nodeAddress(number) {
  const url = new URL(location.href);
  url.searchParams.set("node", number);
  url.searchParams.delete("tab");
  return url.href;
}

addEventListener("popstate", () => navigate(location.href, true));

// MARK: The rendered page

// The rendered page beside the tree. Its scripts are loaded when it is shown first.
let mirror = null;

async function loadMirror() {
  const { Mirror } = await import("./mirror.js").catch(() => {
    throw new Failure("the mirror cannot be reached");
  });
  mirror ??= new Mirror(document.getElementById("mirror"), {
    path,
    onPick: (number) => navigate(nodeAddress(number)),
    onHover: (numbers) => light(numbers),
    onFailure: (error) => live.failed(error),
  });
}

async function showMirror(page) {
  try {
    if (!mirror && page.regions.find(({ id }) => id === "mirror")?.html) await loadMirror();
    await mirror?.show(page);
  } catch (error) {
    live.failed(error);
  }
}

// MARK: Sharing

// The buttons of the menu. A region may replace the menu, so they are added again.
function settleExport() {
  const menu = document.querySelector(".export .forms");
  if (!menu || menu.querySelector("button")) return;
  for (const [name, textContent] of [["savePage", "Save this page as a file"], ["copyLink", "Copy a link to this state"]]) {
    const own = button({ textContent }, async () => {
      try {
        if (state.regions) show(state);
        live.say(await (await import("./export.js"))[name]());
        own.textContent = `${textContent} ✓`;
        setTimeout(() => menu.closest("details").removeAttribute("open"), done);
      } catch (error) {
        live.say((own.textContent = `${textContent}: ${error.message}`));
      }
    });
    own.dataset.own = "";
    menu.prepend(own);
  }
}

// MARK: Start

document.getElementById("pictures").dataset.now = "";
showLocalTimes();
closeMenus();
const keys = new Keys(navigate);
divide(main);
const light = highlight((numbers) => mirror?.light(numbers));
settle([...document.querySelectorAll("#diffs > li, #nodes > li")]);
reveal("");
const live = new Live({
  place: document.querySelector(".controls"),
  events,
  after: () => state.event_id,
  version: () => state.version,
  follows: () => state.live,
  refresh,
});
if (document.querySelector("#mirror iframe")) loadMirror().catch((error) => live.failed(error));
// The digests of the HTML that the page shows.
requested(location.href, "").then((page) => {
  if (state.regions) return; // A refresh was faster.
  if (page.event_id !== state.event_id) return show(page);
  regions.know(regionsOf(page));
  showMirror(page);
}).catch((error) => live.failed(error));
