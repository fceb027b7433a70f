import { refuse, unlessRefused } from "../refusal.js";
import { readFunction, readFunctionType } from "./functions.js";
import { symbolName, typeName } from "./names.js";
import { withQualifiers, type Identifier, type SymbolNode, type TypeNode } from "./node.js";
import { symbolText, typeText, variableText } from "./print.js";
import { Reader, type Grammar } from "./reader.js";
import { specialName, structorFor } from "./special-names.js";
import { readExtraQualifiers, readQualifiers, readType } from "./types.js";

const rules: Grammar = { symbol: readSymbol, type: readType, functionType: readFunctionType };

/**
 * Readable form of a C++ name mangled by Microsoft's compiler (`?…`, and `.?A…` for names of types in run-time type data),
 * undefined when any part is not understood. Text as LLVM's demangler writes it; a name that is only the digest of a
 * longer one (`??@…@`) has no readable form.
 */
export function demangleMsvc(name: string): string | undefined {
  const first = name.charCodeAt(0);
  if (first !== 0x3f && !name.startsWith(".?A")) return undefined;
  return unlessRefused(() => {
    const reader = new Reader(name, rules);
    const text = first === 0x3f ? symbolText(readSymbol(reader)) : typeInformation(reader);
    return reader.done ? text : refuse();
  });
}

function typeInformation(reader: Reader): string {
  reader.expect(".");
  return variableText("", readType(reader, "marked"), "`RTTI Type Descriptor Name'");
}

function readSymbol(reader: Reader): SymbolNode {
  return reader.enter(() => {
    if (reader.startsWith("??@")) return digest(reader);
    reader.expect("?");
    return specialName(reader) ?? structorFor(reader, declarator) ?? declarator(reader);
  });
}

/** A long name replaced by its MD5 inside another one. */
function digest(reader: Reader): SymbolNode {
  if (reader.at === 0) refuse();
  const start = reader.at;
  reader.expect("??@");
  reader.untilAt();
  reader.take("??_R4@");
  const text = reader.text.slice(start, reader.at);
  return { kind: "special", text, last: text };
}

function declarator(reader: Reader): SymbolNode {
  const { scope, last } = symbolName(reader);
  if (/[0-4]/.test(reader.peek())) {
    const text = identifierText(last, undefined);
    return { kind: "variable", text: variable(reader, scope + text), last: text };
  }
  const type = readFunction(reader);
  if (last.kind !== "conversion") return { kind: "function", name: scope + identifierText(last, undefined), last: identifierText(last, undefined), type };
  const text = identifierText(last, type.returns);
  return { kind: "function", name: scope + text, last: text, type };
}

function identifierText(last: Identifier, converts: TypeNode | undefined): string {
  if (last.kind === "text") return last.text;
  return last.kind === "conversion" && converts !== undefined ? `operator${last.args} ${typeText(converts)}` : refuse();
}

const storage = ["private: static ", "protected: static ", "public: static ", "", ""];

/** Storage, type and qualifiers of a variable. */
function variable(reader: Reader, name: string): string {
  const prefix = storage[Number(reader.next())] ?? refuse();
  const type = readType(reader, "none");
  if (type.kind !== "pointer") {
    const { qualifiers } = readQualifiers(reader);
    return variableText(prefix, { ...type, qualifiers }, name);
  }
  const own = readExtraQualifiers(reader);
  const { qualifiers } = readQualifiers(reader);
  if (type.owner !== undefined) typeName(reader);
  return variableText(prefix, { ...type, qualifiers: type.qualifiers | own, of: withQualifiers(type.of, qualifiers) }, name);
}
