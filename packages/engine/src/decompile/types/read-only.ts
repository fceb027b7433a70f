import { forEachUse, type Expr } from "../../ir/expression.js";
import type { Code, Line, Variable } from "../lower/code.js";

/** Library functions that only read what they are given. */
const readers = new Set("strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strspn strcspn strpbrk atoi atol atoll atof puts printf memcmp memchr strdup strndup strcoll fputs fopen getenv access unlink".split(" "));

/** Parameters through which nothing is written, as far as the function itself shows: not stored to, kept, returned or passed on. */
export function readOnlyParameters(code: Code): ReadonlySet<Variable> {
  const written = new Set<Variable>();
  const sources = new Map<Variable, Set<Variable>>();
  const note = (expr: Expr): void => { forEachUse(expr, (def) => { written.add(code.variableOf(def)); }); };
  const line = (each: Line): void => {
    if (each.kind === "store") {
      note(addressOnly(each.address));
      note(addressOnly(each.value));
    } else if (each.kind === "call") {
      if (!readers.has(each.call.callee.name)) for (const arg of each.call.args) note(addressOnly(arg));
    } else if (each.kind === "effect") each.args.forEach(note);
    else if (each.kind === "assign") {
      const from = sources.get(each.to) ?? new Set<Variable>();
      forEachUse(addressOnly(each.value), (def) => { from.add(code.variableOf(def)); });
      sources.set(each.to, from);
    }
  };
  for (const block of code.blocks) {
    block.lines.forEach(line);
    for (const lines of block.edgeLines) lines.forEach(line);
    if (block.ending.kind === "return" && block.ending.value !== undefined) note(addressOnly(block.ending.value));
  }
  spread(written, sources);
  return new Set(code.parameters.filter((parameter) => !written.has(parameter)));
}

/** What is loaded is another value than the address it is loaded from. */
function addressOnly(expr: Expr): Expr {
  if (expr.kind === "load") return { kind: "const", bits: expr.bits, value: 0n };
  return expr.kind === "op" ? { ...expr, args: expr.args.map(addressOnly) } : expr;
}

function spread(written: Set<Variable>, sources: ReadonlyMap<Variable, ReadonlySet<Variable>>): void {
  const work = [...written];
  for (let variable = work.pop(); variable !== undefined; variable = work.pop()) {
    for (const source of sources.get(variable) ?? []) {
      if (written.has(source)) continue;
      written.add(source);
      work.push(source);
    }
  }
}
