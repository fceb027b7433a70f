import type { Choices } from "./choices.js";
import { float64, int32, numberTypes, type GeneratedFunction, type NumberType, type Place } from "./c-types.js";

export interface ExpressionScope {
  readonly choices: Choices;
  readonly places: readonly Place[];
  /** Functions that may be called here. */
  callable(): readonly GeneratedFunction[];
  call(fn: GeneratedFunction): string;
}

const interesting = ["0", "1", "2", "3", "7", "8", "10", "15", "16", "31", "100", "127", "128", "255", "256", "1000", "32767", "65535", "65536", "0x7fffffff", "(-1)", "(-2)", "(-7)", "(-128)"] as const;

/** Expressions without undefined behaviour under `-fwrapv`. */
export class ExpressionMaker {
  readonly #scope: ExpressionScope;

  constructor(scope: ExpressionScope) {
    this.#scope = scope;
  }

  of(type: NumberType, depth: number): string {
    return type.kind === "float" ? this.#float(type, depth) : this.#integer(type, depth);
  }

  condition(depth: number): string {
    const { choices } = this.#scope;
    const pick = choices.below(10);
    if (pick < 2 && depth > 1) return `(${this.condition(depth - 1)} ${choices.one(["&&", "||"])} ${this.condition(depth - 1)})`;
    if (pick === 2) return `!${this.#leafInteger(int32)}`;
    const type = choices.one(numberTypes);
    return `${this.of(type, depth - 1)} ${choices.one(["<", ">", "<=", ">=", "==", "!="])} ${this.of(type, depth - 1)}`;
  }

  #integer(type: NumberType, depth: number): string {
    const { choices } = this.#scope;
    if (depth <= 0) return this.#leafInteger(type);
    const a = (): string => this.#integer(choices.chance(70) ? type : this.#otherInteger(), depth - 1);
    switch (choices.below(15)) {
      case 0:
      case 1:
      case 2:
        return `(${type.name})(${a()} ${choices.one(["+", "-", "*"])} ${a()})`;
      case 3:
        return `(${type.name})(${a()} ${choices.one(["&", "|", "^"])} ${a()})`;
      case 4:
        return this.#shift(type, depth);
      case 5:
        return this.#division(type, depth);
      case 6:
        return `(${this.condition(depth - 1)} ? ${a()} : ${a()})`;
      case 7:
        return `(${type.name})(${choices.one(["~", "-", "!"])}${a()})`;
      case 8:
        return `(${type.name})(${this.condition(depth - 1)})`;
      case 9:
        return `(${type.name})${this.#integer(this.#otherInteger(), depth - 1)}`;
      case 10:
        return this.#fromFloat(type, depth);
      case 11:
        return this.#call(type) ?? this.#leafInteger(type);
      case 12:
        return `(${type.name})((uint32_t)${a()} ${choices.one(["/", "%"])} ${String(choices.from(2, 1000))}u)`;
      case 13:
        return `(${type.name})((int32_t)${a()} ${choices.one(["/", "%"])} ${choices.one(["2", "3", "5", "7", "8", "10", "16", "100", "1000", "(-3)", "(-8)"])})`;
      default:
        return this.#leafInteger(type);
    }
  }

  #shift(type: NumberType, depth: number): string {
    const { choices } = this.#scope;
    const wide = type.bits === 64 ? "uint64_t" : "uint32_t";
    const by = choices.chance(60) ? String(choices.below(type.bits === 64 ? 64 : 32)) : `(${this.#integer(int32, depth - 1)} & ${type.bits === 64 ? "63" : "31"})`;
    const value = this.#integer(type, depth - 1);
    if (choices.chance(30)) return `(${type.name})((${type.bits === 64 ? "int64_t" : "int32_t"})${value} >> ${by})`;
    return `(${type.name})((${wide})${value} ${choices.one(["<<", ">>"])} ${by})`;
  }

  /** The divisor is one more than a masked value: never zero, never minus one. */
  #division(type: NumberType, depth: number): string {
    const { choices } = this.#scope;
    const by = `((${this.#integer(type, depth - 1)} & ${choices.one(["1", "7", "63", "127"])}) + 1)`;
    return `(${type.name})(${this.#integer(type, depth - 1)} ${choices.one(["/", "%"])} ${by})`;
  }

  /** Converted only where the number fits. */
  #fromFloat(type: NumberType, depth: number): string {
    const value = this.#float(float64, depth - 1);
    const most = type.bits <= 8 ? "100.0" : type.bits <= 16 ? "30000.0" : "1000000000.0";
    const least = type.signed ? `-${most}` : "0.0";
    return `(${type.name})clamped(${value}, ${least}, ${most})`;
  }

  #float(type: NumberType, depth: number): string {
    const { choices } = this.#scope;
    if (depth <= 0) return this.#leafFloat(type);
    const a = (): string => this.#float(type, depth - 1);
    switch (choices.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `(${a()} ${choices.one(["+", "-", "*"])} ${a()})`;
      case 4:
        return `(${a()} / ${type.bits === 32 ? `${String(choices.from(2, 9))}.5f` : `${String(choices.from(2, 9))}.25`})`;
      case 5:
        return `(${type.name})${this.#integer(this.#otherInteger(), depth - 1)}`;
      case 6:
        return `(${this.condition(depth - 1)} ? ${a()} : ${a()})`;
      case 7:
        return `(-${a()})`;
      case 8:
        return this.#call(type) ?? this.#leafFloat(type);
      default:
        return this.#leafFloat(type);
    }
  }

  #call(type: NumberType): string | undefined {
    const { choices } = this.#scope;
    const [first, ...rest] = this.#scope.callable().filter(({ result }) => result?.kind === type.kind);
    return first === undefined ? undefined : `(${type.name})${this.#scope.call(choices.one([first, ...rest]))}`;
  }

  #leafInteger(type: NumberType): string {
    const { choices } = this.#scope;
    const places = this.#scope.places.filter((place) => place.type.kind === "int");
    const [first, ...rest] = places;
    if (first !== undefined && choices.chance(75)) return choices.one([first, ...rest]).text;
    const value = choices.chance(80) ? choices.one(interesting) : `${choices.chance(50) ? "" : "-"}0x${choices.below(0x7fffffff).toString(16)}`;
    if (type.bits === 64 && choices.chance(30)) return `(${type.name})(${value} * 0x${choices.below(0xffffff).toString(16)}1ll)`;
    return `(${type.name})${value}`;
  }

  #leafFloat(type: NumberType): string {
    const { choices } = this.#scope;
    const [first, ...rest] = this.#scope.places.filter((place) => place.type.kind === "float");
    if (first !== undefined && choices.chance(75)) return `(${type.name})${choices.one([first, ...rest]).text}`;
    return `${String(choices.below(200))}.${choices.one(["0", "5", "25", "125"])}${type.bits === 32 ? "f" : ""}`;
  }

  #otherInteger(): NumberType {
    const type = this.#scope.choices.one(numberTypes);
    return type.kind === "int" ? type : int32;
  }
}
