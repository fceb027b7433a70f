import { ListBuilder } from "./build-list.js";
import type { ListText } from "./list-text.js";
import { PlistFindings, tokensAStep, type PlistSteps, type PlistValue } from "./property-list.js";
import { xmlDate, xmlInteger, xmlReal } from "./xml-values.js";
import { decodeEntities, xmlTokens, type XmlTag } from "./xml-tokens.js";

interface Leaf {
  readonly tag: XmlTag;
  text: string;
}

/**
 * An XML property list. Entities that the document declares are not expanded, nothing outside the file is read, and
 * elements that do not belong there are left out with a finding.
 */
export function* xmlListSteps(text: ListText): PlistSteps {
  const findings = new PlistFindings();
  const reader = new XmlListReader(text, findings);
  const root = yield* reader.steps();
  return { format: "xml", encoding: text.encoding, root, objectCount: null, findings: findings.list };
}

const longestEscaped = 1024 * 1024;

const containers: ReadonlyMap<string, "array" | "dictionary"> = new Map([
  ["dict", "dictionary"],
  ["array", "array"],
]);
const leaves: ReadonlySet<string> = new Set(["key", "string", "integer", "real", "date", "data", "true", "false"]);

class XmlListReader {
  readonly #text: ListText;
  readonly #findings: PlistFindings;
  readonly #builder: ListBuilder;
  #leaf: Leaf | undefined;
  #ended = false;

  constructor(text: ListText, findings: PlistFindings) {
    this.#text = text;
    this.#findings = findings;
    this.#builder = new ListBuilder(findings);
  }

  *steps(): Generator<undefined, PlistValue, undefined> {
    let tokens = 0;
    for (const token of xmlTokens(this.#text, this.#findings)) {
      tokens += 1;
      if (tokens % tokensAStep === 0) yield undefined;
      if (token.kind === "text") this.#run(token);
      else if (this.#ended) this.#findings.add("trailing_data", this.#text.offsetOf(token.start));
      else if (token.closing) this.#close(token);
      else this.#begin(token);
    }
    const end = this.#text.offsetOf(this.#text.units.length);
    if (this.#leaf !== undefined) this.#findings.add("truncated", end);
    else if (!this.#ended && this.#builder.depth === 0) this.#findings.add("truncated", end);
    return this.#builder.finish(end);
  }

  #run({ start, end, literal }: { readonly start: number; readonly end: number; readonly literal: boolean }): void {
    if (this.#leaf === undefined) {
      const stray = this.#text.decoded(start, Math.min(end, start + 4096)).trim();
      if (stray !== "") this.#findings.add(this.#ended ? "trailing_data" : "syntax", this.#text.offsetOf(start));
      return;
    }
    const text = this.#text.decoded(start, end);
    if (text.includes("\ufffd")) this.#findings.add("bad_text", this.#text.offsetOf(start));
    const asStored = literal || this.#tooLong(text, start);
    this.#leaf.text += asStored ? text : decodeEntities(text, () => this.#findings.add("unknown_entity", this.#text.offsetOf(start)));
  }

  /** Entities of such text stay as they are. */
  #tooLong(text: string, start: number): boolean {
    if (text.length <= longestEscaped || !text.includes("&")) return false;
    this.#findings.add("bad_text", this.#text.offsetOf(start));
    return true;
  }

  #begin(tag: XmlTag): void {
    const offset = this.#text.offsetOf(tag.start);
    if (this.#leaf !== undefined) {
      this.#findings.add("syntax", offset);
      return;
    }
    if (tag.name === "plist") {
      if (tag.empty) this.#ended = true;
      return;
    }
    const container = containers.get(tag.name);
    if (container !== undefined) {
      this.#builder.begin(container, offset);
      if (tag.empty) this.#builder.end(offset);
      return;
    }
    if (!leaves.has(tag.name)) {
      this.#findings.add("unknown_element", offset);
      if (this.#builder.waitsForValue) this.#builder.add({ kind: "unreadable", offset, problem: "unknown_element" });
      return;
    }
    this.#leaf = { tag, text: "" };
    if (tag.empty) this.#endLeaf();
  }

  #close(tag: XmlTag): void {
    const offset = this.#text.offsetOf(tag.start);
    if (this.#leaf !== undefined) {
      if (this.#leaf.tag.name !== tag.name) this.#findings.add("syntax", offset);
      else this.#endLeaf();
      return;
    }
    if (tag.name === "plist") {
      this.#ended = true;
      return;
    }
    const container = containers.get(tag.name);
    const { inside, depth } = this.#builder;
    if (container === undefined || depth === 0) {
      if (leaves.has(tag.name) || container !== undefined) this.#findings.add("syntax", offset);
      return;
    }
    if (inside !== undefined && inside !== container) this.#findings.add("syntax", offset);
    this.#builder.end(offset);
  }

  #endLeaf(): void {
    const leaf = this.#leaf;
    this.#leaf = undefined;
    if (leaf === undefined) return;
    const { tag, text } = leaf;
    const offset = this.#text.offsetOf(tag.start);
    if (tag.name === "key") this.#builder.key({ kind: "string", offset, text });
    else this.#builder.add(this.#value(tag.name, text, offset));
  }

  #value(name: string, text: string, offset: number) {
    switch (name) {
      case "true":
      case "false":
        return { kind: "boolean", offset, value: name === "true" } as const;
      case "integer":
        return xmlInteger(text, offset) ?? this.#findings.unreadable("bad_number", offset);
      case "real":
        return xmlReal(text, offset) ?? this.#findings.unreadable("bad_number", offset);
      case "date":
        return xmlDate(text, offset) ?? this.#findings.unreadable("bad_date", offset);
      case "data":
        if (!/^[A-Za-z0-9+/=\s]*$/.test(text)) this.#findings.add("bad_data", offset);
        return { kind: "data", offset, bytes: Buffer.from(text, "base64") } as const;
      default:
        return { kind: "string", offset, text } as const;
    }
  }
}
