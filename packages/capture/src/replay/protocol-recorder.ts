import { escapeUntrusted, sha256Hex, type ProtocolEvent } from "@rea/core";

/** Hides what must not be recorded; both keep everything else as it is. */
export interface Hiding {
  readonly text: (text: string) => string;
  readonly bytes: (data: Uint8Array) => Uint8Array;
}

export interface RecorderOptions {
  /** Milliseconds since the start of the program. */
  readonly now: () => number;
  readonly maximumEvents: number;
  /** Of all bodies together; what exceeds it is told by size and digest. */
  readonly maximumBodyBytes: number;
  readonly hiding: Hiding;
  readonly onEvent: (event: ProtocolEvent) => void;
}

type Headers = readonly (readonly [name: string, value: string])[];

export interface ProtocolFacts {
  readonly transport: ProtocolEvent["transport"];
  readonly connection: number;
  readonly kind: ProtocolEvent["kind"];
  readonly outcome?: ProtocolEvent["outcome"];
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: Uint8Array;
}

/** Made up by the transport for every connection anew. */
const madeUp: ReadonlySet<string> = new Set(["host", "sec-websocket-key"]);

/** Writes down what servers see and send, within its bounds. */
export class ProtocolRecorder {
  readonly #options: RecorderOptions;
  #events = 0;
  #bodyBytes = 0;
  #dropped = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Events that had no room. */
  get dropped(): number {
    return this.#dropped;
  }

  record(facts: ProtocolFacts): void {
    if (this.#events >= this.#options.maximumEvents) {
      this.#dropped += 1;
      return;
    }
    this.#events += 1;
    const { hiding } = this.#options;
    const shown = (text: string): string => escapeUntrusted(hiding.text(text));
    this.#options.onEvent({
      at_ms: this.#options.now(),
      transport: facts.transport,
      connection: facts.connection,
      kind: facts.kind,
      outcome: facts.outcome ?? null,
      method: facts.method === undefined ? null : shown(facts.method),
      path: facts.path === undefined ? null : shown(facts.path),
      status: facts.status ?? null,
      headers: (facts.headers ?? []).filter(([name]) => !madeUp.has(name.toLowerCase())).map(([name, value]) => ({ name: shown(name), value: shown(value) })),
      body: facts.body === undefined ? null : this.#body(hiding.bytes(facts.body)),
    });
  }

  #body(data: Uint8Array): ProtocolEvent["body"] {
    const kept = data.subarray(0, Math.max(0, this.#options.maximumBodyBytes - this.#bodyBytes));
    this.#bodyBytes += kept.byteLength;
    return { bytes: data.byteLength, sha256: sha256Hex(data), data_base64: Buffer.from(kept).toString("base64"), truncated: kept.byteLength < data.byteLength };
  }
}
