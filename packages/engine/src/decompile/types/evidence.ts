import type { Definition, Expr, Op } from "../../ir/expression.js";
import type { Code, CodeEnding, Line, Variable } from "../lower/code.js";
import type { AccessPaths } from "./access-paths.js";
import type { CType, Enumeration, RecordType, ValueType } from "./value-type.js";

/** What the uses of a variable say about its type. */
export interface Evidence {
  float: number;
  integer: number;
  signed: number;
  unsigned: number;
  pointer: number;
  /** Widths of what it points to, with how each is read. */
  readonly elements: Map<number, { float: number; signed: number; unsigned: number; pointer: number }>;
  /** Structures it is said to point to, with how often. */
  readonly records: Map<RecordType, number>;
  /** Kinds of constants it is said to be, with how often. */
  readonly constants: Map<Enumeration, { readonly type: EnumType; count: number }>;
  /** Other variables that have the same type, as copies do. */
  readonly like: Set<Variable>;
  /** Variables it is a pointer into the same object as. */
  readonly near: Set<Variable>;
}

type EnumType = Extract<CType, { kind: "int" }>;

export function newEvidence(): Evidence {
  return { float: 0, integer: 0, signed: 0, unsigned: 0, pointer: 0, elements: new Map(), records: new Map(), constants: new Map(), like: new Set(), near: new Set() };
}

type Wanted = "float" | "signed" | "unsigned" | "pointer" | "integer" | "any";

const floatResults = new Set(["fadd", "fsub", "fmul", "fdiv", "fsqrt", "fmin", "fmax", "fmaxnm", "fminnm", "fmaxnan", "fminnan", "fma", "fneg", "fabs", "ftof", "fround", "sitof", "uitof"]);
const floatArguments = new Set([...floatResults, "feq", "flt", "fle", "funord", "ftosi", "ftosir", "ftosat", "ftousat"].filter((name) => !name.endsWith("itof")));

const signedOperations = new Set(["slt", "sle", "sar", "sdiv", "srem", "sext", "sitof"]);
const unsignedOperations = new Set(["ult", "ule", "shr", "udiv", "urem", "uitof", "zext"]);
const integerOperations = new Set(["mul", "shl", "and", "or", "xor"]);

interface Known {
  readonly evidence: Map<Variable, Evidence>;
  readonly isPointer: (variable: Variable) => boolean;
  readonly paths: AccessPaths;
  /** Structures that variables go through in other steps than whole ones. */
  readonly unlike: Map<Variable, Set<RecordType>>;
}

/** Reads the whole code once. */
export class EvidenceReader {
  readonly #code: Code;
  readonly #evidence: Map<Variable, Evidence>;
  readonly #isPointer: (variable: Variable) => boolean;
  readonly #paths: AccessPaths;
  readonly #unlike: Map<Variable, Set<RecordType>>;

  constructor(code: Code, { evidence, isPointer, paths, unlike }: Known) {
    this.#code = code;
    this.#unlike = unlike;
    this.#evidence = evidence;
    this.#isPointer = isPointer;
    this.#paths = paths;
  }

  run(result: ValueType): void {
    for (const block of this.#code.blocks) {
      for (const line of block.lines) this.#line(line);
      for (const lines of block.edgeLines) for (const line of lines) this.#line(line);
      this.#ending(block.ending, result);
    }
  }

  of(variable: Variable): Evidence {
    let found = this.#evidence.get(variable);
    if (found === undefined) this.#evidence.set(variable, (found = newEvidence()));
    return found;
  }

  #ofDef(def: Definition): Evidence {
    return this.of(this.#code.variableOf(def));
  }

