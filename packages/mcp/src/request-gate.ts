import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** Calls that are worked on at the same time; `ping` does not count. */
const maximumRunning = 64;

type Id = string | number;

export interface GateOptions {
  /** Hands a message to the protocol library. */
  readonly pass: (message: JSONRPCMessage) => void;
  /** A request has the id of one that is still unanswered. */
  readonly refuseDuplicate: (id: Id) => void;
  /** The reader of our replies is behind. */
  readonly congested: () => boolean;
  /** Held requests grew over the bound, or fell below it again: stop or go on reading. */
  readonly hold: (stop: boolean) => void;
  /** Bytes of held requests after which no more is read. */
  readonly maximumHeldBytes: number;
}

/**
 * Lets requests through a bounded number at a time, and none while replies pile up, so that memory stays bounded however
 * fast a client asks and however slowly it reads. Notifications pass at once; cancelling a held request drops it.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #running = new Set<Id>();
  readonly #held = new Map<Id, { readonly message: JSONRPCMessage; readonly bytes: number }>();
  #heldBytes = 0;
  #stopped = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  take(message: JSONRPCMessage, bytes: number): void {
    if (!isRequest(message)) {
      this.#noticeCancel(message);
      this.#options.pass(message);
      return;
    }
    const { id } = message;
    if (this.#running.has(id) || this.#held.has(id)) {
      this.#options.refuseDuplicate(id);
      return;
    }
    if (this.#mayPass(message) && this.#held.size === 0) {
      this.#start(message);
      return;
    }
    this.#held.set(id, { message, bytes });
    this.#heldBytes += bytes;
    this.#stopOrGo();
  }

  /** A reply went out. */
  answered(id: Id): void {
    if (this.#running.delete(id)) this.pump();
  }

  /** Lets held requests through as far as may be. */
  pump(): void {
    for (const [id, { message, bytes }] of this.#held) {
      if (!this.#mayPass(message)) break;
      this.#held.delete(id);
      this.#heldBytes -= bytes;
      this.#start(message);
    }
    this.#stopOrGo();
  }

  #mayPass(message: JSONRPCMessage): boolean {
    if (this.#options.congested()) return false;
    return this.#running.size < maximumRunning || ("method" in message && message.method === "ping");
  }

  #start(message: JSONRPCMessage): void {
    if (isRequest(message)) this.#running.add(message.id);
    this.#options.pass(message);
  }

  /** The library sends no reply to a request that was cancelled. */
  #noticeCancel(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    const held = this.#held.get(id);
    if (held !== undefined && this.#held.delete(id)) this.#heldBytes -= held.bytes;
    // After the library has heard of it.
    if (this.#running.delete(id)) setImmediate(() => { this.pump(); });
    this.#stopOrGo();
  }

  #stopOrGo(): void {
    const stop = this.#heldBytes > this.#options.maximumHeldBytes;
    if (stop === this.#stopped) return;
    this.#stopped = stop;
    this.#options.hold(stop);
  }
}

function isRequest(message: JSONRPCMessage): message is Extract<JSONRPCMessage, { id: Id; method: string }> {
  return "method" in message && "id" in message;
}
