import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The first version of the protocol that has tasks. */
const firstWithTasks = "2025-11-25";

/**
 * Learns the protocol version agreed on from the `initialize` reply as it passes, and takes tasks out of the capabilities
 * in it unless the client named them and speaks a version that has them.
 */
export class NegotiatedVersion {
  readonly transport: Transport;
  #value: string | null = null;
  #tasks = false;

  constructor(transport: Transport, clientHasTasks: () => boolean) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (this.#value !== null || !("result" in message)) return send(message, options);
      const { protocolVersion, capabilities } = message.result;
      if (typeof protocolVersion !== "string") return send(message, options);
      this.#value = protocolVersion;
      this.#tasks = protocolVersion >= firstWithTasks && clientHasTasks();
      if (this.#tasks || typeof capabilities !== "object" || capabilities === null) return send(message, options);
      const others = Object.fromEntries(Object.entries(capabilities).filter(([name]) => name !== "tasks"));
      return send({ ...message, result: { ...message.result, capabilities: others } }, options);
    };
    this.transport = transport;
  }

  get value(): string | null {
    return this.#value;
  }

  /** Calls may be made tasks. */
  get tasks(): boolean {
    return this.#tasks;
  }
}
