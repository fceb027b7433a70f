import { refuse } from "../refusal.js";
import type { Identifier, QualifiedName } from "./node.js";
import { operators } from "./operators.js";
import { isDigit, type Reader } from "./reader.js";
import { symbolText } from "./print.js";
import { templateArgs } from "./template-args.js";

/** A class or other type with its scopes. */
export function typeName(reader: Reader): string {
  return reader.enter(() => {
    const last = typeIdentifier(reader);
    return scopesOf(reader).join("") + last;
  });
}

/** The last part of a type's name. */
export function typeIdentifier(reader: Reader): string {
  if (isDigit(reader.peek())) return reader.knownName();
  if (reader.startsWith("?$")) return templateName(reader);
  return simpleName(reader);
}

/** The name of a function or variable with its scopes. */
export function symbolName(reader: Reader): QualifiedName {
  return reader.enter(() => {
    const last = symbolIdentifier(reader);
    const scopes = scopesOf(reader);
    const scope = scopes.join("");
    if (last.kind !== "structor") return { scope, last };
    const owner = scopes.at(-1)?.slice(0, -2) ?? refuse();
    return { scope, last: { kind: "text", text: `${last.destroys ? "~" : ""}${owner}${last.args}` } };
  });
}

/** Scopes up to `@`, which is taken; the outermost first, each with `::` behind. */
export function scopesOf(reader: Reader): readonly string[] {
  const scopes: string[] = [];
  while (!reader.take("@")) scopes.unshift(`${scopePiece(reader)}::`);
  return scopes;
}

function scopePiece(reader: Reader): string {
  if (reader.done) refuse();
  if (isDigit(reader.peek())) return reader.knownName();
  if (reader.startsWith("?$")) return templateName(reader);
  if (reader.take("?A")) {
    const anonymous = "`anonymous namespace'";
    // The key is empty or a number of the compiler's.
    if (!reader.take("@")) reader.untilAt();
    reader.rememberUnsurely();
    return anonymous;
  }
  const local = /^\?(?:[0-9@]|[B-P][A-P]*@)\?/.test(reader.text.slice(reader.at, reader.at + 20));
  return local ? localScope(reader) : simpleName(reader);
}

/** A block of a function: its number and the whole symbol of the function. */
function localScope(reader: Reader): string {
  reader.expect("?");
  const number = reader.number();
  reader.expect("?");
  const scope = reader.enter(() => reader.rules.symbol(reader));
  return `\`${symbolText(scope)}'::\`${String(number)}'`;
}

function simpleName(reader: Reader): string {
  // A code that is not known.
  if (reader.peek() === "?") refuse();
  const name = reader.untilAt();
  reader.rememberName(name);
  return name;
}

/** A template as a type or scope: structors and conversions cannot be one. */
function templateName(reader: Reader): string {
  const name = template(reader);
  if (name.kind !== "text") return refuse();
  reader.rememberName(name.text);
  return name.text;
}

function template(reader: Reader): Identifier {
  reader.expect("?$");
  return reader.enter(() =>
    reader.apart(() => {
      const name = symbolIdentifier(reader);
      const args = `<${templateArgs(reader, typeName).join(", ")}>`;
      return name.kind === "text" ? { kind: "text", text: name.text + args } : { ...name, args };
    }),
  );
}

function symbolIdentifier(reader: Reader): Identifier {
  if (isDigit(reader.peek())) return { kind: "text", text: reader.knownName() };
  if (reader.startsWith("?$")) return template(reader);
  if (reader.take("?")) return operatorName(reader);
  return { kind: "text", text: simpleName(reader) };
}

function operatorName(reader: Reader): Identifier {
  if (reader.take("0")) return { kind: "structor", destroys: false, args: "" };
  if (reader.take("1")) return { kind: "structor", destroys: true, args: "" };
  if (reader.take("B")) return { kind: "conversion", args: "" };
  if (reader.take("__K")) return { kind: "text", text: `operator ""${reader.untilAt()}` };
  const code = reader.take("__") ? "__" : reader.take("_") ? "_" : "";
  return { kind: "text", text: operators.get(code + reader.next()) ?? refuse() };
}
