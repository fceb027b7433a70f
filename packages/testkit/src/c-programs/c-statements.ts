import type { Choices } from "./choices.js";
import { ExpressionMaker } from "./c-expressions.js";
import { int32, numberTypes, type GeneratedFunction, type NumberType, type Place } from "./c-types.js";

/** An array of eight elements. */
export interface ArrayPlace {
  readonly text: string;
  readonly type: NumberType;
}

interface FunctionScope {
  readonly choices: Choices;
  readonly globals: readonly Place[];
  readonly arrays: readonly ArrayPlace[];
  readonly functions: readonly GeneratedFunction[];
  readonly result: NumberType | undefined;
}

const mostCost = 4000;
const deepest = 3;

/** Writes the statements of one function, and counts how many steps they take at most. */
export class BodyMaker {
  readonly #scope: FunctionScope;
  readonly #places: Place[];
  readonly #lines: string[] = [];
  readonly #declared: string[] = [];
  #counter = 0;
  #factor = 1;
  cost = 1;

  constructor(scope: FunctionScope, parameters: readonly Place[]) {
    this.#scope = scope;
    this.#places = [...scope.globals, ...parameters];
  }

  lines(): readonly string[] {
    const { choices, result } = this.#scope;
    for (let count = choices.from(1, 5); count > 0; count -= 1) {
      const type = choices.one(numberTypes);
      const name = `l${String(this.#declared.length)}`;
      this.#declared.push(`  ${type.name} ${name} = ${this.#expressions().of(type, 1)};`);
      this.#places.push({ text: name, type });
    }
    this.#statements(choices.from(2, 6), "  ", deepest);
    if (result !== undefined) this.#lines.push(`  return ${this.#expressions().of(result, 2)};`);
    return [...this.#declared, ...this.#lines];
  }

  #expressions(): ExpressionMaker {
    const { choices, functions } = this.#scope;
    const elements = this.#scope.arrays.map(({ text, type }) => ({ text: `${text}[${this.#index()}]`, type }));
    return new ExpressionMaker({
      choices,
      places: [...this.#places, ...elements],
      callable: () => functions.filter(({ cost, array }) => cost * this.#factor < mostCost && (array === undefined || this.#arrayOf(array) !== undefined)),
      call: (fn) => this.#call(fn),
    });
  }

  #arrayOf(type: NumberType): ArrayPlace | undefined {
    return this.#scope.arrays.find((array) => array.type.name === type.name);
  }

  #call(fn: GeneratedFunction): string {
    this.cost += fn.cost * this.#factor;
    const { choices } = this.#scope;
    const simple = new ExpressionMaker({ choices, places: this.#places, callable: () => [], call: () => "0" });
    const args = fn.parameters.map((type) => simple.of(type, 1));
    const array = fn.array === undefined ? undefined : this.#arrayOf(fn.array);
    return `${fn.name}(${[...(array === undefined ? [] : [array.text]), ...args].join(", ")})`;
  }

  #index(): string {
    const { choices } = this.#scope;
    const [first, ...rest] = this.#places.filter(({ type }) => type.kind === "int");
    return first === undefined || choices.chance(40) ? String(choices.below(8)) : `(${choices.one([first, ...rest]).text} & 7)`;
  }

  #statements(count: number, indent: string, depth: number): void {
    for (let left = count; left > 0; left -= 1) this.#statement(indent, depth);
  }

