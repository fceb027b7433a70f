import { refuse } from "../refusal.js";
import { qualifier, type FunctionNode, type SymbolNode, type TypeNode } from "./node.js";

const maximumChars = 16_384;

/** Text of a type. */
export function typeText(type: TypeNode): string {
  const out = new Output();
  printType(out, type);
  return out.text;
}

/** Text of a whole symbol. */
export function symbolText(symbol: SymbolNode): string {
  if (symbol.kind !== "function") return symbol.text;
  const out = new Output();
  printFunctionLeft(out, symbol.type, true);
  out.gap();
  out.add(symbol.name);
  printFunctionRight(out, symbol.type);
  return out.text;
}

/** A variable: its type wraps around its name. */
export function variableText(prefix: string, type: TypeNode, name: string): string {
  const out = new Output();
  out.add(prefix);
  printLeft(out, type);
  out.gap();
  out.add(name);
  printRight(out, type);
  return out.text;
}

/** Text that grows up to a bound: references let a short name ask for a huge one. */
class Output {
  text = "";

  add(text: string): void {
    this.text += text;
    if (this.text.length > maximumChars) refuse();
  }

  /** A blank between words. */
  gap(): void {
    const last = this.text.at(-1) ?? "";
    if (/[A-Za-z0-9>]/.test(last)) this.add(" ");
  }
}

function printType(out: Output, type: TypeNode): void {
  printLeft(out, type);
  printRight(out, type);
}

function printLeft(out: Output, type: TypeNode): void {
  switch (type.kind) {
    case "named":
      out.add(type.text);
      out.add(qualifierText(type.qualifiers, true));
      return;
    case "array":
      printLeft(out, type.of);
      out.add(qualifierText(type.qualifiers, true));
      return;
    case "function":
      printFunctionLeft(out, type, true);
      return;
    case "pointer":
      printPointer(out, type);
  }
}

function printPointer(out: Output, type: TypeNode & { readonly kind: "pointer" }): void {
  const { of, qualifiers, owner } = type;
  if (of.kind === "function") printFunctionLeft(out, of, false);
  else printLeft(out, of);
  out.gap();
  if ((qualifiers & qualifier.unaligned) !== 0) out.add("__unaligned ");
  if (of.kind === "array") out.add("(");
  if (of.kind === "function") out.add(`(${of.convention} `);
  if (owner !== undefined) out.add(`${owner}::`);
  out.add(type.sign);
  out.add(qualifierText(qualifiers, false));
}

function printRight(out: Output, type: TypeNode): void {
  switch (type.kind) {
    case "named":
      return;
    case "pointer":
      if (type.of.kind === "array" || type.of.kind === "function") out.add(")");
      printRight(out, type.of);
      return;
    case "array":
      out.add(`[${type.sizes.map((size) => (size === 0n ? "" : String(size))).join("][")}]`);
      printRight(out, type.of);
      return;
    case "function":
      printFunctionRight(out, type);
  }
}

function printFunctionLeft(out: Output, type: FunctionNode, withConvention: boolean): void {
  out.add(type.prefix);
  if (type.returns !== undefined) {
    printLeft(out, type.returns);
    out.add(" ");
  }
  if (!withConvention) return;
  out.gap();
  out.add(type.convention);
}

function printFunctionRight(out: Output, type: FunctionNode): void {
  out.add(type.adjustment);
  if (!type.bare) printParams(out, type);
  const { qualifiers } = type;
  out.add(qualifierText(qualifiers, true));
  if ((qualifiers & qualifier.unaligned) !== 0) out.add(" __unaligned");
  if (type.noexcept) out.add(" noexcept");
  out.add(type.reference);
  if (type.returns !== undefined) printRight(out, type.returns);
}

function printParams(out: Output, { params, variadic }: FunctionNode): void {
  out.add("(");
  if (params === undefined) out.add("void");
  else {
    for (const [index, param] of params.entries()) {
      if (index > 0) out.add(", ");
      printType(out, param);
    }
  }
  if (variadic) out.add((params ?? []).length > 0 ? ", ..." : "...");
  out.add(")");
}

const words = [[qualifier.const, "const"], [qualifier.volatile, "volatile"], [qualifier.restrict, "__restrict"]] as const;

function qualifierText(qualifiers: number, blankBefore: boolean): string {
  const text = words.flatMap(([bit, word]) => ((qualifiers & bit) === 0 ? [] : [word])).join(" ");
  return text !== "" && blankBefore ? ` ${text}` : text;
}
