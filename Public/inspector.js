// Updates a page of the inspector when its view changes: it fetches the page again, and replaces the elements that differ. The server
// renders the whole page, so without this script a reload shows the same.

import { Gone, Live } from "./live.js";

const freshFor = 2500; // How long new elements are highlighted, in milliseconds.

async function refresh(live) {
  const answer = await fetch(location.href.split("#")[0], { headers: { Accept: "text/html" } });
  if (answer.status === 404) throw new Gone("not there any more");
  if (!answer.ok) throw new Error(`${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const before = document.body.dataset.eventId;
  const fresh = [];
  for (const name of ["header", "main"]) morph(document.querySelector(name), page.querySelector(name), fresh);
  document.title = page.title;
  document.body.className = page.body.className;
  for (const [name, value] of Object.entries(page.body.dataset)) document.body.dataset[name] = value;
  if (document.body.dataset.eventId !== before || document.body.dataset.live === "views") mark(fresh);
  const words = page.body.dataset.summary;
  if (words && document.body.dataset.eventId !== before) live.say(words);
}

// MARK: Replacing elements

// Makes an element equal to another one. Elements with the same id or at the same position are kept, and with them the scroll
// position, the focus, the selection, and whether a reader has opened or closed them.
function morph(old, now, fresh) {
  for (const { name, value } of [...now.attributes]) {
    if (old.getAttribute(name) !== value && !isReaders(old, name)) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name);
  }
  morphChildren(old, now, fresh);
}

function isReaders(element, name) {
  return name === "data-fresh" || (name === "open" && element.localName === "details");
}

function morphChildren(old, now, fresh) {
  const wanted = new Set([...now.children].map((child) => child.id).filter(Boolean));
  const known = new Map();
  for (const child of [...old.children]) {
    if (!child.id) continue;
    if (wanted.has(child.id)) known.set(child.id, child);
    else child.remove();
  }
  let here = old.firstChild;
  const skipOwn = () => {
    while (here?.dataset?.own !== undefined) here = here.nextSibling;
  };
  for (const child of [...now.childNodes]) {
    skipOwn();
    const same = child.id ? known.get(child.id) : here && !here.id && here.nodeName === child.nodeName ? here : null;
    if (!same || same.nodeName !== child.nodeName) {
      // Without ids, the new child replaces the old one at its position, so the following siblings keep their positions.
      const replaced = !child.id && here && !here.id ? here : null;
      if (replaced) here = here.nextSibling;
      old.insertBefore(child, replaced ?? here);
      replaced?.remove();
      if (child.nodeType === Node.ELEMENT_NODE) fresh.push(child);
      continue;
    }
    if (same === here) here = here.nextSibling;
    else old.insertBefore(same, here);
    if (child.nodeType === Node.ELEMENT_NODE) morph(same, child, fresh);
    else if (same.nodeValue !== child.nodeValue) same.nodeValue = child.nodeValue;
  }
  while (here) {
    const next = here.nextSibling;
    if (here.dataset?.own === undefined) here.remove();
    here = next;
  }
}

// Highlights new entries and nodes, and the nodes that the newest version changed.
function mark(fresh) {
  const marked = fresh.filter((element) => element.matches("li, tr, section"));
  marked.push(...document.querySelectorAll("#tree .touched"));
  for (const element of marked) element.dataset.fresh = "";
  setTimeout(() => marked.forEach((element) => delete element.dataset.fresh), freshFor);
}

// MARK: Start

const { live, events, eventId, version } = document.body.dataset;
const place = document.querySelector("header");
if (live === "views") new Live({ place, every: 3000, refresh });
if (live === "view") {
  new Live({ place, events, after: () => document.body.dataset.eventId ?? eventId, version: () => Number(document.body.dataset.version ?? version), refresh });
}
if (live === "past") new Live({ place, events, after: () => eventId, version: () => Number(version) });
