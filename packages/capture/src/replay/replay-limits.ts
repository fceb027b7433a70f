import type { ReplayLimitName, ReplayMachineLimits } from "@rea/core";
import type { ReplayEvent } from "./replay-event.js";

export type ReplayUse = { readonly [name in ReplayLimitName]: number };

/** What one event and its answer would use beyond what is used. */
interface Cost {
  readonly bytes: number;
  readonly messages: number;
}

/** Counts what a replay uses and never lets it pass a limit. */
export class ReplayLimits {
  readonly #limits: ReplayMachineLimits;
  readonly #connections = new Set<number>();
  #bytes = 0;
  #messages = 0;
  #lastMs = 0;

  constructor(limits: ReplayMachineLimits) {
    this.#limits = limits;
  }

  /** The first limit that the event together with its answer would pass; null when there is room for both. */
  passedBy(event: ReplayEvent, answer: Cost = { bytes: 0, messages: 0 }): ReplayLimitName | null {
    const own = costOfEvent(event);
    if (event.atMs > this.#limits.duration_ms) return "duration_ms";
    if (!this.#connections.has(event.connection) && this.#connections.size >= this.#limits.connections) return "connections";
    if (this.#messages + own.messages + answer.messages > this.#limits.messages) return "messages";
    return this.#bytes + own.bytes + answer.bytes > this.#limits.bytes ? "bytes" : null;
  }

  /** Bytes that an answer to the event may have. */
  roomFor(event: ReplayEvent): number {
    return this.#limits.bytes - this.#bytes - costOfEvent(event).bytes;
  }

  count(event: ReplayEvent, answer: Cost = { bytes: 0, messages: 0 }): void {
    const own = costOfEvent(event);
    this.#connections.add(event.connection);
    this.#messages += own.messages + answer.messages;
    this.#bytes += own.bytes + answer.bytes;
    this.#lastMs = Math.max(this.#lastMs, event.atMs);
  }

  used(): ReplayUse {
    return { bytes: this.#bytes, connections: this.#connections.size, duration_ms: this.#lastMs, messages: this.#messages };
  }
}

function costOfEvent({ kind, data }: ReplayEvent): Cost {
  return { bytes: data.byteLength, messages: kind === "http" || kind === "websocket_message" ? 1 : 0 };
}
