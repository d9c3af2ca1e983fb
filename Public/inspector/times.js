// @ts-check
// Times of the server, which are in UTC, in the reader's time zone, also those that an update
// brings. Their tooltips keep UTC. Used by inspector.js and views.js.

// Swedish dates are written as in ISO 8601.
const time = new Intl.DateTimeFormat("sv", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
const withDate = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "medium" });

// Relative times, such as `3 s ago`, do not end in Z.
function localise(element) {
  const text = element.textContent;
  if (!/^\d.*Z$/.test(text)) return;
  const moment = new Date(element.dateTime);
  if (!Number.isNaN(moment.getTime())) element.textContent = (text.includes(" ") ? withDate : time).format(moment).replace(",", ".");
}

const within = (/** @type {any} */ node) => {
  const top = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  return top?.localName === "time" ? [top] : [...(top?.querySelectorAll?.("time") ?? [])];
};

export function showLocalTimes() {
  for (const element of document.querySelectorAll("time")) localise(element);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of addedNodes.length ? addedNodes : [target]) for (const element of within(node)) localise(element);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
