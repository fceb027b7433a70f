import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { escapeUntrusted, z, type ShimEvent, type ShimRoute } from "@rea/core";

/** What a shim is told to do. */
interface ShimAnswer {
  readonly outputs: readonly { readonly at_ms: number; readonly stream: "stdout" | "stderr"; readonly data: string }[];
  readonly exit_code: number | null;
  readonly signal: string | null;
}

export interface ShimLedgerOptions {
  readonly routes: readonly ShimRoute[];
  readonly now: () => number;
  readonly hide: (text: string) => string;
  readonly onCall: (event: ShimEvent) => void;
}

/** Answers the calls of command shims and writes them down, in the order in which they ask. */
export interface ShimLedger {
  readonly url: string;
  close(): Promise<void>;
}

const callSchema = z.strictObject({ name: z.string().max(256), arguments: z.array(z.string()).max(100_000) });
const maximumCallBytes = 4 * 1024 * 1024;
const maximumCalls = 10_000;
/** As a shell answers for a command that it does not find. */
const notFound = 127;

export async function openShimLedger(options: ShimLedgerOptions): Promise<ShimLedger> {
  const token = randomBytes(24).toString("hex");
  const calls = new Calls(options);
  const server = createServer((request, response) => {
    void answered(request, token, calls).then((answer) => {
      response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${String(port)}/${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Calls {
  readonly #options: ShimLedgerOptions;
  readonly #used = new Map<number, number>();
  #calls = 0;

  constructor(options: ShimLedgerOptions) {
    this.#options = options;
  }

  answer({ name, arguments: args }: z.output<typeof callSchema>): ShimAnswer {
    const { routes } = this.#options;
    const fitting = routes.flatMap((route, index) => (route.name === name && sameArguments(route.arguments, args) ? [{ route, index }] : []));
    const found = fitting.find(({ route, index }) => (this.#used.get(index) ?? 0) < route.max_calls);
    const outcome = found !== undefined ? "matched" : fitting.length > 0 ? "exhausted" : "unmatched";
    const call = found === undefined ? null : (this.#used.get(found.index) ?? 0) + 1;
    if (found !== undefined && call !== null) this.#used.set(found.index, call);
    const signal = found?.route.signal ?? null;
    const code = found === undefined ? notFound : signal === null ? (found.route.exit_code ?? 0) : null;
    this.#calls += 1;
    if (this.#calls <= maximumCalls) {
      const show = (text: string): string => escapeUntrusted(this.#options.hide(text));
      this.#options.onCall({ at_ms: this.#options.now(), name, arguments: args.map(show), outcome, route: found?.index ?? null, call, exit_code: code, signal });
    }
    return { outputs: found?.route.outputs ?? [], exit_code: code, signal };
  }
}

function sameArguments(expected: readonly string[], given: readonly string[]): boolean {
  return expected.length === given.length && expected.every((argument, index) => argument === given[index]);
}

async function answered(request: IncomingMessage, token: string, calls: Calls): Promise<ShimAnswer | null> {
  if (request.method !== "POST" || !isOurs(request.url, token) || !/^127\.0\.0\.1(?::\d+)?$/.test(request.headers.host ?? "")) return null;
  const text = await bodyOf(request);
  if (text === null) return null;
  try {
    const parsed = callSchema.safeParse(JSON.parse(text));
    return parsed.success ? calls.answer(parsed.data) : null;
  } catch {
    return null;
  }
}

function isOurs(url: string | undefined, token: string): boolean {
  const given = Buffer.from((url ?? "").slice(1));
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request) {
      if (!(part instanceof Buffer)) return null;
      bytes += part.length;
      if (bytes > maximumCallBytes) return null;
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  } catch {
    return null;
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port: 0, exclusive: true }, () => {
      const bound = server.address();
      if (typeof bound === "object" && bound !== null) resolve(bound.port);
      else reject(new Error("no port"));
    });
  });
}
