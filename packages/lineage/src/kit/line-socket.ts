import type { Socket } from "node:net";

/** Why no more lines come. */
export type LineEnd = "frame_too_long" | "ended" | "ended_mid_line";

export interface LineHandler {
  readonly maximumLineBytes: number;
  /** Without its line feed. */
  line(bytes: Buffer): void;
  /** Called once; the socket is gone by then. */
  end(why: LineEnd): void;
}

const lineFeed = 0x0a;

/** A socket that is read line by line, each of a bounded length; it never holds more than one line and one chunk. */
export class LineSocket {
  readonly #socket: Socket;
  #handler: LineHandler;
  #parts: Buffer[] = [];
  #held = 0;
  #over = false;
  #ended: LineEnd | null = null;
  #paused = false;
  #unread: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, handler: LineHandler) {
    this.#socket = socket;
    this.#handler = handler;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    // A connection that breaks has ended; why is no news to anybody.
    socket.on("error", () => undefined);
    socket.on("close", () => this.#end(this.#held === 0 ? "ended" : "ended_mid_line"));
  }

  /** Reads no further until it is handed over; for a handler, before it returns. */
  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  /** Who gets the lines from the next one on. */
  handOver(handler: LineHandler): void {
    this.#handler = handler;
    this.#paused = false;
    if (this.#ended !== null) handler.end(this.#ended);
    else {
      this.#take(this.#unread);
      this.#unread = Buffer.alloc(0);
      this.#socket.resume();
    }
  }

  writeLine(line: string): void {
    if (!this.#over) this.#socket.write(`${line}\n`);
  }

  /** Ends it without telling its handler. */
  destroy(): void {
    this.#over = true;
    this.#parts = [];
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    while (!this.#over) {
      const at = rest.indexOf(lineFeed);
      const piece = at < 0 ? rest : rest.subarray(0, at);
      if (this.#held + piece.length > this.#handler.maximumLineBytes) return this.#end("frame_too_long");
      if (piece.length > 0) this.#parts.push(piece);
      this.#held += piece.length;
      if (at < 0) return;
      const line = Buffer.concat(this.#parts, this.#held);
      this.#parts = [];
      this.#held = 0;
      this.#handler.line(line);
      rest = rest.subarray(at + 1);
      if (!this.#paused) continue;
      this.#unread = rest;
      return;
    }
  }

  #end(why: LineEnd): void {
    if (this.#over) return;
    this.destroy();
    this.#ended = why;
    this.#handler.end(why);
  }
}
