// The page of a mirrored LiveView: shows each new version in the frame, and sends what a person does there to the LiveView.

import { Gone, Live } from "./live.js";
import { Acting } from "./acting.js";
import { Frame, Unreachable } from "./frame.js";

const { live, events, eventId, version } = document.body.dataset;
const status = document.querySelector(".acted");
const isLive = live !== "past";
// The address of the page is /views/VIEW/page.
const path = location.pathname.replace(/\/page$/, "");
const frame = new Frame(document.querySelector("iframe"), path);
let isLoaded = false;
let isOutdated = false; // Whether the mirror draws the shown version differently now.

const say = (words, kind) => {
  status.textContent = words;
  status.dataset.kind = kind;
};

async function refresh(state) {
  // Until the frame is loaded there is nothing to patch; `start` asks for a refresh then.
  if (!isLoaded) return;
  try {
    if (isOutdated) await frame.redraw();
    else await frame.show();
    isOutdated = false;
  } catch (error) {
    // A broken connection is shown beside the state of the stream.
    if (!(error instanceof Gone || error instanceof Unreachable)) say(`the page cannot be shown: ${error.message}`, "error");
    throw error;
  }
  document.querySelector(".version").textContent = `version ${frame.version}`;
  state.say(`version ${frame.version}`);
}

const stream = new Live({
  place: document.querySelector("header"),
  events,
  after: () => eventId,
  version: () => (isLoaded ? frame.version : Number(version)),
  refresh: isLive ? refresh : undefined,
});

async function start() {
  if (!isLive) return;
  await frame.loaded();
  new Acting(frame.element, {
    path: `${path}/push`,
    epoch: () => Number(frame.epoch),
    say,
    answered: (needsRedraw) => {
      isOutdated ||= needsRedraw;
      stream.news();
    },
  });
  isLoaded = true;
  stream.news();
}

start();
