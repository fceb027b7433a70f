import { isFormatError } from "../../findings.js";
import { readValue } from "./attribute-values.js";
import { attribute, tag } from "./dwarf-numbers.js";
import { isFlagged, isType, type Entries, type Entry } from "./entries.js";
import { functionStart } from "./function-start.js";

/** Where things are, found by one walk over all entries. */
export interface EntryIndex {
  /** Ids of defined types by plain and by qualified name, in order of the file. */
  readonly types: ReadonlyMap<string, readonly number[]>;
  /** Ids of functions with code, by their first address. */
  readonly functions: ReadonlyMap<bigint, number>;
  /** Variables at fixed addresses, ascending. */
  readonly variables: readonly { readonly va: bigint; readonly id: number }[];
}

const mostEntries = 60_000_000;
const mostNames = 3_000_000;
/** Definitions of one name that are kept. */
const mostOfName = 64;
const deepestScope = 200;

const scopes = new Set<number>([tag.namespace, tag.structureType, tag.classType, tag.unionType, tag.interfaceType]);

/** Walks every unit once. A damaged unit is left where it cannot be read; `checkpoint` may throw. */
export function indexEntries(entries: Entries, checkpoint: () => void): EntryIndex {
  const walk = new Walk(entries, checkpoint);
  for (const position of entries.headers.keys()) {
    try {
      walk.unit(position);
    } catch (error) {
      if (!isFormatError(error)) throw error;
      entries.sections.findings.malformed("debug information", entries.headers[position]?.start ?? 0, "a unit cannot be read to its end");
    }
    if (walk.isFull) break;
  }
  return walk.index();
}

class Walk {
  readonly #entries: Entries;
  readonly #checkpoint: () => void;
  readonly #types = new Map<string, number[]>();
  readonly #functions = new Map<bigint, number>();
  readonly #variables: { readonly va: bigint; readonly id: number }[] = [];
  #count = 0;

  constructor(entries: Entries, checkpoint: () => void) {
    this.#entries = entries;
    this.#checkpoint = checkpoint;
  }

  get isFull(): boolean {
    return this.#count >= mostEntries;
  }

  index(): EntryIndex {
    const variables = this.#variables.sort((a, b) => (a.va < b.va ? -1 : a.va > b.va ? 1 : a.id - b.id));
    return { types: this.#types, functions: this.#functions, variables };
  }

  unit(position: number): void {
    const entries = this.#entries;
    const unit = entries.unit(position);
    const table = entries.table(unit);
    const cursor = entries.cursor(unit.section, unit.entries, unit.end);
    // Names of the scopes around, undefined for those without one.
    const around: (string | undefined)[] = [];
    while (cursor.at < cursor.end) {
      this.#count += 1;
      if ((this.#count & 0xfff) === 0) this.#checkpoint();
      if (this.isFull) {
        entries.sections.findings.limited("debug information", "limit_items", 1, mostEntries);
        return;
      }
      const at = cursor.at;
      const code = cursor.uleb();
      if (code === 0) {
        around.pop();
        continue;
      }
      const shape = table.get(code);
      if (shape === undefined) {
        entries.sections.findings.malformed("debug information", at, "an entry has no abbreviation");
        return;
      }
      let name: string | undefined;
      if (isWanted(shape.tag)) {
        const entry = entries.entry(entries.idOf(unit.section, at));
        cursor.at += entry.next - entry.id - (cursor.at - at);
        name = this.#note(entry, around);
      } else {
        const { specification } = shape;
        for (let index = 1; index < specification.length; index += 2) readValue(cursor, specification[index] ?? 0, unit, undefined);
      }
      if (shape.hasChildren) around.push(around.length < deepestScope ? name : undefined);
    }
  }

  #note(entry: Entry, around: readonly (string | undefined)[]): string | undefined {
    if (entry.tag === tag.subprogram) return this.#function(entry);
    if (entry.tag === tag.variable) return this.#variable(entry);
    const name = this.#entries.textOf(entry, attribute.name);
    if (name === undefined || name === "") return undefined;
    if (isType(entry.tag) && !isFlagged(entry, attribute.declaration)) {
      this.#type(name, entry.id);
      const outer = around.filter((each) => each !== undefined);
      if (outer.length > 0) this.#type(`${outer.join("::")}::${name}`, entry.id);
    }
    return scopes.has(entry.tag) ? name : undefined;
  }

  #type(name: string, id: number): void {
    const known = this.#types.get(name);
    if (known !== undefined) {
      if (known.length < mostOfName) known.push(id);
    } else if (this.#types.size < mostNames) this.#types.set(name, [id]);
    else this.#entries.sections.findings.limited("debug information", "limit_items", 1, mostNames);
  }

  #function(entry: Entry): undefined {
    const va = functionStart(this.#entries, entry);
    // Code that the linker dropped stands at 0 or at the highest address.
    if (va !== undefined && va !== 0n && !this.#functions.has(va)) this.#functions.set(va, entry.id);
  }

  #variable(entry: Entry): undefined {
    const place = entry.attributes.get(attribute.location);
    if (place?.kind !== "block") return;
    const va = this.#fixedAddress(entry, place.value);
    if (va !== undefined && va !== 0n) this.#variables.push({ va, id: entry.id });
  }

  /** Of `DW_OP_addr` or `DW_OP_addrx` alone. */
  #fixedAddress(entry: Entry, code: Uint8Array): bigint | undefined {
    const [operation] = code;
    const { unit } = entry;
    if (operation === 0x03 && code.length === 1 + unit.addressSize) {
      const bytes = this.#entries.littleEndian ? [...code.subarray(1)].reverse() : [...code.subarray(1)];
      return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    }
    if ((operation !== 0xa1 && operation !== 0xfb) || code.length < 2) return undefined;
    let index = 0;
    for (let position = 1; position < Math.min(code.length, 6); position += 1) {
      const byte = code[position] ?? 0;
      index += (byte & 0x7f) * 2 ** (7 * (position - 1));
      if (byte < 0x80) return position === code.length - 1 ? this.#entries.addressAt(unit, index) : undefined;
    }
    return undefined;
  }
}

function isWanted(kind: number): boolean {
  return isType(kind) || kind === tag.subprogram || kind === tag.variable || kind === tag.namespace;
}
