import { refuse } from "../refusal.js";
import { symbolText, typeText } from "./print.js";
import type { Reader } from "./reader.js";

/** Arguments up to `@`, which is taken. Marks of empty packs and between packs show as nothing. */
export function templateArgs(reader: Reader, typeName: (reader: Reader) => string): readonly string[] {
  const args: string[] = [];
  while (!reader.take("@")) {
    if (reader.take("$S") || reader.take("$$V") || reader.take("$$$V") || reader.take("$$Z")) continue;
    args.push(reader.enter(() => templateArg(reader, typeName)));
  }
  return args;
}

function templateArg(reader: Reader, typeName: (reader: Reader) => string): string {
  // The type of an `auto` parameter; its value follows, without the dollar sign.
  if (reader.take("$M")) {
    reader.rules.type(reader, "none");
    return value(reader) ?? refuse();
  }
  if (reader.take("$$Y")) return typeName(reader);
  if (reader.take("$$B")) return typeText(reader.rules.type(reader, "none"));
  if (reader.take("$$C")) return typeText(reader.rules.type(reader, "given"));
  if (/^\$[^$]/.test(reader.text.slice(reader.at, reader.at + 2))) {
    reader.expect("$");
    return value(reader) ?? refuse();
  }
  return typeText(reader.rules.type(reader, "none"));
}

/** A number, an address or a pointer to a member. */
function value(reader: Reader): string | undefined {
  const kind = reader.next();
  switch (kind) {
    case "0":
      return String(reader.number());
    case "E":
      return symbolText(reader.rules.symbol(reader));
    case "1":
    case "H":
    case "I":
    case "J":
      return memberFunction(reader, "1HIJ".indexOf(kind));
    case "F":
    case "G":
      return memberOffsets(reader, kind === "F" ? 2 : 3);
    default:
      return undefined;
  }
}

/** A pointer to a function, member or variable, with offsets where the class has several bases. */
function memberFunction(reader: Reader, offsets: number): string {
  const symbol = reader.peek() === "?" ? reader.rules.symbol(reader) : undefined;
  if (symbol !== undefined) reader.rememberName(symbol.last);
  const numbers = Array.from({ length: offsets }, () => String(reader.number()));
  const text = symbol === undefined ? [] : [symbolText(symbol)];
  return offsets === 0 ? `&${text.join("")}` : `{${[...text, ...numbers].join(", ")}}`;
}

/** A pointer to a data member: offsets only. */
function memberOffsets(reader: Reader, offsets: number): string {
  return `{${Array.from({ length: offsets }, () => String(reader.number())).join(", ")}}`;
}
