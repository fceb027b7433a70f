import { refuse } from "../refusal.js";
import type { Node } from "./node.js";

/** The rules that call each other across files. */
export interface Grammar {
  readonly encoding: (reader: Reader) => Node;
  readonly name: (reader: Reader, state?: NameState) => Node;
  readonly type: (reader: Reader) => Node;
  readonly templateArgs: (reader: Reader, tag: boolean) => readonly Node[];
  readonly expression: (reader: Reader) => Node;
  readonly literal: (reader: Reader) => Node;
}

/** What the name of a function says about the function. */
export interface NameState {
  endsWithArgs: boolean;
  structor: boolean;
  suffix: string;
  /** Where in `Reader.forwards` this name's own entries start. */
  readonly forwardsFrom: number;
}

const maximumDepth = 192;
const maximumSteps = 20_000;

/** Position in a mangled name, with the substitutions and template parameters met so far. */
export class Reader {
  readonly text: string;
  readonly rules: Grammar;
  at: number;
  readonly substitutions: Node[] = [];
  /** Arguments that `T_`, `T0_`, … stand for: those of the last template of the innermost name. */
  params: Node[] = [];
  readonly forwards: (Node & { readonly kind: "forward" })[] = [];
  allowForward = false;
  /** True when the arguments are whole. */
  hasParams = false;
  /** Above 0 inside the parameter list of a lambda outside of any template: there `T_` is `auto`. */
  lambdaDepth = 0;
  #depth = 0;
  #steps = 0;

  constructor(text: string, at: number, rules: Grammar) {
    this.text = text;
    this.at = at;
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
    this.at += 1;
    return char;
  }

  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) refuse();
  }

  /** Digits, possibly none. */
  digits(): string {
    const start = this.at;
    while (this.peek() >= "0" && this.peek() <= "9") this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** `[n] <digits>`, refused when there are none. */
  number(): string {
    const sign = this.take("n") ? "-" : "";
    const digits = this.digits();
    return digits === "" ? refuse() : sign + digits;
  }

  enter<T>(run: () => T): T {
    this.#depth += 1;
    this.#steps += 1;
    if (this.#depth > maximumDepth || this.#steps > maximumSteps) refuse();
    const result = run();
    this.#depth -= 1;
    return result;
  }

  remember<T extends Node>(node: T): T {
    this.substitutions.push(node);
    return node;
  }

  /** Items up to `E`, which is taken. */
  untilEnd(item: () => Node): Node[] {
    const items: Node[] = [];
    while (!this.take("E")) {
      if (this.done) refuse();
      items.push(item());
    }
    return items;
  }
}
