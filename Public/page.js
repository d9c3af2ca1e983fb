// Shows the document anew when it has changed: a second frame loads behind the first and takes its place when it is
// there, so that nothing flickers. The frame has no origin, so this sees nothing of it, nor it of this.

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
