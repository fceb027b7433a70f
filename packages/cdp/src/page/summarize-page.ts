import { canonicalDigestOfWhole, webDomNodeTypes, type RetainedWhole, type WebPageCapture, type WebPageSummary } from "@rea/core";
import { countedWords, excerptOf } from "./excerpt.js";

/** The retained form of a capture. */
export function wholeOf(capture: object): RetainedWhole {
  return { kind: "capture", ...canonicalDigestOfWhole(capture), content: capture };
}

/** Bytes of JSON that the beginning of each section may take, so that the page stays one page. */
const room = {
  frames: { bytes: 700, most: 8 },
  dom: { bytes: 300, most: 5 },
  accessibility: { bytes: 300, most: 5 },
  scripts: { bytes: 1700, most: 15 },
  resources: { bytes: 800, most: 8 },
  network: { bytes: 1000, most: 8 },
  console: { bytes: 700, most: 10 },
  websocket: { bytes: 500, most: 10 },
  workers: { bytes: 500, most: 10 },
  metadata: { bytes: 600, most: 8 },
  storage: { bytes: 900, most: 10 },
  names: { bytes: 250, most: 20 },
} as const;

/** What a caller reads first: the beginning of every section, with totals and the digest of the section as a whole. */
export function summarizePage(capture: WebPageCapture, whole: Pick<RetainedWhole, "sha256" | "bytes">): WebPageSummary {
  const { dom, accessibility, resources, scripts, storage, network } = capture;
  const described = scripts.items.map(({ source, ...script }) => ({ ...script, source: source.state }));
  const scopes = storage.items.map(({ keys, ...item }) => ({ ...item, keys: keys === null ? null : excerptOf(keys, room.names) }));
  return {
    schema_version: 2,
    capture: { sha256: whole.sha256, bytes: whole.bytes },
    browser: capture.browser,
    target: capture.target,
    capture_window: capture.capture_window,
    allowed_origins: capture.allowed_origins,
    frames: begin(capture.frames, "frames"),
    dom: {
      ...begin(dom, "dom"),
      types: webDomNodeTypes.flatMap((type) => {
        const count = dom.items.filter((node) => node.type === type).length;
        return count === 0 ? [] : [{ type, count }];
      }),
      elements: countedWords(elementNames(capture), 12),
    },
    accessibility: { ...begin(accessibility, "accessibility"), roles: countedWords(accessibility.items.map(({ role }) => role), 8) },
    scripts: { ...excerptOf(described, room.scripts), state: scripts.state, sha256: scripts.sha256 },
    resources: { ...begin(resources, "resources"), types: countedWords(resources.items.map(({ type }) => type), 10) },
    network: { ...begin(network, "network"), prior_activity_available: false },
    console: begin(capture.console, "console"),
    websocket: begin(capture.websocket, "websocket"),
    workers: begin(capture.workers, "workers"),
    metadata: begin(capture.metadata, "metadata"),
    storage: { ...excerptOf(scopes, room.storage), state: storage.state, sha256: storage.sha256 },
    completeness: capture.completeness,
    coverage: capture.coverage,
    limitations: capture.limitations,
  };
}

function begin<T>(section: { readonly state: "complete" | "partial" | "unavailable"; readonly items: readonly T[]; readonly sha256: string }, name: keyof typeof room) {
  return { ...excerptOf(section.items, room[name]), state: section.state, sha256: section.sha256 };
}

function elementNames({ dom }: WebPageCapture): string[] {
  return dom.items.flatMap(({ type, name }) => (type === "element" ? [name.toLowerCase()] : []));
}
