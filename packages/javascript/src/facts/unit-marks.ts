import { createHash, type Hash } from "node:crypto";
import type { FoundModule } from "../parts/found-part.js";
import { text, type SyntaxNode } from "../syntax/node.js";

/** What tells whether two pieces of code are one: a file, or a module that a bundler wrote into one. */
export interface UnitMarks {
  /** Digest of the text itself; null for a whole file, whose bytes have one. */
  readonly sourceSha256: string | null;
  /** Over kinds of syntax and names of members, in order; local names and literals take no part. */
  readonly structure: string;
  /** Over the structure and every literal: equal for code that differs in local names and layout only. */
  readonly code: string;
  readonly nodes: number;
  readonly words: WordSketch;
}

/**
 * A sample of the distinct member names and texts of a unit: of their 32-bit hashes those below 2^(32 - `shift`), sorted.
 * Samples of two units are comparable below the smaller bound.
 */
export interface WordSketch {
  readonly shift: number;
  readonly hashes: readonly number[];
}

/** Large texts are sampled more finely, so that what lies in them can be told from what does not. */
const mostHashes = 1024;
const usualHashes = 128;
const largeNodes = 50_000;
const shortestWord = 3;
const longestWord = 200;
const flushBytes = 16 * 1024;

/** Marks of a whole text and of the modules in it, from one look at the syntax tree in source order. */
export class UnitReader {
  readonly #source: string;
  readonly #file = new UnitDigest();
  readonly #modules: readonly FoundModule[];
  readonly #digests: readonly UnitDigest[];
  readonly #open: number[] = [];
  #next = 0;

  constructor(source: string, modules: readonly FoundModule[]) {
    this.#source = source;
    this.#modules = modules;
    this.#digests = modules.map(() => new UnitDigest());
  }

  enter(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    this.#file.add(node, parent);
    if (this.#modules.length === 0) return;
    for (let module = this.#modules[this.#next]; module !== undefined && module.start <= node.start; module = this.#modules[this.#next]) {
      this.#open.push(this.#next);
      this.#next += 1;
    }
    while (this.#open.length > 0 && (this.#modules[this.#open.at(-1) ?? 0]?.end ?? 0) <= node.start) this.#open.pop();
    const innermost = this.#open.at(-1);
    if (innermost !== undefined) this.#digests[innermost]?.add(node, parent);
  }

  /** The file first, then its modules in their order. */
  finish(): { readonly file: UnitMarks; readonly modules: readonly UnitMarks[] } {
    const textOf = ({ start, end }: FoundModule): string => createHash("sha256").update(this.#source.slice(start, end)).digest("hex");
    return {
      file: this.#file.finish(null),
      modules: this.#modules.map((module, index) => (this.#digests[index] ?? new UnitDigest()).finish(textOf(module))),
    };
  }
}

/** Digests of one unit as its nodes come. */
class UnitDigest {
  readonly #structure = createHash("sha256");
  readonly #literals = createHash("sha256");
  readonly #words = new Set<number>();
  #pending = "";
  #pendingLiterals = "";
  #bound = 2 ** 32;
  #shift = 0;
  #nodes = 0;

  add(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    this.#nodes += 1;
    this.#pending += letterOf(node.type);
    if (node.type === "Identifier") {
      const name = text(node, "name");
      if (name !== undefined && isMemberName(node, parent)) {
        this.#pending += `${name}\0`;
        this.#word(name);
      }
    } else if (node.type === "Literal" || node.type === "TemplateElement" || node.type === "JSXText") this.#literal(node);
    else this.#operator(node);
    if (this.#pending.length >= flushBytes) this.#pending = flushed(this.#structure, this.#pending);
  }

  /** `+` and `-` are not the same code. */
  #operator(node: SyntaxNode): void {
    const operator = node["operator"] ?? node["kind"];
    if (typeof operator === "string") this.#pending += operator;
  }

  #literal(node: SyntaxNode): void {
    const value = literalText(node);
    this.#pendingLiterals += `${String(value.length)}:${value}`;
    if (typeof node["value"] === "string") this.#word(value);
    if (this.#pendingLiterals.length >= flushBytes) this.#pendingLiterals = flushed(this.#literals, this.#pendingLiterals);
  }

  #word(word: string): void {
    if (word.length < shortestWord || word.length > longestWord) return;
    const hash = wordHash(word);
    if (hash >= this.#bound || this.#words.has(hash)) return;
    this.#words.add(hash);
    this.#thin(mostHashes);
  }

  #thin(most: number): void {
    while (this.#words.size > most) {
      this.#bound /= 2;
      this.#shift += 1;
      for (const one of this.#words) if (one >= this.#bound) this.#words.delete(one);
    }
  }

  finish(sourceSha256: string | null): UnitMarks {
    flushed(this.#structure, this.#pending);
    flushed(this.#literals, this.#pendingLiterals);
    if (this.#nodes < largeNodes) this.#thin(usualHashes);
    const structure = this.#structure.digest("hex");
    const code = createHash("sha256").update(structure).update(this.#literals.digest()).digest("hex");
    return { sourceSha256, structure, code, nodes: this.#nodes, words: { shift: this.#shift, hashes: [...this.#words].sort((a, b) => a - b) } };
  }
}

function flushed(hash: Hash, pending: string): string {
  hash.update(pending, "utf8");
  return "";
}

/** A short, stable name for a kind of node. */
const letters = new Map<string, string>();
function letterOf(type: string): string {
  const known = letters.get(type);
  if (known !== undefined) return known;
  const letter = `\u0001${wordHash(type).toString(36)}`;
  letters.set(type, letter);
  return letter;
}

function isMemberName(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined || parent["computed"] === true) return false;
  if (parent.type === "MemberExpression") return parent["property"] === node;
  return parent["key"] === node;
}

function literalText(node: SyntaxNode): string {
  const { value } = node;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "object" && value !== null && "cooked" in value && typeof value.cooked === "string") return value.cooked;
  return text(node, "raw") ?? "null";
}

/** FNV-1a over UTF-16 code units, mixed so that its upper bits are as good as its lower ones. */
function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
