import { ReaError } from "@rea/core";
import type { EngineProtocol, EngineRequest } from "./engine-protocol.js";

/** The line of a request. Throws `invalid_request` when it is longer than the engine takes. */
export function encodeRequest(protocol: EngineProtocol, request: EngineRequest, operation: string): string {
  const line = JSON.stringify(protocol.request(request));
  if (line.length <= protocol.maximumRequestLength) return line;
  throw new ReaError("invalid_request", {
    message: `The request of ${operation} is longer than the engine takes. Ask for less and call again.`,
    details: { operation, issues: [{ path: "", reason: "out_of_range", maximum: protocol.maximumRequestLength }] },
  });
}
