import { refuse, unlessRefused } from "./refusal.js";
import { decodePunycode } from "./punycode.js";

const maximumDepth = 128;
const maximumSteps = 20_000;
const maximumChars = 16_384;

const basicTypes: ReadonlyMap<string, string> = new Map([
  ["a", "i8"], ["b", "bool"], ["c", "char"], ["d", "f64"], ["e", "str"], ["f", "f32"], ["h", "u8"], ["i", "isize"], ["j", "usize"],
  ["l", "i32"], ["m", "u32"], ["n", "i128"], ["o", "u128"], ["p", "_"], ["s", "i16"], ["t", "u16"], ["u", "()"], ["v", "..."],
  ["x", "i64"], ["y", "u64"], ["z", "!"],
]);

/** Readable form of a Rust name in the v0 scheme (RFC 2603: `_R…`, on Apple systems `__R…`), undefined for others. */
export function demangleRustV0(name: string): string | undefined {
  const start = name.startsWith("__R") ? 3 : name.startsWith("_R") ? 2 : 0;
  if (start === 0 || !/^[A-Z]/.test(name.slice(start))) return undefined;
  const dot = name.indexOf(".", start);
  const body = dot < 0 ? name.slice(start) : name.slice(start, dot);
  if (dot >= 0 && !/^\.llvm\.[0-9A-F@]+$/.test(name.slice(dot)) && !/^\.[\w.]+$/.test(name.slice(dot))) return undefined;
  return unlessRefused(() => {
    const suffix = dot < 0 || name.startsWith(".llvm.", dot) ? "" : ` (${name.slice(dot)})`;
    return new RustName(body).whole() + suffix;
  });
}

interface Identifier {
  readonly text: string;
  readonly disambiguator: number;
}

