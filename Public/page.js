// The page of a mirrored LiveView: shows each new document in the frame, and sends what a person does there to the LiveView.
//
// The frame has the origin of this page but runs no scripts, so this script reads and patches its document directly.

import { Gone, Live } from "./live.js";
import { Acting } from "./acting.js";
import * as dom from "./dom.js";
import { patch } from "./patch.js";

// The body element of a document in the frame, and what the mirror says about its document.
const body = dom.body;
const about = (page) => ({
  epoch: dom.getAttribute(body(page), "data-mirror-epoch"),
  version: Number(dom.getAttribute(body(page), "data-mirror-version")),
});

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

const say = (words, kind) => {
  status.textContent = words;
  status.dataset.kind = kind;
};

// Shows a document. After a remount, its numbers mean other nodes, so no element is kept.
function show(next) {
  const page = frame.contentDocument;
  const shownBody = body(page);
  if (about(page).epoch === about(next).epoch) patch(shownBody, body(next), body(markup));
  else shownBody.replaceWith(dom.importNode(page, body(next), true));
  markup = next;
  shown = about(next).version;
}

async function refresh(state) {
  // Until the frame is loaded there is nothing to patch; `start` asks for a refresh then.
  if (!markup) return;
  const next = await parsed();
  try {
    show(next);
  } catch (error) {
    say(`the page cannot be shown: ${error.message}`, "error");
    throw error;
  }
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
  new Acting(frame, {
    // The address of the page is /views/VIEW/page.
    path: location.pathname.replace(/page$/, "push"),
    epoch: () => Number(about(frame.contentDocument).epoch),
    say,
    answered: () => stream.news(),
  });
  // The markup of the frame before any input.
  markup = dom.cloneNode(frame.contentDocument, true);
  stream.news();
}

const loaded = frame.contentDocument;
if (loaded?.readyState === "complete" && body(loaded) && about(loaded).epoch) start();
else frame.addEventListener("load", start, { once: true });
