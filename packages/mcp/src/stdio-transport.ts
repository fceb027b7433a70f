import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { checkFrame, type FrameError } from "./frame-check.js";
import { LineSplitter } from "./line-splitter.js";
import { RequestGate } from "./request-gate.js";

/** Longest request line in bytes; a longer one is answered with an error and dropped while it arrives. */
export const maximumLineBytes = 10 * 1024 * 1024;

/** Bytes of replies that may wait for a slow reader before no further request is worked on. */
const maximumWaitingBytes = 2 * 1024 * 1024;
/** Bytes of requests that may wait for their turn before no more is read. */
const maximumHeldBytes = 4 * 1024 * 1024;

/**
 * MCP over two streams, one JSON-RPC message a line. A line that cannot be a message is answered with a JSON-RPC error or
 * passed over, and the connection goes on; only messages of the right shape reach the protocol library.
 */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(maximumLineBytes, {
    line: (bytes) => { this.#take(bytes); },
    tooLong: () => { this.#refuse({ id: null, code: ErrorCode.InvalidRequest, message: tooLong }); },
  });
  readonly #onData = (chunk: Buffer): void => { this.#lines.push(chunk); };
  readonly #onError = (error: Error): void => { this.onerror?.(error); };
  readonly #onDrain = (): void => { this.#gate.pump(); };
  readonly #gate = new RequestGate({
    pass: (message) => { this.onmessage?.(message); },
    refuseDuplicate: (id) => { this.#refuse({ id, code: ErrorCode.InvalidRequest, message: duplicate }); },
    congested: () => this.#output.writableLength > maximumWaitingBytes,
    hold: (stop) => { if (stop) this.#input.pause(); else if (!this.#closed) this.#input.resume(); },
    maximumHeldBytes,
  });
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    this.#input.on("data", this.#onData).on("error", this.#onError);
    this.#output.on("drain", this.#onDrain);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const written = this.#write(withPlainError(message));
    if ("id" in message && !("method" in message) && message.id !== undefined) this.#gate.answered(message.id);
    return written;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#input.off("data", this.#onData).off("error", this.#onError);
    this.#output.off("drain", this.#onDrain);
    this.#input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  #take(bytes: Buffer): void {
    const line = bytes.toString("utf8").trim();
    if (line === "") return;
    const checked = checkFrame(line);
    switch (checked.kind) {
      case "message":
        this.#gate.take(checked.message, bytes.length);
        return;
      case "refused":
        this.#refuse(checked.error);
        return;
      case "ignored":
        this.onerror?.(new Error(checked.note));
    }
  }

  #refuse({ id, code, message }: FrameError): void {
    this.onerror?.(new Error(`a message was refused (${String(code)}): ${message}`));
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(frame: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(frame)}\n`)) resolve();
      else this.#output.once("drain", resolve);
    });
  }
}

const duplicate = "A request with this id is still unanswered. Give each request an id of its own.";
const tooLong = "A line was longer than 10 MiB and was dropped. Send less at once: give large inputs as paths or ids.";

/** The protocol library answers params of a wrong shape as its own fault, with its validator's report as the message. */
function withPlainError(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.code !== Number(ErrorCode.InternalError)) return message;
  if (!message.error.message.includes("\n")) return message;
  return {
    ...message,
    error: { code: ErrorCode.InvalidParams, message: "The params of this request do not have the shape of the protocol." },
  };
}
