import { z, type ReaError } from "@rea/core";
import type { Connection } from "./connection.js";
import { readMessage } from "./read-message.js";

const nothing = z.looseObject({});
/** How long undoing may take; a page that is stuck cannot undo, and closing the socket does it then. */
const undoMs = 1000;

/** A session in one target, over a shared connection, or the connection itself where that leads to the target. */
export class TargetSession {
  readonly #connection: Connection;
  readonly #sessionId: string | undefined;
  readonly #undo: string[] = [];
  readonly #stop: (() => void)[] = [];
  #ended = false;

  constructor(connection: Connection, sessionId: string | undefined) {
    this.#connection = connection;
    this.#sessionId = sessionId;
  }

  is(sessionId: string | undefined): boolean {
    return this.#sessionId === sessionId;
  }

  get failure(): ReaError | null {
    return this.#connection.failure;
  }

  command<T extends z.ZodType>(method: string, params: object, answer: T, timeoutMs?: number): Promise<z.output<T>> {
    return this.#connection.command(method, params, answer, { sessionId: this.#sessionId, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  }

  /** Sends a command whose answer says nothing. */
  async tell(method: string, params: object = {}): Promise<void> {
    await this.command(method, params, nothing);
  }

  /** Enables a domain, and disables it when the session ends. */
  async enable(domain: string, params: object = {}): Promise<void> {
    this.#undo.push(`${domain}.disable`);
    await this.tell(`${domain}.enable`, params);
  }

  /** Calls back for the events of this session; one of another shape ends the connection. */
  on<T extends z.ZodType>(method: string, shape: T, handle: (params: z.output<T>) => void): void {
    const stop = this.#connection.listen((event) => {
      if (event.method !== method || event.sessionId !== this.#sessionId) return;
      const read = readMessage(shape, event.params);
      if (read !== undefined) handle(read.value);
      else this.#connection.fail(method);
    });
    this.#stop.push(stop);
  }

  /** Stops listening, disables what was enabled, and detaches. Never rejects: closing the socket does what this cannot. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    for (const stop of this.#stop.splice(0)) stop();
    const undone = this.#undo.reverse().map((method) => this.command(method, {}, nothing, undoMs));
    await Promise.allSettled(undone);
    if (this.#sessionId === undefined) return;
    await Promise.allSettled([this.#connection.command("Target.detachFromTarget", { sessionId: this.#sessionId }, nothing, { timeoutMs: undoMs })]);
  }
}
