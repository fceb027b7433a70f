import { forEachUse, type Definition, type Expr } from "../../ir/expression.js";
import type { Graph } from "../ssa/graph.js";
import { forEachEndingExpr, forEachStatementExpr, type Block } from "../ssa/graph.js";

/** Copies that make a merge: at the end of each predecessor into its carrier, at the start of its block out of it. */
export interface Merge {
  readonly phi: Definition;
  readonly carrier: Definition;
}

/** Values that share a variable: those of one class never live at the same time with different contents. */
export interface VariableClasses {
  readonly merges: ReadonlyMap<Block, readonly Merge[]>;
  classOf(def: Definition): Definition;
}

/** Chooses which values share a variable, so that few copies are left. */
export function variableClasses(graph: Graph, checkpoint: (work: number) => void): VariableClasses {
  const merges = new Map<Block, Merge[]>();
  for (const block of graph.blocks) {
    merges.set(block, block.phis.map((phi) => ({ phi, carrier: graph.newDefinition(phi.bits, phi.place, { kind: "result" }) })));
  }
  const interference = new Interference(graph, merges, checkpoint);
  const classes = new Classes(interference.pairs());
  for (const list of merges.values()) for (const { phi, carrier } of list) classes.join(phi, carrier);
  for (const list of merges.values()) {
    for (const { phi, carrier } of list) {
      if (phi.source.kind !== "phi") continue;
      for (const arg of phi.source.args) if (arg.kind === "use") classes.join(carrier, arg.def);
    }
  }
  return { merges, classOf: (def) => classes.of(def) };
}

class Classes {
  readonly #pairs: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #class = new Map<Definition, { readonly leader: Definition; readonly members: Definition[] }>();

  constructor(pairs: ReadonlyMap<number, ReadonlySet<number>>) {
    this.#pairs = pairs;
  }

  of(def: Definition): Definition {
    return this.#class.get(def)?.leader ?? def;
  }

  join(a: Definition, b: Definition): void {
    const first = this.#of(a);
    const second = this.#of(b);
    if (first === second || a.bits !== b.bits) return;
    const small = first.members.length <= second.members.length ? first : second;
    const large = small === first ? second : first;
    // Two values that the function is entered with are two parameters.
    if (first.leader.source.kind === "entry" && second.leader.source.kind === "entry") return;
    for (const member of small.members) {
      const against = this.#pairs.get(member.id);
      if (against !== undefined && large.members.some(({ id }) => against.has(id))) return;
    }
    const leader = second.leader.source.kind === "entry" ? second.leader : first.leader;
    const joined = { leader, members: [...large.members, ...small.members] };
    for (const member of joined.members) this.#class.set(member, joined);
  }

  #of(def: Definition): { readonly leader: Definition; readonly members: Definition[] } {
    let found = this.#class.get(def);
    if (found === undefined) this.#class.set(def, (found = { leader: def, members: [def] }));
    return found;
  }
}

/** Which values are alive together, from a backward walk over every block. */
class Interference {
  readonly #graph: Graph;
  readonly #merges: ReadonlyMap<Block, readonly Merge[]>;
  readonly #checkpoint: (work: number) => void;
  readonly #pairs = new Map<number, Set<number>>();
  readonly #liveIn = new Map<Block, Set<number>>();

  constructor(graph: Graph, merges: ReadonlyMap<Block, readonly Merge[]>, checkpoint: (work: number) => void) {
    this.#checkpoint = checkpoint;
    this.#graph = graph;
    this.#merges = merges;
  }

  pairs(): ReadonlyMap<number, ReadonlySet<number>> {
    let changed = true;
    const backwards = [...this.#graph.blocks].reverse();
    while (changed) {
      changed = false;
      for (const block of backwards) {
        const live = this.#walk(block, false);
        const before = this.#liveIn.get(block);
        if (before === undefined || before.size !== live.size) {
          this.#liveIn.set(block, live);
          changed = true;
        }
      }
    }
    for (const block of backwards) this.#walk(block, true);
    const [entry] = this.#graph.blocks;
    const alive = entry === undefined ? [] : [...(this.#liveIn.get(entry) ?? [])];
    for (const id of alive) this.#clash(id, alive, undefined);
    return this.#pairs;
  }

  #walk(block: Block, record: boolean): Set<number> {
    const live = new Set<number>();
    this.#checkpoint(block.statements.length + (this.#liveIn.get(block)?.size ?? 0));
    for (const successor of new Set(block.successors)) this.#copies(block, successor, { live, record });
    forEachEndingExpr(block.ending, (expr) => { addUses(expr, live); });
    for (let index = block.statements.length - 1; index >= 0; index -= 1) {
      const statement = block.statements[index];
      if (statement === undefined) continue;
      if (statement.kind === "def") this.#define(statement.def, live, record);
      else if (statement.kind === "call") for (const def of statement.results.values()) this.#define(def, live, record);
      else if (statement.kind === "effect" && statement.result !== undefined) this.#define(statement.result, live, record);
      forEachStatementExpr(statement, (expr) => { addUses(expr, live); });
    }
    const merges = this.#merges.get(block) ?? [];
    for (const { phi, carrier } of merges) if (record) this.#clash(phi.id, live, carrier.id);
    for (const { phi } of merges) live.delete(phi.id);
    for (const { carrier } of merges) live.add(carrier.id);
    return live;
  }

  /** The copies into carriers on the way from a block to the next, all at once; adds what is alive before them. */
  #copies(block: Block, successor: Block, { live, record }: { readonly live: Set<number>; readonly record: boolean }): void {
    const here = new Set(this.#liveIn.get(successor));
    const position = successor.predecessors.indexOf(block);
    const merges = this.#merges.get(successor) ?? [];
    const args = merges.map(({ phi }) => (phi.source.kind === "phi" ? phi.source.args[position] : undefined));
    if (record) for (const [index, { carrier }] of merges.entries()) this.#clash(carrier.id, here, sourceId(args[index]));
    for (const { carrier } of merges) here.delete(carrier.id);
    for (const arg of args) if (arg !== undefined) addUses(arg, here);
    for (const id of here) live.add(id);
  }

  #define(def: Definition, live: Set<number>, record: boolean): void {
    live.delete(def.id);
    if (record) this.#clash(def.id, live, def.source.kind === "expr" && def.source.expr.kind === "use" ? def.source.expr.def.id : undefined);
  }

  #clash(id: number, live: Iterable<number>, except: number | undefined): void {
    let own = this.#pairs.get(id);
    if (own === undefined) this.#pairs.set(id, (own = new Set()));
    this.#checkpoint(1);
    for (const other of live) {
      if (other === id || other === except) continue;
      own.add(other);
      let back = this.#pairs.get(other);
      if (back === undefined) this.#pairs.set(other, (back = new Set()));
      back.add(id);
    }
  }
}

function sourceId(expr: Expr | undefined): number | undefined {
  return expr?.kind === "use" ? expr.def.id : undefined;
}

function addUses(expr: Expr, live: Set<number>): void {
  forEachUse(expr, ({ id }) => live.add(id));
}
