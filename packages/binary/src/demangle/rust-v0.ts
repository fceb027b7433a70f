import { refuse, unlessRefused } from "./refusal.js";
import { RustReader } from "./rust-v0-reader.js";

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

/** The rules of RFC 2603; each reads and writes at once. */
class RustName {
  readonly #reader: RustReader;
  #lifetimes = 0;

  constructor(text: string) {
    this.#reader = new RustReader(text);
  }

  whole(): string {
    this.#path(true);
    // The crate that instantiated a generic function follows.
    if (this.#reader.at < this.#reader.text.length) {
      this.#reader.silent = true;
      this.#path(false);
    }
    return this.#reader.at === this.#reader.text.length ? this.#reader.out : refuse();
  }

  /** Inside values the arguments need `::<`. True when an opened `<` was left for the caller to close. */
  #path(inValue: boolean, leaveOpen = false): boolean {
    let open = false;
    this.#reader.enter(() => {
      const tag = this.#reader.next();
      switch (tag) {
        case "C":
          this.#reader.write(this.#reader.identifier().text);
          return;
        case "M":
          this.#hiddenPath();
          this.#reader.write("<");
          this.#type();
          this.#reader.write(">");
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
          this.#reader.write(inValue ? "::<" : "<");
          this.#list(() => this.#argument());
          if (leaveOpen) open = true;
          else this.#reader.write(">");
          return;
        case "B":
          this.#reader.again(() => {
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
    this.#reader.write("<");
    this.#type();
    this.#reader.write(" as ");
    this.#path(false);
    this.#reader.write(">");
  }

  /** The place of an impl is not shown. */
  #hiddenPath(): void {
    this.#reader.optional("s");
    const silent = this.#reader.silent;
    this.#reader.silent = true;
    this.#path(false);
    this.#reader.silent = silent;
  }

  #nested(inValue: boolean): void {
    const space = this.#reader.next();
    this.#path(inValue);
    const { text, disambiguator } = this.#reader.identifier();
    if (/[A-Z]/.test(space)) {
      if (!Number.isSafeInteger(disambiguator)) refuse();
      const word = space === "C" ? "closure" : space === "S" ? "shim" : space;
      this.#reader.write(`::{${word}${text === "" ? "" : `:${text}`}#${String(disambiguator)}}`);
    } else if (/[a-z]/.test(space)) this.#reader.write(text === "" ? "" : `::${text}`);
    else refuse();
  }

  /** Items up to `E`, with commas. */
  #list(item: () => void): number {
    let count = 0;
    for (; !this.#reader.take("E"); count += 1) {
      if (count > 0) this.#reader.write(", ");
      item();
    }
    return count;
  }

  #argument(): void {
    if (this.#reader.take("L")) this.#lifetime(this.#reader.base62());
    else if (this.#reader.take("K")) this.#constant();
    else this.#type();
  }

  #lifetime(index: number): void {
    if (index === 0) {
      this.#reader.write("'_");
      return;
    }
    const depth = this.#lifetimes - index;
    if (depth < 0) refuse();
    this.#reader.write(depth < 26 ? `'${String.fromCharCode(97 + depth)}` : `'z${String(depth - 26 + 1)}`);
  }

  #type(): void {
    this.#reader.enter(() => {
      const tag = this.#reader.next();
      const basic = basicTypes.get(tag);
      if (basic !== undefined) {
        this.#reader.write(basic);
        return;
      }
      this.#compound(tag);
    });
  }

  #compound(tag: string): void {
    switch (tag) {
      case "A":
      case "S":
        this.#reader.write("[");
        this.#type();
        if (tag === "A") {
          this.#reader.write("; ");
          this.#constant();
        }
        this.#reader.write("]");
        return;
      case "R":
      case "Q":
        this.#reader.write("&");
        if (this.#reader.take("L")) {
          const lifetime = this.#reader.base62();
          if (lifetime !== 0) {
            this.#lifetime(lifetime);
            this.#reader.write(" ");
          }
        }
        if (tag === "Q") this.#reader.write("mut ");
        this.#type();
        return;
      case "P":
      case "O":
        this.#reader.write(tag === "P" ? "*const " : "*mut ");
        this.#type();
        return;
      case "T": {
        this.#reader.write("(");
        if (this.#list(() => this.#type()) === 1) this.#reader.write(",");
        this.#reader.write(")");
        return;
      }
      case "F":
        this.#bound(() => this.#functionType());
        return;
      case "D":
        this.#dynamic();
        return;
      case "B":
        this.#reader.again(() => this.#type());
        return;
      default:
        this.#reader.at -= 1;
        this.#path(false);
    }
  }

  #bound(run: () => void): void {
    const count = this.#reader.optional("G");
    if (count > 64) refuse();
    if (count > 0) {
      this.#reader.write("for<");
      for (let index = 0; index < count; index += 1) {
        this.#lifetimes += 1;
        this.#reader.write(index > 0 ? ", " : "");
        this.#lifetime(1);
      }
      this.#reader.write("> ");
    }
    run();
    this.#lifetimes -= count;
  }

  #functionType(): void {
    if (this.#reader.take("U")) this.#reader.write("unsafe ");
    if (this.#reader.take("K")) {
      const abi = this.#reader.take("C") ? "C" : this.#reader.identifier().text.replaceAll("_", "-");
      this.#reader.write(`extern "${abi}" `);
    }
    this.#reader.write("fn(");
    this.#list(() => this.#type());
    this.#reader.write(")");
    if (this.#reader.take("u")) return;
    this.#reader.write(" -> ");
    this.#type();
  }

  #dynamic(): void {
    this.#reader.write("dyn ");
    this.#bound(() => {
      for (let count = 0; !this.#reader.take("E"); count += 1) {
        if (count > 0) this.#reader.write(" + ");
        this.#trait();
      }
    });
    if (!this.#reader.take("L")) refuse();
    const lifetime = this.#reader.base62();
    if (lifetime === 0) return;
    this.#reader.write(" + ");
    this.#lifetime(lifetime);
  }

  #trait(): void {
    let open = this.#path(false, true);
    while (this.#reader.take("p")) {
      this.#reader.write(open ? ", " : "<");
      open = true;
      this.#reader.write(`${this.#reader.identifier().text} = `);
      this.#type();
    }
    if (open) this.#reader.write(">");
  }

  #constant(): void {
    this.#reader.enter(() => {
      const tag = this.#reader.next();
      if (tag === "B") return this.#reader.again(() => this.#constant());
      if (tag === "p") return this.#reader.write("_");
      const sign = "aslxni".includes(tag) && this.#reader.take("n") ? "-" : "";
      const hex = /^[0-9a-f]{0,32}(?=_)/.exec(this.#reader.text.slice(this.#reader.at, this.#reader.at + 33))?.[0] ?? refuse();
      this.#reader.at += hex.length + 1;
      const value = BigInt(`0x${hex === "" ? "0" : hex}`);
      if (tag === "b" && value < 2n) return this.#reader.write(value === 1n ? "true" : "false");
      if ("aslxnihtmyoj".includes(tag)) return this.#reader.write(`${sign}${value.toString()}`);
      refuse();
    });
  }
}
