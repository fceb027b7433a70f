/** A hash of 64 bits over numbers and texts, for telling equal from different; no protection against intent. */
export class Hash64 {
  // Signed 32-bit numbers throughout, which engines keep without boxes.
  #low = 0x9747b28c | 0;
  #high = 0x85ebca6b | 0;

  /** Takes the low 32 bits of a number. */
  number(value: number): this {
    const word = value | 0;
    this.#low = mixed(this.#low ^ word, 0xcc9e2d51 | 0);
    this.#high = mixed(((this.#high + word) | 0) ^ (this.#low >>> 7), 0x1b873593);
    return this;
  }

  bytes(values: Uint8Array, from: number, to: number): this {
    for (let at = from; at < to; at += 1) this.number(values[at] ?? 0);
    return this;
  }

  text(value: string): this {
    for (let at = 0; at < value.length; at += 1) this.number(value.charCodeAt(at));
    return this.number(value.length);
  }

  /** 16 hex digits. */
  digest(): string {
    return hex32(mixed(this.#high, 0xc2b2ae35 | 0)) + hex32(mixed(this.#low ^ this.#high, 0x85ebca6b | 0));
  }

  /** 32 bits. */
  short(): number {
    return mixed(this.#low ^ this.#high, 0x85ebca6b | 0) >>> 0;
  }
}

function mixed(value: number, factor: number): number {
  const spread = Math.imul(value ^ (value >>> 15), factor);
  return spread ^ (spread >>> 13);
}

/** Eight hex digits. */
export function hex32(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}

/** Hashes as one text: ascending, unique, eight hex digits each. */
export function hashList(hashes: Iterable<number>): string {
  return [...new Set(hashes)].sort((a, b) => a - b).map(hex32).join("");
}
