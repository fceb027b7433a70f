import type { Definition, Expr, OpName } from "../ir/expression.js";

const longest = 240;
const infix: { readonly [N in OpName]?: string } = {
  add: "+", sub: "-", mul: "*", udiv: "/u", sdiv: "/s", urem: "%u", srem: "%s", and: "&", or: "|", xor: "^", shl: "<<", shr: ">>u", sar: ">>s",
  eq: "==", ne: "!=", ult: "<u", ule: "<=u", slt: "<s", sle: "<=s", fadd: "+.", fsub: "-.", fmul: "*.", fdiv: "/.", feq: "==.", flt: "<.", fle: "<=.",
};

/** Writes what a value is made of, in one short line. */
export class ValueText {
  readonly #nameOf: (def: Definition) => string;
  #length = 0;

  constructor(nameOf: (def: Definition) => string) {
    this.#nameOf = nameOf;
  }

  of(expr: Expr): string {
    this.#length = 0;
    const text = this.#write(expr);
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  }

  #write(expr: Expr): string {
    this.#length += 3;
    if (this.#length > longest) return "…";
    switch (expr.kind) {
      case "const":
        return expr.value < 10n ? String(expr.value) : `0x${expr.value.toString(16)}`;
      case "use":
        return this.#nameOf(expr.def);
      case "read":
        return "?";
      case "load":
        return `[${this.#write(expr.address)}]${String(expr.bits)}`;
      case "op": {
        const sign = infix[expr.op];
        const parts = expr.args.map((arg) => this.#write(arg));
        if (sign !== undefined && parts.length === 2) return `(${parts.join(` ${sign} `)})`;
        const name = expr.name === "" ? expr.op : expr.name;
        const imm = expr.op === "extract" || expr.op === "insert" ? [`bit ${String(expr.imm)}`] : [];
        return `${name}${String(expr.bits)}(${[...parts, ...imm].join(", ")})`;
      }
    }
  }
}
