import type { Definition, Expr } from "../../ir/expression.js";
import type { Code, Line, Variable } from "../lower/code.js";
import type { AnalyzedFunction } from "../pipeline/analyze.js";
import type { Node } from "../structure/node.js";
import { cTypeOf, declared, intType, typeText, type CType } from "./c-type.js";
import { callPrinter } from "./call-printer.js";
import { compoundAssignment } from "./compound-assignment.js";
import { ExpressionPrinter } from "./expressions.js";
import type { References } from "./references.js";
import { resultRecord } from "./result-record.js";
import { isFallThrough } from "./switch-text.js";
import { AccessPaths } from "../types/access-paths.js";
import type { Enumeration } from "../types/value-type.js";
import type { VariableNames } from "./variable-names.js";
import { TextLines, type TextLine } from "./text-lines.js";

interface Input {
  readonly analyzed: AnalyzedFunction;
  readonly code: Code;
  readonly nodes: readonly Node[];
  readonly types: ReadonlyMap<Variable, CType>;
  /** Parameters through which nothing is written. */
  readonly readOnly: ReadonlySet<Variable>;
  readonly references: References;
  readonly frame: { readonly def: Definition; readonly size: number; readonly top: number } | undefined;
  readonly name: string;
  readonly variableNames: VariableNames;
}

export interface FunctionText {
  /** The head without body, as a declaration needs it. */
  readonly head: string;
  readonly lines: readonly TextLine[];
}

/** Writes one function in C. */
export function printFunction(input: Input): FunctionText {
  return new FunctionPrinter(input).run();
}

class FunctionPrinter {
  readonly #input: Input;
  readonly #expressions: ExpressionPrinter;
  readonly #calls: ReturnType<typeof callPrinter>;
  readonly #names = new Map<Variable, string>();
  readonly #declarations: string[] = [];
  readonly #out = new TextLines();
  readonly #result: CType | undefined;

