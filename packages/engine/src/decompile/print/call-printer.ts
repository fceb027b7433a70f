import type { Expr } from "../../ir/expression.js";
import type { Call, Line, Variable } from "../lower/code.js";
import type { ValueType } from "../ssa/graph.js";
import { cTypeOf, intType, typeText, type CType } from "./c-type.js";
import type { ExpressionPrinter } from "./expressions.js";
import { cast, inside, level, type Printed } from "./printed.js";
import type { References } from "./references.js";
import { resultRecord } from "./result-record.js";

interface CallSurroundings {
  readonly expressions: ExpressionPrinter;
  readonly references: References;
  nameOf(variable: Variable): string;
  typeOf(variable: Variable): CType;
  isFloat(expr: Expr): boolean;
}

/** Writes calls and named operations. */
export function callPrinter({ expressions, references, nameOf, typeOf, isFloat }: CallSurroundings) {
  function callText({ callee, address, args }: Call, to: Variable | undefined): string {
    const { parameters, result } = callee.signature;
    const texts = args.map((arg, index) => argument(arg, parameters[index]?.type));
    const target = targetOf(callee.name, callee.entry, address, { result: cTypeOf(result), parameters });
    if (callee.entry !== undefined) references.prototype(callee.entry, callee.signature);
    const plain = `${target}(${texts.join(", ")})`;
    const call: Printed = { text: to === undefined ? plain : (resultRecord(callee.signature)?.bitsOf(plain) ?? plain), level: level.primary, type: cTypeOf(result) ?? intType(64, true), valid: 64 };
    if (to === undefined) return `${call.text};`;
    return `${nameOf(to)} = ${converted(call, typeOf(to))};`;
  }

  function converted(call: Printed, type: CType): string {
    if (call.type.kind === type.kind) return call.text;
    if (call.type.kind === "float" || type.kind === "float") return call.text;
    return cast(call, type).text;
  }

  function argument(arg: Expr, type: ValueType | undefined): string {
    const wanted = type === undefined ? undefined : cTypeOf(type);
    if (wanted === undefined) return isFloat(arg) ? expressions.float(arg).text : wide(arg);
    return expressions.assigned(arg, wanted).text;
  }

  /** Passed without a prototype: as wide as the value is. */
  function wide(arg: Expr): string {
    const printed = expressions.print(arg, { signed: true });
    if (printed.type.kind !== "int") return printed.text;
    if (printed.type.bits >= arg.bits || arg.bits <= 32) return printed.text;
    return cast(printed, intType(64, printed.type.signed)).text;
  }

  function targetOf(name: string, entry: number | undefined, address: Expr | undefined, shape: { readonly result: CType | undefined; readonly parameters: readonly { readonly type: ValueType }[] }): string {
    if (name !== "") {
      references.function(name, entry);
      return references.plain(name);
    }
    if (address === undefined) return references.unknownFunction(entry ?? 0);
    const result = shape.result === undefined ? "void" : typeText(shape.result);
    const value = expressions.print(address);
    return `((${result} (*)())${inside(value, level.unary)})`;
  }

  function effect({ name, args, to }: Extract<Line, { kind: "effect" }>): string {
    const texts = references.asPlaces(() => args.map((arg) => expressions.integer(arg, { signed: false }).text));
    const call = name === "alloca" ? `__builtin_alloca(${texts.join(", ")})` : `rea_${name}(${texts.join(", ")})`;
    if (name !== "alloca") references.note(`rea_${name}`);
    return to === undefined ? `${call};` : `${nameOf(to)} = ${call};`;
  }

  return { callText, effect };
}
