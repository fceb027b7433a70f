import { refuse } from "../refusal.js";
import type { FunctionNode, SymbolNode, TypeNode } from "./node.js";

/** The rules that call each other across files. */
export interface Grammar {
  readonly symbol: (reader: Reader) => SymbolNode;
  readonly type: (reader: Reader, mode: QualifierMode) => TypeNode;
  readonly functionType: (reader: Reader, isMember: boolean) => FunctionNode;
}

/** Whether qualifiers stand before a type: always, behind `?`, or not at all. */
export type QualifierMode = "given" | "marked" | "none";

const maximumDepth = 128;
const maximumSteps = 20_000;
const remembered = 10;

/** What digits refer back to; templates have their own. */
interface Memory {
  readonly names: string[];
  readonly params: TypeNode[];
  /** Names from here on are numbered differently by compilers. */
  unsure: number;
}

/** Position in a mangled name, with the names and parameter types that digits refer back to. */
export class Reader {
  readonly text: string;
  readonly rules: Grammar;
  at = 0;
  #memory: Memory = noMemory();
  #depth = 0;
  #steps = 0;

  constructor(text: string, rules: Grammar) {
    this.text = text;
    this.rules = rules;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? "";
  }

  next(): string {
    const char = this.peek();
    if (char === "") refuse();
    this.at += 1;
    return char;
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) refuse();
  }

  /** Text up to `@`, which is taken; never empty. */
  untilAt(): string {
    const end = this.text.indexOf("@", this.at);
    if (end <= this.at) return refuse();
    const text = this.text.slice(this.at, end);
    this.at = end + 1;
    return text;
  }

  /** `0`…`9` stand for 1…10; other numbers are hexadecimal with `A`…`P` as digits, up to `@`; `?` negates. */
  number(): bigint {
    const sign = this.take("?") ? -1n : 1n;
    const first = this.peek();
    if (isDigit(first)) {
      this.at += 1;
      return sign * (BigInt(first) + 1n);
    }
    let value = 0n;
    for (let digits = 0; !this.take("@"); digits += 1) {
      const digit = this.next().charCodeAt(0) - 0x41;
      if (digit < 0 || digit > 15 || digits >= 16) refuse();
      value = value * 16n + BigInt(digit);
    }
    return sign * value;
  }

  unsigned(): bigint {
    const value = this.number();
    return value < 0n ? refuse() : value;
  }

  enter<T>(run: () => T): T {
    this.#depth += 1;
    this.#steps += 1;
    if (this.#depth > maximumDepth || this.#steps > maximumSteps) refuse();
    const result = run();
    this.#depth -= 1;
    return result;
  }

  /** Reads with nothing to refer back to, and forgets what was met inside. */
  apart<T>(run: () => T): T {
    const outer = this.#memory;
    this.#memory = noMemory();
    const result = run();
    this.#memory = outer;
    return result;
  }

  rememberName(name: string): void {
    const { names } = this.#memory;
    if (names.length < remembered && !names.includes(name)) names.push(name);
  }

  /** Notes a name that Microsoft's compiler counts among those to refer back to and Clang does not. */
  rememberUnsurely(): void {
    this.#memory.unsure = Math.min(this.#memory.unsure, this.#memory.names.length);
  }

  /** The name that the digit here stands for. */
  knownName(): string {
    const index = Number(this.next());
    return index < this.#memory.unsure ? (this.#memory.names[index] ?? refuse()) : refuse();
  }

  rememberParam(type: TypeNode): void {
    if (this.#memory.params.length < remembered) this.#memory.params.push(type);
  }

  knownParam(): TypeNode {
    return this.#memory.params[Number(this.next())] ?? refuse();
  }
}

function noMemory(): Memory {
  return { names: [], params: [], unsure: remembered };
}

export function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1;
}
