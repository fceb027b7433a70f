import { decimal } from "./tar-number.js";

export interface PaxRecord {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Records of an extended header's body, and where it stops making sense, if it does. */
export interface PaxBody {
  readonly records: readonly PaxRecord[];
  readonly brokenAt: number | undefined;
}

/** Reads "length key=value\n" records (POSIX.1-2001 pax, "pax Extended Header"). */
export function parsePax(body: Uint8Array): PaxBody {
  const records: PaxRecord[] = [];
  let at = 0;
  while (at < body.byteLength && body[at] !== 0) {
    const blank = body.indexOf(0x20, at);
    const length = blank < 0 ? undefined : decimal(body.subarray(at, blank));
    const end = at + (length ?? 0);
    if (length === undefined || end > body.byteLength || end <= blank + 1 || body[end - 1] !== 0x0a) return { records, brokenAt: at };
    const equals = body.indexOf(0x3d, blank);
    if (equals < 0 || equals >= end) return { records, brokenAt: at };
    records.push({ key: Buffer.from(body.subarray(blank + 1, equals)).toString("utf8"), value: body.slice(equals + 1, end - 1) });
    at = end;
  }
  return { records, brokenAt: undefined };
}

/** The values that count for one member: its own records, then the global ones; an empty value takes one back. */
export class PaxValues {
  readonly #own: readonly PaxRecord[];
  readonly #global: ReadonlyMap<string, Uint8Array>;

  constructor(own: readonly PaxRecord[], global: ReadonlyMap<string, Uint8Array>) {
    this.#own = own;
    this.#global = global;
  }

  bytes(key: string): Uint8Array | undefined {
    const value = this.#own.findLast((record) => record.key === key)?.value ?? this.#global.get(key);
    return value === undefined || value.byteLength === 0 ? undefined : value;
  }

  number(key: string): number | undefined {
    return decimal(this.bytes(key));
  }

  /** True when a value is there and is no number. */
  isMalformed(key: string): boolean {
    return this.bytes(key) !== undefined && this.number(key) === undefined;
  }

  /** The member's own records in their order, repeated keys too. */
  get own(): readonly PaxRecord[] {
    return this.#own;
  }

  /** How many keys, beside those that are meant to repeat, stand more than once. */
  get repeatedKeys(): number {
    const keys = this.#own.map(({ key }) => key).filter((key) => key !== "GNU.sparse.offset" && key !== "GNU.sparse.numbytes");
    return keys.length - new Set(keys).size;
  }
}
