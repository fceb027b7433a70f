import { canonicalDigestOfWhole, checkedJson, sha256Hex, webPageLimits, z, type BrowserScenario, type JsonValue, type ScenarioScreenshot, type ScenarioState, type ScenarioStep, type WebSection } from "@rea/core";
import { AccessibilityReader } from "../page/accessibility-reader.js";
import { CaptureNotes } from "../page/capture-notes.js";
import type { CollectorContext } from "../page/collector.js";
import { readCaches, readDatabases } from "../page/database-reader.js";
import { DomReader } from "../page/dom-reader.js";
import { FrameMap } from "../page/frame-map.js";
import { readCookies, readDomStorage, storageItems, storagePlaces, type StorageContent } from "../page/storage-reader.js";
import { readPng } from "../png/png-file.js";
import { CommandRefused } from "../protocol/connection.js";
import type { AdmittedPage, AttachedPage } from "../targets/attach.js";
import { IsolatedWorld, WorldGone } from "./isolated-world.js";
import type { PageWords } from "./page-words.js";
import type { ScenarioPage } from "./scenario-page.js";
import type { Secrets } from "./secrets.js";

/** Keeps an image and gives the path it is found at. */
export type SaveScreenshot = (image: Uint8Array, sha256: string) => Promise<string>;

export type StepState = Pick<ScenarioStep, "url" | "history" | "dom" | "accessibility" | "storage" | "screenshot">;

export const noState: StepState = { url: null, history: null, dom: null, accessibility: null, storage: null, screenshot: null };

const history = z.looseObject({ currentIndex: z.int().nonnegative(), entries: z.array(z.looseObject({ url: z.string() })) });
const shot = z.looseObject({ data: z.string() });
const mostEntries = 50;

export interface StateReaderOptions {
  readonly page: ScenarioPage;
  readonly admitted: AdmittedPage;
  readonly scenario: BrowserScenario;
  readonly secrets: Secrets;
  readonly words: PageWords;
  readonly save: SaveScreenshot;
}

/** Reads the states of the page that a step asks for, over its own connection. */
export class StateReader {
  readonly #options: StateReaderOptions;
  #screenshotBytes = 0;
  /** Something that was to be read is not whole. */
  incomplete = false;
  secretWithheld = false;

  constructor(options: StateReaderOptions) {
    this.#options = options;
  }

  async read(states: ReadonlySet<ScenarioState>): Promise<StepState> {
    if (states.size === 0) return noState;
    const { page, admitted, scenario } = this.#options;
    const { limits } = scenario.capture;
    const notes = new CaptureNotes();
    const view = page.view();
    try {
      const frames = new FrameMap(admitted, { limit: webPageLimits.frames, notes });
      await frames.read(view);
      const context: CollectorContext = {
        frames,
        policy: admitted.policy,
        notes,
        limits: { ...webPageLimits, dom_nodes: limits.dom_nodes, accessibility_nodes: limits.accessibility_nodes, storage_keys: limits.storage_keys, text_bytes: limits.text_bytes },
        include: new Set(["storage_keys", "storage_fingerprints"]),
      };
      // The picture first: reading the rest takes time in which the page goes on.
      const screenshot = states.has("screenshot") ? await this.#screenshot(frames) : null;
      return {
        screenshot,
        url: states.has("url") ? this.#options.words.url(await this.#url()) : null,
        history: states.has("history") ? await this.#history() : null,
        dom: states.has("dom") ? await this.#section(notes, "dom", () => readDom(context)) : null,
        accessibility: states.has("accessibility") ? await this.#section(notes, "accessibility", () => readAccessibility(context)) : null,
        storage: states.has("storage") ? await this.#section(notes, "storage", () => readStorage(view, context)) : null,
      };
    } finally {
      await view.close();
    }
  }

