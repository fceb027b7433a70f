import { setMaxListeners } from "node:events";
import { ReaError, throwIfAborted, z } from "@rea/core";
import { observationError, type ObservationReason } from "./failures.js";
import { GuardedChrome } from "./guarded-chrome.js";
import type { SocketEnd } from "./guarded-socket.js";
import { socketLimits } from "./limits.js";
import { readMessage } from "./read-message.js";

export interface ConnectOptions {
  /** Of discovery: already checked to be of the endpoint. */
  readonly url: string;
  /** Every method that may be sent; the socket refuses others. */
  readonly allow: readonly string[];
  readonly operation: string;
  /** Closes the connection; commands then fail as `cancelled`. */
  readonly signal: AbortSignal;
}

export interface ProtocolEvent {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string | undefined;
}

interface SentCommand {
  readonly id: number;
  readonly answer: Promise<unknown>;
  readonly method: string;
  readonly timeoutMs: number;
  readonly sessionId: string | undefined;
}

const connectionsPerCall = 64;
const detachedSession = z.looseObject({ sessionId: z.string() });
const refusal = z.looseObject({ code: z.int().optional(), message: z.string() });
/** Code of "Session with given id not found": its target has ended. */
const sessionGone = -32001;

/** What a command is answered with when the other side refuses it. Its words are kept out of messages. */
export class CommandRefused extends Error {
  constructor(
    readonly method: string,
    override readonly cause: unknown,
  ) {
    super(`${method} was refused.`);
  }
}

/**
 * One connection to a browser, page or runtime. Owns its socket and nothing else: closing it closes that, and the other
 * side undoes what was enabled over it.
 */
export class Connection {
  readonly #chrome: GuardedChrome;
  readonly #options: ConnectOptions;
  readonly #listeners = new Set<(event: ProtocolEvent) => void>();
  readonly #ended: Promise<ReaError>;
  /** Who waits for answers, by session. */
  readonly #waiting = new Map<string, Set<(gone: ReaError) => void>>();
  #failure: ReaError | null = null;

  /** Opens within 5 s. Throws an observation error. */
  static async open(options: ConnectOptions): Promise<Connection> {
    throwIfAborted(options.signal, options.operation);
    const connection = new Connection(options);
    try {
      await connection.#chrome.opened();
    } catch {
      throw await connection.#ended;
    }
    return connection;
  }

