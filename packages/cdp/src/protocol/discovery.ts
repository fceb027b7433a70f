import { request } from "node:http";
import { ReaError, throwIfAborted, z } from "@rea/core";
import { socketPath, type Endpoint } from "./endpoint.js";
import { observationError, type ObservationReason } from "./failures.js";
import { discoveryLimits } from "./limits.js";

/** What an endpoint says of itself and of what it has. Text is unescaped. */
export interface Discovered {
  readonly version: {
    readonly product: string;
    readonly protocol_version: string;
    readonly revision: string;
    readonly user_agent: string;
    readonly js_version: string;
  };
  /** Socket of the browser as a whole; null where there is none, as for runtimes without one. */
  readonly browserSocket: string | null;
  readonly targets: readonly DiscoveredTarget[];
}

export interface DiscoveredTarget {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  /** Null where another client holds it and the endpoint therefore names none. */
  readonly socket: string | null;
}

export interface DiscoveryContext {
  readonly endpoint: Endpoint;
  readonly operation: string;
  readonly signal: AbortSignal;
}

const text = z.string().max(16 * 1024);
const version = z.looseObject({
  Browser: text,
  "Protocol-Version": text.optional(),
  "User-Agent": text.optional(),
  "V8-Version": text.optional(),
  "WebKit-Version": text.optional(),
  webSocketDebuggerUrl: text.optional(),
});
const target = z.looseObject({
  id: z.string().min(1).max(256),
  type: text,
  title: z.string().optional(),
  url: z.string(),
  webSocketDebuggerUrl: text.optional(),
});

/** Asks `/json/version` and `/json/list`. Throws an observation error; follows nothing and believes no foreign socket. */
export async function discover(context: DiscoveryContext): Promise<Discovered> {
  throwIfAborted(context.signal, context.operation);
  const [said, list] = await Promise.all([
    getJson(context, "/json/version", discoveryLimits.versionBytes).then((value) => read(version, value, context)),
    getJson(context, "/json/list", discoveryLimits.listBytes).then((value) => read(z.array(target), value, context)),
  ]);
  if (list.length > discoveryLimits.targets) {
    throw failure(context, "payload_limit", `The endpoint lists more than ${String(discoveryLimits.targets)} targets. Close some of them and call again.`);
  }
  return {
    version: {
      product: said.Browser,
      protocol_version: said["Protocol-Version"] ?? "",
      revision: /\((@[0-9a-f]+)\)/.exec(said["WebKit-Version"] ?? "")?.[1] ?? "",
      user_agent: said["User-Agent"] ?? "",
      js_version: said["V8-Version"] ?? "",
    },
    browserSocket: ownSocket(said.webSocketDebuggerUrl, context),
    targets: list.map(({ id, type, title, url, webSocketDebuggerUrl }) => {
      return { id, type, title: title ?? "", url, socket: ownSocket(webSocketDebuggerUrl, context) };
    }),
  };
}

function ownSocket(announced: string | undefined, context: DiscoveryContext): string | null {
  if (announced === undefined || announced === "") return null;
  const path = socketPath(announced, context.endpoint);
  if (path !== undefined) return `${context.endpoint.url.replace("http:", "ws:")}${path}`;
  throw failure(context, "invalid_endpoint_response", "The endpoint announces a socket that is not its own host and port, which is not connected to. Check what listens there.");
}

function read<T extends z.ZodType>(schema: T, value: unknown, context: DiscoveryContext): z.output<T> {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw failure(context, "invalid_endpoint_response", "What listens there does not describe itself as a browser or runtime with an open debugging port does. Check the port.");
}

function failure({ operation }: DiscoveryContext, reason: ObservationReason, message: string, cause?: unknown): ReaError {
  return observationError({ operation, reason, message, cause });
}

/** One GET on the endpoint, within bytes and time. */
async function getJson(context: DiscoveryContext, path: string, maximumBytes: number): Promise<unknown> {
  const { endpoint, operation, signal } = context;
  const deadline = AbortSignal.timeout(discoveryLimits.requestMs);
  try {
    const body = await getText({ endpoint, path, maximumBytes, signal: AbortSignal.any([signal, deadline]) });
    return parsed(body, context);
  } catch (error) {
    if (error instanceof ReaError) throw error;
    throwIfAborted(signal, operation);
    if (deadline.aborted) {
      const message = `The endpoint did not answer ${path} within ${String(discoveryLimits.requestMs)} ms. Check that it is a debugging port.`;
      throw observationError({ operation, reason: "timeout", message, phase: "discovery", timeoutMs: discoveryLimits.requestMs, cause: error });
    }
    if (error instanceof BadAnswer) throw failure(context, error.reason, error.message, error);
    if (isSpokenTo(error)) throw failure(context, "invalid_endpoint_response", "What listens on this port does not speak HTTP as a debugging port does. Check the port.", error);
    throw failure(context, "endpoint_unreachable", `Nothing answers on port ${String(endpoint.port)} of this host. Start the program with its debugging port open, and give that port.`, error);
  }
}

/** Something answered, though not with HTTP. */
function isSpokenTo(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && (code.startsWith("HPE_") || code === "ECONNRESET");
}

class BadAnswer extends Error {
  constructor(
    readonly reason: ObservationReason,
    message: string,
  ) {
    super(message);
  }
}

interface TextRequest {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly maximumBytes: number;
  readonly signal: AbortSignal;
}

function getText({ endpoint, path, maximumBytes, signal }: TextRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    // A connection of its own: nothing is kept open, and no proxy setting of the environment applies.
    const asked = request({ host: endpoint.host, port: endpoint.port, path, method: "GET", agent: false, signal }, (response) => {
      const refuse = (reason: ObservationReason, message: string): void => {
        asked.destroy();
        reject(new BadAnswer(reason, message));
      };
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) return refuse("invalid_endpoint_response", `The endpoint redirects ${path}, which is not followed. Give the port it leads to, if that is a debugging port of this host.`);
      if (status !== 200) return refuse("invalid_endpoint_response", `The endpoint answers ${path} with status ${String(status)}. Check that the port is a debugging port.`);
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maximumBytes) refuse("payload_limit", `The endpoint answers ${path} with more than ${String(maximumBytes)} bytes. Check that the port is a debugging port.`);
        else chunks.push(chunk);
      });
      response.on("end", () => {
        resolve(Buffer.concat(chunks).toString("utf8"));
      });
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end();
  });
}

function parsed(text: string, context: DiscoveryContext): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure(context, "invalid_endpoint_response", "What listens on this port does not answer with JSON. Check the port.", error);
  }
}
