import { chmod } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { z } from "@rea/core";
import { engineUnavailable, offProtocol, type ErrorOf } from "./engine-errors.js";
import { isSameToken } from "./engine-token.js";
import { LineSocket, type LineHandler } from "./line-socket.js";
import type { PrivateDirectory } from "./private-directory.js";
import { readFrame } from "./read-frame.js";

/** Where the engine is to connect to. */
export interface EngineEndpoint {
  /** `tcp`: IPv4 loopback. */
  readonly transport: "unix" | "tcp";
  /** The socket, or a file with `{"host", "port"}`. */
  readonly path: string;
}

/** `sun_path` is 104 bytes on the narrowest system, its NUL included; a longer path would be cut without a word. */
const maximumSocketPathBytes = 103;
const maximumHelloBytes = 4_096;
/** Connections that have not shown the token; the oldest gives way. */
const maximumStrangers = 8;

/** The first line of an engine: strictly this, and the right token. */
const hello = z.strictObject({ hello: z.literal(1), token: z.string().max(256) });

export interface ListenerOptions {
  readonly providerId: string;
  readonly directory: PrivateDirectory;
  readonly token: string;
}

/**
 * Waits for the one connection that shows the token. We listen and the engine connects: the address is in a file that
 * only we can write, so the engine knows us by it, and we know the engine by its token. Once it is there, nobody else gets in.
 */
export class EndpointListener {
  readonly endpoint: EngineEndpoint;
  /** Rejects with an `ErrorOf` when the engine's own connection was refused. */
  readonly connected: Promise<LineSocket>;
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #strangers = new Set<LineSocket>();
  #contacted = false;
  #settle: { readonly resolve: (socket: LineSocket) => void; readonly reject: (refusal: RefusedHandshake) => void } | null = null;

  private constructor(options: ListenerOptions, server: Server, endpoint: EngineEndpoint) {
    this.#options = options;
    this.#server = server;
    this.endpoint = endpoint;
    this.connected = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    // It may be given up before anybody waits for it.
    this.connected.catch(() => undefined);
    server.on("connection", (socket) => this.#greet(socket));
    server.on("error", () => undefined);
  }

  static async open(options: ListenerOptions): Promise<EndpointListener> {
    const { directory } = options;
    const path = directory.member("engine.sock");
    const server = createServer();
    if (process.platform !== "win32" && Buffer.byteLength(path) <= maximumSocketPathBytes) {
      await listening(server, () => server.listen(path));
      const listener = new EndpointListener(options, server, { transport: "unix", path });
      await chmod(path, 0o600);
      return listener;
    }
    await listening(server, () => server.listen(0, "127.0.0.1"));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const file = await directory.writeFile("endpoint.json", JSON.stringify({ host: "127.0.0.1", port }));
    return new EndpointListener(options, server, { transport: "tcp", path: file });
  }

  /** Whether anybody has connected so far. */
  get contacted(): boolean {
    return this.#contacted;
  }

  /** Lets nobody in any more, and turns away who waits. The socket file goes with it. */
  close(): void {
    this.#settle = null;
    if (this.#server.listening) this.#server.close();
    for (const stranger of this.#strangers) stranger.destroy();
    this.#strangers.clear();
  }

  #greet(socket: Socket): void {
    if (this.#settle === null) return void socket.destroy();
    this.#contacted = true;
    const handler: LineHandler = {
      maximumLineBytes: maximumHelloBytes,
      line: (bytes) => this.#judge(line, bytes),
      end: (why) => {
        this.#strangers.delete(line);
        if (why === "frame_too_long") this.#refuse(line, offProtocol(this.#options.providerId, "handshake_malformed"));
      },
    };
    const line = new LineSocket(socket, handler);
    this.#strangers.add(line);
    for (const oldest of this.#strangers) {
      if (this.#strangers.size <= maximumStrangers) break;
      oldest.destroy();
      this.#strangers.delete(oldest);
    }
  }

  #judge(line: LineSocket, bytes: Buffer): void {
    const { providerId, token } = this.#options;
    const read = readFrame(bytes, hello);
    if ("problem" in read) return this.#refuse(line, offProtocol(providerId, "handshake_malformed"));
    if (!isSameToken(token, read.frame.token)) {
      return this.#refuse(
        line,
        engineUnavailable(providerId, "authentication_failed", "The engine did not show the token it was given. Start it again; if it happens again, report the provider."),
      );
    }
    const settle = this.#settle;
    line.pause();
    this.#strangers.delete(line);
    this.close();
    settle?.resolve(line);
  }

  /** Into a private directory nobody but the engine gets; to a port anybody on this host can connect, so there it waits on. */
  #refuse(line: LineSocket, error: ErrorOf): void {
    line.destroy();
    this.#strangers.delete(line);
    if (this.endpoint.transport === "unix") this.#settle?.reject(new RefusedHandshake(error));
  }
}

/** Carries why a handshake was refused to where the operation is known. */
export class RefusedHandshake extends Error {
  readonly reason: ErrorOf;

  constructor(reason: ErrorOf) {
    super("handshake refused");
    this.reason = reason;
  }
}

async function listening(server: Server, listen: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listen();
  });
}
