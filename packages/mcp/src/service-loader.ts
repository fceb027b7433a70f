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

  constructor(load: () => Promise<ToolService>, describe: () => ConnectionInfo) {
    this.#load = load;
    this.#describe = describe;
  }

  /** Undefined when no tool has this name. */
  async call(name: string, input: unknown, options: CallOptions): Promise<ToolReply | undefined> {
    const [{ invoke }, service] = await Promise.all([import("@rea/tool"), this.#start()]);
    const tool = service.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return undefined;
    return invoke(tool, input, service.host, {
      signal: options.signal,
      ...(options.progress === undefined ? {} : { progressSink: options.progress }),
    });
  }

  /** Releases the service when one was started. */
  async close(): Promise<Closed> {
    this.#closed ??= this.#service === undefined ? Promise.resolve({ remaining: [] }) : this.#service.then((service) => service.close());
    return this.#closed;
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
