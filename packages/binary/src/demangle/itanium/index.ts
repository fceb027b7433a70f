import { refuse, unlessRefused } from "../refusal.js";
import { readLiteral, readTemplateArgs } from "./arguments.js";
import { readExpression } from "./expressions.js";
import { readName } from "./names.js";
import type { Node } from "./node.js";
import { printNode } from "./print.js";
import { Reader, type Grammar, type NameState } from "./reader.js";
import { readType, withoutVoid } from "./types.js";

const rules: Grammar = {
  encoding,
  name: readName,
  type: readType,
  templateArgs: readTemplateArgs,
  expression: readExpression,
  literal: readLiteral,
};

/**
 * Readable form of a C++ name mangled by the Itanium C++ ABI (`_Z…`, on Apple systems `__Z…`), undefined when any part is
 * not understood. Text as LLVM's demangler writes it, clone suffixes (`.cold`, `.isra.0`) in brackets behind.
 */
export function demangleItanium(name: string): string | undefined {
  const start = name.startsWith("__Z") ? 3 : name.startsWith("_Z") ? 2 : 0;
  if (start === 0) return undefined;
  return unlessRefused(() => {
    const reader = new Reader(name, start, rules);
    const text = printNode(encoding(reader));
    if (reader.done) return text;
    return reader.peek() === "." ? `${text} (${name.slice(reader.at)})` : refuse();
  });
}

/** `<encoding>` (§5.1.2). Template parameters inside count in the encoding's own name only. */
function encoding(reader: Reader): Node {
  const { params, hasParams } = reader;
  reader.params = [];
  reader.hasParams = false;
  const read = ownEncoding(reader);
  reader.params = params;
  reader.hasParams = hasParams;
  return read;
}

function ownEncoding(reader: Reader): Node {
  return reader.enter(() => {
    const char = reader.peek();
    if (char === "T" || char === "G") return specialName(reader);
    const state: NameState = { endsWithArgs: false, structor: false, suffix: "", forwardsFrom: reader.forwards.length };
    const name = readName(reader, state);
    resolveForwards(reader, state);
    if (atEnd(reader)) return name;
    if (reader.peek() === "U") refuse();
    const returns = state.endsWithArgs && !state.structor ? readType(reader) : undefined;
    const params: Node[] = [];
    do params.push(readType(reader));
    while (!atEnd(reader));
    return { kind: "function", name, returns, params: withoutVoid(params), suffix: state.suffix };
  });
}

function atEnd(reader: Reader): boolean {
  return reader.done || /[E._]/.test(reader.peek());
}

function resolveForwards(reader: Reader, { forwardsFrom }: NameState): void {
  for (const forward of reader.forwards.slice(forwardsFrom)) {
    const target = reader.params[forward.index];
    // One that stands for itself would be endless.
    if (target === undefined || target === forward || target.kind === "forward") refuse();
    forward.target = target;
  }
  reader.forwards.length = forwardsFrom;
}

const ofType: ReadonlyMap<string, string> = new Map([
  ["TV", "vtable for "], ["TT", "VTT for "], ["TI", "typeinfo for "], ["TS", "typeinfo name for "],
]);
const ofName: ReadonlyMap<string, string> = new Map([
  ["GV", "guard variable for "], ["TW", "thread-local wrapper routine for "], ["TH", "thread-local initialization routine for "],
]);

/** `<special-name>` (§5.1.7). */
function specialName(reader: Reader): Node {
  const code = reader.next() + reader.next();
  const type = ofType.get(code);
  if (type !== undefined) return { kind: "prefixed", prefix: type, of: readType(reader) };
  const name = ofName.get(code);
  if (name !== undefined) return { kind: "prefixed", prefix: name, of: readName(reader) };
  switch (code) {
    case "Th":
    case "Tv":
      reader.at -= 1;
      return { kind: "prefixed", prefix: callOffset(reader), of: encoding(reader) };
    case "Tc": {
      callOffset(reader);
      callOffset(reader);
      return { kind: "prefixed", prefix: "covariant return thunk to ", of: encoding(reader) };
    }
    case "TC": {
      const first = readType(reader);
      reader.number();
      reader.expect("_");
      return { kind: "sequence", parts: ["construction vtable for ", readType(reader), "-in-", first] };
    }
    case "GR": {
      const of = readName(reader);
      if (!reader.take("_")) refuse();
      return { kind: "prefixed", prefix: "reference temporary for ", of };
    }
    default:
      return refuse();
  }
}

function callOffset(reader: Reader): string {
  const virtual = reader.take("v");
  if (!virtual) reader.expect("h");
  reader.number();
  reader.expect("_");
  if (!virtual) return "non-virtual thunk to ";
  reader.number();
  reader.expect("_");
  return "virtual thunk to ";
}
