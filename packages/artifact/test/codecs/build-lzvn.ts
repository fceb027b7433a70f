import { stepsOf } from "./matches.js";

const bounds = { literals: 271, length: 271, distance: 65_535, shortest: 4 };

/** LZVN codes of a text with the end marker; distances and lengths choose among all layouts. */
export function buildLzvn(text: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const { literals, length, distance } of stepsOf(text, bounds)) {
    let rest = literals;
    if (rest.byteLength > 3) {
      const run = rest.byteLength;
      parts.push(Buffer.from(run < 16 ? [0xe0 | run] : [0xe0, run - 16]), rest);
      rest = new Uint8Array(0);
    }
    if (length === 0) {
      if (rest.byteLength > 0) parts.push(Buffer.from([0xe0 | rest.byteLength]), rest);
      continue;
    }
    parts.push(...match(rest, length, distance, last));
    last = distance;
  }
  return Buffer.concat([...parts, Buffer.from([6, 0, 0, 0, 0, 0, 0, 0])]);
}

/** A match with at most three literals in front of it, and what is left of it in further codes. */
function match(literals: Uint8Array, length: number, distance: number, last: number): Uint8Array[] {
  const run = literals.byteLength;
  const short = Math.min(length, 10);
  if (distance === last) {
    if (run === 0) return more(length);
    if (run === 1 && short > 8) return [Buffer.from([0xe0 | run]), literals, ...more(length)];
    return run === 1 || (run === 2 && short <= 6) || (run === 3 && short <= 4)
      ? [Buffer.from([(run << 6) | ((short - 3) << 3) | 6]), literals, ...more(length - short)]
      : [Buffer.from([0xe0 | run]), literals, ...more(length)];
  }
  if (distance >= 0x600 && distance < 0x4000) {
    const first = Math.min(length, 34);
    const low = ((first - 3) & 3) | (distance << 2);
    return [Buffer.from([0xa0 | (run << 3) | ((first - 3) >> 2), low & 0xff, low >> 8]), literals, ...more(length - first)];
  }
  // The more literals a short code has, the shorter its match: longer bit patterns belong to other codes.
  const first = run === 0 ? short : run === 1 ? Math.min(short, 8) : run === 2 ? Math.min(short, 6) : Math.min(short, 4);
  const head = (run << 6) | ((first - 3) << 3);
  const code = distance < 0x600 ? [head | (distance >> 8), distance & 0xff] : [head | 7, distance & 0xff, distance >> 8];
  return [Buffer.from(code), literals, ...more(length - first)];
}

/** More of the same match. */
function more(length: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let left = length; left > 0; ) {
    const taken = Math.min(left, 271);
    parts.push(Buffer.from(taken < 16 ? [0xf0 | taken] : [0xf0, taken - 16]));
    left -= taken;
  }
  return parts;
}
