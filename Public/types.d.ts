// Types for `// @ts-check` in the scripts: `tsc --project Public` checks them. Browsers do not load this file.

interface Window {
  liveSocket?: any; // LiveView's client, in the page of an app.
  liveViewMirrorTap?: any; // What the tap shares with the carrier.
}

// Scripts of an SVG document have no `src`; the tap is none.
interface SVGScriptElement {
  src: string;
}

// Newer than the library of TypeScript 4.8.
interface Element {
  checkVisibility(): boolean;
  moveBefore?(element: Element, before: Node | null): void;
}
interface Array<T> {
  findLast(matches: (item: T) => boolean): T | undefined;
}

// The rendered page of the inspector, as `GET /views/VIEW/inspector` returns it.
interface InspectorPage {
  version: number;
  epoch: number;
  event_id: string;
  title: string;
  kind: string;
  summary: string;
  live: boolean;
  acted_node?: number;
  selected_node?: number;
  marks?: Record<string, string>; // What the version did to each node.
  heat?: Record<string, number>;
  regions: Region[];
}

// A part of it: `html`, or `lines` with their keys, digests and HTML. HTML that the page shows already is left out.
interface Region {
  id: string;
  digest?: string;
  html?: string;
  lines?: [key: string, digest: string, html?: string][];
  newLines?: number; // Added by inspector.js: how many new lines are shown at first.
}

// The differences between two versions of a document, as `GET /views/VIEW/page/patch` returns them.
interface DocumentPatch {
  epoch: number;
  version: number;
  whole?: true; // There is no patch.
  attributes: { node: number; attributes: Record<string, string | null> }[];
  removed: number[];
  runs: Run[];
}

// What lies between two children of a node.
interface Run {
  parent: number;
  after: number | null;
  before: number | null;
  content: { node?: number; markup?: string; text?: string }[];
}
