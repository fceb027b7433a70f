import { omission, z, type WebFrame } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import type { AdmittedPage, AttachedPage } from "../targets/attach.js";
import { originOf } from "../targets/origins.js";
import type { CaptureNotes } from "./capture-notes.js";
import { pageUrl, pageWord } from "./page-text.js";

const frameShape = z.looseObject({
  id: z.string(),
  parentId: z.string().optional(),
  loaderId: z.string(),
  url: z.string(),
  securityOrigin: z.string().optional(),
  mimeType: z.string().optional(),
  secureContextType: z.string().optional(),
});
type RawFrame = z.output<typeof frameShape>;

interface RawTree {
  readonly frame: RawFrame;
  readonly childFrames?: readonly RawTree[] | undefined;
}
const treeShape: z.ZodType<RawTree> = z.lazy(() => z.looseObject({ frame: frameShape, childFrames: z.array(treeShape).optional() }));
export const frameTreeReply = z.looseObject({ frameTree: treeShape });

const targetInfos = z.looseObject({
  targetInfos: z.array(z.looseObject({ targetId: z.string(), type: z.string(), url: z.string(), parentFrameId: z.string().optional() })),
});
const frameAttached = z.looseObject({ frameId: z.string(), parentFrameId: z.string() });
const frameNavigated = z.looseObject({ frame: frameShape });
const frameDetached = z.looseObject({ frameId: z.string(), reason: z.string().optional() });
const withinDocument = z.looseObject({ frameId: z.string(), url: z.string() });

/** A frame whose origin is allowed. */
export interface KnownFrame {
  readonly id: string;
  readonly key: string;
  readonly parent: string | null;
  readonly outOfProcess: boolean;
  readonly session: TargetSession;
  url: string;
  origin: string;
  mediaType: string;
  secure: boolean | null;
}

interface Place {
  readonly key: string;
  readonly parent: string | null;
  children: number;
  readonly session: TargetSession;
  readonly outOfProcess: boolean;
}

export interface FrameMapOptions {
  readonly limit: number;
  readonly notes: CaptureNotes;
  /** Another view of the same page, whose keys are taken over. */
  readonly keys?: FrameMap | undefined;
}

/** The frames of a page, kept up to date while it is watched: which are allowed, and by which key they are named. */
export class FrameMap {
  readonly #page: AdmittedPage;
  readonly #notes: CaptureNotes;
  readonly #limit: number;
  readonly #keys: FrameMap | undefined;
  readonly #places = new Map<string, Place>();
  readonly #known = new Map<string, KnownFrame>();
  readonly #excluded = new Set<string>();
  readonly #sessions: TargetSession[] = [];
  sameDocumentNavigations = 0;

  constructor(page: AdmittedPage, { limit, notes, keys }: FrameMapOptions) {
    this.#page = page;
    this.#limit = limit;
    this.#notes = notes;
    this.#keys = keys;
  }

  /** Sessions that have allowed frames: the page's own, then those of frames of other processes. */
  get sessions(): readonly TargetSession[] {
    return this.#sessions;
  }

