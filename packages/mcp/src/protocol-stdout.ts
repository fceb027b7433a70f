import { Writable } from "node:stream";

/**
 * Takes a stream for protocol frames alone: returns the one writer that still reaches it and sends every other write to it
 * (a stray `console.log` in a dependency, say) to `diversion`. `onGone` is told when the reader has left.
 */
export function claimStream(stream: NodeJS.WriteStream, diversion: NodeJS.WriteStream, onGone: () => void): Writable {
  const write = stream.write.bind(stream);
  stream.on("error", onGone);
  stream.write = (chunk: Uint8Array | string, second?: unknown, third?: unknown): boolean => {
    const done = [second, third].find(isCallback);
    return diversion.write(chunk, () => done?.());
  };
  return new Writable({
    decodeStrings: false,
    write(chunk: Uint8Array | string, _encoding, callback) {
      write(chunk, callback);
    },
  });
}

function isCallback(value: unknown): value is () => void {
  return typeof value === "function";
}
