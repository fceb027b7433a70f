import { evidenceRefusal } from "./evidence-refusal.js";
import { checkedText, jsonBounds, refuseBound, type JsonBounds } from "./json-bounds.js";
import { JsonTokenizer, malformedJson, type JsonTokenSink } from "./json-tokens.js";
import type { JsonValue } from "./json.js";

export interface StrictJsonOptions {
  readonly bounds?: JsonBounds;
  /**
   * Makes the top object a frame whose parts are bounded one by one: how many levels of containers around the items
   * belong to the frame, for a member of the top object (2: the object itself and the member's list).
   */
  readonly frameDepthOf?: (member: string) => number;
  /** Takes the items of the lists in the top object as they are complete, so that they need not stay in memory. */
  readonly takeItem?: (member: string, item: JsonValue) => void;
}

/**
 * Reads untrusted JSON: text must be UTF-8 without halves of surrogate pairs, keys unique, numbers safe integers, all
 * within the bounds. `__proto__` is an ordinary key. Throws `evidence_integrity_mismatch` with the precise reason
 * (`schema` with constraint `json_syntax`, `duplicate_key`, `bounds`, `number_out_of_range`, `non_canonical_text`).
 */
export function parseStrictJson(input: string | Uint8Array, options: StrictJsonOptions = {}): JsonValue {
  const parser = new StrictJsonParser(options);
  parser.write(typeof input === "string" ? Buffer.from(checkedText(input, { ...jsonBounds, stringBytes: Infinity })) : input);
  return parser.end();
}

interface ArrayFrame {
  readonly kind: "array";
  readonly items: JsonValue[];
}

interface ObjectFrame {
  readonly kind: "object";
  readonly entries: [string, JsonValue][];
  key: string;
  /** All keys, once they stopped coming in ascending order; before that the last one is enough to see a repetition. */
  seen: Set<string> | undefined;
}

type Expectation = "value" | "value_or_end" | "key" | "key_or_end" | "colon" | "comma_or_end" | "end";

/** The parser behind `parseStrictJson`, for bytes that arrive in chunks. Keeps its own stack; never recurses. */
export class StrictJsonParser {
  readonly #options: StrictJsonOptions;
  readonly #bounds: JsonBounds;
  readonly #tokens: JsonTokenizer;
  readonly #stack: (ArrayFrame | ObjectFrame)[] = [];
  #expected: Expectation = "value";
  #result: JsonValue = null;
  #frameDepth = 0;
  #nodes = 0;
  #bytes = 0;
  #keysOrdered = true;

  constructor(options: StrictJsonOptions = {}) {
    this.#options = options;
    this.#bounds = options.bounds ?? jsonBounds;
    const sink: JsonTokenSink = {
      punctuation: (byte) => this.#punctuation(String.fromCharCode(byte)),
      text: (value) => this.#text(value),
      scalar: (value) => this.#scalar(value),
    };
    this.#tokens = new JsonTokenizer(sink, this.#bounds);
  }

  /** True while every byte so far is what RFC 8785 would have written. */
  get canonical(): boolean {
    return this.#keysOrdered && this.#tokens.nonCanonicalAt === undefined;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  write(chunk: Uint8Array): void {
    this.#tokens.write(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** The value; refused when the text stops early. */
  end(): JsonValue {
    this.#tokens.end();
    if (this.#expected !== "end") throw this.#malformed();
    return this.#result;
  }

  #punctuation(mark: string): void {
    switch (mark) {
      case "{":
        return this.#open({ kind: "object", entries: [], key: "", seen: undefined }, "key_or_end");
      case "[":
        return this.#open({ kind: "array", items: [] }, "value_or_end");
      case "}":
        return this.#close("object", "key_or_end");
      case "]":
        return this.#close("array", "value_or_end");
      case ":":
        return this.#advance("colon", "value");
      default:
        return this.#advance("comma_or_end", this.#stack.at(-1)?.kind === "object" ? "key" : "value");
    }
  }

  #text(value: string): void {
    if (this.#expected === "key" || this.#expected === "key_or_end") this.#key(value);
    else this.#scalar(value);
  }

  #scalar(value: string | number | boolean | null): void {
    this.#beginValue();
    this.#endValue(value);
  }

  #open(frame: ArrayFrame | ObjectFrame, next: Expectation): void {
    this.#beginValue();
    if (this.#stack.length - this.#frameDepth >= this.#bounds.depth) refuseBound("depth", this.#bounds);
    this.#stack.push(frame);
    this.#expected = next;
  }

  #close(kind: "array" | "object", whenEmpty: Expectation): void {
    const frame = this.#stack.at(-1);
    const complete = this.#expected === "comma_or_end" || this.#expected === whenEmpty;
    if (frame?.kind !== kind || !complete) throw this.#malformed();
    this.#stack.pop();
    // fromEntries defines members, so "__proto__" stays an own key.
    this.#endValue(frame.kind === "array" ? frame.items : Object.fromEntries(frame.entries));
  }

  #advance(from: Expectation, to: Expectation): void {
    if (this.#expected !== from || this.#stack.length === 0) throw this.#malformed();
    this.#expected = to;
  }

  #beginValue(): void {
    if (this.#expected !== "value" && this.#expected !== "value_or_end") throw this.#malformed();
    if (this.#stack.length <= this.#frameDepth) this.#nodes = 0;
    this.#nodes += 1;
    if (this.#nodes > this.#bounds.nodes) refuseBound("nodes", this.#bounds);
  }

  #endValue(value: JsonValue): void {
    const frame = this.#stack.at(-1);
    this.#expected = frame === undefined ? "end" : "comma_or_end";
    if (frame === undefined) this.#result = value;
    else if (frame.kind === "object") frame.entries.push([frame.key, value]);
    else if (!this.#handOver(value)) frame.items.push(value);
  }

  #handOver(item: JsonValue): boolean {
    const { takeItem } = this.#options;
    const [top] = this.#stack;
    if (takeItem === undefined || this.#stack.length !== 2 || top?.kind !== "object") return false;
    takeItem(top.key, item);
    return true;
  }

  #key(key: string): void {
    const frame = this.#stack.at(-1);
    if (frame?.kind !== "object") throw this.#malformed();
    const last = frame.entries.at(-1)?.[0];
    if (frame.seen === undefined && last !== undefined && key <= last) {
      this.#keysOrdered = false;
      frame.seen = new Set(frame.entries.map(([name]) => name));
    }
    if (frame.seen?.has(key) === true) {
      throw evidenceRefusal("duplicate_key", "A JSON object has the same key twice. Produce the file again.", { constraint: "unique_keys" });
    }
    frame.seen?.add(key);
    frame.key = key;
    if (this.#stack.length === 1) this.#frameDepth = this.#options.frameDepthOf?.(key) ?? this.#frameDepth;
    this.#expected = "colon";
  }

  #malformed(): Error {
    return malformedJson(this.#tokens.offset);
  }
}
