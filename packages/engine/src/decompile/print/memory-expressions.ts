import type { Expr, Load, Op, Use } from "../../ir/expression.js";
import { greatest } from "../../ir/greatest.js";
import type { AccessPath } from "../types/access-paths.js";
import { addressParts, scaled, type AddressParts } from "../types/address-parts.js";
import { storedSize, type StoredType } from "../types/value-type.js";
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
  /** A place with a name, as an address. */
  named(expr: Expr): Printed | undefined;
  /** Two addresses that are compared for equality. */
  comparison(a: Expr, b: Expr): readonly [Printed, Printed] | undefined;
}

const bytes: CType = { kind: "pointer", to: intType(8, false) };

/** Writes addresses and what stands at them. */
export function memoryPrinter(core: Core): MemoryPrinter {
  const { surroundings } = core;

  function value({ def, bits }: Use): Printed {
    const frame = surroundings.frame(def);
    if (frame !== undefined) return frameAddress(frame.name, frame.offset);
    const { name, type } = surroundings.variable(def);
    // A parameter may be declared wider than what the code looks at.
    return type.kind === "int" && type.bits > bits && bits > 1 ? { ...primary(name, type), valid: bits } : primary(name, type);
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

  /** `p[i]`, `p->member` and the like, where a type says what stands there. */
  function elementOf(address: Expr, bits: number, hint: Hint): Printed | undefined {
    const path = surroundings.paths.value(address, bits, hint.float);
    return path === undefined ? undefined : { ...pathText(path), type: path.type, valid: widthOf(path.type) };
  }

  function pathText({ base, steps }: AccessPath): { readonly text: string; readonly level: number } {
    if (base.kind === "object") return { text: surroundings.nameObject(base.name) + stepsText(steps, base.type), level: level.primary };
    const [first, ...rest] = steps;
    const index = first?.kind === "index" ? indexText(first.terms, first.by) : undefined;
    const pointer = core.print(base.expr);
    if (index !== undefined) return { text: `${inside(pointer, level.primary)}[${index}]${stepsText(rest, base.to)}`, level: level.primary };
    const [field, ...others] = rest;
    if (field?.kind !== "field") return { text: `*${inside(pointer, level.unary)}`, level: level.unary };
    if (base.to.kind === "record") surroundings.usesRecord(base.to, field.field.name);
    return { text: `${inside(pointer, level.primary)}->${field.field.name}${stepsText(others, field.field.type)}`, level: level.primary };
  }

  function stepsText(steps: AccessPath["steps"], from: StoredType): string {
    let text = "";
    let at: StoredType | undefined = from;
    for (const step of steps) {
      if (step.kind === "field") {
        if (at?.kind === "record") surroundings.usesRecord(at, step.field.name);
        text += `.${step.field.name}`;
        at = step.field.type;
      } else {
        text += `[${indexText(step.terms, step.by) ?? "0"}]`;
        at = at?.kind === "array" ? at.of : undefined;
      }
    }
    return text;
  }

  /** The address of what a path leads to. */
  function addressOf(path: AccessPath): Printed {
    const found = pathText(path);
    let { text } = found;
    let type: StoredType = path.type;
    if (type.kind !== "array") return { text: `&${inside({ ...found, type: bytes, valid: 64 }, level.unary)}`, level: level.unary, type: { kind: "pointer", to: type }, valid: 64 };
    for (type = type.of; type.kind === "array"; type = type.of) text += "[0]";
    return primary(text, { kind: "pointer", to: type });
  }

  function named(expr: Expr): Printed | undefined {
    const path = surroundings.paths.place(expr);
    return path === undefined ? undefined : addressOf(path);
  }

  function indexText(terms: readonly Expr[], by: number): string | undefined {
    const printed = terms.map((term) => core.integer(term, { signed: true }));
    const [only, ...others] = printed;
    if (only === undefined) return by === 0 ? undefined : String(by);
    if (others.length === 0 && by === 0) return only.text;
    const sum = printed.map((each) => operand(core.atLeast(each, 64), level.sum)).join(" + ");
    return by === 0 ? sum : `${sum} ${by < 0 ? "-" : "+"} ${String(Math.abs(by))}`;
  }

  function sum(expr: Op): Printed | undefined {
    if (expr.bits !== 64) return undefined;
    const place = named(expr);
    if (place !== undefined) return place;
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
  function withAddress({ terms, address, offset }: AddressParts): Printed | undefined {
    const reach = terms.reduce((sum, term) => sum + greatest(term), 0n);
    const place = address === undefined ? undefined : surroundings.address(address.value + BigInt(offset), reach);
    if (place?.type.kind === "pointer") return pointerSum(place, terms, 0);
    const start = address === undefined ? undefined : surroundings.address(address.value, reach + BigInt(Math.abs(offset)));
    return start?.type.kind === "pointer" ? pointerSum(start, terms, offset) : undefined;
  }

  /** Steps of whole elements where they are, else bytes. */
  function pointerSum(pointer: Printed, rest: readonly Expr[], offset: number): Printed {
    const element = pointer.type.kind === "pointer" ? pointer.type.to : undefined;
    const size = element === undefined ? 1 : storedSize(element);
    const steps = rest.map((term) => scaled(term, size));
    const isWhole = offset % size === 0 && steps.every((step) => step !== undefined);
    const base = isWhole && element !== undefined ? pointer : cast(pointer, bytes);
    if (isWhole && element?.kind === "record") surroundings.usesRecord(element);
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

  return { value, load, loaded, sum, pointer, named, comparison };
}
