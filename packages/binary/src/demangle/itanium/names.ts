import { refuse } from "../refusal.js";
import { nameNode, type Node } from "./node.js";
import { operators } from "./operators.js";
import type { NameState, Reader } from "./reader.js";
import { substitution, templateParam } from "./substitutions.js";
import { parameterList } from "./types.js";

/** `<name>` (Itanium C++ ABI §5.1.3). */
export function readName(reader: Reader, state?: NameState): Node {
  return reader.enter(() => {
    const char = reader.peek();
    if (char === "N") return nestedName(reader, state);
    if (char === "Z") return localName(reader, state);
    if (char === "S" && reader.peek(1) !== "t") {
      const name = substitution(reader);
      if (reader.peek() !== "I") refuse();
      return withArgs(reader, name, state);
    }
    const name = unscopedName(reader, state);
    if (reader.peek() !== "I") return name;
    return withArgs(reader, reader.remember(name), state);
  });
}

function withArgs(reader: Reader, name: Node, state: NameState | undefined): Node {
  const args = reader.rules.templateArgs(reader, state !== undefined);
  if (state !== undefined) state.endsWithArgs = true;
  return { kind: "template", name, args };
}

function unscopedName(reader: Reader, state: NameState | undefined): Node {
  const scope = reader.take("St") ? nameNode("std") : undefined;
  const name = unqualifiedName(reader, state, undefined);
  return scope === undefined ? name : { kind: "nested", scope, name };
}

function nestedName(reader: Reader, state: NameState | undefined): Node {
  reader.expect("N");
  const qualifiers = readQualifiers(reader);
  const reference = reader.take("O") ? " &&" : reader.take("R") ? " &" : "";
  if (state !== undefined) state.suffix = qualifiers + reference;
  let name: Node | undefined;
  let remembered = false;
  while (!reader.take("E")) {
    if (state !== undefined) state.endsWithArgs = false;
    const char = reader.peek();
    if (char === "S") {
      if (name !== undefined) refuse();
      name = reader.take("St") ? nameNode("std") : substitution(reader);
      remembered = false;
      continue;
    }
    if (char === "I") {
      if (name === undefined || name.kind === "template") refuse();
      name = withArgs(reader, name, state);
    } else if (char === "T" && name === undefined) name = templateParam(reader);
    else if (char === "D" && (reader.peek(1) === "t" || reader.peek(1) === "T")) refuse();
    else {
      const own = unqualifiedName(reader, state, name);
      name = name === undefined ? own : { kind: "nested", scope: name, name: own };
    }
    reader.remember(name);
    remembered = true;
    reader.take("M");
  }
  if (name === undefined || !remembered) return refuse();
  reader.substitutions.pop();
  return name;
}

/** `r`, `V`, `K` in this order; shown the other way round. */
function readQualifiers(reader: Reader): string {
  const restrict = reader.take("r") ? " restrict" : "";
  const volatile = reader.take("V") ? " volatile" : "";
  return (reader.take("K") ? " const" : "") + volatile + restrict;
}

function localName(reader: Reader, state: NameState | undefined): Node {
  reader.expect("Z");
  const scope = reader.rules.encoding(reader);
  reader.expect("E");
  if (reader.take("s")) {
    discriminator(reader);
    return { kind: "local", scope, name: nameNode("string literal") };
  }
  if (reader.take("d")) refuse();
  const name = reader.rules.name(reader, state);
  discriminator(reader);
  return { kind: "local", scope, name };
}

function discriminator(reader: Reader): void {
  if (reader.peek() !== "_") return;
  if (reader.peek(1) === "_") {
    reader.at += 2;
    if (reader.digits() === "" || !reader.take("_")) refuse();
  } else if (/\d/.test(reader.peek(1))) reader.at += 2;
}

function unqualifiedName(reader: Reader, state: NameState | undefined, scope: Node | undefined): Node {
  reader.take("L");
  const name = plainName(reader, state, scope);
  return abiTags(reader, name);
}

function plainName(reader: Reader, state: NameState | undefined, scope: Node | undefined): Node {
  const char = reader.peek();
  if (char >= "0" && char <= "9") return sourceName(reader);
  if (char === "U") return unnamedType(reader);
  if (char === "D" && reader.peek(1) === "C") return bindings(reader);
  if ((char === "C" || char === "D") && scope !== undefined) return structor(reader, state, scope);
  return operatorName(reader, state);
}

/** `<source-name>`: a length and that many characters. */
function sourceName(reader: Reader): Node {
  const length = Number(reader.digits());
  const text = reader.text.slice(reader.at, reader.at + length);
  if (length === 0 || text.length !== length) refuse();
  reader.at += length;
  return nameNode(text.startsWith("_GLOBAL__N") ? "(anonymous namespace)" : text);
}

function abiTags(reader: Reader, name: Node): Node {
  let tagged = name;
  while (reader.take("B")) {
    const tag = sourceName(reader);
    if (tag.kind === "name") tagged = { kind: "suffixed", of: tagged, suffix: `[abi:${tag.text}]` };
  }
  return tagged;
}

function bindings(reader: Reader): Node {
  reader.expect("DC");
  return { kind: "sequence", parts: ["[", reader.untilEnd(() => sourceName(reader)), "]"] };
}

function unnamedType(reader: Reader): Node {
  if (reader.take("Ut")) {
    const number = reader.digits();
    reader.expect("_");
    return nameNode(`'unnamed${number}'`);
  }
  reader.expect("Ul");
  // Explicit template parameters of lambdas.
  if (reader.peek() === "T" && /[ynptk]/.test(reader.peek(1))) refuse();
  const inTemplate = reader.hasParams;
  if (!inTemplate) reader.lambdaDepth += 1;
  const params = parameterList(reader);
  if (!inTemplate) reader.lambdaDepth -= 1;
  const number = reader.digits();
  reader.expect("_");
  return { kind: "lambda", params, number };
}

function structor(reader: Reader, state: NameState | undefined, scope: Node): Node {
  if (state !== undefined) state.structor = true;
  const destroys = reader.next() === "D";
  const inherits = !destroys && reader.take("I");
  if (!(destroys ? "01245" : "12345").includes(reader.next() || "?")) refuse();
  if (inherits) reader.rules.name(reader, state);
  return { kind: "structor", of: scope, destroys };
}

function operatorName(reader: Reader, state: NameState | undefined): Node {
  if (reader.take("cv")) {
    const { allowForward } = reader;
    reader.allowForward = allowForward || state !== undefined;
    const to = reader.rules.type(reader);
    reader.allowForward = allowForward;
    if (state !== undefined) state.structor = true;
    return { kind: "conversion", to };
  }
  if (reader.take("li")) return { kind: "prefixed", prefix: 'operator"" ', of: sourceName(reader) };
  const code = reader.next() + reader.next();
  const sign = operators.get(code);
  return sign === undefined ? refuse() : nameNode(`operator${/^[a-z]/.test(sign) ? " " : ""}${sign}`);
}
