// @ts-check
// The document of a view in a frame, and how it is brought to another version. The frame has the
// origin of this page but runs no scripts, so this module reads and patches its document directly.
// The pane of the inspector (mirror.js) and the page of a document (page.js) have one frame each.
//
// The server sends a patch with the differences between two versions. Without a patch, this module
// fetches the whole document and compares it.

import * as dom from "./dom.js";
import { ChangedStructure, PatchedPage } from "./patch.js";
import { Failure, request } from "./requests.js";
import { showWhole } from "./whole.js";

export class Frame {
  #path;
  #shown = null; // The elements of the page in the frame, by number.
  #pristine = null; // The same page as the server sent it, without what a person has entered.
  #hasFailed = false; // Whether the frame has not got its document.

  // `path` is the address of the view, /views/VIEW.
  constructor(element, path) {
    this.element = element;
    this.#path = path;
  }

  get document() {
    return this.element.contentDocument;
  }

  // The epoch and the version that the page shows.
  get epoch() {
    return about(this.document).epoch;
  }

  get version() {
    return about(this.document).version;
  }

  // Waits until the frame has its document. A frame that failed to load is loaded again.
  async loaded() {
    if (this.#hasFailed) this.element.src = this.element.src;
    this.#hasFailed = true;
    for (;;) {
      const page = this.document;
      if (page?.readyState === "complete" && dom.body(page) && about(page).epoch) break;
      await new Promise((resolve) => this.element.addEventListener("load", resolve, { once: true }));
      if (!this.document || !dom.body(this.document) || !about(this.document).epoch) throw new Failure("the document cannot be loaded");
    }
    this.#hasFailed = false;
    this.#pristine = new PatchedPage(dom.cloneNode(this.document, true));
    this.#shown = new PatchedPage(this.document);
  }

  // Brings the page to a version of an epoch; without one, to the newest.
  async show(version, ofEpoch) {
    const { epoch, version: from } = about(this.document);
    if (ofEpoch !== undefined && String(ofEpoch) !== epoch) return this.redraw(version, ofEpoch);
    if (version === from) return;
    const query = new URLSearchParams({ epoch, from: `${from}` });
    if (version !== undefined) query.set("version", version);
    /** @type {DocumentPatch} */
    const change = await request(`${this.#path}/page/patch?${query}`);
    if (change.whole === undefined) {
      try {
        // A page without input comes first: if its structure differs, the shown page is not
        // changed.
        this.#pristine.apply(change);
        this.#shown.apply(change);
        return;
      } catch (error) {
        if (!(error instanceof ChangedStructure)) throw error;
      }
    }
    await this.redraw(version, version === undefined ? undefined : epoch);
  }

  // Shows a version, without one the newest, as the mirror draws it now.
  async redraw(version, epoch) {
    const query = new URLSearchParams({ frame: "1" });
    if (version !== undefined) query.set("version", version);
    if (epoch !== undefined) query.set("epoch", epoch);
    const text = await request(`${this.#path}/page?${query}`, "text/html");
    // The parser of the frame applies the policy of the frame, which permits the styles of the
    // document.
    const { DOMParser } = this.element.contentWindow;
    const next = new DOMParser().parseFromString(text, "text/html");
    const page = this.document;
    const shown = dom.body(page);
    // After a remount, the numbers mean other nodes, so no element is kept.
    if (about(page).epoch === about(next).epoch) showWhole(shown, dom.body(next), dom.body(this.#pristine.page));
    else shown.replaceWith(dom.importNode(page, dom.body(next), true));
    this.#pristine = new PatchedPage(next);
    this.#shown = new PatchedPage(page);
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
