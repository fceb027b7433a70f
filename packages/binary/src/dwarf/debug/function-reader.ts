import { placesOf, frameBaseOf } from "./debug-places.js";
import type { DebugFunction, DebugVariable } from "./debug-type.js";
import { attribute, tag } from "./dwarf-numbers.js";
import { isFlagged, numberOf, type Entries, type Entry } from "./entries.js";
import type { FileNames } from "./file-names.js";
import { functionStart } from "./function-start.js";

const mostVariables = 4000;
const deepestBlock = 64;

/** Reads what debug information says of functions. Damage throws the range error. */
export class FunctionReader {
  readonly #entries: Entries;
  readonly #files: FileNames;

  constructor(entries: Entries, files: FileNames) {
    this.#entries = entries;
    this.#files = files;
  }

  read(id: number): DebugFunction {
    const entry = this.#entries.entry(id);
    // A copy of what is declared elsewhere: the original says what this one does not.
    const chain = this.#entries.chain(entry);
    const flagged = (name: number): boolean => chain.some((each) => isFlagged(each, name));
    const parameters: DebugVariable[] = [];
    const locals: DebugVariable[] = [];
    let isVariadic = false;
    for (const child of this.#entries.children(entry)) {
      if (child.tag === tag.formalParameter && parameters.length < mostVariables) parameters.push(this.#variable(child));
      else if (child.tag === tag.unspecifiedParameters) isVariadic = true;
      else this.#local(child, locals, 0);
    }
    return {
      name: this.#entries.nameOf(entry),
      linkageName: this.#text(chain, attribute.linkageName) ?? this.#text(chain, attribute.mipsLinkageName),
      start: functionStart(this.#entries, entry) ?? 0n,
      language: entry.unit.language,
      isExternal: flagged(attribute.external),
      isPrototyped: flagged(attribute.prototyped),
      isVariadic,
      result: this.#entries.typeOf(entry),
      parameters,
      locals,
      frameBase: frameBaseOf(this.#entries, entry),
      declared: this.#declared(chain),
    };
  }

  #local(entry: Entry, found: DebugVariable[], depth: number): void {
    if (found.length >= mostVariables || depth > deepestBlock) return;
    if (entry.tag === tag.variable) found.push(this.#variable(entry));
    else if (entry.tag === tag.lexicalBlock) for (const child of this.#entries.children(entry)) this.#local(child, found, depth + 1);
  }

  #variable(entry: Entry): DebugVariable {
    const chain = this.#entries.chain(entry);
    return {
      name: this.#entries.nameOf(entry),
      type: this.#entries.typeOf(entry),
      isArtificial: chain.some((each) => isFlagged(each, attribute.artificial)),
      places: placesOf(this.#entries, entry),
    };
  }

  #text(chain: readonly Entry[], name: number): string | undefined {
    for (const entry of chain) {
      const text = this.#entries.textOf(entry, name);
      if (text !== undefined && text !== "") return text;
    }
    return undefined;
  }

  #declared(chain: readonly Entry[]): DebugFunction["declared"] {
    for (const entry of chain) {
      const line = numberOf(entry, attribute.declarationLine);
      if (line === undefined || line === 0) continue;
      const file = chain.find((each) => each.attributes.has(attribute.declarationFile));
      const index = file === undefined ? undefined : numberOf(file, attribute.declarationFile);
      return { file: file === undefined || index === undefined ? undefined : this.#files.name(file.unit, index), line };
    }
    return undefined;
  }
}
