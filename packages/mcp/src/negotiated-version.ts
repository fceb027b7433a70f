import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** Learns the protocol version agreed on from the `initialize` reply as it passes. */
export class NegotiatedVersion {
  readonly transport: Transport;
  #value: string | null = null;

  constructor(transport: Transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (this.#value === null && "result" in message) {
        const version = message.result["protocolVersion"];
        if (typeof version === "string") this.#value = version;
      }
      return send(message, options);
    };
    this.transport = transport;
  }

  get value(): string | null {
    return this.#value;
  }
}
