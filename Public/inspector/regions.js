// @ts-check
// Shows the regions of a page that the server has rendered as JSON. A region is either one piece of
// HTML, which is compared element by element with the one on the page, or a list of lines with
// keys. Each piece has a digest. The server leaves out the HTML whose digest the page has sent, so
// an update costs in proportion to the lines that changed.
//
// This is the patcher for the inspector's own markup: inspector.js calls it with the regions of
// each version, and views.js with the whole list. The patchers for a mirrored document, which is
// untrusted, are in ../frame: patch.js and whole.js.

export class Regions {
  #shown = new Map(); // By the id of a region: its digest, or a map of the digests of its lines by key.
  #late = new Map(); // By the id of a region: the HTML of the lines that are not shown yet, by key.

  // Remembers what the page shows already, because the server has rendered it with the page.
  know(regions) {
    for (const region of regions) this.#shown.set(region.id, digests(region));
  }

  // The digests of everything that is shown, for the request of the next regions.
  get known() {
    return [...this.#shown.values()].map((shown) => (typeof shown === "string" ? shown : [...shown.values()].join(""))).join("");
  }

  // Whether the page has the HTML that the regions leave out. It may have shown others since the
  // request.
  canShow(regions) {
    return regions.every(({ id, digest, html, lines }) => {
      const shown = this.#shown.get(id);
      if (!lines) return html !== undefined || shown === digest;
      return lines.every(([key, digest, html]) => html !== undefined || shown?.get?.(key) === digest);
    });
  }

  // Shows the regions. Returns the new elements. Of a region with `newLines`, it shows at most so
  // many new lines, the first ones.
  show(regions) {
    const fresh = [];
    for (const region of regions) {
      const { id, html, lines } = region;
      const place = document.getElementById(id);
      const before = this.#shown.get(id);
      const now = digests(region);
      if (lines) this.#late.set(id, showLines(place, region, fresh, before, this.#late.get(id)));
      else if (now !== before) morphChildren(place, parsed(html), fresh);
      this.#shown.set(id, now);
    }
    return fresh;
  }
}

const digests = ({ digest, lines }) => (lines ? new Map(lines) : digest);

const parsed = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
};

// MARK: Lines

// Returns the HTML of the lines that are not shown yet, by key. `waiting` is the last result.
function showLines(list, { lines, newLines = Infinity }, fresh, before, waiting = new Map()) {
  const keys = new Set(lines.map(([key]) => key));
  const shown = new Map();
  for (const line of [...list.children]) {
    if (keys.has(line.id)) shown.set(line.id, line);
    else line.remove();
  }
  const htmlOf = ([key, , html]) => html ?? waiting.get(key);
  const late = new Map();
  for (const line of lines.filter(([key]) => !shown.has(key)).slice(newLines)) {
    late.set(line[0], htmlOf(line));
    keys.delete(line[0]);
  }
  const changed = lines.filter(([key, digest]) => keys.has(key) && (!shown.has(key) || before?.get?.(key) !== digest));
  const made = new Map();
  for (const line of [...parsed(changed.map(htmlOf).join("")).children]) made.set(line.id, line);
  let here = list.firstElementChild;
  for (const key of keys) {
    const old = shown.get(key);
    const line = made.get(key);
    if (old && old === here) here = here.nextElementSibling;
    else if (old) list.insertBefore(old, here);
    if (!line) continue;
    fresh.push(old ?? line);
    if (old) morph(old, line, fresh);
    else list.insertBefore(line, here);
  }
  // Each line has the number of the late lines that follow it.
  if (late.size || waiting.size) {
    let line;
    for (const [key] of lines) {
      if (late.has(key)) line.dataset.late = String(Number(line.dataset.late) + 1);
      else (line = document.getElementById(key)).dataset.late = "0";
    }
  }
  return late;
}

// MARK: Elements

// Makes an element equal to another one. Elements with the same id or at the same position are
// kept, and with them the scroll position, the focus, the selection, and whether a reader has
// opened or closed them. Elements with `data-own` are the scripts' own: they stay as they are.
function morph(old, now, fresh) {
  if (old.isEqualNode(now)) return;
  // Text that a reader has typed stays until the server sends another value.
  const hasNewValue = old.localName === "input" && old.getAttribute("value") !== now.getAttribute("value");
  for (const { name, value } of [...now.attributes]) {
    if (old.getAttribute(name) !== value && !isReaders(old, name)) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name);
  }
  if (hasNewValue && old !== document.activeElement) old.value = now.getAttribute("value") ?? "";
  morphChildren(old, now, fresh);
}

function isReaders(element, name) {
  return name === "data-fresh" || name === "tabindex" || (name === "open" && element.localName === "details");
}

function morphChildren(old, now, fresh) {
  const wanted = new Set([...now.children].map((child) => child.id).filter(Boolean));
  const known = new Map();
  for (const child of [...old.children]) {
    if (!child.id) continue;
    if (wanted.has(child.id)) known.set(child.id, child);
    else if (child.dataset.own === undefined) child.remove();
  }
  let here = old.firstChild;
  const skipOwn = () => {
    while (here?.dataset?.own !== undefined) here = here.nextSibling;
  };
  for (const child of [.../** @type {any} */ (now).childNodes]) {
    if (child.dataset?.own !== undefined) continue;
    skipOwn();
    // White space between elements must not shift the positions of the elements.
    while (child.nodeType === Node.ELEMENT_NODE && here?.nodeType === Node.TEXT_NODE) {
      const next = here.nextSibling;
      here.remove();
      here = next;
      skipOwn();
    }
    const same = child.id ? known.get(child.id) : here && !here.id && here.nodeName === child.nodeName ? here : null;
    if (!same || same.nodeName !== child.nodeName) {
      // Without ids, the new child replaces the old one at its position, so the following siblings
      // keep their positions.
      const replaced = !child.id && here && !here.id && here.nodeType === child.nodeType ? here : null;
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

// Makes the children of an element equal to those of another one.
export const replaceContent = (old, now) => morphChildren(old, now, []);
