import { brokenData } from "../broken-data.js";
import { BackwardBits } from "./backward-bits.js";
import { FseState, type FseTable } from "./fse-table.js";
import type { History } from "./history.js";
import { LiteralsReader } from "./literals.js";
import { alphabets, literalLengths, matchLengths, sequenceTable, type CodeTable } from "./sequence-codes.js";

/** Decodes the compressed blocks of one frame (RFC 8878 §3.1.1.3): literals, then sequences that place them. */
export class BlockDecoder {
  readonly #history: History;
  readonly #literals = new LiteralsReader();
  #tables: FseTable[] = [];
  /** The last three distances, the latest first. */
  #first = 1;
  #second = 4;
  #third = 8;

  constructor(history: History) {
    this.#history = history;
  }

  decode(block: Uint8Array): void {
    const { literals, length } = this.#literals.read(block);
    const section = block.subarray(length);
    const { count, at } = sequenceCount(section);
    if (count === 0) {
      if (at !== section.byteLength) throw brokenData("A Zstandard block goes on behind its last sequence.");
      this.#history.write(literals, 0, literals.byteLength);
      return;
    }
    const stream = this.#readTables(section, at);
    this.#place(count, new BackwardBits(stream), literals);
  }

  /** Sets the three tables; answers the stream behind them. */
  #readTables(section: Uint8Array, at: number): Uint8Array {
    const modes = section[at];
    if (modes === undefined || (modes & 3) !== 0) throw brokenData("The modes of Zstandard sequences are malformed.");
    let rest = section.subarray(at + 1);
    this.#tables = alphabets.map((alphabet, index) => {
      const { table, length } = sequenceTable(alphabet, (modes >> (6 - 2 * index)) & 3, rest, this.#tables[index]);
      rest = rest.subarray(length);
      return table;
    });
    return rest;
  }

  #place(count: number, stream: BackwardBits, literals: Uint8Array): void {
    const [literalState, offsetState, matchState] = this.#tables.map((table) => new FseState(table, stream));
    if (literalState === undefined || offsetState === undefined || matchState === undefined) return;
    let used = 0;
    for (let left = count; left > 0; left -= 1) {
      const offsetCode = offsetState.symbol;
      const offset = ((1 << offsetCode) >>> 0) + stream.read(offsetCode);
      const matchLength = lengthOf(matchLengths, matchState.symbol, stream);
      const literalLength = lengthOf(literalLengths, literalState.symbol, stream);
      if (left > 1) {
        literalState.next();
        matchState.next();
        offsetState.next();
      }
      if (stream.left < 0 || used + literalLength > literals.byteLength) throw brokenData("Zstandard sequences need more than their block holds.");
      this.#history.write(literals, used, literalLength);
      used += literalLength;
      this.#history.copy(this.#distance(offset, literalLength === 0), matchLength);
    }
    if (stream.left !== 0) throw brokenData("The stream of Zstandard sequences does not end where it should.");
    this.#history.write(literals, used, literals.byteLength - used);
  }

  /** Values up to 3 stand for one of the last distances, another one when no literals precede (RFC 8878 §3.1.1.5). */
  #distance(offset: number, noLiterals: boolean): number {
    const place = offset > 3 ? 3 : offset - 1 + (noLiterals ? 1 : 0);
    if (place === 0) return this.#first;
    const distance = offset > 3 ? offset - 3 : place === 1 ? this.#second : place === 2 ? this.#third : this.#first - 1;
    if (distance === 0) throw brokenData("A Zstandard match has no distance.");
    if (place !== 1) this.#third = this.#second;
    this.#second = this.#first;
    this.#first = distance;
    return distance;
  }
}

function lengthOf({ bases, bits }: CodeTable, code: number, stream: BackwardBits): number {
  return (bases[code] ?? 0) + stream.read(bits[code] ?? 0);
}

function sequenceCount(section: Uint8Array): { readonly count: number; readonly at: number } {
  const [first, second = 0, third = 0] = section;
  if (first === undefined) throw brokenData("A Zstandard block ends before its sequences.");
  if (first < 128) return { count: first, at: 1 };
  if (first < 255) return { count: ((first - 128) << 8) + second, at: 2 };
  return { count: second + (third << 8) + 0x7f00, at: 3 };
}
