import { canonicalJson, canonicalSha256, compareCodePoints, escapeUntrusted, omission, z, type RuntimeContext, type RuntimeEvent, type RuntimeLimits, type RuntimeScript } from "@rea/core";
import type { CaptureNotes } from "../page/capture-notes.js";
import { pageUrl, pageWord } from "../page/page-text.js";
import type { TargetSession } from "../protocol/target-session.js";
import { allowsScript, localPathOf, originKind, type ScriptPolicy } from "./runtime-scripts.js";

const remoteObject = z.looseObject({ type: z.string(), subtype: z.string().optional() });
const callFrames = z.looseObject({ callFrames: z.array(z.looseObject({ url: z.string(), lineNumber: z.int() })) });
const contextCreated = z.looseObject({
  context: z.looseObject({ id: z.int(), origin: z.string(), name: z.string(), auxData: z.looseObject({ isDefault: z.boolean().optional(), type: z.string().optional() }).optional() }),
});
const contextDestroyed = z.looseObject({ executionContextId: z.int() });
const scriptParsed = z.looseObject({
  url: z.string(),
  executionContextId: z.int(),
  hash: z.string(),
  sourceMapURL: z.string().optional(),
  isModule: z.boolean().optional(),
  length: z.int().nonnegative().optional(),
  scriptLanguage: z.string().optional(),
});
const called = z.looseObject({ type: z.string(), args: z.array(remoteObject), stackTrace: callFrames.optional() });
const thrown = z.looseObject({ exceptionDetails: z.looseObject({ url: z.string().optional(), lineNumber: z.int(), exception: remoteObject.optional() }) });
const paused = z.looseObject({ reason: z.string() });

export interface RuntimeCollectorContext {
  readonly policy: ScriptPolicy;
  readonly limits: RuntimeLimits;
  readonly notes: CaptureNotes;
  /** The runtime stands still because it is watched. */
  readonly onPaused: () => void;
}

/** Contexts, scripts and events of a V8 runtime; numbers that differ from run to run are left out. */
export class RuntimeCollector {
  readonly #context: RuntimeCollectorContext;
  readonly #contexts = new Map<number, RuntimeContext>();
  readonly #scripts = new Map<string, Omit<RuntimeScript, "context"> & { readonly contextId: number }>();
  readonly #events = new Map<string, RuntimeEvent>();
  #eventCount = 0;
  #bytes = 0;
  readonly excluded = { scripts: 0, events: 0 };

  constructor(context: RuntimeCollectorContext) {
    this.#context = context;
  }

  listen(session: TargetSession): void {
    session.on("Runtime.executionContextCreated", contextCreated, ({ context }) => {
      this.#addContext(context);
      this.#addEvent({ kind: "context_created", detail: context.auxData?.type ?? "default" });
    });
    session.on("Runtime.executionContextDestroyed", contextDestroyed, () => {
      this.#addEvent({ kind: "context_destroyed", detail: "" });
    });
    session.on("Debugger.scriptParsed", scriptParsed, (script) => {
      this.#addScript(script);
    });
    session.on("Debugger.scriptFailedToParse", z.looseObject({ url: z.string() }), ({ url }) => {
      this.#addEvent({ kind: "script_failed_to_parse", detail: "", url });
    });
    session.on("Runtime.consoleAPICalled", called, ({ type, args, stackTrace }) => {
      const top = stackTrace?.callFrames[0];
      this.#addEvent({ kind: "console", detail: type, url: top?.url, line: top?.lineNumber, types: args.map(typeName) });
    });
    session.on("Runtime.exceptionThrown", thrown, ({ exceptionDetails: { url, lineNumber, exception } }) => {
      this.#addEvent({ kind: "exception", detail: "", url, line: lineNumber, types: exception === undefined ? [] : [typeName(exception)] });
    });
    session.on("Debugger.paused", paused, ({ reason }) => {
      this.#addEvent({ kind: "paused", detail: reason });
      this.#context.onPaused();
    });
  }

  contexts(): RuntimeContext[] {
    return this.#sortedContexts().map(([, context]) => context);
  }

