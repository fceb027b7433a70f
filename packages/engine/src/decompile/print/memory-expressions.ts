import { signed, type Const, type Expr, type Load, type Op, type Use } from "../../ir/expression.js";
import { i32, intType, isCharacter, sameType, typeText, widthOf, type CType } from "./c-type.js";
import type { Core, Hint } from "./core.js";
import { cast, inside, level, operand, primary, type Printed } from "./printed.js";

export interface MemoryPrinter {
  value(expr: Use): Printed;
  load(expr: Load, hint: Hint): Printed;
  /** The value of a place; of a plain character only the low bits are told. */
  loaded(expr: Load, hint: Hint): Printed;
  /** A sum with an address in it; undefined for plain numbers. */
  sum(expr: Op): Printed | undefined;
  /** As a pointer of the type. */
  pointer(expr: Expr, type: CType): Printed;
  /** Two addresses that are compared for equality. */
  comparison(a: Expr, b: Expr): readonly [Printed, Printed] | undefined;
}

const bytes: CType = { kind: "pointer", to: intType(8, false) };

/** Writes addresses and what stands at them. */
export function memoryPrinter(core: Core): MemoryPrinter {
  const { surroundings } = core;

  function value({ def }: Use): Printed {
    const frame = surroundings.frame(def);
    if (frame !== undefined) return frameAddress(frame.name, frame.offset);
    const { name, type } = surroundings.variable(def);
    return primary(name, type);
  }

  function frameAddress(name: string, offset: number): Printed {
    if (offset === 0) return primary(name, bytes);
    return { text: `${name} ${offset < 0 ? "-" : "+"} ${String(Math.abs(offset))}`, level: level.sum, type: bytes, valid: 64 };
  }

  function load({ address, bits }: Load, hint: Hint): Printed {
    const fixed = address.kind === "const" ? surroundings.object(address.value, bits) : undefined;
    if (fixed !== undefined) return fixed;
    const wanted: CType = hint.float === true && (bits === 32 || bits === 64) ? { kind: "float", bits } : intType(bits, hint.signed ?? bits >= 32);
    return elementOf(address, bits, hint) ?? dereference(address, wanted);
  }

  function loaded(expr: Load, hint: Hint): Printed {
    const element = surroundings.plainCharIsSigned || expr.address.kind === "const" ? undefined : elementOf(expr.address, expr.bits, hint);
    return element !== undefined && isCharacter(element.type) ? { ...element, type: i32, valid: 8 } : load(expr, hint);
  }

  function dereference(address: Expr, type: CType): Printed {
    const text = type.kind === "int" && type.bits === 128 ? "rea_u128u" : typeText(type);
    const place = core.print(address);
    const wide = place.type.kind === "pointer" ? place : core.atLeast(core.toInteger(place, 64), 64);
    return { text: `*(${text}${text.endsWith("*") ? "" : " "}*)${inside(wide, level.unary)}`, level: level.unary, type, valid: widthOf(type) };
  }

  /** `p[i]` where a variable points to elements of that width. */
  function elementOf(address: Expr, bits: number, hint: Hint): Printed | undefined {
    const parts = addressParts(address);
    // The constant address is what it counts from.
    if (parts.address !== undefined) return undefined;
    const found = parts.terms.find((term) => term.kind === "use" && elementType(term) !== undefined && widthOf(elementType(term) ?? bytes) === bits);
    const type = found === undefined ? undefined : elementType(found);
    if (found === undefined || type === undefined) return undefined;
    if (hint.float === true && type.kind !== "float") return undefined;
    const size = bits / 8;
    const rest = parts.terms.filter((term) => term !== found);
    if (parts.offset % size !== 0 || rest.length > 1) return undefined;
    const index = rest[0] === undefined ? undefined : scaled(rest[0], size);
    if (rest.length === 1 && index === undefined) return undefined;
    const base = core.print(found);
    const text = indexText(index, parts.offset / size);
    if (text === undefined) return { text: `*${inside(base, level.unary)}`, level: level.unary, type, valid: widthOf(type) };
    return primary(`${inside(base, level.primary)}[${text}]`, type);
  }

  function indexText(index: Expr | undefined, offset: number): string | undefined {
    if (index === undefined) return offset === 0 ? undefined : String(offset);
    const printed = core.integer(index, { signed: true });
    if (offset === 0) return printed.text;
    return `${operand(core.atLeast(printed, 64), level.sum)} ${offset < 0 ? "-" : "+"} ${String(Math.abs(offset))}`;
  }

  function elementType(expr: Expr): CType | undefined {
    if (expr.kind !== "use" || surroundings.frame(expr.def) !== undefined) return undefined;
    const { type } = surroundings.variable(expr.def);
    return type.kind === "pointer" ? type.to : undefined;
  }

  function sum(expr: Op): Printed | undefined {
    if (expr.bits !== 64) return undefined;
    const parts = addressParts(expr);
    const base = parts.terms.find((term) => core.print(term).type.kind === "pointer");
    if (base === undefined) return parts.address === undefined ? undefined : withAddress(parts);
    const rest = parts.terms.filter((term) => term !== base);
    const frame = base.kind === "use" ? surroundings.frame(base.def) : undefined;
    if (frame !== undefined) return pointerSum(frameAddress(frame.name, frame.offset + parts.offset), rest, 0);
    const pointer = core.print(base);
    return pointerSum(pointer, rest, parts.offset);
  }

  /** A constant address and numbers. */
  function withAddress({ terms, address, offset }: Parts): Printed | undefined {
    const place = address === undefined ? undefined : surroundings.address(address.value + BigInt(offset));
    if (place?.type.kind === "pointer") return pointerSum(place, terms, 0);
    const start = address === undefined ? undefined : surroundings.address(address.value);
    return start?.type.kind === "pointer" ? pointerSum(start, terms, offset) : undefined;
  }

  /** Steps of whole elements where they are, else bytes. */
  function pointerSum(pointer: Printed, rest: readonly Expr[], offset: number): Printed {
    const element = pointer.type.kind === "pointer" ? pointer.type.to : undefined;
    const size = element === undefined ? 1 : widthOf(element) / 8;
    const steps = rest.map((term) => scaled(term, size));
    const isWhole = offset % size === 0 && steps.every((step) => step !== undefined);
    const base = isWhole && element !== undefined ? pointer : cast(pointer, bytes);
    const terms = (isWhole ? steps : rest).flatMap((term) => (term === undefined ? [] : [core.atLeast(core.integer(term, { signed: true }), 64)]));
    let text = inside(base, level.sum);
    for (const term of terms) text += ` + ${operand(term, level.sum + 1)}`;
    const by = isWhole ? offset / size : offset;
    if (by !== 0) text = stepText(text, by);
    return { text, level: text === base.text ? base.level : level.sum, type: base.type, valid: 64 };
  }

  function stepText(text: string, by: number): string {
    const folded = /^(.*) \+ (\d+)$/.exec(text);
    if (folded !== null && !text.includes("(")) {
      const whole = Number(folded[2]) + by;
      return whole === 0 ? (folded[1] ?? text) : `${folded[1] ?? ""} ${whole < 0 ? "-" : "+"} ${String(Math.abs(whole))}`;
    }
    return `${text} ${by < 0 ? "-" : "+"} ${String(Math.abs(by))}`;
  }

  function pointer(expr: Expr, type: CType): Printed {
    if (expr.kind === "const" && expr.value === 0n) return primary("0", type);
    const printed = core.print(expr);
    if (printed.type.kind === "pointer" && (sameType(printed.type, type) || (type.kind === "pointer" && type.to === undefined))) return printed;
    if (printed.type.kind === "pointer") return cast(printed, type);
    return cast(core.atLeast(core.toInteger(printed, 64), 64), type);
  }

  function comparison(a: Expr, b: Expr): readonly [Printed, Printed] | undefined {
    if (a.bits !== 64) return undefined;
    const first = core.print(a);
    if (first.type.kind !== "pointer") return undefined;
    if (b.kind === "const" && b.value === 0n) return [first, primary("0", first.type)];
    const second = core.print(b);
    return second.type.kind === "pointer" && sameType(first.type, second.type) ? [first, second] : undefined;
  }

  return { value, load, loaded, sum, pointer, comparison };
}

