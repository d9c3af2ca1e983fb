// Patches a document in place, so that the focus, typed input, scroll positions and opened details survive. Every element has the
// number of its node in `data-mirror-node`, and keeps it as long as it is the same node.

const number = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-mirror-node") : null);

const numbered = (top) => {
  const elements = new Map();
  for (const element of top.querySelectorAll("[data-mirror-node]")) {
    const key = number(element);
    if (!elements.has(key)) elements.set(key, element);
  }
  return elements;
};

// Makes the children and attributes of `shown` equal to those of `next`. Attributes that did not change since `before`, the markup
// of the last call, are left as a person or the browser has set them.
export function patch(shown, next, before) {
  const [known, old] = [numbered(shown), numbered(before)];
  const work = [[shown, next, before]];
  for (let item = work.pop(); item; item = work.pop()) {
    const [to, from, was] = item;
    patchAttributes(to, from, was);
    work.push(...patchChildren(content(to), content(from), known, old));
  }
}

// The content of a template is a document fragment of its own.
const content = (element) => (element.localName === "template" ? element.content : element);

function patchAttributes(shown, next, before) {
  for (const { name, value } of next.attributes) {
    if (before?.getAttribute(name) !== value && shown.getAttribute(name) !== value) set(shown, name, value);
  }
  for (const { name } of before?.attributes ?? []) {
    if (!next.hasAttribute(name)) shown.removeAttribute(name);
  }
  patchField(shown, next, before);
}

function set(element, name, value) {
  // The names that a parser accepts are more than those that this function accepts.
  try {
    element.setAttribute(name, value);
  } catch {}
}

// The state of a field follows the server's markup when it changes, unless a person is entering something, as in LiveView's client.
function patchField(shown, next, before) {
  if (!before || shown === shown.ownerDocument.activeElement) return;
  if (shown.localName === "input" && shown.type !== "file") {
    if (next.getAttribute("value") !== before.getAttribute("value")) shown.value = next.getAttribute("value") ?? "";
    if (next.hasAttribute("checked") !== before.hasAttribute("checked")) shown.checked = next.hasAttribute("checked");
  } else if (shown.localName === "option" && next.hasAttribute("selected") !== before.hasAttribute("selected")) {
    shown.selected = next.hasAttribute("selected");
  } else if (shown.localName === "textarea" && next.textContent !== before.textContent) {
    shown.value = next.textContent;
  }
}

// Returns the elements whose own attributes and children are still to be patched.
function patchChildren(shown, next, known, old) {
  const work = [];
  let place = shown.firstChild;
  for (const child of next.childNodes) {
    const key = number(child);
    const same = key ? known.get(key) : null;
    if (same && same.localName === child.localName && !same.contains(shown)) {
      if (same === place) place = place.nextSibling;
      else move(shown, same, place);
      work.push([same, child, old.get(key)]);
    } else if (!key && place?.nodeType === child.nodeType && place.nodeType !== Node.ELEMENT_NODE) {
      if (place.data !== child.data) place.data = child.data;
      place = place.nextSibling;
    } else {
      const added = shown.ownerDocument.importNode(child, false);
      shown.insertBefore(added, place);
      if (key) known.set(key, added);
      if (added.nodeType === Node.ELEMENT_NODE) work.push([added, child, undefined]);
    }
  }
  while (place) {
    const rest = place.nextSibling;
    place.remove();
    place = rest;
  }
  return work;
}

// A moved element keeps its state where the browser can do it.
function move(parent, element, before) {
  if (parent.moveBefore && element.isConnected && parent.isConnected) {
    try {
      return parent.moveBefore(element, before);
    } catch {}
  }
  parent.insertBefore(element, before);
}
