import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReplayOutcome } from "@rea/core";
import { decide, headerPairs, type ReplayContext } from "./replay-connections.js";
import type { ReplayAction } from "./replay-decision.js";

/** How a refusal looks to the program; its reason stands in the header `x-rea-replay`. */
const statusOfRefusal: { readonly [outcome in ReplayOutcome]: number } = {
  matched: 500,
  unmatched: 404,
  invalid_state: 404,
  guard_failed: 404,
  invalid_capture: 404,
  unexpected_reconnect: 404,
  disconnected: 404,
  script_exhausted: 410,
  transition_exhausted: 410,
  limit_exhausted: 503,
};

/** A request of the program. */
export interface ReplayRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What follows the token. */
  readonly path: string;
  /** True for a request that asked for another protocol and brought nothing along. */
  readonly bodyless?: boolean;
}

/** One request from its first byte to the end of its answer. */
export async function answerRequest(context: ReplayContext, { request, response, path, bodyless = false }: ReplayRequest): Promise<void> {
  const connection = context.numberOf(request.socket);
  const told = { connection, method: request.method ?? "GET", path, headers: headerPairs(request.rawHeaders) };
  const body: ReadBody = bodyless ? { state: "complete", data: new Uint8Array() } : await readBody(request, context.maximumBytes);
  if (body.state !== "complete") {
    const outcome = body.state === "too_long" ? "limit_exhausted" : "disconnected";
    context.recorder.record({ ...told, transport: "http", kind: "request", outcome, body: body.data });
    if (body.state === "too_long") await respond(context, { request, response, connection }, refusalOf(outcome));
    request.socket.destroy();
    return;
  }
  const { outcome, actions } = decide(context, { kind: "http", ...told, data: body.data }, { transport: "http", kind: "request" });
  await respond(context, { request, response, connection }, actions[0] ?? refusalOf(outcome));
}

/** What a stranger gets: nothing that tells it where it is. */
export function refuseStranger(response: ServerResponse): void {
  response.writeHead(404, { connection: "close" });
  response.end();
}

function refusalOf(outcome: ReplayOutcome): ReplayAction {
  return { kind: "http_response", status: statusOfRefusal[outcome], headers: [["x-rea-replay", outcome]], data: new Uint8Array(), delayMs: 0 };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: number;
}

/** Made by the server itself; declared ones would contradict what is sent. */
const ownHeaders: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "connection", "keep-alive"]);

async function respond({ recorder, pauses }: ReplayContext, { request, response, connection }: Exchange, action: ReplayAction): Promise<void> {
  if (!(await pauses.wait(action.delayMs)) || request.socket.destroyed) return;
  if (action.kind !== "http_response") {
    recorder.record({ transport: "http", connection, kind: "close" });
    request.socket.destroy();
    return;
  }
  const { status, data } = action;
  const headers = action.headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  // RFC 9110 §6.4.1: these have no body, whatever was declared.
  const bodyless = request.method === "HEAD" || status === 204 || status === 304;
  recorder.record({ transport: "http", connection, kind: "response", status, headers, body: bodyless ? new Uint8Array() : data });
  response.sendDate = false;
  const length: [string, string][] = status === 204 ? [] : [["content-length", String(data.byteLength)]];
  response.writeHead(status, [...headers, ...length].flat());
  response.end(bodyless ? undefined : data);
}

interface ReadBody {
  readonly state: "complete" | "too_long" | "cut";
  readonly data: Uint8Array;
}

/** Never more than the bound and one chunk in memory. */
function readBody(request: IncomingMessage, maximum: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const finish = (state: ReadBody["state"]): void => {
      request.removeAllListeners("data");
      resolve({ state, data: Buffer.concat(chunks).subarray(0, maximum) });
    };
    request.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > maximum) finish("too_long");
    });
    request.once("end", () => finish("complete"));
    request.once("error", () => finish("cut"));
    request.once("close", () => finish("cut"));
  });
}
