// The page of a mirrored LiveView: shows each new document in the frame, and sends what a person does there to the LiveView.
//
// The frame has the origin of this page but runs no scripts, so this script reads and patches its document directly.

import { Gone, Live } from "./live.js";
import { Acting } from "./acting.js";
import { patch } from "./patch.js";

const { live, events, eventId, version } = document.body.dataset;
const frame = document.querySelector("iframe");
const status = document.querySelector(".acted");
const isLive = live !== "past";
let shown = Number(version);
let markup = null; // The document as the server sent it last, without what a person has entered.

const parsed = async () => {
  const response = await fetch(frame.src, { headers: { Accept: "text/html" } });
  if (response.status === 404) throw new Gone("the view was removed");
  if (!response.ok) throw new Error(response.statusText);
  // The parser of the frame applies the policy of the frame, which permits the styles of the document.
  const { DOMParser } = frame.contentWindow;
  return new DOMParser().parseFromString(await response.text(), "text/html");
};

async function refresh(state) {
  const next = await parsed();
  const page = frame.contentDocument;
  if (!markup || page.body.dataset.mirrorEpoch !== next.body.dataset.mirrorEpoch) {
    page.body.replaceWith(page.importNode(next.body, true));
  } else {
    patch(page.body, next.body, markup.body);
  }
  markup = next;
  shown = Number(next.body.dataset.mirrorVersion);
  document.querySelector(".version").textContent = `version ${shown}`;
  state.say(`version ${shown}`);
}

const stream = new Live({
  place: document.querySelector("header"),
  events,
  after: () => eventId,
  version: () => shown,
  refresh: isLive ? refresh : undefined,
});

async function start() {
  if (!isLive) return;
  // What the frame was loaded from, before anything was entered.
  markup = await parsed();
  patch(frame.contentDocument.body, markup.body, frame.contentDocument.body.cloneNode(true));
  new Acting(frame.contentDocument, {
    // The address of the page is /views/VIEW/page.
    path: location.pathname.replace(/page$/, "push"),
    say: (words, kind) => {
      status.textContent = words;
      status.dataset.kind = kind;
    },
    answered: () => stream.news(),
  });
}

if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.body?.dataset.mirrorEpoch) start();
else frame.addEventListener("load", start, { once: true });
