import { demangle, looksMangled } from "@rea/binary";
import { shownName } from "./shown-text.js";

/** Characters of readable names that are kept. */
const keptChars = 16 * 1024 * 1024;

/** Readable forms of mangled names, kept because searches ask for all of them again. */
export class DemangledNames {
  readonly #known = new Map<string, string | undefined>();
  #left = keptChars;

  of(name: string): string | undefined {
    if (!looksMangled(name)) return undefined;
    if (this.#known.has(name)) return this.#known.get(name);
    const readable = demangle(name);
    this.#left -= name.length + (readable?.length ?? 0);
    if (this.#left > 0) this.#known.set(name, readable);
    return readable;
  }
}

/** The member of a result that holds the readable form; none for names that have none. */
export function demangledMember(name: string): { demangled?: string } {
  const readable = demangle(name);
  return readable === undefined ? {} : { demangled: shownName(readable) };
}
