import { connect, type Socket } from "node:net";
import { cookieName } from "./x-authority.js";
import { readSetup, type DisplaySetup } from "./x-setup.js";

const maximumReplyBytes = 1024 * 1024;

export type XOpening = { readonly admitted: true; readonly connection: XConnection } | { readonly admitted: false };

/** A reply to one request: all of it, 32 bytes at least; null when the server answered with an error. */
export type XReply = Buffer | null;

/**
 * One client of a display, as little of one as is needed to look at it: X Window System Protocol, version 11. Requests are
 * answered in order. Owned: close it.
 */
export class XConnection {
  readonly setup: DisplaySetup;
  readonly #socket: Socket;
  readonly #waiting: { readonly resolve: (reply: XReply) => void; readonly reject: (error: Error) => void }[] = [];
  #held: Buffer;
  #over = false;

  private constructor(socket: Socket, setup: DisplaySetup, rest: Buffer) {
    this.#socket = socket;
    this.setup = setup;
    this.#held = rest;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("close", () => this.close());
  }

  /** Shows a cookie; a server that refuses it says so. Rejects when there is no server that speaks the protocol. */
  static open(path: string, cookie: Buffer, signal: AbortSignal): Promise<XOpening> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path });
      let held = Buffer.alloc(0);
      const fail = (): void => {
        signal.removeEventListener("abort", fail);
        socket.destroy();
        reject(new Error("no display answered"));
      };
      const done = (opening: XOpening): void => {
        signal.removeEventListener("abort", fail);
        socket.off("close", fail);
        socket.off("data", take);
        if (!opening.admitted) socket.destroy();
        resolve(opening);
      };
      const take = (chunk: Buffer): void => {
        held = Buffer.concat([held, chunk]);
        if (held.length < 8) return;
        const size = 8 + 4 * held.readUInt16LE(6);
        if (held.length < size) return;
        if (held[0] !== 1) return done({ admitted: false });
        const setup = readSetup(held.subarray(0, size));
        if (setup === undefined) fail();
        else done({ admitted: true, connection: new XConnection(socket, setup, held.subarray(size)) });
      };
      signal.addEventListener("abort", fail, { once: true });
      socket.on("error", () => undefined);
      socket.on("close", fail);
      socket.on("data", take);
      socket.on("connect", () => socket.write(greeting(cookie)));
      if (signal.aborted) fail();
    });
  }

  /** Sends a request that the protocol answers. Rejects when the display is gone. */
  ask(request: Buffer): Promise<XReply> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(gone());
      this.#waiting.push({ resolve, reject });
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#over = true;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(gone());
  }

  #take(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#held.length >= 32) {
      const kind = this.#held[0];
      const size = kind === 1 ? 32 + 4 * this.#held.readUInt32LE(4) : 32;
      if (size > maximumReplyBytes) return this.close();
      if (this.#held.length < size) return;
      const message = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      // Other kinds are events, which nobody asked for.
      if (kind === 1) this.#waiting.shift()?.resolve(message);
      else if (kind === 0) this.#waiting.shift()?.resolve(null);
    }
  }
}

function greeting(cookie: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.write("l", 0, "latin1");
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(cookieName.length, 6);
  head.writeUInt16LE(cookie.length, 8);
  return Buffer.concat([head, padded(Buffer.from(cookieName, "latin1")), padded(cookie)]);
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)]);
}

function gone(): Error {
  return new Error("the display is gone");
}