interface Parts {
  readonly terms: readonly Expr[];
  readonly offset: number;
  readonly address: Const | undefined;
}

/** Terms of a sum and the constants in it. */
function addressParts(expr: Expr): Parts {
  if (expr.kind === "const") {
    if (expr.isAddress === true) return { terms: [], offset: 0, address: expr };
    const value = signed(expr.value, expr.bits);
    const isSmall = value >= -(1n << 47n) && value < 1n << 47n;
    return isSmall ? { terms: [], offset: Number(value), address: undefined } : { terms: [expr], offset: 0, address: undefined };
  }
  if (expr.kind !== "op" || expr.op !== "add") return { terms: [expr], offset: 0, address: undefined };
  const parts = expr.args.map(addressParts);
  return {
    terms: parts.flatMap(({ terms }) => terms),
    offset: parts.reduce((total, part) => total + part.offset, 0),
    address: parts.find((part) => part.address !== undefined)?.address,
  };
}

/** The factor beside the size of an element; undefined where the term is no multiple of it. */
function scaled(term: Expr, size: number): Expr | undefined {
  if (size === 1) return term;
  if (term.kind === "const") return term.value % BigInt(size) === 0n ? { ...term, value: term.value / BigInt(size) } : undefined;
  if (term.kind !== "op" || term.args[1]?.kind !== "const") return undefined;
  const by = term.args[1].value;
  if (term.op === "mul" && by === BigInt(size)) return term.args[0];
  if (term.op === "shl" && 1n << by === BigInt(size)) return term.args[0];
  if (term.op === "mul" && by % BigInt(size) === 0n) return { ...term, args: [term.args[0] ?? term, { ...term.args[1], value: by / BigInt(size) }] };
  return undefined;
}
