// Shows the new document when a view has changed. A second frame loads the document behind the first frame, and replaces it when
// the document is loaded, so the page does not flicker. The frames are sandboxed without an origin: this script cannot read their
// documents, and their documents cannot read this page.

import { Live } from "./live.js";

const { live, events, eventId, version } = document.body.dataset;
const main = document.querySelector("main");
let shown = Number(version);

function refresh(state) {
  const frame = main.querySelector("iframe");
  const next = frame.cloneNode();
  next.dataset.next = "";
  return new Promise((done) => {
    next.addEventListener("load", () => {
      frame.remove();
      delete next.dataset.next;
      shown = state.newest ?? shown;
      document.querySelector(".version").textContent = `version ${shown}`;
      state.say(`version ${shown}`);
      done();
    });
    frame.after(next);
  });
}

new Live({
  place: document.querySelector("header"),
  events,
  after: () => eventId,
  version: () => shown,
  refresh: live === "past" ? undefined : refresh,
});
