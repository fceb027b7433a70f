import { decodePunycode } from "./punycode.js";
import { refuse } from "./refusal.js";

const maximumDepth = 128;
const maximumSteps = 20_000;
const maximumChars = 16_384;

export interface Identifier {
  readonly text: string;
  readonly disambiguator: number;
}

/** Position in a v0 name and the text made of it so far; back references read again what stands before. */
export class RustReader {
  readonly text: string;
  at = 0;
  out = "";
  /** Reads without writing. */
  silent = false;
  #depth = 0;
  #steps = 0;

  constructor(text: string) {
    this.text = text;
  }

  write(text: string): void {
    if (this.silent) return;
    this.out += text;
    if (this.out.length > maximumChars) refuse();
  }

  enter(run: () => void): void {
    this.#depth += 1;
    this.#steps += 1;
    if (this.#depth > maximumDepth || this.#steps > maximumSteps) refuse();
    run();
    this.#depth -= 1;
  }

  next(): string {
    const char = this.text[this.at] ?? refuse();
    this.at += 1;
    return char;
  }

  take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  /** `<base-62-number>`: nothing is 0, `0` is 1, …; ends with `_`. Those of crates have 64 bits; they are not shown. */
  base62(): number {
    if (this.take("_")) return 0;
    let value = 0;
    while (!this.take("_")) {
      const digit = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(this.next());
      value = value * 62 + digit;
      if (digit < 0 || value >= 2 ** 64) refuse();
    }
    return value + 1;
  }

  optional(tag: string): number {
    return this.take(tag) ? this.base62() + 1 : 0;
  }

  identifier(): Identifier {
    const disambiguator = this.optional("s");
    const puny = this.take("u");
    const digits = /^(?:0|[1-9]\d{0,5})/.exec(this.text.slice(this.at, this.at + 6))?.[0] ?? refuse();
    this.at += digits.length;
    this.take("_");
    const text = this.text.slice(this.at, this.at + Number(digits));
    if (text.length !== Number(digits)) refuse();
    this.at += text.length;
    return { text: puny ? (decodePunycode(text) ?? refuse()) : text, disambiguator };
  }

  /** Reads at an earlier place, then goes on here. */
  again(run: () => void): void {
    const start = this.at - 1;
    const target = this.base62();
    if (target >= start) refuse();
    if (this.silent) return;
    const back = this.at;
    this.at = target;
    run();
    this.at = back;
  }
}
