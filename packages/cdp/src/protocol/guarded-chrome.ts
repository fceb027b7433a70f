import { EventEmitter } from "node:events";
import Chrome from "chrome-remote-interface/lib/chrome.js";
import { GuardedSocket, type Frame, type SocketEnd } from "./guarded-socket.js";

export interface GuardedChromeOptions {
  readonly url: string;
  /** Methods that may be sent. */
  readonly allow: readonly string[];
  readonly onEvent: (event: Extract<Frame, { kind: "event" }>) => void;
  readonly onEnd: (end: SocketEnd) => void;
}

/**
 * The library's client over our own socket. It numbers commands and brings answers back to them; what it would do before
 * and below (look targets up by name, follow redirects, take frames of any size, believe every answer) is not reached.
 */
export class GuardedChrome extends Chrome {
  readonly #socket: GuardedSocket;
  #lastId = 0;

  constructor({ url, allow, onEvent, onEnd }: GuardedChromeOptions) {
    super({}, new EventEmitter());
    this.#socket = new GuardedSocket({
      url,
      allow,
      onFrame: (frame) => {
        if (frame.kind === "reply") this._handleMessage(frame.message);
        else onEvent(frame);
      },
      onEnd: (end) => {
        onEnd(end);
        this._handleConnectionClose();
      },
    });
    this._ws = {
      send: (text, sent) => {
        this.#lastId = this.#socket.send(text, sent);
      },
    };
  }

  /** Settles when commands can be sent; rejects when the socket does not open. */
  opened(): Promise<void> {
    return this.#socket.opened();
  }

  /** Sends, and gives the number of the command with which its answer can be given up. */
  command(method: string, params: object, sessionId: string | undefined): { readonly id: number; readonly answer: Promise<unknown> } {
    const answer = sessionId === undefined ? this.send(method, params) : this.send(method, params, sessionId);
    return { id: this.#lastId, answer };
  }

  /** Nobody waits for this answer any more. */
  giveUp(id: number): void {
    this.#socket.forget(id);
  }

  close(): void {
    this.#socket.close();
  }

  /** The library would look the target up and connect by itself here; the constructor has the socket already. */
  protected override _start(): Promise<void> {
    return Promise.resolve();
  }
}
