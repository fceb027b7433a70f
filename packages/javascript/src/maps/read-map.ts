import { readMappings, type Segment } from "./vlq.js";

export type MapVerdict = "complete" | "partial" | "contradicting" | "unreadable";

export interface MapSource {
  /** As the map gives it, its `sourceRoot` not joined. */
  readonly name: string;
  readonly content: string | null;
  readonly ignored: boolean;
}

/** One map, or one section of an index map: where it counts from in the generated text. */
export interface MapSection {
  readonly line: number;
  readonly column: number;
  /** Where its sources begin in the list of all. */
  readonly firstSource: number;
  readonly sources: number;
  readonly names: number;
  readonly mappings: string;
}

export interface ReadMap {
  readonly verdict: MapVerdict;
  readonly file: string | null;
  readonly sourceRoot: string | null;
  readonly sources: readonly MapSource[];
  readonly sections: readonly MapSection[];
  /** Segments read. */
  readonly mappings: number;
  readonly problems: readonly string[];
}

export interface MapLimits {
  readonly sources: number;
  readonly mappings: number;
}

/** Lengths of the generated text's lines, where it is at hand. */
export type LineLengths = readonly number[];

/** ECMA-426: the prefix that keeps a map from being taken for a script. */
const guard = /^\)\]\}'?[^\n]*\n/u;
const mostSections = 10_000;

/**
 * Reads a source map as data; `visit` is shown each segment with the position of its source in the list of all. Never
 * throws for what the text holds. `contradicting`: it points past its own lists or past the generated text.
 */
export function readMap(text: string, limits: MapLimits, { lines, visit }: { readonly lines?: LineLengths | undefined; readonly visit?: (segment: Segment) => void } = {}): ReadMap {
  const reading = new MapReading(limits);
  const value = parseJson(text.replace(/^\uFEFF/u, "").replace(guard, ""));
  if (value === undefined) return reading.unreadable("The map is not valid JSON.");
  if (!reading.take(value)) return reading.unreadable("The map has no mappings or sources.");
  reading.follow(lines, visit);
  return reading.result(typeof value["file"] === "string" ? value["file"] : null, typeof value["sourceRoot"] === "string" ? value["sourceRoot"] : null);
}

type Json = { readonly [key: string]: unknown };

