import { constant, load, same, use, type Expr } from "../../ir/expression.js";
import { extract, make } from "../../ir/simplify.js";
import type { Machine, ResultPart } from "../machine-model.js";
import type { CallStatement, Graph, Parameter, Signature, Statement, ValueType } from "../ssa/graph.js";
import { formatArguments, type LibraryFunction } from "./library.js";
import { CallGuesses } from "./call-guesses.js";
import { isUnknown, isUntouched } from "./known-values.js";
import { severalBits, taken } from "./several-results.js";

/** What is called, as far as the program tells. */
export interface KnownCallee {
  readonly name: string;
  readonly entry: number | undefined;
  /** Undefined where only the call shows what is passed. */
  readonly signature: Signature | undefined;
  readonly library: LibraryFunction | undefined;
}

export interface CallSource {
  /** `pending` for a function whose own analysis is under way. */
  calleeOf(call: CallStatement): KnownCallee | "pending" | undefined;
  stringAt(address: bigint): string | undefined;
  /** Whether callers of the function that these calls are in read a floating result of it, and no other. */
  returnsFloat(): boolean;
}

/** Gives each call its arguments and its one result. Calls of functions under analysis stay as they are. */
export function resolveCalls(graph: Graph, machine: Machine, source: CallSource): void {
  const guesses = new CallGuesses(graph, machine, () => source.returnsFloat());
  for (const block of graph.blocks) {
    const statements: Statement[] = [];
    for (const statement of block.statements) {
      const after: Statement[] = [];
      if (statement.kind === "call" && statement.callee === undefined) {
        const known = source.calleeOf(statement);
        if (known !== "pending") new Resolution(graph, machine, { source, guesses }).resolve(statement, known, { before: statements, after });
      }
      statements.push(statement, ...after);
    }
    block.statements = statements;
  }
}

/** Statements that a call needs before and behind it. */
interface Around {
  readonly before: Statement[];
  readonly after: Statement[];
}

interface Argument {
  readonly value: Expr;
  readonly type: ValueType;
}

class Resolution {
  readonly #graph: Graph;
  readonly #machine: Machine;
  readonly #source: CallSource;
  readonly #guesses: CallGuesses;
  #integers = 0;
  #floats = 0;
  #stack = 0;

  constructor(graph: Graph, machine: Machine, { source, guesses }: { readonly source: CallSource; readonly guesses: CallGuesses }) {
    this.#graph = graph;
    this.#machine = machine;
    this.#source = source;
    this.#guesses = guesses;
  }

  resolve(call: CallStatement, known: KnownCallee | undefined, { before, after }: Around): void {
    const fixed = known?.signature ?? known?.library?.signature;
    if (fixed === undefined) {
      const result = this.#guesses.result(call);
      const guessed = this.#guess(call, result.kind === "float");
      call.args = guessed.map(({ value }) => value);
      this.#finish(call, known, { parameters: guessed.map(({ type }) => ({ type, place: undefined })), variadic: true, result, source: "guess" }, after);
      return;
    }
    call.args = fixed.parameters.map(({ type, place }) => this.#parameter(call, { type, place }, before));
    const rest = fixed.variadic ? this.#variable(call, known, before) : [];
    call.args.push(...rest.map(({ value }) => value));
    this.#finish(call, known, { ...fixed, parameters: [...fixed.parameters, ...rest.map(({ type }) => ({ type, place: undefined }))] }, after);
  }

  #finish(call: CallStatement, known: KnownCallee | undefined, signature: Signature, after: Statement[]): void {
    const { floatResult, integerResult } = this.#machine;
    const { result, shape } = signature;
    if (shape !== undefined) this.#spread(call, { parts: shape.parts, bits: severalBits }, after);
    // What lies above a floating number in its register is not the callee's.
    else if (result.kind === "float") this.#spread(call, { parts: [{ place: floatResult, bits: result.bits }], bits: result.bits }, after);
    else this.#only(call, result.kind === "void" ? undefined : integerResult);
    call.state = new Map();
    call.callee = { name: known?.name ?? "", entry: known?.entry, signature };
  }

