import { Writable } from "node:stream";

/**
 * Takes standard output for protocol frames alone: returns the stream that still reaches it and sends every other
 * write through `process.stdout` (a stray `console.log` in a dependency, say) to standard error.
 */
export function claimStdout(onGone: () => void): Writable {
  const stdout = process.stdout;
  const write = stdout.write.bind(stdout);
  stdout.on("error", onGone);
  stdout.write = (chunk: Uint8Array | string, second?: unknown, third?: unknown): boolean => {
    const done = typeof second === "function" ? second : third;
    return process.stderr.write(chunk, () => {
      if (typeof done === "function") done();
    });
  };
  return new Writable({
    decodeStrings: false,
    write(chunk: Uint8Array | string, _encoding, callback) {
      write(chunk, callback);
    },
  });
}
