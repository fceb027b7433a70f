import type { ConnectionInfo, ToolReply, ToolService } from "@rea/tool";
import type { ProgressUpdate } from "@rea/core";

type Closed = Awaited<ReturnType<ToolService["close"]>>;

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly progress?: (update: ProgressUpdate) => void;
}

/** Loads the tool service at the first call, so that starting the server loads little. */
export class ServiceLoader {
  readonly #load: () => Promise<ToolService>;
  readonly #describe: () => ConnectionInfo;
  #service: Promise<ToolService> | undefined;
  #closed: Promise<Closed> | undefined;
  readonly #running = new Set<Promise<ToolReply>>();

  constructor(load: () => Promise<ToolService>, describe: () => ConnectionInfo) {
    this.#load = load;
    this.#describe = describe;
  }

  /** Undefined when no tool has this name. */
  async call(name: string, input: unknown, options: CallOptions): Promise<ToolReply | undefined> {
    const [{ invoke }, service] = await Promise.all([import("@rea/tool"), this.#start()]);
    const tool = service.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return undefined;
    const running = invoke(tool, input, service.host, {
      signal: options.signal,
      ...(options.progress === undefined ? {} : { progressSink: options.progress }),
    });
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Releases the service when one was started, and waits for calls, which the caller has cancelled, to clean up. */
  async close(): Promise<Closed> {
    this.#closed ??= this.#service === undefined ? Promise.resolve({ remaining: [] }) : this.#service.then((service) => this.#end(service));
    return this.#closed;
  }

  /** Both at once: what a call waits for may end with the service only. */
  async #end(service: ToolService): Promise<Closed> {
    const [closed] = await Promise.all([service.close(), Promise.allSettled(this.#running)]);
    return closed;
  }

  /** A start that failed is tried again by the next call. */
  #start(): Promise<ToolService> {
    this.#service ??= this.#load().then(
      (service) => {
        service.host.connected(this.#describe());
        return service;
      },
      (error: unknown) => {
        this.#service = undefined;
        throw error;
      },
    );
    return this.#service;
  }
}
