// The document of a view in a frame, and how it is brought to another version. The frame has the origin of this page but runs no
// scripts, so this module reads and patches its document directly.
//
// The server sends a patch with the differences between two versions. Without a patch, this module fetches the whole document and
// compares it.

import { absence, Gone } from "./live.js";
import * as dom from "./dom.js";
import { patch } from "./patch.js";
import { ChangedStructure, Numbered } from "./numbered.js";

// The server does not answer, or not with what was asked for.
export class Unreachable extends Error {}

export class Frame {
  #frame;
  #path;
  #shown = null; // The elements of the page in the frame, by number.
  #pristine = null; // The same page as the server sent it, without what a person has entered.

  // `path` is the address of the view, /views/VIEW.
  constructor(frame, path) {
    this.#frame = frame;
    this.#path = path;
  }

  get element() {
    return this.#frame;
  }

  get document() {
    return this.#frame.contentDocument;
  }

  // The epoch and the version that the page shows.
  get epoch() {
    return about(this.document).epoch;
  }

  get version() {
    return about(this.document).version;
  }

  // Waits until the frame has its document.
  async loaded() {
    for (;;) {
      const page = this.document;
      if (page?.readyState === "complete" && dom.body(page) && about(page).epoch) break;
      await new Promise((resolve) => this.#frame.addEventListener("load", resolve, { once: true }));
      if (!this.document || !dom.body(this.document) || !about(this.document).epoch) throw new Error("the frame shows no document");
    }
    this.#pristine = new Numbered(dom.cloneNode(this.document, true));
    this.#shown = new Numbered(this.document);
  }

  // Brings the page to a version of an epoch; without one, to the newest.
  async show(version, ofEpoch) {
    const { epoch, version: from } = about(this.document);
    if (ofEpoch !== undefined && String(ofEpoch) !== epoch) return this.#whole(version, ofEpoch);
    if (version === from) return;
    const query = new URLSearchParams({ epoch, from });
    if (version !== undefined) query.set("version", version);
    const answer = await this.#fetched(`page/patch?${query}`, "application/json");
    const change = await answer.json();
    if (change.whole === undefined) {
      try {
        // A page without input comes first: if its structure differs, the shown page is not changed.
        this.#pristine.apply(change);
        this.#shown.apply(change);
        return;
      } catch (error) {
        if (!(error instanceof ChangedStructure)) throw error;
      }
    }
    await this.#whole(version, version === undefined ? undefined : epoch);
  }

  // Shows the newest version as the mirror draws it now.
  async redraw() {
    await this.#whole();
  }

  async #whole(version, epoch) {
    const query = new URLSearchParams({ frame: 1 });
    if (version !== undefined) query.set("version", version);
    if (epoch !== undefined) query.set("epoch", epoch);
    const response = await this.#fetched(`page?${query}`, "text/html");
    // The parser of the frame applies the policy of the frame, which permits the styles of the document.
    const { DOMParser } = this.#frame.contentWindow;
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    const page = this.document;
    const shown = dom.body(page);
    // After a remount, the numbers mean other nodes, so no element is kept.
    if (about(page).epoch === about(next).epoch) patch(shown, dom.body(next), dom.body(this.#pristine.page));
    else shown.replaceWith(dom.importNode(page, dom.body(next), true));
    this.#pristine = new Numbered(next);
    this.#shown = new Numbered(page);
  }

  async #fetched(path, type) {
    const response = await fetch(`${this.#path}/${path}`, { headers: { Accept: type } }).catch((error) => {
      throw new Unreachable(error.message);
    });
    const reason = await absence(response);
    if (reason) throw new Gone(reason);
    if (!response.ok) throw new Unreachable(response.statusText);
    return response;
  }

  // The element with a number; `undefined` if the page has none.
  find(number) {
    return this.#shown?.find(number);
  }
}

// What the mirror says about the document of a page.
export const about = (page) => ({
  epoch: dom.getAttribute(dom.body(page), "data-mirror-epoch"),
  version: Number(dom.getAttribute(dom.body(page), "data-mirror-version")),
});