  /** By URL, place of the context and content. */
  scripts(): RuntimeScript[] {
    const position = new Map(this.#sortedContexts().map(([id], index) => [id, index]));
    return [...this.#scripts.values()]
      .map(({ contextId, ...script }) => ({ ...script, context: position.get(contextId) ?? null }))
      .sort((a, b) => compareCodePoints(a.url, b.url) || compareCodePoints(a.script_id, b.script_id));
  }

  /** In canonical order; what happened several times stands once. */
  events(): RuntimeEvent[] {
    return [...this.#events].sort(([a], [b]) => compareCodePoints(a, b)).map(([, event]) => event);
  }

  #sortedContexts(): [number, RuntimeContext][] {
    return [...this.#contexts].sort(([, a], [, b]) => compareCodePoints(canonicalJson(a), canonicalJson(b)));
  }

  #addContext({ id, origin, name, auxData }: z.output<typeof contextCreated>["context"]): void {
    const { limits, notes } = this.#context;
    if (this.#contexts.size >= limits.contexts) {
      notes.cut("timeline", omission("contexts", "limit_items", { count: 1, limit: limits.contexts, how_to_continue: "Raise limits.contexts." }));
      return;
    }
    // Node writes the process id into the name of its context.
    const plain = name.replace(/\[\d+\]/, "[pid]");
    this.#contexts.set(id, { name: pageWord(plain), origin: pageUrl(origin), kind: pageWord(auxData?.type ?? "default"), is_default: auxData?.isDefault ?? true });
  }

  #addScript(raw: z.output<typeof scriptParsed>): void {
    const { policy, limits, notes } = this.#context;
    if (!allowsScript(policy, raw.url)) {
      this.excluded.scripts += 1;
      return;
    }
    const url = this.#location(raw.url);
    const content = /^[0-9a-f]{64}$/.test(raw.hash) ? raw.hash : null;
    const kind = raw.scriptLanguage === "WebAssembly" ? ("wasm" as const) : raw.isModule === true ? ("module" as const) : ("script" as const);
    const identity = { url, kind, length: raw.length ?? 0, content_sha256: content };
    const script_id = `scr_${canonicalSha256(identity)}`;
    const known = this.#scripts.get(script_id);
    if (known !== undefined) {
      this.#scripts.set(script_id, { ...known, instances: known.instances + 1 });
      return;
    }
    const bytes = Buffer.byteLength(url);
    if (this.#scripts.size >= limits.scripts || this.#bytes + bytes > limits.metadata_bytes) {
      const full = this.#scripts.size >= limits.scripts;
      notes.cut("scripts", omission("scripts", full ? "limit_items" : "limit_total_bytes", { count: 1, limit: full ? limits.scripts : limits.metadata_bytes, how_to_continue: full ? "Raise limits.scripts." : "Raise limits.metadata_bytes." }));
      return;
    }
    this.#bytes += bytes;
    const path = localPathOf(raw.url);
    this.#scripts.set(script_id, {
      script_id,
      ...identity,
      local_path: path === null ? null : escapeUntrusted(path),
      origin_kind: originKind(raw.url),
      source_map: sourceMapState(raw.sourceMapURL ?? ""),
      contextId: raw.executionContextId,
      instances: 1,
    });
  }

  #addEvent(event: { readonly kind: RuntimeEvent["kind"]; readonly detail: string; readonly url?: string | undefined; readonly line?: number | undefined; readonly types?: readonly string[] }): void {
    const { policy, limits, notes } = this.#context;
    if (event.url !== undefined && !allowsScript(policy, event.url)) {
      this.excluded.events += 1;
      return;
    }
    if (this.#eventCount >= limits.events) {
      notes.cut("timeline", omission("events", "limit_items", { count: 1, limit: limits.events, how_to_continue: "Raise limits.events." }));
      return;
    }
    this.#eventCount += 1;
    const url = event.url === undefined || event.url === "" ? null : this.#location(event.url);
    const item = { kind: event.kind, detail: pageWord(event.detail), url, line: event.line === undefined || event.line < 0 ? null : event.line, argument_types: (event.types ?? []).slice(0, 32).map(pageWord) };
    const key = canonicalJson(item);
    this.#events.set(key, { ...item, times: (this.#events.get(key)?.times ?? 0) + 1 });
  }

  #location(url: string): string {
    const { limits, notes } = this.#context;
    const shown = pageUrl(url);
    if (Buffer.byteLength(shown) <= limits.location_bytes) return shown;
    notes.cut("scripts", omission("locations", "limit_entry_bytes", { count: 1, limit: limits.location_bytes, how_to_continue: "Raise limits.location_bytes." }));
    return shown.slice(0, Math.max(0, Math.trunc(limits.location_bytes / 3)));
  }
}

function typeName({ type, subtype }: z.output<typeof remoteObject>): string {
  return subtype ?? type;
}

function sourceMapState(url: string): RuntimeScript["source_map"] {
  if (url === "") return "none";
  return /^data:/i.test(url) ? "inline" : "external";
}