  constructor(input: Input) {
    this.#input = input;
    const { references } = input;
    this.#expressions = new ExpressionPrinter({
      plainCharIsSigned: input.analyzed.machine.plainCharIsSigned,
      variable: (def) => {
        const variable = input.code.variableOf(def);
        return { name: this.#nameOf(variable), type: this.#typeOf(variable) };
      },
      frame: (def) => (def === input.frame?.def ? { name: "frame", offset: input.frame.top } : undefined),
      address: (value, reach) => references.address(value, reach),
      object: (value, bits) => references.object(value, bits),
      paths: new AccessPaths({
        variableType: (def) => (def === input.frame?.def ? undefined : this.#typeOf(input.code.variableOf(def))),
        typedObject: (address) => references.typedObject(address),
      }),
      usesRecord: (record, member) => { references.record(record, member); },
      nameObject: (name) => references.nameObject(name),
      constantName: (names, value) => this.#constantName(names, value),
      uses: (name) => { references.note(name); },
    });
    this.#calls = callPrinter({
      expressions: this.#expressions,
      references,
      nameOf: (variable) => this.#nameOf(variable),
      typeOf: (variable) => this.#typeOf(variable),
      isFloat: (expr) => this.#isFloat(expr),
    });
    this.#result = this.#resultType();
  }

  run(): FunctionText {
    const { name, code, frame } = this.#input;
    const parameters = code.parameters.map((variable) => this.#parameter(variable));
    const result = this.#result === undefined ? "void " : typeText(this.#result).endsWith("*") ? typeText(this.#result) : `${typeText(this.#result)} `;
    const head = `${resultRecord(this.#input.analyzed.signature)?.type.concat(" ") ?? result}${name}(${parameters.length === 0 ? "void" : parameters.join(", ")})`;
    const body = new TextLines();
    this.#swap(body, () => { this.#nodes(this.#input.nodes, undefined); });
    this.#out.add(`${head} {`, [this.#input.analyzed.fn.entry]);
    this.#out.within(() => {
      if (frame !== undefined) this.#out.add(`_Alignas(64) uint8_t frame[${String(frame.size)}];`);
      for (const text of this.#declarations) this.#out.add(text);
    });
    return { head, lines: [...this.#out.lines, ...body.lines, { text: "}", at: [] }] };
  }

  #parameter(variable: Variable): string {
    const type = this.#typeOf(variable);
    const isText = type.kind === "pointer" && type.to?.kind === "int" && type.to.bits === 8 && type.to.signed;
    return `${isText && this.#input.readOnly.has(variable) ? "const " : ""}${declared(type, this.#nameOf(variable))}`;
  }

  #current = new TextLines();
  #swap(lines: TextLines, write: () => void): void {
    this.#current = lines;
    lines.within(write);
  }

  #typeOf(variable: Variable): CType {
    return this.#input.types.get(variable) ?? intType(variable.bits, true);
  }

  /** Parameters are numbered from the left, others in the order in which they are first seen. */
  #nameOf(variable: Variable): string {
    const known = this.#names.get(variable);
    if (known !== undefined) return known;
    if (variable.parameter !== undefined) {
      const name = this.#input.variableNames.choose(variable, `arg${String(variable.parameter + 1)}`);
      this.#names.set(variable, name);
      return name;
    }
    const name = this.#input.variableNames.choose(variable, `v${String(this.#declarations.length + 1)}`);
    this.#names.set(variable, name);
    const [first] = variable.members;
    const isUnset = first?.source.kind === "entry" || first?.source.kind === "clobber";
    const type = this.#typeOf(variable);
    this.#declarations.push(`${declared(type, name)}${isUnset ? " = 0; /* what was there before */" : ";"}`);
    return name;
  }

  #constantName(names: Enumeration, value: bigint): string | undefined {
    const name = this.#input.references.constantName(names, value);
    return name === undefined || !this.#input.variableNames.reserve(name) ? undefined : name;
  }

  #resultType(): CType | undefined {
    const { signature } = this.#input.analyzed;
    const type = cTypeOf(signature.result);
    if (type?.kind !== "int" || type.bits !== 64) return type;
    // A pointer where some way returns one.
    for (const { ending } of this.#input.code.blocks) {
      if (ending.kind !== "return" || ending.value === undefined || ending.value.kind === "const") continue;
      if (ending.value.kind !== "use") continue;
      const found = this.#typeOf(this.#input.code.variableOf(ending.value.def));
      if (found.kind === "pointer") return found;
    }
    return type;
  }

  #nodes(nodes: readonly Node[], within: "switch" | "loop" | undefined): void {
    for (const node of nodes) this.#node(node, within);
  }

  #node(node: Node, within: "switch" | "loop" | undefined): void {
    const out = this.#current;
    switch (node.kind) {
      case "lines":
        for (const line of node.lines) this.#line(line);
        return;
      case "if":
        this.#if(node, within);
        return;
      case "loop":
        out.add("for (;;) {");
        out.within(() => { this.#nodes(node.body, "loop"); });
        out.add("}");
        return;
      case "while":
        out.add(`while (${this.#condition(node.condition)}) {`, [node.at]);
        out.within(() => { this.#nodes(node.body, "loop"); });
        out.add("}");
        return;
      case "do":
        out.add("do {");
        out.within(() => { this.#nodes(node.body, "loop"); });
        out.add(`} while (${this.#condition(node.condition)});`, [node.at]);
        return;
      case "for":
        out.add(`for (${this.#inline(node.first)}; ${this.#condition(node.condition)}; ${this.#inline([node.step])}) {`, [node.at, node.step.at, ...node.first.map(({ at }) => at)]);
        out.within(() => { this.#nodes(node.body, "loop"); });
        out.add("}");
        return;
      case "switch":
        this.#switch(node);
        return;
      case "break":
        out.add("break;");
        return;
      case "continue":
        out.add("continue;");
        return;
      case "goto":
        out.add(`goto L${String(node.label)};`);
        return;
      case "label":
        out.label(`L${String(node.label)}:;`);
        return;
      case "return":
        this.#return(node);
        return;
      case "stop":
        if (node.how !== "") out.add(node.how.includes(" ") ? `rea_trap(); /* ${node.how} */` : "rea_trap();", [node.at]);
        return;
    }
  }

  #if(node: Extract<Node, { kind: "if" }>, within: "switch" | "loop" | undefined): void {
    const out = this.#current;
    out.add(`if (${this.#condition(node.condition)}) {`, [node.at]);
    out.within(() => { this.#nodes(node.then, within); });
    let rest = node.otherwise;
    for (let [only] = rest; rest.length === 1 && only?.kind === "if"; [only] = rest) {
      const { condition, at, then, otherwise } = only;
      out.add(`} else if (${this.#condition(condition)}) {`, [at]);
      out.within(() => { this.#nodes(then, within); });
      rest = otherwise;
    }
    if (rest.length > 0) {
      out.add("} else {");
      const last = rest;
      out.within(() => { this.#nodes(last, within); });
    }
    out.add("}");
  }

  #switch(node: Extract<Node, { kind: "switch" }>): void {
    const out = this.#current;
    const selector = this.#expressions.integer(node.selector, { signed: true });
    out.add(`switch (${selector.text}) {`, [node.at]);
    for (const { values, isDefault, body } of node.cases) {
      for (const value of values) out.add(`case ${this.#expressions.caseText(value, selector, node.selector.bits)}:`);
      if (isDefault) out.add("default:");
      out.within(() => {
        this.#nodes(body, "switch");
        if (isFallThrough(body)) out.add(";");
      });
    }
    out.add("}");
  }

  #return({ value, at }: Extract<Node, { kind: "return" }>): void {
    if (value === undefined || this.#result === undefined) {
      this.#current.add("return;", [at]);
      return;
    }
    const { text } = this.#expressions.assigned(value, this.#result);
    this.#current.add(`return ${resultRecord(this.#input.analyzed.signature)?.of(text) ?? text};`, [at]);
  }

  #condition(expr: Expr): string {
    return this.#expressions.condition(expr).text;
  }

  #inline(lines: readonly Line[]): string {
    return lines.map((line) => this.#lineText(line).replace(/;$/, "")).join(", ");
  }

  #line(line: Line): void {
    this.#current.add(this.#lineText(line), [line.at]);
  }

  #lineText(line: Line): string {
    switch (line.kind) {
      case "assign":
        return this.#assignment(this.#nameOf(line.to), line.to, line.value);
      case "store":
        return this.#store(line.address, line.value);
      case "call":
        return this.#calls.callText(line.call, line.to);
      case "effect":
        return this.#calls.effect(line);
      case "comment":
        return `/* ${line.text} */`;
    }
  }

  #assignment(name: string, to: Variable, value: Expr): string {
    const type = this.#typeOf(to);
    const isItself = (expr: Expr): boolean => expr.kind === "use" && this.#input.code.variableOf(expr.def) === to;
    return compoundAssignment({ name, type, isItself }, value, this.#expressions) ?? `${name} = ${this.#expressions.assigned(value, type).text};`;
  }

  #store(address: Expr, value: Expr): string {
    const bits = value.bits === 1 ? 8 : value.bits;
    const isFloat = this.#isFloat(value);
    const place = this.#expressions.place({ kind: "load", bits, address }, isFloat ? { float: true } : { signed: bits >= 32 });
    const isItself = (expr: Expr): boolean => expr.kind === "load" && expr.bits === bits && this.#expressions.place(expr, { signed: bits >= 32 }).text === place.text;
    const short = value.bits === bits ? compoundAssignment({ name: place.text, type: place.type, isItself }, value, this.#expressions) : undefined;
    return short ?? `${place.text} = ${this.#expressions.assigned(value, place.type).text};`;
  }

  #isFloat(expr: Expr): boolean {
    if (expr.kind === "use") return this.#typeOf(this.#input.code.variableOf(expr.def)).kind === "float";
    return expr.kind === "op" && this.#expressions.print(expr).type.kind === "float";
  }
}