  get frames(): readonly KnownFrame[] {
    return [...this.#known.values()];
  }

  /** An allowed frame by its id; `excluded` for one that is not allowed or not known. */
  find(frameId: string | undefined): KnownFrame | "excluded" {
    return (frameId === undefined ? undefined : this.#known.get(frameId)) ?? "excluded";
  }

  /** Key of any frame that was seen, allowed or not. */
  keyOf(frameId: string): string | undefined {
    return this.#places.get(frameId)?.key;
  }

  /** Whether a session also holds frames that are not allowed. */
  hasExcluded(session: TargetSession): boolean {
    return [...this.#excluded].some((id) => this.#places.get(id)?.session === session);
  }

  /** Reads the tree of the page, and attaches to allowed frames that other processes draw. Gives the main frame's document. */
  async read(attached: AttachedPage): Promise<{ readonly frameId: string; readonly loaderId: string }> {
    const { frameTree } = await attached.session.command("Page.getFrameTree", {}, frameTreeReply);
    this.#sessions.push(attached.session);
    this.#addTree(frameTree, { key: "f0", parent: null, session: attached.session, outOfProcess: false, children: 0 });
    if (!this.#page.socket.ofBrowser) {
      this.#notes.attachLimited("frames", omission("frames", "not_examined", { how_to_continue: "The endpoint has no socket of the browser, over which frames of other processes are reached." }));
    } else await this.#addRemoteFrames(attached);
    return { frameId: frameTree.frame.id, loaderId: frameTree.frame.loaderId };
  }

  /** Follows what happens to the frames of a session whose Page domain is enabled. */
  follow(session: TargetSession): void {
    session.on("Page.frameAttached", frameAttached, ({ frameId, parentFrameId }) => {
      const parent = this.#places.get(parentFrameId);
      const opener = this.#known.get(parentFrameId);
      if (parent === undefined || this.#places.has(frameId)) return;
      this.#addPlace(frameId, parent, session);
      // An empty frame belongs to the origin that made it, until it is told otherwise.
      if (opener !== undefined) this.#set(frameId, { id: frameId, loaderId: "", url: "about:blank", securityOrigin: opener.origin, mimeType: "text/html" });
      else this.#excluded.add(frameId);
    });
    session.on("Page.frameNavigated", frameNavigated, ({ frame }) => {
      if (this.#places.has(frame.id)) this.#set(frame.id, frame);
    });
    session.on("Page.navigatedWithinDocument", withinDocument, ({ frameId, url }) => {
      const frame = this.#known.get(frameId);
      if (frame === undefined) return;
      frame.url = url;
      if (frame.key === "f0") this.sameDocumentNavigations += 1;
    });
    session.on("Page.frameDetached", frameDetached, ({ frameId, reason }) => {
      this.#known.delete(frameId);
      this.#excluded.delete(frameId);
      if (reason === "swap") this.#notes.attachLimited("frames", omission("frames", "not_examined", { count: 1, how_to_continue: "A frame moved to another process while the page was watched; call again." }));
    });
  }

  /** The section, in the order of the keys. */
  items(): WebFrame[] {
    return this.frames.map(({ key, parent, url, origin, mediaType, secure, outOfProcess }) => ({
      frame: key,
      parent,
      url: pageUrl(url),
      origin,
      media_type: pageWord(mediaType),
      secure_context: secure,
      out_of_process: outOfProcess,
    }));
  }

  #addTree({ frame, childFrames }: RawTree, place: Place): void {
    this.#places.set(frame.id, place);
    this.#set(frame.id, frame);
    for (const child of childFrames ?? []) this.#addTree(child, this.#addPlace(child.frame.id, place, place.session));
  }

  #addPlace(frameId: string, parent: Place, session: TargetSession, outOfProcess = parent.outOfProcess): Place {
    const key = this.#keys?.keyOf(frameId) ?? `${parent.key}.${String(parent.children)}`;
    const place = { key, parent: parent.key, session, outOfProcess, children: 0 };
    parent.children += 1;
    this.#places.set(frameId, place);
    return place;
  }

  #set(frameId: string, raw: RawFrame): void {
    const place = this.#places.get(frameId);
    if (place === undefined) return;
    const origin = frameOrigin(raw);
    if (!this.#page.policy.allows(origin)) {
      if (!this.#excluded.has(frameId)) this.#notes.exclude("frames");
      this.#excluded.add(frameId);
      this.#known.delete(frameId);
      return;
    }
    if (!this.#known.has(frameId) && this.#known.size >= this.#limit) {
      this.#notes.drop("frames");
      this.#excluded.add(frameId);
      return;
    }
    this.#excluded.delete(frameId);
    const { key, parent, outOfProcess, session } = place;
    const facts = { url: raw.url, origin, mediaType: raw.mimeType ?? "", secure: secureOf(raw.secureContextType) };
    const known = this.#known.get(frameId);
    if (known === undefined) this.#known.set(frameId, { id: frameId, key, parent, outOfProcess, session, ...facts });
    else Object.assign(known, facts);
  }

  /** Parents before children; children of one parent by URL, since the browser gives them in no order. */
  async #addRemoteFrames(attached: AttachedPage): Promise<void> {
    const found = await attached.connection.command("Target.getTargets", { filter: [{}] }, targetInfos);
    let waiting = found.targetInfos.filter(({ type, parentFrameId }) => type === "iframe" && parentFrameId !== undefined).sort((a, b) => (a.url < b.url ? -1 : 1));
    for (;;) {
      const next = waiting.filter(({ parentFrameId = "" }) => this.#places.has(parentFrameId));
      if (next.length === 0) return;
      waiting = waiting.filter((target) => !next.includes(target));
      for (const { targetId, url, parentFrameId = "" } of next) await this.#addRemote(attached, { targetId, url, parentFrameId });
    }
  }

  async #addRemote(attached: AttachedPage, target: { readonly targetId: string; readonly url: string; readonly parentFrameId: string }): Promise<void> {
    const parent = this.#places.get(target.parentFrameId);
    if (parent === undefined) return;
    if (!this.#page.policy.allows(originOf(target.url))) {
      this.#addPlace(target.targetId, parent, parent.session, true);
      this.#excluded.add(target.targetId);
      this.#notes.exclude("frames");
      return;
    }
    try {
      const session = await attached.attach(target.targetId);
      if (session === null) return;
      const { frameTree } = await session.command("Page.getFrameTree", {}, frameTreeReply);
      this.#sessions.push(session);
      this.#addTree(frameTree, this.#addPlace(frameTree.frame.id, parent, session, true));
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      this.#notes.attachLimited("frames", omission("frames", "unreadable", { count: 1, how_to_continue: "A frame went away before it could be attached to; call again." }));
    }
  }
}

/** As the browser computed it: frames without a URL of their own inherit it, sandboxed ones have none. */
function frameOrigin({ url, securityOrigin }: RawFrame): string {
  if (securityOrigin === undefined || securityOrigin === "" || securityOrigin === "://") return originOf(url);
  return originOf(securityOrigin);
}

function secureOf(type: string | undefined): boolean | null {
  return type === undefined ? null : type.startsWith("Secure");
}
