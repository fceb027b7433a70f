import { WebSocket, type RawData } from "ws";
import { z } from "@rea/core";
import { socketLimits } from "./limits.js";

/** A frame that was let through: a reply to a command of its session, or an event. */
export type Frame =
  | { readonly kind: "reply"; readonly id: number; readonly message: object }
  | { readonly kind: "event"; readonly method: string; readonly params: unknown; readonly sessionId: string | undefined };

/** Why a socket is over. */
export type SocketEnd = "closed" | "unreachable" | "connect_timeout" | "disconnected" | "payload_limit" | "malformed" | "foreign_reply";

export interface GuardedSocketOptions {
  readonly url: string;
  /** Methods that may be sent. */
  readonly allow: readonly string[];
  readonly onFrame: (frame: Frame) => void;
  /** Once, whatever ends the socket. */
  readonly onEnd: (end: SocketEnd) => void;
}

const outgoing = z.object({ id: z.int(), method: z.string(), sessionId: z.string().optional() });
const reply = z.looseObject({
  id: z.int().positive(),
  sessionId: z.string().optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const event = z.object({ method: z.string().min(1).max(256), params: z.looseObject({}).optional(), sessionId: z.string().optional() });

/**
 * A socket to a browser that only lets through what both sides may say. Out: methods of the list, at most 128 without an
 * answer. In: text frames of at most 16 MiB that are events, or replies to a pending command in the session it was sent in.
 * Anything else ends the socket with its reason. Redirects are not followed, nothing is compressed.
 */
export class GuardedSocket {
  readonly #socket: WebSocket;
  readonly #options: GuardedSocketOptions;
  readonly #pending = new Map<number, string | undefined>();
  readonly #abandoned = new Set<number>();
  #ended = false;

  constructor(options: GuardedSocketOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url, {
      maxPayload: socketLimits.frameBytes,
      followRedirects: false,
      perMessageDeflate: false,
      handshakeTimeout: socketLimits.connectMs,
    });
    let opened = false;
    this.#socket.on("open", () => (opened = true));
    this.#socket.on("message", (data, isBinary) => {
      this.#receive(data, isBinary);
    });
    this.#socket.on("error", (error) => {
      this.#end(opened ? endOfError(error) : handshakeEnd(error));
    });
    this.#socket.on("close", () => {
      this.#end("disconnected");
    });
  }

  /** Settles when commands can be sent; rejects when that will not be. */
  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once("open", resolve);
      this.#socket.once("close", () => {
        reject(new Error("The socket did not open."));
      });
    });
  }

  /** Sends one command and gives its number. A method outside the list, or one too many, is a mistake of this package and throws. */
  send(text: string, sent: (error?: Error) => void): number {
    const { id, method, sessionId } = outgoing.parse(JSON.parse(text));
    if (!this.#options.allow.includes(method)) throw new Error(`${method} is not among the methods that may be sent here.`);
    if (this.#pending.size >= socketLimits.pending) throw new Error("Too many commands wait for an answer.");
    this.#pending.set(id, sessionId);
    // Registered before anything can come back; the library registers late when this is called late.
    sent();
    this.#socket.send(text, () => {
      // A socket that cannot send also closes, and that is what is told.
    });
    return id;
  }

  /** Nobody waits for the answer any more; when it comes after all, it is dropped. */
  forget(id: number): void {
    if (this.#pending.has(id)) this.#abandoned.add(id);
  }

  /** Closes at once; safe to call twice. */
  close(): void {
    this.#end("closed");
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#ended) return;
    const message = isBinary ? undefined : parsed(textOf(data));
    if (message === undefined) return this.#end("malformed");
    if ("id" in message) return this.#receiveReply(message);
    const found = event.safeParse(message);
    if (!found.success) return this.#end("malformed");
    const { method, params, sessionId } = found.data;
    this.#options.onFrame({ kind: "event", method, params: params ?? {}, sessionId });
  }

  #receiveReply(message: object): void {
    const found = reply.safeParse(message);
    if (!found.success) return this.#end("malformed");
    const { id, sessionId } = found.data;
    if (!this.#pending.has(id)) return this.#end("foreign_reply");
    // An error about a session that is gone comes without the session.
    const answersWhole = found.data.error !== undefined && sessionId === undefined;
    if (this.#pending.get(id) !== sessionId && !answersWhole) return this.#end("foreign_reply");
    this.#pending.delete(id);
    if (!this.#abandoned.delete(id)) this.#options.onFrame({ kind: "reply", id, message: found.data });
  }

  #end(end: SocketEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onEnd(end);
    // A side that does not answer the closing handshake would keep the socket for half a minute.
    this.#socket.terminate();
  }
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return data instanceof ArrayBuffer ? Buffer.from(data).toString("utf8") : data.toString("utf8");
}

function endOfError(error: Error): SocketEnd {
  const code = "code" in error ? error.code : undefined;
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return "payload_limit";
  return typeof code === "string" && code.startsWith("WS_ERR") ? "malformed" : "disconnected";
}

function handshakeEnd(error: Error): SocketEnd {
  return /handshake has timed out/.test(error.message) ? "connect_timeout" : "unreachable";
}
