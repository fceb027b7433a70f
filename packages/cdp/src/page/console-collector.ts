import { z, type WebConsoleEvent } from "@rea/core";
import type { TargetSession } from "../protocol/target-session.js";
import { LimitedList } from "./capture-notes.js";
import type { Collector, CollectorContext } from "./collector.js";
import { pageText, pageUrl, pageWord } from "./page-text.js";

const remoteObject = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  className: z.string().optional(),
  value: z.unknown().optional(),
  unserializableValue: z.string().optional(),
  description: z.string().optional(),
});
type RemoteObject = z.output<typeof remoteObject>;
const stackTrace = z.looseObject({ callFrames: z.array(z.looseObject({ url: z.string(), lineNumber: z.int() })) });
const called = z.looseObject({ type: z.string(), args: z.array(remoteObject), executionContextId: z.int(), stackTrace: stackTrace.optional() });
const thrown = z.looseObject({
  exceptionDetails: z.looseObject({
    text: z.string(),
    url: z.string().optional(),
    lineNumber: z.int(),
    executionContextId: z.int().optional(),
    exception: remoteObject.optional(),
    stackTrace: stackTrace.optional(),
  }),
});
const logged = z.looseObject({
  entry: z.looseObject({ source: z.string(), level: z.string(), text: z.string(), url: z.string().optional(), lineNumber: z.int().optional() }),
});
const contextCreated = z.looseObject({ context: z.looseObject({ id: z.int(), auxData: z.looseObject({ frameId: z.string().optional() }).optional() }) });

interface Place {
  readonly url: string | undefined;
  readonly line: number | undefined;
}

/** What happened, before it is known whether it may be kept. */
interface Happened extends Pick<WebConsoleEvent, "source" | "kind" | "argument_types"> {
  readonly text: string;
}

/** What was written to the console, thrown, or remarked by the browser, what it kept from before included. */
export class ConsoleCollector implements Collector {
  readonly #context: CollectorContext;
  readonly #events: LimitedList<WebConsoleEvent>;
  /** Numbers of contexts count for each session on its own. */
  readonly #frameOf = new Map<TargetSession, Map<number, string>>();

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#events = new LimitedList(context.limits.console_events, "console", context.notes);
  }

  get items(): readonly WebConsoleEvent[] {
    return this.#events.items;
  }

  listen(session: TargetSession): void {
    const frameOf = new Map<number, string>();
    this.#frameOf.set(session, frameOf);
    session.on("Runtime.executionContextCreated", contextCreated, ({ context }) => {
      if (context.auxData?.frameId !== undefined) frameOf.set(context.id, context.auxData.frameId);
    });
    session.on("Runtime.consoleAPICalled", called, ({ type, args, executionContextId, stackTrace: stack }) => {
      const place = placeOf(stack);
      const texts = args.map(argumentText).join(" ");
      this.#add(frameOf.get(executionContextId), place, { source: "console", kind: type, argument_types: args.map(argumentType), text: texts });
    });
    session.on("Runtime.exceptionThrown", thrown, ({ exceptionDetails: details }) => {
      const top = placeOf(details.stackTrace);
      const place = { url: details.url ?? top.url, line: details.lineNumber };
      const frame = details.executionContextId === undefined ? undefined : frameOf.get(details.executionContextId);
      const value = details.exception;
      const text = [details.text, value === undefined ? "" : argumentText(value)].join(" ").trim();
      this.#add(frame, place, { source: "exception", kind: "exception", argument_types: value === undefined ? [] : [argumentType(value)], text });
    });
    session.on("Log.entryAdded", logged, ({ entry }) => {
      const kind = `${entry.source}-${entry.level}`;
      // The browser does not say which frame it speaks of, only which URL.
      this.#keep(null, { url: entry.url, line: entry.lineNumber }, { source: "browser", kind, argument_types: [], text: entry.text });
    });
  }

  #add(frameId: string | undefined, place: Place, event: Happened): void {
    const frame = this.#context.frames.find(frameId);
    if (frame === "excluded") this.#context.notes.exclude("console");
    else this.#keep(frame.key, place, event);
  }

  #keep(frame: string | null, { url, line }: Place, event: Happened): void {
    const { policy, notes, include, limits } = this.#context;
    if (url !== undefined && !policy.allowsUrl(url)) {
      notes.exclude("console");
      return;
    }
    const shown = include.has("console_text") ? pageText(event.text, limits.text_bytes) : { text: null, truncated: false };
    this.#events.add({
      source: event.source,
      kind: pageWord(event.kind),
      frame,
      url: url === undefined || url === "" ? null : pageUrl(url),
      line: line === undefined || line < 0 ? null : line,
      argument_types: event.argument_types.slice(0, 32).map(pageWord),
      text: shown.text,
      text_truncated: shown.truncated,
    });
  }
}

function placeOf(stack: z.output<typeof stackTrace> | undefined): Place {
  const top = stack?.callFrames[0];
  return { url: top?.url, line: top?.lineNumber };
}

function argumentType({ type, subtype, className }: RemoteObject): string {
  return subtype ?? (type === "object" && className !== undefined ? `object ${className}` : type);
}

function argumentText({ value, unserializableValue, description, type }: RemoteObject): string {
  if (typeof value === "string") return value;
  return unserializableValue ?? description ?? (value === undefined ? type : JSON.stringify(value));
}
