import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const stdout = 1;
const stderr = 2;

let guarded = false;

/**
 * Turns writes to descriptor 1 through the file system module to standard error: a dependency that writes there past
 * `process.stdout` would break the protocol. The stream of standard output has its own way down and is claimed apart.
 */
export function guardDescriptor(): void {
  if (guarded) return;
  guarded = true;
  const { write, writeSync, writev, writevSync, writeFile, writeFileSync, appendFile, appendFileSync } = fs;
  // Each keeps its own overloads; only the first argument is looked at.
  Object.assign(fs, {
    write: diverted(write),
    writeSync: diverted(writeSync),
    writev: diverted(writev),
    writevSync: diverted(writevSync),
    writeFile: diverted(writeFile),
    writeFileSync: diverted(writeFileSync),
    appendFile: diverted(appendFile),
    appendFileSync: diverted(appendFileSync),
  });
  syncBuiltinESMExports();
}

/** The same function with descriptor 2 in the place of 1; a path that names standard output counts as well. */
function diverted(original: object): (...args: unknown[]) => unknown {
  const divert = (...args: unknown[]): unknown => {
    const [first, ...rest] = args;
    const target = first === stdout || first === "/dev/stdout" || first === "/proc/self/fd/1" || first === "/dev/fd/1" ? stderr : first;
    if (typeof original !== "function") throw new TypeError("not a function");
    const result: unknown = Reflect.apply(original, fs, [target, ...rest]);
    return result;
  };
  return Object.defineProperties(divert, Object.getOwnPropertyDescriptors(original));
}