  private constructor(options: ConnectOptions) {
    this.#options = options;
    const abort = (): void => {
      this.close();
    };
    // A call has as many connections as there are sections to read, and each listens for its end.
    setMaxListeners(connectionsPerCall, options.signal);
    options.signal.addEventListener("abort", abort, { once: true });
    let settle: (failure: ReaError) => void = () => undefined;
    this.#ended = new Promise((resolve) => (settle = resolve));
    this.#chrome = new GuardedChrome({
      url: options.url,
      allow: options.allow,
      onEvent: (event) => {
        this.#deliver(event);
      },
      onEnd: (end) => {
        options.signal.removeEventListener("abort", abort);
        this.#failure ??= this.#endError(end);
        this.#listeners.clear();
        settle(this.#failure);
      },
    });
  }

  /** Why it is over; never rejects. */
  get ended(): Promise<ReaError> {
    return this.#ended;
  }

  /** Set when it is over. */
  get failure(): ReaError | null {
    return this.#failure;
  }

  /** Calls back for every event until the returned function is called. */
  listen(listener: (event: ProtocolEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Sends a command and reads its answer. Throws `provider_timeout` after 5 s (the connection lives on), `CommandRefused`,
   * `unreadable_output` for an answer of another shape, or why the connection is over.
   */
  async command<T extends z.ZodType>(method: string, params: object, answer: T, options: { readonly sessionId?: string | undefined; readonly timeoutMs?: number } = {}): Promise<z.output<T>> {
    if (this.#failure !== null) throw this.#failure;
    const timeoutMs = options.timeoutMs ?? socketLimits.commandMs;
    const sent = this.#chrome.command(method, params, options.sessionId);
    const value = await this.#within({ ...sent, method, timeoutMs, sessionId: options.sessionId });
    const read = readMessage(answer, value);
    if (read !== undefined) return read.value;
    throw this.#error("protocol_error", `The answer to ${method} does not have the shape the protocol gives it. Check what listens on the port.`);
  }

  /** Ends it for a fault in what the other side sent. */
  fail(method: string): void {
    this.#failure ??= this.#error("protocol_error", `An event ${method} does not have the shape the protocol gives it, so the connection was ended. Check what listens on the port.`);
    this.#chrome.close();
  }

  close(): void {
    this.#chrome.close();
  }

  async #within({ id, answer, method, timeoutMs, sessionId }: SentCommand): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    let forget: () => void = () => undefined;
    const never = new Promise<never>((_, reject) => {
      forget = this.#waitFor(sessionId, (gone) => {
        this.#chrome.giveUp(id);
        reject(gone);
      });
      timer = setTimeout(() => {
        this.#chrome.giveUp(id);
        const message = `${method} was not answered within ${String(timeoutMs)} ms. The page may be busy or stopped; other targets are not affected.`;
        reject(observationError({ operation: this.#options.operation, reason: "timeout", message, phase: method, timeoutMs }));
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, never]);
    } catch (error) {
      if (error instanceof ReaError) throw error;
      if (this.#failure !== null) throw this.#failure;
      throw this.#refusal(error, method);
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Remembers who waits for an answer of a session; the returned function forgets it. */
  #waitFor(sessionId: string | undefined, reject: (gone: ReaError) => void): () => void {
    if (sessionId === undefined) return () => undefined;
    const waiting = this.#waiting.get(sessionId) ?? new Set();
    this.#waiting.set(sessionId, waiting.add(reject));
    return () => {
      waiting.delete(reject);
      if (waiting.size === 0) this.#waiting.delete(sessionId);
    };
  }

  /** The library's error for a refused command carries the answer. */
  #refusal(error: unknown, method: string): unknown {
    const answer = error instanceof Error && "response" in error ? refusal.safeParse(error.response) : undefined;
    if (answer?.success !== true) return error;
    if (answer.data.code === sessionGone) return this.#gone();
    if (/navigated or closed/i.test(answer.data.message)) return this.#error("target_changed", "The page went to another document, or was closed, while it was looked at. Call again when it has come to rest.");
    return new CommandRefused(method, error);
  }

  /** Browsers answer no more commands of a session whose target has gone; they need not wait for their deadline. */
  #detached({ method, params }: ProtocolEvent): void {
    if (method !== "Target.detachedFromTarget") return;
    const read = readMessage(detachedSession, params);
    const waiting = read === undefined ? undefined : this.#waiting.get(read.value.sessionId);
    for (const reject of waiting ?? []) reject(this.#gone());
  }

  #gone(): ReaError {
    return this.#error("target_not_found", "The target was closed, or its process ended, while it was looked at. List the targets again.");
  }

  #deliver(event: ProtocolEvent): void {
    this.#detached(event);
    for (const listener of this.#listeners) listener(event);
  }

  #endError(end: SocketEnd): ReaError {
    const { signal, operation } = this.#options;
    if (signal.aborted) return this.#error("cancelled", `${operation} was cancelled.`);
    switch (end) {
      case "connect_timeout":
        return observationError({ operation, reason: "timeout", message: `The socket did not open within ${String(socketLimits.connectMs)} ms. Check what listens on the port.`, phase: "connect", timeoutMs: socketLimits.connectMs });
      case "unreachable":
        return this.#error("endpoint_unreachable", "The announced socket cannot be connected to. Check that the program still runs, and call again.");
      case "payload_limit":
        return this.#error("payload_limit", `A message is larger than the ${String(socketLimits.frameBytes)} bytes that are accepted. Ask for less and call again.`);
      case "malformed":
        return this.#error("protocol_error", "A message is not one of the protocol, so the connection was ended. Check what listens on the port.");
      case "foreign_reply":
        return this.#error("protocol_error", "An answer came for no command of its session, so the connection was ended. Check what listens on the port.");
      case "closed":
      case "disconnected":
        return this.#error("disconnected", "The connection was closed by the other side. Check that the program still runs, and call again.");
    }
  }

  #error(reason: ObservationReason, message: string): ReaError {
    return observationError({ operation: this.#options.operation, reason, message });
  }
}
