// @ts-check
// Times of the server, which are in UTC, in the reader's time zone, also those that an update
// brings. Their tooltips keep UTC.

const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
// Swedish dates are written as in ISO 8601.
const time = new Intl.DateTimeFormat("sv", /** @type {any} */ ({ ...parts, fractionalSecondDigits: 3 }));
const withDate = new Intl.DateTimeFormat("sv", /** @type {any} */ ({ ...parts, year: "numeric", month: "2-digit", day: "2-digit" }));

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
