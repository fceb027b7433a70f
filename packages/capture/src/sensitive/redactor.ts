import type { HiddenValue } from "./hidden-values.js";

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly alias: string;
}

/** Replaces hidden values wherever their bytes stand; everything else stays as it is. */
export class Redactor {
  readonly #values: readonly HiddenValue[];
  readonly #texts: readonly { readonly alias: string; readonly text: string }[];

  constructor(values: readonly HiddenValue[]) {
    this.#values = [...values].sort((a, b) => b.bytes.length - a.bytes.length);
    this.#texts = this.#values.map(({ alias, bytes }) => ({ alias, text: bytes.toString() }));
  }

  get values(): readonly HiddenValue[] {
    return this.#values;
  }

  bytes(data: Uint8Array): Buffer {
    const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const hits = this.hits(buffer);
    if (hits.length === 0) return buffer;
    const parts: Buffer[] = [];
    let at = 0;
    for (const { start, end, alias } of hits) {
      parts.push(buffer.subarray(at, start), Buffer.from(alias));
      at = end;
    }
    return Buffer.concat([...parts, buffer.subarray(at)]);
  }

  text(text: string): string {
    const parts: string[] = [];
    let at = 0;
    for (const { start, end, alias } of this.textHits(text)) {
      parts.push(text.slice(at, start), alias);
      at = end;
    }
    return at === 0 ? text : parts.join("") + text.slice(at);
  }

  /** Places of hidden values in a text, in UTF-16 units. */
  textHits(text: string): readonly Hit[] {
    return merged(this.#texts.flatMap(({ alias, text: value }) => placesOf((from) => text.indexOf(value, from), value.length, alias)));
  }

  /** Places of hidden values; overlapping ones are one place. */
  hits(buffer: Buffer): readonly Hit[] {
    return merged(this.#values.flatMap(({ alias, bytes }) => placesOf((from) => buffer.indexOf(bytes, from), bytes.length, alias)));
  }

  /** How many bytes at the end could be the beginning of a hidden value. */
  openEnd(buffer: Buffer): number {
    let longest = 0;
    for (const { bytes } of this.#values) {
      for (let length = Math.min(bytes.length - 1, buffer.length); length > longest; length -= 1) {
        if (buffer.subarray(buffer.length - length).equals(bytes.subarray(0, length))) longest = length;
      }
    }
    return longest;
  }
}

function placesOf(next: (from: number) => number, length: number, alias: string): Hit[] {
  const found: Hit[] = [];
  for (let start = next(0); start >= 0; start = next(start + 1)) found.push({ start, end: start + length, alias });
  return found;
}

function merged(hits: readonly Hit[]): readonly Hit[] {
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Hit[] = [];
  for (const hit of sorted) {
    const last = result.at(-1);
    if (last === undefined || hit.start >= last.end) result.push(hit);
    else if (hit.end > last.end) result[result.length - 1] = { ...last, end: hit.end };
  }
  return result;
}