  /** One register holds the result as it is. */
  #only(call: CallStatement, place: number | undefined): void {
    for (const [at, def] of call.results) {
      if (at === place) continue;
      // Somebody may read it all the same: what a function is said to return is then wrong, and the value is unknown.
      def.source = { kind: "clobber" };
      call.results.delete(at);
    }
  }

  /** Registers hold parts of one result. */
  #spread(call: CallStatement, { parts, bits }: { readonly parts: readonly ResultPart[]; readonly bits: number }, after: Statement[]): void {
    const whole = this.#graph.newDefinition(bits, parts[0]?.place ?? -1, { kind: "result" });
    const values = taken(use(whole), parts, (place) => this.#machine.bitsOf(place));
    for (const [place, def] of call.results) {
      const expr = values.get(place);
      def.source = expr === undefined ? { kind: "clobber" } : { kind: "expr", expr };
      if (expr !== undefined) after.push({ kind: "def", at: call.at, def });
    }
    call.results = new Map([[whole.place, whole]]);
  }

  #parameter(call: CallStatement, { type, place }: Pick<Parameter, "type" | "place">, before: Statement[]): Expr {
    const given = place === this.#machine.indirectResult ? call.state.get(place) : undefined;
    return given ?? this.#take(call, type, before);
  }

  /** The next argument of that type. */
  #take(call: CallStatement, type: ValueType, before: Statement[]): Expr {
    const { integerArguments, floatArguments } = this.#machine;
    const bits = type.kind === "float" || type.kind === "int" ? type.bits : 64;
    const place = type.kind === "float" ? floatArguments[this.#floats] : integerArguments[this.#integers];
    if (type.kind === "float") this.#floats += 1;
    else this.#integers += 1;
    const value = place === undefined ? this.#fromStack(call, before) : call.state.get(place);
    return value === undefined ? constant(bits, 0) : extract(value, 0, bits);
  }

  #fromStack(call: CallStatement, before: Statement[]): Expr {
    const top = call.state.get(this.#machine.stackPointer) ?? constant(64, 0);
    const offset = this.#machine.callArguments + 8 * this.#stack;
    this.#stack += 1;
    const address = make("add", 64, [top, constant(64, offset)]);
    const def = this.#graph.newDefinition(64, -1, { kind: "expr", expr: load(64, address) });
    before.push({ kind: "def", at: call.at, def });
    return use(def);
  }

  /** What is passed in place of a variable list, as a format tells it or as registers look. */
  #variable(call: CallStatement, known: KnownCallee | undefined, before: Statement[]): Argument[] {
    const types = this.#variableTypes(call, known);
    if (this.#machine.variableArgumentsOnStack) {
      return (types ?? []).map((type) => ({ type, value: extract(this.#fromStack(call, before), 0, type.kind === "int" || type.kind === "float" ? type.bits : 64) }));
    }
    return types === undefined ? this.#guess(call) : types.map((type) => ({ type, value: this.#take(call, type, before) }));
  }

  #variableTypes(call: CallStatement, known: KnownCallee | undefined): readonly ValueType[] | undefined {
    const format = known?.library?.format;
    const value = format === undefined ? undefined : call.args[format.position];
    if (format === undefined || value?.kind !== "const") return undefined;
    const text = this.#source.stringAt(value.value);
    return text === undefined ? undefined : formatArguments(text, format.reads);
  }

  /** Argument registers that were written for this call, as far as that shows. */
  #guess(call: CallStatement, givesFloat = false): Argument[] {
    const { integerArguments } = this.#machine;
    const found: Argument[] = [];
    let last = this.#integers;
    for (let index = this.#integers; index < integerArguments.length; index += 1) {
      const value = call.state.get(integerArguments[index] ?? -1);
      if (value === undefined || isUnknown(value)) break;
      // The address that is called stands in a register too.
      const isAddress = call.address !== undefined && same(value, call.address);
      if (!isAddress && !isUntouched(value, integerArguments[index] ?? -1)) last = index + 1;
    }
    for (let index = this.#integers; index < last; index += 1) {
      const value = call.state.get(integerArguments[index] ?? -1);
      if (value !== undefined) found.push({ value, type: { kind: "int", bits: 64, signed: undefined } });
    }
    const floats = this.#guesses.floats(call, { from: this.#floats, givesFloat });
    return [...found, ...floats.map((value): Argument => ({ value: extract(value, 0, 64), type: { kind: "float", bits: 64 } }))];
  }
}