  #line(line: Line): void {
    switch (line.kind) {
      case "assign":
        this.#assign(line.to, line.value);
        return;
      case "store":
        this.#address(line.address, line.value.bits, this.#kindOf(line.value));
        this.#visit(line.value, "any");
        if (line.value.kind === "use" && line.value.bits === 64) this.#pointsTo(line.value, this.#paths.value(line.address, 64, undefined)?.type);
        return;
      case "call":
        this.#call(line);
        return;
      case "effect":
        for (const arg of line.args) this.#visit(arg, "any");
        return;
      case "comment":
        return;
    }
  }

  /** A value stands where the type says that a pointer is. */
  #pointsTo(value: Expr, type: ValueType | CType | undefined): void {
    if (value.kind === "use" && type?.kind === "pointer" && type.to?.kind === "record") vote(this.#ofDef(value.def), type.to);
  }

  #assign(to: Variable, value: Expr): void {
    const pointee = value.bits === 64 ? this.#paths.pointee(value) : undefined;
    if (pointee?.kind === "record") vote(this.of(to), pointee);
    const type = this.#paths.typeOf(value);
    if (type?.kind === "int") voteConstant(this.of(to), type);
    if (value.kind === "use") {
      const from = this.#code.variableOf(value.def);
      this.of(to).like.add(from);
      this.of(from).like.add(to);
    } else if (value.kind === "load") this.#address(value.address, value.bits, "any", to);
    else {
      const kind = this.#kindOf(value);
      if (kind === "float") this.of(to).float += 1;
      else if (kind === "signed") this.of(to).signed += 1;
      else if (kind === "unsigned") this.of(to).unsigned += 1;
      if (value.bits === 64) this.#sameObject(to, value, pointee);
      this.#visit(value, "any");
    }
  }

  /** A step from one place of an object to another; inside of a structure other things stand. */
  #sameObject(to: Variable, value: Expr, pointee: CType | RecordType | undefined): void {
    for (const base of this.#bases(value)) {
      const record = this.#recordBehind(base);
      if (record === undefined) this.of(to).near.add(base);
      else if (base === to && pointee !== record) this.#unlike.set(to, (this.#unlike.get(to) ?? new Set()).add(record));
    }
    if (pointee?.kind === "int" || pointee?.kind === "float") {
      this.of(to).pointer += 1;
      this.#element(this.of(to), pointee.bits, pointee.kind === "float" ? "float" : pointee.signed ? "signed" : "unsigned");
    }
  }

  #recordBehind(variable: Variable): RecordType | undefined {
    const [member] = variable.members;
    const target = member === undefined ? undefined : this.#paths.target({ kind: "use", bits: 64, def: member });
    return target?.kind === "record" ? target : undefined;
  }

  #call({ call, to }: Extract<Line, { kind: "call" }>): void {
    const { parameters, result } = call.callee.signature;
    for (const [index, arg] of call.args.entries()) this.#visit(arg, wantedBy(parameters[index]?.type));
    for (const [index, arg] of call.args.entries()) {
      const type = parameters[index]?.type;
      this.#pointsTo(arg, type);
      if (arg.kind === "use" && type?.kind === "pointer" && type.to?.kind === "int") this.#element(this.#ofDef(arg.def), type.to.bits, "any");
    }
    if (call.address !== undefined) this.#visit(call.address, "integer");
    if (to !== undefined) this.#result(this.of(to), result);
  }

  #result(evidence: Evidence, result: ValueType): void {
    if (result.kind === "pointer") {
      evidence.pointer += 1;
      if (result.to?.kind === "record") vote(evidence, result.to);
      else if (result.to?.kind === "int") this.#element(evidence, result.to.bits, "any");
    } else if (result.kind === "float") evidence.float += 2;
    else if (result.kind === "int") {
      voteConstant(evidence, { ...result, signed: result.signed ?? true });
      evidence[result.signed === false ? "unsigned" : "signed"] += 1;
    }
  }

  #ending(ending: CodeEnding, result: ValueType): void {
    if (ending.kind === "branch") this.#visit(ending.condition, "any");
    else if (ending.kind === "switch") this.#visit(ending.selector, "integer");
    else if (ending.kind === "return" && ending.value !== undefined) {
      this.#visit(ending.value, wantedBy(result));
      this.#pointsTo(ending.value, result);
    }
  }

  #visit(expr: Expr, wanted: Wanted): void {
    if (expr.kind === "use") this.#note(this.#ofDef(expr.def), wanted);
    else if (expr.kind === "load") this.#address(expr.address, expr.bits, wanted);
    else if (expr.kind === "op") this.#operation(expr);
  }

  #note(evidence: Evidence, wanted: Wanted): void {
    if (wanted !== "any") evidence[wanted] += 1;
  }

  #operation(expr: Op): void {
    const wanted = floatArguments.has(expr.op) ? "float" : this.#wantedOf(expr);
    const pair = expr.op === "eq" || expr.op === "ult" || expr.op === "ule" || expr.op === "ne" || expr.op === "slt" || expr.op === "sle";
    const [a, b] = expr.args;
    if (pair && a?.kind === "use" && b?.kind === "use" && a.bits === 64) {
      this.#ofDef(a.def).near.add(this.#code.variableOf(b.def));
      this.#ofDef(b.def).near.add(this.#code.variableOf(a.def));
    }
    for (const [index, arg] of expr.args.entries()) this.#visit(arg, expr.op === "select" && index === 0 ? "any" : wanted);
  }

  #wantedOf({ op, bits }: Op): Wanted {
    if (signedOperations.has(op)) return "signed";
    if (unsignedOperations.has(op)) return "unsigned";
    return bits > 1 && integerOperations.has(op) ? "integer" : "any";
  }

  #kindOf(expr: Expr): Wanted {
    if (expr.kind === "use") {
      const evidence = this.#ofDef(expr.def);
      return evidence.float > evidence.integer ? "float" : this.#isPointer(this.#code.variableOf(expr.def)) ? "pointer" : "any";
    }
    if (expr.kind !== "op") return "any";
    if (floatResults.has(expr.op)) return "float";
    if (expr.op === "select") return this.#kindOf(expr.args[1] ?? expr);
    if (expr.op === "sext" || expr.op === "sdiv" || expr.op === "srem" || expr.op === "sar") return "signed";
    return expr.op === "zext" && (expr.args[0]?.bits ?? 1) > 1 ? "unsigned" : expr.op === "shr" || expr.op === "udiv" || expr.op === "urem" ? "unsigned" : "any";
  }

  /** An access of that many bits at an address. */
  #address(address: Expr, bits: number, wanted: Wanted, into?: Variable): void {
    const kind = into === undefined ? wanted : this.#intoKind(into);
    for (const base of this.#bases(address)) {
      const evidence = this.of(base);
      evidence.pointer += 2;
      this.#element(evidence, bits, kind);
    }
    this.#visitAddress(address);
  }

  #intoKind(variable: Variable): Wanted {
    const evidence = this.of(variable);
    if (this.#isPointer(variable)) return "pointer";
    if (evidence.float > evidence.integer) return "float";
    return evidence.signed > evidence.unsigned ? "signed" : evidence.unsigned > evidence.signed ? "unsigned" : "any";
  }

  #element(evidence: Evidence, bits: number, wanted: Wanted): void {
    const element = evidence.elements.get(bits) ?? { float: 0, signed: 0, unsigned: 0, pointer: 0 };
    evidence.elements.set(bits, element);
    if (wanted === "float" || wanted === "signed" || wanted === "unsigned" || wanted === "pointer") element[wanted] += 1;
  }

  #visitAddress(expr: Expr): void {
    if (expr.kind === "load") this.#visit(expr, "any");
    else if (expr.kind === "op") {
      if (expr.op === "add") for (const arg of expr.args) this.#visitAddress(arg);
      else this.#operation(expr);
    }
  }

  /** Variables that an address may count from: the one plain 64-bit term, or of several those known to be pointers. */
  #bases(address: Expr): Variable[] {
    if (hasAddress(address)) return [];
    const terms = plainTerms(address).map((def) => this.#code.variableOf(def));
    if (terms.length < 2) return terms;
    const known = terms.filter((variable) => this.#isPointer(variable));
    if (known.length > 0) return known.slice(0, 1);
    const likely = terms.filter((variable) => variable.parameter !== undefined || this.of(variable).pointer > 0);
    return likely.length === 1 ? likely : [];
  }
}

function vote({ records }: Evidence, record: RecordType): void {
  records.set(record, (records.get(record) ?? 0) + 1);
}

function voteConstant({ constants }: Evidence, type: EnumType): void {
  if (type.names === undefined) return;
  const known = constants.get(type.names);
  if (known === undefined) constants.set(type.names, { type, count: 1 });
  else known.count += 1;
}

/** True for a sum that counts from a constant address. */
function hasAddress(expr: Expr): boolean {
  if (expr.kind === "const") return expr.isAddress === true;
  return expr.kind === "op" && expr.op === "add" && expr.args.some(hasAddress);
}

function plainTerms(expr: Expr): readonly Definition[] {
  if (expr.kind === "use") return expr.bits === 64 ? [expr.def] : [];
  return expr.kind === "op" && expr.op === "add" ? expr.args.flatMap(plainTerms) : [];
}

function wantedBy(type: ValueType | undefined): Wanted {
  if (type === undefined || type.kind === "void") return "any";
  if (type.kind === "float") return "float";
  if (type.kind === "pointer") return "pointer";
  return type.signed === undefined ? "any" : type.signed ? "signed" : "unsigned";
}
