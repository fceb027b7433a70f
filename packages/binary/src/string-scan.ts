/** Finds text in bytes; every found string goes to the sink in order of its start. */
export interface StringSink {
  /** `offset` counts from the start of the scanned bytes; lengths are in bytes, terminator excluded. */
  found(offset: number, byteLength: number, encoding: StringEncoding, terminated: boolean): void;
  /** Called now and then, after some thousand places at the most; may throw to stop. */
  pause(): void;
}

/** Places looked at between two pauses, less one: those where a text may start, and those passed over on the way. */
const between = 0xfff;
const betweenPassed = 0x3_ffff;

export type StringEncoding = "ascii" | "utf-8" | "utf-16le" | "utf-16be";

const stop = 0;
const printable = 1;
const layout = 2;
const lead = 3;
const escape = 4;
const escapeByte = 0x1b;

/**
 * Printable ASCII, the controls that lay text out (tab, line feed, carriage return), ESC, and lead bytes of UTF-8. Other
 * controls end a run: unwind codes, counts and small offsets are made of them.
 */
const byteClass = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x20 && byte <= 0x7e) return printable;
  if (byte === 0x09 || byte === 0x0a || byte === 0x0d) return layout;
  if (byte === escapeByte) return escape;
  return byte >= 0xc2 && byte <= 0xf4 ? lead : stop;
});

/** ESC belongs to a text where it starts a control sequence or an operating-system command (ECMA-48 §5.3, CSI and OSC). */
function introduces(next: number): boolean {
  return next === 0x5b || next === 0x5d;
}

/**
 * Runs of text in ASCII and UTF-8: printable characters, tab, line feed, carriage return, and ESC before `[` or `]`. A run counts when it holds `minimum` characters, printable ASCII or beyond ASCII;
 * with characters beyond ASCII it must also end in NUL or hold four times as many ASCII characters, because two-byte
 * sequences are common in binary data.
 */
export function scanBytes(bytes: Uint8Array, minimum: number, sink: StringSink): void {
  const end = bytes.length;
  let at = 0;
  for (let looked = 0; at < end; looked += 1) {
    if ((looked & between) === 0) sink.pause();
    at = nextCandidate(bytes, at, minimum, sink);
    const start = at;
    let plain = 0;
    let wide = 0;
    for (; at < end; ) {
      const kind = byteClass[bytes[at] ?? 0] ?? stop;
      if (kind === printable) plain += 1;
      else if (kind === stop) break;
      else if (kind === escape) {
        if (!introduces(bytes[at + 1] ?? 0)) break;
      } else if (kind === lead) {
        const length = textSequence(bytes, at);
        if (length === 0) break;
        wide += 1;
        at += length - 1;
      }
      at += 1;
    }
    const terminated = at < end && bytes[at] === 0;
    const enough = plain + wide >= minimum && (wide === 0 || terminated || plain >= minimum * 4);
    if (enough) sink.found(start, at - start, wide === 0 ? "ascii" : "utf-8", terminated);
    if (at === start) at += 1;
  }
}

/** 1 for every byte that can stand inside a text, continuation bytes included. */
const insideText = byteClass.map((kind, byte) => (kind !== stop || (byte >= 0x80 && byte <= 0xbf) ? 1 : 0));

/** Next place where `minimum` text bytes may stand: looking at the last of them first skips most binary data in strides. */
function nextCandidate(bytes: Uint8Array, from: number, minimum: number, sink: StringSink): number {
  const end = bytes.length;
  let at = from;
  for (let passed = 1; at < end; passed += 1) {
    if ((passed & betweenPassed) === 0) sink.pause();
    const last = at + minimum - 1;
    if (last >= end) return end;
    if (insideText[bytes[last] ?? 0] === 0) at = last + 1;
    else if ((byteClass[bytes[at] ?? 0] ?? stop) === stop) at += 1;
    else return at;
  }
  return end;
}

/** Length of a well-formed UTF-8 sequence (Unicode §3.9) that is not a C1 control; 0 when none starts here. */
function textSequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xc2 ? 0xa0 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let index = 2; index < length; index += 1) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

const otherUnit = 0;
const asciiUnit = 1;
const layoutUnit = 2;

/** Groups of scripts; a text mixes ASCII with one of them. */
const groups: readonly (readonly [number, number, number])[] = [
  [0x00a0, 0x024f, 3],
  [0x0370, 0x052f, 4],
  [0x0590, 0x06ff, 5],
  [0x3001, 0x30ff, 6],
  [0x4e00, 0x9fff, 6],
  [0xac00, 0xd7a3, 7],
  [0xff01, 0xffee, 6],
];

