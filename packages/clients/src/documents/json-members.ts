import { JsonScanner } from "./json-scan.js";

/** A member of an object, by offsets of the text. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
  /** Of the comma behind it; -1 when there is none. */
  readonly comma: number;
}

export interface JsonObjectText {
  /** Of the opening brace. */
  readonly start: number;
  /** Of the closing brace. */
  readonly close: number;
  readonly members: readonly JsonMember[];
  /** Ranges of the comments that stand directly inside. */
  readonly comments: readonly (readonly [start: number, end: number])[];
}

/** The members of the object that opens at `start` of a text that is known to be valid. */
export function objectAt(text: string, start: number): JsonObjectText {
  const comments: [number, number][] = [];
  let depth = 0;
  const scanner = new JsonScanner(text, start, (from, to) => depth === 1 && comments.push([from, to]));
  const members: JsonMember[] = [];
  scanner.next();
  depth = 1;
  for (let kind = scanner.next(); kind !== "}"; kind = scanner.next()) {
    if (kind !== "string") throw new Error("a text that was valid is not an object here");
    const name: unknown = JSON.parse(text.slice(scanner.start, scanner.end));
    const nameStart = scanner.start;
    scanner.next();
    scanner.next();
    const valueStart = scanner.start;
    depth += 1;
    skipValue(scanner);
    const end = scanner.end;
    depth -= 1;
    const after = scanner.next();
    members.push({ name: String(name), start: nameStart, valueStart, end, comma: after === "," ? scanner.start : -1 });
    if (after === "}") break;
  }
  return { start, close: scanner.start, members, comments };
}

/** From the first token of a value to its last. */
function skipValue(scanner: JsonScanner): void {
  let open = 0;
  for (let kind = scanner.kind; ; kind = scanner.next()) {
    if (kind === "end" || kind === "error") throw new Error("a text that was valid ends inside a value");
    if (kind === "{" || kind === "[") open += 1;
    else if (kind === "}" || kind === "]") open -= 1;
    if (open === 0) return;
  }
}

/** Offset of the first token of the text. */
export function rootStart(text: string): number {
  const scanner = new JsonScanner(text);
  scanner.next();
  return scanner.start;
}
