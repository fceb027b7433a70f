import type { CapabilityPorts, JsonObject, ProgressUpdate } from "@rea/core";
import type { ConnectionInfo, ToolReply, ToolService } from "@rea/tool";

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
  /** The catalogue behind a facade; null where all tools are listed. */
  readonly #facade: readonly JsonObject[] | null;

  constructor(load: () => Promise<ToolService>, describe: () => ConnectionInfo, facade: readonly JsonObject[] | null = null) {
    this.#load = load;
    this.#describe = describe;
    this.#facade = facade;
  }

  /** The jobs of this connection. */
  async jobs(): Promise<CapabilityPorts["jobs"]> {
    return (await this.#start()).host.ports.jobs;
  }

  /** Undefined when no tool has this name. */
  async call(name: string, input: unknown, options: CallOptions): Promise<ToolReply | undefined> {
    const facade = this.#facade;
    if (facade !== null && name === "call_tool") return this.#callThrough(input, options);
    const [{ invoke }, service] = await Promise.all([import("@rea/tool"), this.#start()]);
    const own = facade === null ? [] : (await import("./facade/facade-tools.js")).facadeTools(facade);
    const tool = [...service.tools, ...own].find((candidate) => candidate.name === name);
    if (tool === undefined) return undefined;
    const running = invoke(tool, input, service.host, {
      signal: options.signal,
      ...(options.progress === undefined ? {} : { progressSink: options.progress }),
    });
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** `call_tool`: the reply is that of the tool it names. */
  async #callThrough(input: unknown, options: CallOptions): Promise<ToolReply> {
    const [{ parseInput }, { callToolInput, noSuchTool }] = await Promise.all([import("@rea/tool"), import("./facade/facade-tools.js")]);
    const { name, arguments: given } = callToolInput.input.parse(parseInput(callToolInput, input));
    // Only a tool of the catalogue: a facade does not lead to itself.
    const known = this.#facade?.some((entry) => entry["name"] === name) === true;
    const reply = known ? await this.call(name, given, options) : undefined;
    if (reply === undefined) throw noSuchTool("call_tool");
    return reply;
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
