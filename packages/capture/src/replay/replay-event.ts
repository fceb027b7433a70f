import type { ReplayPart } from "@rea/core";

/** What a program sent over one of its connections. */
export interface ReplayEvent {
  readonly kind: "http" | "websocket_connect" | "websocket_message" | "websocket_close";
  /** Milliseconds since the start; never before the event before it. */
  readonly atMs: number;
  /** Number of the connection. */
  readonly connection: number;
  /** Of a request. */
  readonly method: string;
  /** With its query; of requests and connects. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: Uint8Array;
}

/** Reads the parts of one event; each is taken apart once, and only when it is asked for. */
export class EventParts {
  readonly #event: ReplayEvent;
  #text: string | undefined;
  #json: { readonly value: unknown } | undefined;
  #query: URLSearchParams | undefined;

  constructor(event: ReplayEvent) {
    this.#event = event;
  }

  /** The part as text; undefined when the event does not have it. */
  read(part: ReplayPart, name: string | undefined): string | undefined {
    switch (part) {
      case "method":
        return this.#event.method;
      case "path":
        return this.#event.path.split("?", 1)[0];
      case "query":
        return this.#parameters().get(name ?? "") ?? undefined;
      case "header":
        return this.#header((name ?? "").toLowerCase());
      case "body":
      case "message":
        return this.#payload();
      case "body_json":
      case "message_json":
        return textOf(valueAt(this.#document(), name ?? "/"));
    }
  }

  #parameters(): URLSearchParams {
    const { path } = this.#event;
    const mark = path.indexOf("?");
    return (this.#query ??= new URLSearchParams(mark < 0 ? "" : path.slice(mark + 1)));
  }

  #header(name: string): string | undefined {
    const values = this.#event.headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(", ");
  }

  #payload(): string {
    return (this.#text ??= Buffer.from(this.#event.data).toString("utf8"));
  }

  #document(): unknown {
    return (this.#json ??= { value: parsed(this.#payload()) }).value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has no members.
    return undefined;
  }
}

/** RFC 6901; own members only. `/` alone means the whole document. */
function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === "/") return document;
  let value = document;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9][0-9]{0,9})$/.test(key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return JSON.stringify(value);
}
