import type { Signature, ValueType } from "../ssa/graph.js";
import { libraryTable } from "./library-table.js";

export interface LibraryFunction {
  readonly name: string;
  readonly header: string;
  readonly signature: Signature;
  /** Position of the format among the arguments, and whether it is for reading. */
  readonly format: { readonly position: number; readonly reads: boolean } | undefined;
}

const int = (bits: number, signed: boolean): ValueType => ({ kind: "int", bits, signed });
const character: ValueType = int(8, true);

function typeOfLetter(letter: string): ValueType {
  switch (letter) {
    case "i": return int(32, true);
    case "u": return int(32, false);
    case "l": return int(64, true);
    case "L": return int(64, false);
    case "f": return { kind: "float", bits: 32 };
    case "d": return { kind: "float", bits: 64 };
    case "p": return { kind: "pointer", to: undefined };
    case "s": return { kind: "pointer", to: character };
    default: return { kind: "void" };
  }
}

let table: Map<string, LibraryFunction> | undefined;

/** What is known of a library function by its name, version suffix and import decoration aside. */
export function libraryFunction(name: string): LibraryFunction | undefined {
  table ??= readTable();
  return table.get(plainName(name));
}

/** The name as C writes it: `strlen@GLIBC_2.2.5` and `strlen@plt` are `strlen`. */
export function plainName(name: string): string {
  const at = name.indexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

function readTable(): Map<string, LibraryFunction> {
  const found = new Map<string, LibraryFunction>();
  for (const [header, text] of Object.entries(libraryTable)) {
    for (const line of text.split(";")) {
      const [first = "", result = "v", letters = ""] = line.trim().split(" ");
      const name = first.replace("!", "");
      const variadic = letters.endsWith(".");
      const parameters = [...letters.replace(".", "")].map((letter) => ({ type: typeOfLetter(letter), place: undefined }));
      const signature: Signature = { parameters, variadic, result: typeOfLetter(result), source: "library", ...(first.startsWith("!") ? { noReturn: true } : {}) };
      const takesFormat = variadic && letters.at(-2) === "s";
      const format = takesFormat ? { position: parameters.length - 1, reads: name.includes("scanf") } : undefined;
      found.set(name, { name, header, signature, format });
    }
  }
  return found;
}

/** Types of the arguments that a format asks for; undefined where it cannot be told. */
export function formatArguments(format: string, reads: boolean): readonly ValueType[] | undefined {
  const types: ValueType[] = [];
  const pattern = /%([-+ #0']*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|q|j|z|t|L|m)?(\[\^?\]?[^\]]*\]|[a-zA-Z%])/g;
  for (const [, , width, precision, length = "", conversion = ""] of format.matchAll(pattern)) {
    if (conversion === "%") continue;
    if (reads) {
      if (width !== "*") types.push({ kind: "pointer", to: undefined });
      continue;
    }
    if (width === "*") types.push(int(32, true));
    if (precision === "*") types.push(int(32, true));
    if (conversion === "m") continue;
    const type = formatType(length, conversion);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return types;
}

function formatType(length: string, conversion: string): ValueType | undefined {
  const wide = length === "l" || length === "ll" || length === "q" || length === "j" || length === "z" || length === "t";
  if ("di".includes(conversion)) return int(wide ? 64 : 32, true);
  if ("uoxX".includes(conversion)) return int(wide ? 64 : 32, false);
  if (conversion === "c") return int(32, true);
  if (conversion === "s") return { kind: "pointer", to: character };
  if ("pnS".includes(conversion)) return { kind: "pointer", to: undefined };
  if ("fFeEgGaA".includes(conversion)) return length === "L" ? undefined : { kind: "float", bits: 64 };
  return undefined;
}
