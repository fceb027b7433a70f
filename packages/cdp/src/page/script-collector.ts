import { canonicalSha256, omission, sha256Hex, z, type WebScript, type WebScriptSource } from "@rea/core";
import { CommandRefused } from "../protocol/connection.js";
import type { TargetSession } from "../protocol/target-session.js";
import type { Collector, CollectorContext } from "./collector.js";
import { LimitedList } from "./capture-notes.js";
import { pageUrl } from "./page-text.js";

const parsed = z.looseObject({
  scriptId: z.string(),
  url: z.string(),
  startLine: z.int().nonnegative(),
  startColumn: z.int().nonnegative(),
  hash: z.string(),
  executionContextAuxData: z.looseObject({ frameId: z.string().optional() }).optional(),
  sourceMapURL: z.string().optional(),
  isModule: z.boolean().optional(),
  length: z.int().nonnegative().optional(),
  scriptLanguage: z.string().optional(),
});
const source = z.looseObject({ scriptSource: z.string(), bytecode: z.string().optional() });

/** A script of the page with what is needed to ask for its source; URLs as they are. */
export interface SeenScript {
  readonly session: TargetSession;
  readonly protocolId: string;
  readonly url: string;
  readonly sourceMapUrl: string | null;
  readonly item: WebScript;
}

/** Scripts of allowed frames and origins, those that ran before included. */
export class ScriptCollector implements Collector {
  readonly #context: CollectorContext;
  readonly #seen: LimitedList<SeenScript>;
  readonly #byId = new Map<string, number>();

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#seen = new LimitedList(context.limits.scripts, "scripts", context.notes);
  }

  listen(session: TargetSession): void {
    session.on("Debugger.scriptParsed", parsed, (script) => {
      this.#add(session, script);
    });
  }

  /** In the order of frame, place and URL, which does not depend on when they were told. */
  scripts(): readonly SeenScript[] {
    return this.#seen.items
      .map((script) => ({ script, key: orderKey(script) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ script }) => script);
  }

  /** The section; with the sources where they were asked for. */
  async items(): Promise<WebScript[]> {
    const scripts = this.scripts();
    if (!this.#context.include.has("script_sources")) return scripts.map(({ item }) => item);
    const items: WebScript[] = [];
    let room = this.#context.limits.total_source_bytes;
    for (const script of scripts) {
      const read = await this.#source(script, room);
      if (read.state === "included") room -= read.bytes;
      else this.#tellOmitted(read.reason);
      items.push({ ...script.item, source: read });
    }
    return items;
  }

  #tellOmitted(reason: Extract<WebScriptSource, { state: "omitted" }>["reason"]): void {
    const { limits, notes } = this.#context;
    if (reason === "too_large") notes.cut("scripts", omission("scripts", "limit_entry_bytes", { count: 1, limit: limits.script_source_bytes, how_to_continue: "Raise limits.script_source_bytes." }));
    if (reason === "total_limit") notes.cut("scripts", omission("scripts", "limit_total_bytes", { count: 1, limit: limits.total_source_bytes, how_to_continue: "Raise limits.total_source_bytes." }));
    if (reason === "unavailable" || reason === "not_text") notes.cut("scripts", omission("scripts", "unreadable", { count: 1 }));
  }

  #add(session: TargetSession, raw: z.output<typeof parsed>): void {
    const { frames, policy, notes } = this.#context;
    const frame = frames.find(raw.executionContextAuxData?.frameId);
    if (frame === "excluded" || !policy.allowsUrl(raw.url) || isForeign(raw.url)) {
      notes.exclude("scripts");
      return;
    }
    const item = scriptItem(raw, frame.key, policy.allowsUrl.bind(policy));
    const known = this.#byId.get(item.script_id);
    if (known !== undefined) {
      const seen = this.#seen.items[known];
      if (seen !== undefined) this.#seen.items[known] = { ...seen, item: { ...seen.item, instances: seen.item.instances + 1 } };
      return;
    }
    const sourceMapUrl = raw.sourceMapURL === undefined || raw.sourceMapURL === "" ? null : raw.sourceMapURL;
    const position = this.#seen.add({ session, protocolId: raw.scriptId, url: raw.url, sourceMapUrl, item });
    if (position !== undefined) this.#byId.set(item.script_id, position);
  }

  async #source({ session, protocolId, item }: SeenScript, room: number): Promise<WebScriptSource> {
    const { script_source_bytes: most } = this.#context.limits;
    if (item.kind === "wasm") return { state: "omitted", reason: "not_text" };
    // A code unit is at least a byte: what is too long in units need not be asked for.
    if (item.length > most) return { state: "omitted", reason: "too_large" };
    if (item.length > room) return { state: "omitted", reason: "total_limit" };
    const text = await this.#text(session, protocolId);
    if (text === undefined) return { state: "omitted", reason: "unavailable" };
    const bytes = Buffer.byteLength(text);
    if (bytes > most) return { state: "omitted", reason: "too_large" };
    if (bytes > room) return { state: "omitted", reason: "total_limit" };
    // Half of a surrogate pair has no UTF-8 form that a digest could commit to.
    if (/\p{Surrogate}/u.test(text)) return { state: "omitted", reason: "not_text" };
    return { state: "included", text, sha256: sha256Hex(text), bytes };
  }

  /** Undefined for a script that was collected since. */
  async #text(session: TargetSession, scriptId: string): Promise<string | undefined> {
    try {
      return (await session.command("Debugger.getScriptSource", { scriptId }, source)).scriptSource;
    } catch (error) {
      if (error instanceof CommandRefused) return undefined;
      throw error;
    }
  }
}

/** Scripts of extensions and of the browser itself run beside those of the page, but are none of its. */
function isForeign(url: string): boolean {
  return /^(?:chrome|chrome-extension|devtools|extension|moz-extension|edge|node):/i.test(url);
}

function scriptItem(raw: z.output<typeof parsed>, frame: string, allows: (url: string) => boolean): WebScript {
  const kind = raw.scriptLanguage === "WebAssembly" ? ("wasm" as const) : raw.isModule === true ? ("module" as const) : ("script" as const);
  const content = /^[0-9a-f]{64}$/.test(raw.hash) ? raw.hash : null;
  const place = { frame, kind, start_line: raw.startLine, start_column: raw.startColumn, length: raw.length ?? 0, content_sha256: content };
  return {
    script_id: `scr_${canonicalSha256({ ...place, url: pageUrl(raw.url) })}`,
    ...place,
    url: pageUrl(raw.url),
    ...sourceMapOf(raw.sourceMapURL ?? "", raw.url, allows),
    source: { state: "omitted", reason: "not_requested" },
    instances: 1,
  };
}

/** Resolved against the script; only what could be fetched from an allowed origin is named. */
function sourceMapOf(given: string, scriptUrl: string, allows: (url: string) => boolean): Pick<WebScript, "source_map" | "source_map_url"> {
  if (given === "") return { source_map: "none", source_map_url: null };
  if (/^data:/i.test(given)) return { source_map: "inline", source_map_url: null };
  const url = resolvedUrl(given, scriptUrl);
  if (url === undefined || !/^https?:/i.test(url) || !allows(url)) return { source_map: "refused", source_map_url: null };
  return { source_map: "external", source_map_url: pageUrl(url) };
}

export function resolvedUrl(given: string, base: string): string | undefined {
  return URL.canParse(given, base) ? new URL(given, base).href : undefined;
}

function orderKey({ item }: SeenScript): string {
  const number = (value: number): string => String(value).padStart(10, "0");
  return [item.frame ?? "", item.url, number(item.start_line), number(item.start_column), item.script_id].join("\u0000");
}
