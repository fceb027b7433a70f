import { guardDescriptor } from "./descriptor-guard.js";
import { claimStream } from "./protocol-stdout.js";
import { connectServer, type McpServerOptions } from "./server.js";
import { StdioTransport } from "./stdio-transport.js";

/** Longest time the release of owned resources may take after the end was asked for. */
const closeDeadlineMs = 9_500;

/** Signals that ask for the end, and the exit status of each. */
const endings = [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const;

export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Where everything goes that is no protocol frame. */
  readonly log: NodeJS.WriteStream;
}

/**
 * Serves over standard input and output until the input ends, the output is gone or a termination signal comes; then
 * cancels calls, releases what the service owns within ten seconds, and resolves with the exit status.
 */
export async function serveStdio(streams: Streams, options: McpServerOptions): Promise<number> {
  const ended = deferred<number>();
  guardDescriptor();
  const output = claimStream(streams.output, streams.log, () => {
    ended.resolve(0);
  });
  for (const event of ["end", "close"]) streams.input.once(event, () => { ended.resolve(0); });
  // Repeated signals find the same listener: they do not shorten the release of what is owned.
  for (const [signal, status] of endings) process.on(signal, () => { ended.resolve(status); });
  const crash = (error: unknown): void => {
    options.onFault?.(error instanceof Error ? error : new Error("a value that is no Error was thrown"));
    ended.resolve(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);

  const server = await connectServer(new StdioTransport(streams.input, output), options);
  const status = await ended.promise;
  const closed = await Promise.race([server.close(), after(closeDeadlineMs)]);
  if (closed === undefined || closed.remaining.length > 0) return status === 0 ? 1 : status;
  return status;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => { resolve(undefined); }, ms).unref();
  });
}