  async #url(): Promise<string> {
    const { currentIndex, entries } = await this.#options.page.session.command("Page.getNavigationHistory", {}, history);
    return entries[currentIndex]?.url ?? "about:blank";
  }

  async #history(): Promise<StepState["history"]> {
    const { currentIndex, entries } = await this.#options.page.session.command("Page.getNavigationHistory", {}, history);
    const first = Math.max(0, entries.length - mostEntries);
    return { index: Math.max(0, currentIndex - first), entries: entries.slice(first).map(({ url }) => this.#options.words.url(url)) };
  }

  async #section<T extends object>(notes: CaptureNotes, name: WebSection, read: () => Promise<readonly T[]>): Promise<{ state: "complete" | "partial" | "unavailable"; items: T[]; total: number | null; sha256: string }> {
    let items: T[] = [];
    let refused = false;
    try {
      items = (await read()).map((item) => this.#hidden(item));
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      refused = true;
    }
    const state = refused ? "unavailable" : notes.state(name);
    if (state !== "complete") this.incomplete = true;
    return { state, items, total: refused ? null : items.length + notes.dropped(name), sha256: canonicalDigestOfWhole(items).sha256 };
  }

  /** Whatever the item holds, no secret is in it. */
  #hidden<T extends object>(item: T): T {
    const { secrets } = this.#options;
    return secrets.none ? item : mapTexts(item, (text) => secrets.hide(text));
  }

  async #screenshot(frames: FrameMap): Promise<ScenarioScreenshot> {
    const withheld = (reason: "secret_visible" | "too_large" | "total_limit" | "unavailable"): ScenarioScreenshot => {
      if (reason === "secret_visible") this.secretWithheld = true;
      else this.incomplete = true;
      return { state: "withheld", reason };
    };
    const { page, scenario, save } = this.#options;
    const { screenshot_bytes: most, total_screenshot_bytes: total } = scenario.capture.limits;
    if (await this.#showsSecret(frames)) return withheld("secret_visible");
    let image: Uint8Array;
    try {
      image = Buffer.from((await page.session.command("Page.captureScreenshot", { format: "png" }, shot)).data, "base64");
    } catch (error) {
      if (error instanceof CommandRefused) return withheld("unavailable");
      throw error;
    }
    // What became visible while the picture was taken may be on it.
    if (await this.#showsSecret(frames)) return withheld("secret_visible");
    if (image.length > most) return withheld("too_large");
    if (this.#screenshotBytes + image.length > total) return withheld("total_limit");
    this.#screenshotBytes += image.length;
    const { width, height } = readPng(image, () => new Error("The browser's image is no PNG.")).header;
    const sha256 = sha256Hex(image);
    return { state: "captured", sha256, bytes: image.length, width, height, path: await save(image, sha256) };
  }

  /** Asked in a world of our own in each frame; a frame that cannot be asked may show it. */
  async #showsSecret(frames: FrameMap): Promise<boolean> {
    const { secrets } = this.#options;
    if (secrets.none) return false;
    for (const frame of frames.frames) {
      try {
        if (await new IsolatedWorld(frame.session, frame.id).call("shows", [secrets.forms], z.boolean())) return true;
      } catch (error) {
        if (error instanceof WorldGone) return true;
        throw error;
      }
    }
    return false;
  }
}

async function readDom(context: CollectorContext) {
  const dom = new DomReader(context);
  for (const session of context.frames.sessions) await dom.read(session);
  return dom.items;
}

async function readAccessibility(context: CollectorContext) {
  const accessibility = new AccessibilityReader(context);
  for (const frame of context.frames.frames) await accessibility.read(frame.session, frame);
  return accessibility.items;
}

async function readStorage(view: AttachedPage, context: CollectorContext) {
  const { frames } = context.frames;
  const contents: StorageContent[] = await readCookies(view.session, frames);
  for (const place of await storagePlaces(frames.filter(({ origin }) => origin !== "null"))) {
    for (const scope of ["local", "session"] as const) contents.push(await readDomStorage(place.frame.session, place, scope));
    for (const read of [readDatabases, readCaches]) {
      const content = await read(place.frame.session, place);
      if (content !== null) contents.push(content);
    }
  }
  return storageItems(contents, context);
}

function mapTexts<T extends object>(item: T, hide: (text: string) => string): T {
  const entries = Object.entries(item).map(([key, value]): [string, JsonValue] => [key, mapValue(checkedJson(value), hide)]);
  return { ...item, ...Object.fromEntries(entries) };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function mapValue(value: JsonValue, hide: (text: string) => string): JsonValue {
  if (typeof value === "string") return hide(value);
  if (isList(value)) return value.map((each) => mapValue(each, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapValue(each, hide)]));
}
