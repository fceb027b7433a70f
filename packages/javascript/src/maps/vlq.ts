const digits = new Int8Array(128).fill(-1);
for (const [value, letter] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) digits[letter.charCodeAt(0)] = value;

/** One segment of the mappings; -1 for what it leaves out. */
export interface Segment {
  readonly line: number;
  readonly column: number;
  readonly source: number;
  readonly sourceLine: number;
  readonly sourceColumn: number;
  readonly name: number;
}

export type SegmentFault = "character" | "cut" | "too_long" | "fields" | "out_of_range";

/** ECMA-426: source, line, column and name count on from the segment before, the column only within its line. */
export interface MappingVisitor {
  segment(segment: Segment): void;
  fault(fault: SegmentFault): void;
}

const largest = 2 ** 31 - 1;

/** Reads base-64 VLQ mappings, at most `maximum` segments; returns how many there were. A broken segment is told and passed over. */
export function readMappings(mappings: string, maximum: number, visitor: MappingVisitor): number {
  const state = [0, 0, 0, 0, 0];
  const fields: number[] = [];
  let line = 0;
  let count = 0;
  let at = 0;
  while (at < mappings.length && count < maximum) {
    const code = mappings.charCodeAt(at);
    if (code === 59 || code === 44) {
      at += 1;
      if (code === 59) {
        line += 1;
        state[0] = 0;
      }
      continue;
    }
    fields.length = 0;
    const end = readFields(mappings, at, fields);
    if (typeof end === "string") {
      visitor.fault(end);
      at = nextSeparator(mappings, at);
      continue;
    }
    at = end;
    count += 1;
    if (fields.length !== 1 && fields.length !== 4 && fields.length !== 5) visitor.fault("fields");
    else if (!advance(state, fields)) visitor.fault("out_of_range");
    else visitor.segment(segmentOf(line, state, fields.length));
  }
  return count;
}

function readFields(text: string, from: number, fields: number[]): number | SegmentFault {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 44 || code === 59) break;
    let value = 0;
    let shift = 0;
    for (;;) {
      const letter = text.charCodeAt(at);
      const digit = letter < 128 ? (digits[letter] ?? -1) : -1;
      if (digit < 0) return at >= text.length || letter === 44 || letter === 59 ? "cut" : "character";
      at += 1;
      value += (digit & 31) * 2 ** shift;
      if ((digit & 32) === 0) break;
      shift += 5;
      if (shift > 35) return "too_long";
    }
    fields.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2);
    if (fields.length > 5) return "fields";
  }
  return at;
}

function advance(state: number[], fields: readonly number[]): boolean {
  let isFit = true;
  for (const [index, delta] of fields.entries()) {
    const value = (state[index] ?? 0) + delta;
    state[index] = value;
    if (value < 0 || value > largest) isFit = false;
  }
  return isFit;
}

function segmentOf(line: number, [column = 0, source = 0, sourceLine = 0, sourceColumn = 0, name = 0]: readonly number[], fields: number): Segment {
  return {
    line,
    column,
    source: fields > 1 ? source : -1,
    sourceLine: fields > 1 ? sourceLine : -1,
    sourceColumn: fields > 1 ? sourceColumn : -1,
    name: fields > 4 ? name : -1,
  };
}

function nextSeparator(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 44 && text.charCodeAt(at) !== 59) at += 1;
  return at;
}
