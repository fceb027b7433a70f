import { refuse } from "../refusal.js";
import { nameNode, type Node } from "./node.js";
import type { Reader } from "./reader.js";
import { substitution, templateParam } from "./substitutions.js";

const builtin: ReadonlyMap<string, string> = new Map([
  ["v", "void"], ["w", "wchar_t"], ["b", "bool"], ["c", "char"], ["a", "signed char"], ["h", "unsigned char"], ["s", "short"],
  ["t", "unsigned short"], ["i", "int"], ["j", "unsigned int"], ["l", "long"], ["m", "unsigned long"], ["x", "long long"],
  ["y", "unsigned long long"], ["n", "__int128"], ["o", "unsigned __int128"], ["f", "float"], ["d", "double"],
  ["e", "long double"], ["g", "__float128"], ["z", "..."], ["Dd", "decimal64"], ["De", "decimal128"], ["Df", "decimal32"],
  ["Dh", "half"], ["Di", "char32_t"], ["Ds", "char16_t"], ["Du", "char8_t"], ["Da", "auto"], ["Dc", "decltype(auto)"],
  ["Dn", "std::nullptr_t"],
]);

/** `<type>` (Itanium C++ ABI §5.1.5). */
export function readType(reader: Reader): Node {
  return reader.enter(() => {
    const char = reader.peek();
    const known = builtin.get(char) ?? builtin.get(char + reader.peek(1));
    if (known !== undefined) {
      reader.at += builtin.has(char) ? 1 : 2;
      return nameNode(known);
    }
    return char === "S" && reader.peek(1) !== "t" ? substituted(reader) : reader.remember(compound(reader));
  });
}

function substituted(reader: Reader): Node {
  const name = substitution(reader);
  if (reader.peek() !== "I") return name;
  return reader.remember({ kind: "template", name, args: reader.rules.templateArgs(reader, false) });
}

function compound(reader: Reader): Node {
  const char = reader.peek();
  switch (char) {
    case "r":
    case "V":
    case "K":
      return qualified(reader);
    case "P":
      return { kind: "pointer", of: after(reader) };
    case "R":
      return { kind: "reference", of: after(reader), right: false };
    case "O":
      return { kind: "reference", of: after(reader), right: true };
    case "C":
      return { kind: "suffixed", of: after(reader), suffix: " complex" };
    case "G":
      return { kind: "suffixed", of: after(reader), suffix: " imaginary" };
    case "F":
      return functionType(reader, "");
    case "A":
      return arrayType(reader);
    case "M": {
      reader.at += 1;
      const owner = readType(reader);
      return { kind: "member-pointer", owner, of: readType(reader) };
    }
    case "T":
      return /[sue]/.test(reader.peek(1)) ? elaborated(reader) : paramType(reader);
    case "D":
      return special(reader);
    case "u":
    case "U":
      return refuse();
    default:
      return reader.rules.name(reader);
  }
}

function after(reader: Reader): Node {
  reader.at += 1;
  return readType(reader);
}

function elaborated(reader: Reader): Node {
  const word = { Ts: "struct ", Tu: "union ", Te: "enum " }[reader.next() + reader.next()] ?? refuse();
  return { kind: "prefixed", prefix: word, of: reader.rules.name(reader) };
}

function paramType(reader: Reader): Node {
  const name = templateParam(reader);
  if (reader.peek() !== "I" || reader.allowForward) return name;
  reader.remember(name);
  return { kind: "template", name, args: reader.rules.templateArgs(reader, false) };
}

function qualified(reader: Reader): Node {
  const restrict = reader.take("r") ? " restrict" : "";
  const volatile = reader.take("V") ? " volatile" : "";
  const qualifiers = (reader.take("K") ? " const" : "") + volatile + restrict;
  if (reader.peek() === "F") return functionType(reader, qualifiers);
  if (reader.peek() === "D" && /[ox]/i.test(reader.peek(1))) return special(reader, qualifiers);
  return { kind: "qualified", of: readType(reader), qualifiers };
}

function special(reader: Reader, qualifiers = ""): Node {
  if (reader.take("Dp")) return { kind: "expansion", of: readType(reader) };
  if (reader.take("Do")) {
    reader.take("Dx");
    return functionType(reader, qualifiers, " noexcept");
  }
  if (reader.take("Dv")) {
    const size = reader.digits();
    if (size === "" || !reader.take("_")) refuse();
    return { kind: "suffixed", of: readType(reader), suffix: ` vector[${size}]` };
  }
  if (reader.take("Dt") || reader.take("DT")) {
    const of = reader.rules.expression(reader);
    reader.expect("E");
    return { kind: "sequence", parts: ["decltype(", of, ")"] };
  }
  if (reader.take("DF16_")) return nameNode("_Float16");
  return refuse();
}

function functionType(reader: Reader, qualifiers: string, exceptions = ""): Node {
  reader.expect("F");
  reader.take("Y");
  const returns = readType(reader);
  const params: Node[] = [];
  let reference = "";
  while (!reader.take("E")) {
    if (reader.done) refuse();
    if (reader.take("RE")) reference = " &";
    else if (reader.take("OE")) reference = " &&";
    else {
      params.push(readType(reader));
      continue;
    }
    break;
  }
  return { kind: "function", name: undefined, returns, params: withoutVoid(params), suffix: qualifiers + reference + exceptions };
}

/** A single `v` says that there are no parameters. */
export function withoutVoid(params: readonly Node[]): readonly Node[] {
  const [first, ...others] = params;
  return first?.kind === "name" && first.text === "void" && others.length === 0 ? [] : params;
}

/** Types up to `E`, which is taken. */
export function parameterList(reader: Reader): readonly Node[] {
  return withoutVoid(reader.untilEnd(() => readType(reader)));
}

function arrayType(reader: Reader): Node {
  reader.expect("A");
  const digits = reader.digits();
  const size = digits !== "" ? nameNode(digits) : reader.peek() === "_" ? undefined : reader.rules.expression(reader);
  reader.expect("_");
  return { kind: "array", of: readType(reader), size };
}