  #statement(indent: string, depth: number): void {
    const { choices } = this.#scope;
    this.cost += this.#factor;
    const pick = choices.below(depth > 0 ? 14 : 7);
    if (pick < 5) this.#assignment(indent);
    else if (pick === 5) this.#element(indent);
    else if (pick === 6) this.#callStatement(indent);
    else if (pick < 10) this.#if(indent, depth);
    else if (pick < 12) this.#loop(indent, depth);
    else if (pick === 12) this.#switch(indent, depth);
    else this.#early(indent);
  }

  #assignment(indent: string): void {
    const { choices } = this.#scope;
    const [first, ...rest] = this.#places.filter(({ fixed }) => fixed !== true);
    if (first === undefined) return;
    const { text, type } = choices.one([first, ...rest]);
    const value = this.#expressions().of(type, 2);
    const operator = type.kind === "int" && choices.chance(30) ? choices.one(["+=", "-=", "^=", "|=", "&=", "*="]) : "=";
    this.#lines.push(`${indent}${text} ${operator} ${value};`);
  }

  #element(indent: string): void {
    const { choices, arrays } = this.#scope;
    const [first, ...rest] = arrays;
    if (first === undefined) return;
    const { text, type } = choices.one([first, ...rest]);
    this.#lines.push(`${indent}${text}[${this.#index()}] = ${this.#expressions().of(type, 2)};`);
  }

  #callStatement(indent: string): void {
    const { choices } = this.#scope;
    const [first, ...rest] = this.#scope.functions.filter(({ cost, array }) => cost * this.#factor < mostCost && (array === undefined || this.#arrayOf(array) !== undefined));
    if (first !== undefined) this.#lines.push(`${indent}${this.#call(choices.one([first, ...rest]))};`);
  }

  #if(indent: string, depth: number): void {
    const { choices } = this.#scope;
    this.#lines.push(`${indent}if (${this.#expressions().condition(2)}) {`);
    this.#statements(choices.from(1, 3), `${indent}  `, depth - 1);
    if (choices.chance(50)) {
      this.#lines.push(`${indent}} else {`);
      this.#statements(choices.from(1, 2), `${indent}  `, depth - 1);
    }
    this.#lines.push(`${indent}}`);
  }

  #loop(indent: string, depth: number): void {
    const { choices } = this.#scope;
    const times = choices.from(1, 12);
    if (this.#factor * times > 300) {
      this.#assignment(indent);
      return;
    }
    const name = `i${String(this.#counter)}`;
    this.#counter += 1;
    const before = this.#factor;
    this.#factor *= times;
    this.#places.push({ text: name, type: int32, fixed: true });
    this.#declared.push(`  int32_t ${name} = 0;`);
    const kind = choices.below(3);
    if (kind === 0) this.#lines.push(`${indent}for (${name} = 0; ${name} < ${String(times)}; ${name}++) {`);
    else if (kind === 1) this.#lines.push(`${indent}${name} = ${String(times)};`, `${indent}while (${name} > 0) {`, `${indent}  ${name}--;`);
    else this.#lines.push(`${indent}${name} = 0;`, `${indent}do {`);
    this.#statements(choices.from(1, 3), `${indent}  `, depth - 1);
    if (choices.chance(25)) this.#lines.push(`${indent}  if (${this.#expressions().condition(1)}) break;`);
    this.#lines.push(kind === 2 ? `${indent}} while (++${name} < ${String(times)});` : `${indent}}`);
    this.#factor = before;
  }

  #switch(indent: string, depth: number): void {
    const { choices } = this.#scope;
    this.#lines.push(`${indent}switch (${this.#expressions().of(int32, 1)} & ${choices.one(["7", "15"])}) {`);
    const values = Array.from({ length: choices.from(3, 8) }, (_, index) => index + choices.below(2));
    for (const value of new Set(values)) {
      this.#lines.push(`${indent}case ${String(value)}:`);
      this.#statements(1, `${indent}  `, depth - 2);
      if (choices.chance(75)) this.#lines.push(`${indent}  break;`);
    }
    if (choices.chance(60)) {
      this.#lines.push(`${indent}default:`);
      this.#statements(1, `${indent}  `, depth - 2);
    }
    this.#lines.push(`${indent}}`);
  }

  #early(indent: string): void {
    const { result } = this.#scope;
    const value = result === undefined ? "" : ` ${this.#expressions().of(result, 1)}`;
    this.#lines.push(`${indent}if (${this.#expressions().condition(1)}) return${value};`);
  }
}
