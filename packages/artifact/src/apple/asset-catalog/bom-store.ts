import { ByteReader, isReaError, memorySource } from "@rea/core";

export interface CatalogFinding {
  readonly problem: string;
  readonly detail: string;
  readonly offset: number | null;
}

/** Bytes of a block and where they stand. */
export interface BomBlock {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const magic = "BOMStore";
const headerBytes = 32;
const entryBytes = 8;
const mostFindings = 100;
const mostNames = 10_000;

export function isBomStore(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, magic.length)).toString("latin1") === magic;
}

/**
 * Apple's store of numbered blocks, named variables and trees, all big endian: the header names the table of blocks
 * (address and length each) and the table of variables (number of a block, length of the name, name). A tree is a block
 * that names its first page; pages name children, or keys and values, and the page after them.
 */
export class BomStore {
  readonly findings: CatalogFinding[] = [];
  readonly variables: ReadonlyMap<string, number>;
  readonly #reader: ByteReader;
  readonly #blocksAt: number;
  readonly #blockCount: number;

  private constructor(reader: ByteReader) {
    this.#reader = reader;
    const index = reader.u32(16);
    const room = Math.max(0, Math.floor((reader.size - index - 4) / 8));
    const declared = index + 4 <= reader.size ? reader.u32(index) : 0;
    if (declared > room || index + 4 > reader.size) this.note("truncated", "The table of blocks leads out of the file.", 16);
    this.#blocksAt = index + 4;
    this.#blockCount = Math.min(declared, room);
    this.variables = this.#readVariables(reader.u32(24));
  }

  /** Undefined when the bytes are no such store. */
  static open(bytes: Uint8Array): BomStore | undefined {
    return isBomStore(bytes) && bytes.byteLength >= headerBytes ? new BomStore(new ByteReader(memorySource(bytes), "big")) : undefined;
  }

  note(problem: string, detail: string, offset: number | null): void {
    if (this.findings.length < mostFindings) this.findings.push({ problem, detail, offset });
  }

  /** Undefined for a number without a block, and for a block that leads out of the file. */
  block(index: number): BomBlock | undefined {
    if (!(index > 0 && index < this.#blockCount)) return undefined;
    const at = this.#blocksAt + index * 8;
    const offset = this.#reader.u32(at);
    const length = this.#reader.u32(at + 4);
    if (offset + length <= this.#reader.size) return { offset, bytes: this.#reader.bytes(offset, length) };
    this.note("truncated", "A block leads out of the file.", at);
    return undefined;
  }

  variable(name: string): BomBlock | undefined {
    const index = this.variables.get(name);
    return index === undefined ? undefined : this.block(index);
  }

  /** Keys and values of the tree that a variable names, in its order; each page is read once. */
  *tree(name: string): Generator<{ readonly key: BomBlock; readonly value: BomBlock }> {
    const root = this.variable(name);
    if (root === undefined) return;
    if (!(root.bytes.byteLength >= 12 && Buffer.from(root.bytes.subarray(0, 4)).toString("latin1") === "tree")) {
      this.note("malformed", "A variable that should be a tree is none.", root.offset);
      return;
    }
    const seen = new Set<number>();
    // Pages of an honest store do not overlap, so all their entries together fit into it.
    let left = Math.ceil(this.#reader.size / entryBytes);
    for (let page = new DataView(root.bytes.buffer, root.bytes.byteOffset).getUint32(8); page !== 0; ) {
      if (seen.has(page)) {
        this.note("cycle", "The pages of a tree lead in a circle.", root.offset);
        return;
      }
      seen.add(page);
      const read = this.#page(page);
      if (read === undefined) return;
      left -= read.entries.length;
      if (left < 0) {
        this.note("overlap", "The pages of a tree share bytes and are not read further.", root.offset);
        return;
      }
      if (read.leaf) yield* this.#entries(read.entries);
      page = read.leaf ? read.next : (read.entries[0]?.value ?? 0);
    }
  }

  *#entries(entries: readonly PageEntry[]): Generator<{ readonly key: BomBlock; readonly value: BomBlock }> {
    for (const entry of entries) {
      const key = this.block(entry.key);
      const value = this.block(entry.value);
      if (key !== undefined && value !== undefined) yield { key, value };
      else this.note("bad_reference", "An entry of a tree names a block that is not there.", entry.at);
    }
  }

  /** Kind, count, page after, page before, then a value and a key for each entry. */
  #page(index: number): { readonly leaf: boolean; readonly next: number; readonly entries: readonly PageEntry[] } | undefined {
    const block = this.block(index);
    if (block === undefined || block.bytes.byteLength < 12) {
      this.note("bad_reference", "A page of a tree is not there.", block?.offset ?? null);
      return undefined;
    }
    const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
    const declared = view.getUint16(2);
    const count = Math.min(declared, Math.floor((view.byteLength - 12) / 8));
    if (count < declared) this.note("truncated", "A page of a tree is too short for its entries.", block.offset);
    const entries = Array.from({ length: count }, (_, at) => ({
      value: view.getUint32(12 + at * 8),
      key: view.getUint32(16 + at * 8),
      at: block.offset + 12 + at * 8,
    }));
    return { leaf: view.getUint16(0) !== 0, next: view.getUint32(4), entries };
  }

  #readVariables(offset: number): ReadonlyMap<string, number> {
    const names = new Map<string, number>();
    try {
      const count = Math.min(this.#reader.u32(offset), mostNames);
      for (let at = offset + 4, index = 0; index < count; index += 1) {
        const length = this.#reader.u8(at + 4);
        names.set(Buffer.from(this.#reader.bytes(at + 5, length)).toString("utf8"), this.#reader.u32(at));
        at += 5 + length;
      }
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.note("truncated", "The table of variables leads out of the file.", offset);
    }
    return names;
  }
}

interface PageEntry {
  readonly value: number;
  readonly key: number;
  readonly at: number;
}