/** Reads and prints at once; back references read again what stands before. */
class RustName {
  readonly #text: string;
  #at = 0;
  #out = "";
  #depth = 0;
  #steps = 0;
  #lifetimes = 0;
  #silent = false;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): string {
    this.#path(true);
    // The crate that instantiated a generic function follows.
    if (this.#at < this.#text.length) {
      this.#silent = true;
      this.#path(false);
    }
    return this.#at === this.#text.length ? this.#out : refuse();
  }

  #write(text: string): void {
    if (this.#silent) return;
    this.#out += text;
    if (this.#out.length > maximumChars) refuse();
  }

  #enter(run: () => void): void {
    this.#depth += 1;
    this.#steps += 1;
    if (this.#depth > maximumDepth || this.#steps > maximumSteps) refuse();
    run();
    this.#depth -= 1;
  }

  #next(): string {
    const char = this.#text[this.#at] ?? refuse();
    this.#at += 1;
    return char;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  /** `<base-62-number>`: nothing is 0, `0` is 1, …; ends with `_`. Those of crates have 64 bits; they are not shown. */
  #base62(): number {
    if (this.#take("_")) return 0;
    let value = 0;
    while (!this.#take("_")) {
      const digit = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(this.#next());
      value = value * 62 + digit;
      if (digit < 0 || value >= 2 ** 64) refuse();
    }
    return value + 1;
  }

  #optional(tag: string): number {
    return this.#take(tag) ? this.#base62() + 1 : 0;
  }

  #identifier(): Identifier {
    const disambiguator = this.#optional("s");
    const puny = this.#take("u");
    const digits = /^(?:0|[1-9]\d{0,5})/.exec(this.#text.slice(this.#at, this.#at + 6))?.[0] ?? refuse();
    this.#at += digits.length;
    this.#take("_");
    const text = this.#text.slice(this.#at, this.#at + Number(digits));
    if (text.length !== Number(digits)) refuse();
    this.#at += text.length;
    return { text: puny ? (decodePunycode(text) ?? refuse()) : text, disambiguator };
  }

  /** Reads at an earlier place, then goes on here. */
  #again(run: () => void): void {
    const start = this.#at - 1;
    const target = this.#base62();
    if (target >= start) refuse();
    if (this.#silent) return;
    const back = this.#at;
    this.#at = target;
    run();
    this.#at = back;
  }

  /** Inside values the arguments need `::<`. True when an opened `<` was left for the caller to close. */
  #path(inValue: boolean, leaveOpen = false): boolean {
    let open = false;
    this.#enter(() => {
      const tag = this.#next();
      switch (tag) {
        case "C":
          this.#write(this.#identifier().text);
          return;
        case "M":
          this.#hiddenPath();
          this.#write("<");
          this.#type();
          this.#write(">");
          return;
        case "X":
          this.#hiddenPath();
          this.#asTrait();
          return;
        case "Y":
          this.#asTrait();
          return;
        case "N":
          this.#nested(inValue);
          return;
        case "I":
          this.#path(inValue);
          this.#write(inValue ? "::<" : "<");
          this.#list(() => this.#argument());
          if (leaveOpen) open = true;
          else this.#write(">");
          return;
        case "B":
          this.#again(() => {
            open = this.#path(inValue, leaveOpen);
          });
          return;
        default:
          refuse();
      }
    });
    return open;
  }

  #asTrait(): void {
    this.#write("<");
    this.#type();
    this.#write(" as ");
    this.#path(false);
    this.#write(">");
  }

  /** The place of an impl is not shown. */
  #hiddenPath(): void {
    this.#optional("s");
    const silent = this.#silent;
    this.#silent = true;
    this.#path(false);
    this.#silent = silent;
  }

  #nested(inValue: boolean): void {
    const space = this.#next();
    this.#path(inValue);
    const { text, disambiguator } = this.#identifier();
    if (/[A-Z]/.test(space)) {
      if (!Number.isSafeInteger(disambiguator)) refuse();
      const word = space === "C" ? "closure" : space === "S" ? "shim" : space;
      this.#write(`::{${word}${text === "" ? "" : `:${text}`}#${String(disambiguator)}}`);
    } else if (/[a-z]/.test(space)) this.#write(text === "" ? "" : `::${text}`);
    else refuse();
  }

  /** Items up to `E`, with commas. */
  #list(item: () => void): number {
    let count = 0;
    for (; !this.#take("E"); count += 1) {
      if (count > 0) this.#write(", ");
      item();
    }
    return count;
  }

  #argument(): void {
    if (this.#take("L")) this.#lifetime(this.#base62());
    else if (this.#take("K")) this.#constant();
    else this.#type();
  }

  #lifetime(index: number): void {
    if (index === 0) {
      this.#write("'_");
      return;
    }
    const depth = this.#lifetimes - index;
    if (depth < 0) refuse();
    this.#write(depth < 26 ? `'${String.fromCharCode(97 + depth)}` : `'z${String(depth - 26 + 1)}`);
  }

  #type(): void {
    this.#enter(() => {
      const tag = this.#next();
      const basic = basicTypes.get(tag);
      if (basic !== undefined) {
        this.#write(basic);
        return;
      }
      this.#compound(tag);
    });
  }

  #compound(tag: string): void {
    switch (tag) {
      case "A":
      case "S":
        this.#write("[");
        this.#type();
        if (tag === "A") {
          this.#write("; ");
          this.#constant();
        }
        this.#write("]");
        return;
      case "R":
      case "Q":
        this.#write("&");
        if (this.#take("L")) {
          const lifetime = this.#base62();
          if (lifetime !== 0) {
            this.#lifetime(lifetime);
            this.#write(" ");
          }
        }
        if (tag === "Q") this.#write("mut ");
        this.#type();
        return;
      case "P":
      case "O":
        this.#write(tag === "P" ? "*const " : "*mut ");
        this.#type();
        return;
      case "T": {
        this.#write("(");
        if (this.#list(() => this.#type()) === 1) this.#write(",");
        this.#write(")");
        return;
      }
      case "F":
        this.#bound(() => this.#functionType());
        return;
      case "D":
        this.#dynamic();
        return;
      case "B":
        this.#again(() => this.#type());
        return;
      default:
        this.#at -= 1;
        this.#path(false);
    }
  }

  #bound(run: () => void): void {
    const count = this.#optional("G");
    if (count > 64) refuse();
    if (count > 0) {
      this.#write("for<");
      for (let index = 0; index < count; index += 1) {
        this.#lifetimes += 1;
        this.#write(index > 0 ? ", " : "");
        this.#lifetime(1);
      }
      this.#write("> ");
    }
    run();
    this.#lifetimes -= count;
  }

  #functionType(): void {
    if (this.#take("U")) this.#write("unsafe ");
    if (this.#take("K")) {
      const abi = this.#take("C") ? "C" : this.#identifier().text.replaceAll("_", "-");
      this.#write(`extern "${abi}" `);
    }
    this.#write("fn(");
    this.#list(() => this.#type());
    this.#write(")");
    if (this.#take("u")) return;
    this.#write(" -> ");
    this.#type();
  }

  #dynamic(): void {
    this.#write("dyn ");
    this.#bound(() => {
      for (let count = 0; !this.#take("E"); count += 1) {
        if (count > 0) this.#write(" + ");
        this.#trait();
      }
    });
    if (!this.#take("L")) refuse();
    const lifetime = this.#base62();
    if (lifetime === 0) return;
    this.#write(" + ");
    this.#lifetime(lifetime);
  }

  #trait(): void {
    let open = this.#path(false, true);
    while (this.#take("p")) {
      this.#write(open ? ", " : "<");
      open = true;
      this.#write(`${this.#identifier().text} = `);
      this.#type();
    }
    if (open) this.#write(">");
  }

  #constant(): void {
    this.#enter(() => {
      const tag = this.#next();
      if (tag === "B") return this.#again(() => this.#constant());
      if (tag === "p") return this.#write("_");
      const sign = "aslxni".includes(tag) && this.#take("n") ? "-" : "";
      const hex = /^[0-9a-f]{0,32}(?=_)/.exec(this.#text.slice(this.#at, this.#at + 33))?.[0] ?? refuse();
      this.#at += hex.length + 1;
      const value = BigInt(`0x${hex === "" ? "0" : hex}`);
      if (tag === "b" && value < 2n) return this.#write(value === 1n ? "true" : "false");
      if ("aslxnihtmyoj".includes(tag)) return this.#write(`${sign}${value.toString()}`);
      refuse();
    });
  }
}
