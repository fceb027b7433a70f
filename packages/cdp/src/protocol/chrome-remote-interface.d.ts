// The library's own declarations cover its entry point only; this is the client behind it, at the pinned version.
declare module "chrome-remote-interface/lib/chrome.js" {
  import type { EventEmitter } from "node:events";

  interface ChromeSocket {
    send(text: string, sent: (error?: Error) => void): void;
  }

  class Chrome extends EventEmitter {
    constructor(options: object, notifier: EventEmitter);
    protected _ws: ChromeSocket;
    /** Looks the target up and connects to it. */
    protected _start(): Promise<void>;
    protected _handleMessage(message: object): void;
    protected _handleConnectionClose(): void;
    send(method: string, params: object, sessionId?: string): Promise<unknown>;
  }
  export = Chrome;
}
