// @ts-check
// The page of a mirrored LiveView: shows each new version in the frame, and sends what a person
// does there to the LiveView.

import { Acting } from "../frame/acting.js";
import { Frame } from "../frame/frame.js";
import { Live } from "./live.js";

const { live, events, eventId, version } = document.body.dataset;
/** @type {HTMLElement} */
const status = document.querySelector(".acted");
const isLive = live !== "past";
// The address of the page is /views/VIEW/page.
const path = location.pathname.replace(/\/page$/, "");
const frame = new Frame(document.querySelector("iframe"), path);
let loading = null; // Until the frame has its document there is nothing to patch.
let isLoaded = false;
let isOutdated = false; // Whether the mirror draws the shown version differently now.

const say = (words, kind) => {
  status.textContent = words;
  status.dataset.kind = kind;
};

async function load() {
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
}

async function refresh(stream) {
  loading ??= load();
  try {
    await loading;
  } catch (error) {
    loading = null;
    throw error;
  }
  if (isOutdated) await frame.redraw();
  else await frame.show();
  isOutdated = false;
  document.querySelector(".version").textContent = `version ${frame.version}`;
  stream.say(`version ${frame.version}`);
}

const stream = new Live({
  place: document.querySelector(".controls"),
  events,
  after: () => eventId,
  version: () => (isLoaded ? frame.version : Number(version)),
  refresh: isLive ? refresh : undefined,
});

if (isLive) stream.news();