function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Said by the caller: a damaged map is an answer, not an error.
    return undefined;
  }
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class MapReading {
  readonly #limits: MapLimits;
  readonly #sources: MapSource[] = [];
  readonly #sections: MapSection[] = [];
  readonly #problems = new Set<string>();
  #contradicts = false;
  #isPartial = false;
  #mappings = 0;

  constructor(limits: MapLimits) {
    this.#limits = limits;
  }

  /** False when it is no map at all. */
  take(value: Json): boolean {
    if (value["version"] !== 3) this.#problem("The map does not say that it is of version 3.", true);
    const sections = value["sections"];
    if (!Array.isArray(sections)) return this.#section(value, 0, 0);
    if (sections.length > mostSections) this.#problem("The map has more sections than are read.", false);
    let last = -1;
    for (const item of sections.slice(0, mostSections)) {
      const section: unknown = item;
      if (!isRecord(section)) this.#problem("A section is not an object.", true);
      else last = this.#indexed(section, last);
    }
    return this.#sections.length > 0;
  }

  #indexed(section: Json, last: number): number {
    const { offset, map } = section;
    const line = isRecord(offset) ? offset["line"] : undefined;
    const column = isRecord(offset) ? offset["column"] : undefined;
    if (!isPosition(line) || !isPosition(column)) {
      this.#problem("A section does not say where it begins.", true);
      return last;
    }
    const place = line * 2 ** 20 + Math.min(column, 2 ** 20 - 1);
    if (place < last) this.#problem("Sections are not in order.", true);
    if (!isRecord(map)) this.#problem(typeof section["url"] === "string" ? "A section lies in another file, which is not followed." : "A section has no map.", true);
    else if (Array.isArray(map["sections"])) this.#problem("A section is an index map itself, which the format does not allow.", true);
    else if (!this.#section(map, line, column)) this.#problem("A section has no mappings or sources.", true);
    return place;
  }

  #section(map: Json, line: number, column: number): boolean {
    const { sources, mappings } = map;
    if (typeof mappings !== "string" || !Array.isArray(sources)) return false;
    const firstSource = this.#sources.length;
    const contents: readonly unknown[] = Array.isArray(map["sourcesContent"]) ? map["sourcesContent"] : [];
    const ignored = numbersOf(map["ignoreList"] ?? map["x_google_ignoreList"]);
    if (contents.length > sources.length) this.#problem("The map holds more texts than sources.", true);
    for (const [index, source] of sources.entries()) {
      if (this.#sources.length >= this.#limits.sources) {
        this.#problem("The map has more sources than are read.", false);
        break;
      }
      this.#source(source, contents[index], ignored.has(index));
    }
    const names: unknown = map["names"];
    this.#sections.push({ line, column, firstSource, sources: sources.length, names: Array.isArray(names) ? names.length : 0, mappings });
    return true;
  }

  #source(name: unknown, content: unknown, ignored: boolean): void {
    if (typeof name !== "string" && name !== null) this.#problem("A source's name is not text.", true);
    if (typeof content !== "string") this.#isPartial = true;
    this.#sources.push({ name: typeof name === "string" ? name : "", content: typeof content === "string" ? content : null, ignored });
  }

  follow(lines: LineLengths | undefined, visit: ((segment: Segment) => void) | undefined): void {
    for (const section of this.#sections) {
      const room = this.#limits.mappings - this.#mappings;
      if (room <= 0) {
        this.#problem("The map has more mappings than are read.", false);
        return;
      }
      this.#mappings += readMappings(section.mappings, room, {
        fault: (fault) => this.#problem(faults[fault], true),
        segment: (segment) => this.#segment(section, segment, lines, visit),
      });
      if (this.#mappings >= this.#limits.mappings) this.#problem("The map has more mappings than are read.", false);
    }
    if (this.#mappings === 0) this.#isPartial = true;
  }

  #segment(section: MapSection, segment: Segment, lines: LineLengths | undefined, visit: ((segment: Segment) => void) | undefined): void {
    const line = section.line + segment.line;
    const column = segment.line === 0 ? section.column + segment.column : segment.column;
    if (segment.source >= section.sources) this.#problem("Mappings point past the list of sources.", true);
    else if (segment.name >= section.names) this.#problem("Mappings point past the list of names.", true);
    const length = lines?.[line];
    if (lines !== undefined && (length === undefined || column > length)) {
      // A mapping at the line after the last one is how some tools end a file.
      if (!(line === lines.length && column === 0)) this.#problem("Mappings point past the end of the generated text.", true);
    }
    if (segment.source < section.sources) visit?.({ ...segment, line, column, source: segment.source < 0 ? -1 : section.firstSource + segment.source });
  }

  unreadable(problem: string): ReadMap {
    return { verdict: "unreadable", file: null, sourceRoot: null, sources: [], sections: [], mappings: 0, problems: [problem] };
  }

  result(file: string | null, sourceRoot: string | null): ReadMap {
    const verdict = this.#contradicts ? "contradicting" : this.#isPartial ? "partial" : "complete";
    return { verdict, file, sourceRoot, sources: this.#sources, sections: this.#sections, mappings: this.#mappings, problems: [...this.#problems] };
  }

  #problem(text: string, contradicts: boolean): void {
    this.#problems.add(text);
    if (contradicts) this.#contradicts = true;
    else this.#isPartial = true;
  }
}

const faults = {
  character: "The mappings hold a letter that is not of their alphabet.",
  cut: "A mapping ends in the middle of a number.",
  too_long: "A mapping holds a number beyond 32 bits.",
  fields: "A mapping has a number of fields that the format does not know.",
  out_of_range: "Mappings lead to negative positions or beyond 2^31.",
} as const;

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 31;
}

function numbersOf(list: unknown): ReadonlySet<number> {
  return new Set(Array.isArray(list) ? list.filter((item: unknown): item is number => typeof item === "number") : []);
}