const unitClass = new Uint8Array(65_536);
for (const [first, last, group] of groups) unitClass.fill(group, first, last + 1);
for (let unit = 0; unit < 0x80; unit += 1) {
  const kind = byteClass[unit] ?? stop;
  unitClass[unit] = kind === printable ? asciiUnit : kind === layout || kind === escape ? layoutUnit : otherUnit;
}

export interface UnitScan {
  /** First byte of the first unit: 0 or 1. */
  readonly phase: number;
  readonly big: boolean;
  readonly minimum: number;
  readonly asciiOnly: boolean;
  /** Not the machine's byte order: text behind a printable byte is then the other order's, one byte earlier. */
  readonly foreign: boolean;
  /** Whether a range overlaps text found before, which then keeps it. */
  readonly taken: (offset: number, end: number) => boolean;
}

interface UnitRun {
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  /** Units that differ from the one before. */
  readonly changes: number;
  /** Group of scripts beyond ASCII, 0 for none. */
  readonly group: number;
}

/**
 * UTF-16 text. Any two bytes make a code unit, so the rules are strict: ASCII text ends in a NUL unit or is twice as long as
 * `minimum`; text beyond ASCII keeps to one group of scripts, stands between NUL units, is no repetition and overlaps
 * nothing found before. Surrogate pairs end a text.
 */
export function scanUnits(bytes: Uint8Array, scan: UnitScan, sink: StringSink): void {
  const end = bytes.length - 1;
  let looked = 0;
  for (let at = nextUnits(bytes, scan, scan.phase, sink); at < end; at = nextUnits(bytes, scan, at, sink)) {
    if ((looked & between) === 0) sink.pause();
    looked += 1;
    const run = unitRun(bytes, scan, at);
    if (run.characters >= scan.minimum && isText(bytes, scan, run)) {
      sink.found(run.start, run.end - run.start, scan.big ? "utf-16be" : "utf-16le", isNulUnit(bytes, run.end));
    }
    at = run.end === at ? at + 2 : run.end;
  }
}

/** Next place where `minimum` units of text may stand, found in strides like `nextCandidate`. */
function nextUnits(bytes: Uint8Array, scan: UnitScan, from: number, sink: StringSink): number {
  const end = bytes.length - 1;
  const low = scan.big ? 1 : 0;
  const reach = (scan.minimum - 1) * 2;
  let at = from;
  for (let passed = 1; at + reach < end; passed += 1) {
    if ((passed & betweenPassed) === 0) sink.pause();
    const last = at + reach;
    if (unitClass[unitAt(bytes, last, low)] === otherUnit) at = last + 2;
    else if (unitClass[unitAt(bytes, at, low)] === otherUnit) at += 2;
    else return at;
  }
  return end;
}

/** The code unit at an offset; `low` is where its low byte stands, 0 or 1. */
function unitAt(bytes: Uint8Array, at: number, low: number): number {
  return (bytes[at + low] ?? 0) | ((bytes[at + 1 - low] ?? 0) << 8);
}

function unitRun(bytes: Uint8Array, scan: UnitScan, start: number): UnitRun {
  const end = bytes.length - 1;
  const low = scan.big ? 1 : 0;
  let group = 0;
  let characters = 0;
  let changes = 0;
  let before = -1;
  let at = start;
  for (; at < end; at += 2) {
    const unit = unitAt(bytes, at, low);
    const kind = unitClass[unit] ?? otherUnit;
    if (kind === otherUnit || (kind > layoutUnit && (scan.asciiOnly || (group !== 0 && group !== kind)))) break;
    if (unit === escapeByte && !introduces(unitAt(bytes, at + 2, low))) break;
    if (kind > layoutUnit) group = kind;
    if (kind !== layoutUnit) characters += 1;
    if (unit !== before) changes += 1;
    before = unit;
  }
  return { start, end: at, characters, changes, group };
}

function isText(bytes: Uint8Array, scan: UnitScan, run: UnitRun): boolean {
  const terminated = isNulUnit(bytes, run.end);
  if (scan.foreign && byteClass[bytes[run.start - 1] ?? 0] === printable) return false;
  if (run.group === 0) return (terminated || run.characters >= scan.minimum * 2) && !scan.taken(run.start, run.end);
  const introduced = run.start < 2 || isNulUnit(bytes, run.start - 2);
  return terminated && introduced && run.changes >= scan.minimum && !scan.taken(run.start, run.end);
}

function isNulUnit(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0;
}
