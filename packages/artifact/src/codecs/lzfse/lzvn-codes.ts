import { brokenData } from "../broken-data.js";
import type { SlidingOutput } from "./sliding-output.js";

/** The longest code with its literals: two bytes and 271 literals. */
export const longestLzvnCode = 280;
const endBytes = 8;

/** What carries over from one piece of LZVN data to the next. */
export interface LzvnState {
  /** Of the last match; codes may leave it out. */
  distance: number;
  ended: boolean;
}

/** Decodes codes until fewer than `kept` bytes are left, the output is full or the end marker came; answers the bytes used. */
export function lzvnCodes(input: Uint8Array, output: SlidingOutput, state: LzvnState, kept: number): number {
  let at = 0;
  while (!state.ended && at < input.byteLength - kept && !output.isFull) at = lzvnCode(input, at, output, state);
  return at;
}

/** One code at `at`; answers the place behind it. The first byte tells its layout. */
function lzvnCode(input: Uint8Array, at: number, output: SlidingOutput, state: LzvnState): number {
  const code = input[at] ?? 0;
  const next = input[at + 1] ?? 0;
  if (code >= 0xf0) return runOfMatch(input, at, output, state);
  if (code >= 0xe0) return runOfLiterals(input, at, output);
  if (code >= 0xd0 || (code >= 0x70 && code < 0x80)) throw brokenData("LZVN data has a code that means nothing.");
  if (code >= 0xa0 && code < 0xc0) {
    const rest = next | ((input[at + 2] ?? 0) << 8);
    state.distance = rest >> 2;
    return literalsAndMatch(input, output, state, { start: at + 3, literals: (code >> 3) & 3, match: (((code & 7) << 2) | (rest & 3)) + 3 });
  }
  const lengths = { literals: code >> 6, match: ((code >> 3) & 7) + 3 };
  if ((code & 7) === 7) {
    state.distance = next | ((input[at + 2] ?? 0) << 8);
    return literalsAndMatch(input, output, state, { start: at + 3, ...lengths });
  }
  if ((code & 7) === 6) return lengths.literals === 0 ? special(input, at, code, state) : literalsAndMatch(input, output, state, { start: at + 1, ...lengths });
  state.distance = ((code & 7) << 8) | next;
  return literalsAndMatch(input, output, state, { start: at + 2, ...lengths });
}

/** The end marker, which fills eight bytes, and codes that do nothing. */
function special(input: Uint8Array, at: number, code: number, state: LzvnState): number {
  if (code === 0x0e || code === 0x16) return at + 1;
  if (code !== 0x06) throw brokenData("LZVN data has a code that means nothing.");
  if (at + endBytes > input.byteLength) throw brokenData("LZVN data ends inside its end marker.");
  state.ended = true;
  return at + endBytes;
}

function runOfLiterals(input: Uint8Array, at: number, output: SlidingOutput): number {
  const short = (input[at] ?? 0) & 0xf;
  const start = short === 0 ? at + 2 : at + 1;
  const length = short === 0 ? (input[at + 1] ?? 0) + 16 : short;
  if (start + length > input.byteLength) throw brokenData("LZVN data ends inside its literals.");
  output.write(input, start, length);
  return start + length;
}

function runOfMatch(input: Uint8Array, at: number, output: SlidingOutput, { distance }: LzvnState): number {
  const short = (input[at] ?? 0) & 0xf;
  if (short === 0 && at + 2 > input.byteLength) throw brokenData("LZVN data ends inside a code.");
  output.copy(distance, short === 0 ? (input[at + 1] ?? 0) + 16 : short);
  return short === 0 ? at + 2 : at + 1;
}

function literalsAndMatch(
  input: Uint8Array,
  output: SlidingOutput,
  { distance }: LzvnState,
  { start, literals, match }: { readonly start: number; readonly literals: number; readonly match: number },
): number {
  if (start + literals > input.byteLength) throw brokenData("LZVN data ends inside a code.");
  output.write(input, start, literals);
  output.copy(distance, match);
  return start + literals;
}
