import { refuse } from "../refusal.js";
import { readConvention, readFunction } from "./functions.js";
import { scopesOf, typeName } from "./names.js";
import { qualifier, type SymbolNode } from "./node.js";
import { symbolText, variableText } from "./print.js";
import type { Reader } from "./reader.js";
import { readStringLiteral } from "./string-literal.js";
import { readQualifiers } from "./types.js";

const tables: ReadonlyMap<string, string> = new Map([
  ["?_7", "`vftable'"],
  ["?_8", "`vbtable'"],
  ["?_S", "`local vftable'"],
  ["?_R4", "`RTTI Complete Object Locator'"],
]);

/** Names of what the compiler makes: tables, run-time type data, guards, literals; undefined for ordinary names. */
export function specialName(reader: Reader): SymbolNode | undefined {
  for (const [code, name] of tables) if (reader.take(code)) return table(reader, name);
  if (reader.take("?_C")) return special(readStringLiteral(reader), "");
  if (reader.take("?_9")) return virtualCall(reader);
  if (reader.take("?_B")) return guard(reader, "`local static guard'");
  if (reader.take("?__J")) return guard(reader, "`local static thread guard'");
  if (reader.take("?_R0")) return typeDescriptor(reader);
  if (reader.take("?_R1")) return baseDescriptor(reader);
  if (reader.take("?_R2")) return untyped(reader, "`RTTI Base Class Array'");
  if (reader.take("?_R3")) return untyped(reader, "`RTTI Class Hierarchy Descriptor'");
  return undefined;
}

function special(text: string, last: string): SymbolNode {
  return { kind: "special", text, last };
}

function table(reader: Reader, name: string): SymbolNode {
  const scope = scopesOf(reader).join("");
  if (!reader.take("6") && !reader.take("7")) refuse();
  const { qualifiers } = readQualifiers(reader);
  const words = ((qualifiers & qualifier.const) === 0 ? "" : "const ") + ((qualifiers & qualifier.volatile) === 0 ? "" : "volatile ");
  const bases: string[] = [];
  while (!reader.take("@")) bases.push(`\`${typeName(reader)}'`);
  // The way through several bases, as Microsoft's own tool writes it.
  const path = bases.length === 0 ? "" : `{for ${bases.join("s ")}}`;
  return special(words + scope + name + path, name);
}

function virtualCall(reader: Reader): SymbolNode {
  const scope = scopesOf(reader).join("");
  reader.expect("$B");
  const name = `\`vcall'{${String(reader.unsigned())}, {flat}}`;
  reader.expect("A");
  return special(`[thunk]: ${readConvention(reader)} ${scope}${name}`, name);
}

function guard(reader: Reader, name: string): SymbolNode {
  const scope = scopesOf(reader).join("");
  if (!reader.take("4IA") && !reader.take("5")) refuse();
  const index = reader.done ? "" : `{${String(reader.unsigned())}}`;
  return special(scope + name + index, name);
}

function untyped(reader: Reader, name: string): SymbolNode {
  const scope = scopesOf(reader).join("");
  reader.expect("8");
  return special(scope + name, name);
}

function typeDescriptor(reader: Reader): SymbolNode {
  const name = "`RTTI Type Descriptor'";
  const type = reader.rules.type(reader, "marked");
  reader.expect("@8");
  return special(variableText("", type, name), name);
}

function baseDescriptor(reader: Reader): SymbolNode {
  const numbers = [reader.unsigned(), BigInt.asIntN(32, reader.number()), reader.unsigned(), reader.unsigned()];
  return untyped(reader, `\`RTTI Base Class Descriptor at (${numbers.map(String).join(", ")})'`);
}

/** Functions that set up a variable, or take it down again; the variable is a whole symbol where it is a member. */
export function structorFor(reader: Reader, declarator: (reader: Reader) => SymbolNode): SymbolNode | undefined {
  const what = reader.take("?__E") ? "`dynamic initializer for " : reader.take("?__F") ? "`dynamic atexit destructor for " : undefined;
  if (what === undefined) return undefined;
  const isMember = reader.take("?");
  const of = declarator(reader);
  if (of.kind === "special" || (of.kind === "function" && isMember)) return refuse();
  if (of.kind === "function") {
    const name = `${what}'${of.name}''`;
    return { ...of, name, last: name };
  }
  reader.expect(isMember ? "@@" : "@");
  const name = `${what}\`${symbolText(of)}''`;
  return { kind: "function", name, last: name, type: readFunction(reader) };
}
