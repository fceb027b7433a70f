import type { Code, CodeBlock } from "../lower/code.js";
import { splitBlock } from "../lower/split-block.js";
import { Flags } from "./flag.js";
import type { Node } from "./node.js";
import { structure } from "./structure.js";
import { countJumps, weight } from "./node-facts.js";
import { tidy } from "./tidy.js";
import { flagWeight, jumpWeight, withoutJumps } from "./without-jumps.js";

/** Lines of a block that is written more than once, and of all its copies. */
const mostLines = 8;
const mostCopied = 30;
/** Blocks looked at over all attempts: a bound on time. */
const mostWork = 15_000;

/**
 * Statements of C for a function. Where `goto` would be needed, short blocks that several ways lead to are written once for
 * each way, and what follows a loop on one of its ways out is written at that way out, as long as the text gets simpler.
 */
export function fewJumps(code: Code): readonly Node[] {
  const search = new Search(code);
  return search.run();
}

interface Attempt {
  readonly code: Code;
  readonly nested: ReadonlySet<number>;
  readonly nodes: readonly Node[];
  /** Labels that are jumped to or that a flag stands for. */
  readonly labels: readonly number[];
  readonly behindLoops: readonly number[];
  readonly cost: number;
}

class Search {
  #left = mostWork;
  /** Changes that were tried: one that did not help then hardly does later. */
  readonly #tried = new Set<string>();
  readonly #code: Code;
  readonly #flags: Flags;

  constructor(code: Code) {
    this.#code = code;
    this.#flags = new Flags(code);
  }

  run(): readonly Node[] {
    let best = attempt(this.#code, new Set(), this.#flags);
    for (let better: Attempt | undefined = best; better !== undefined; better = this.#better(best)) best = better;
    return best.nodes;
  }

  #better(best: Attempt): Attempt | undefined {
    if (best.labels.length === 0) return undefined;
    for (const { key, make } of changes(best, this.#flags)) {
      if (this.#tried.has(key)) continue;
      this.#tried.add(key);
      this.#left -= best.code.blocks.length;
      if (this.#left < 0) return undefined;
      const made = make();
      if (made.cost < best.cost) return made;
    }
    return undefined;
  }
}

function attempt(code: Code, nested: ReadonlySet<number>, flags: Flags): Attempt {
  const structured = structure(code, nested);
  flags.again();
  const nodes = withoutJumps(tidy(structured.nodes), flags);
  const jumps = countJumps(nodes);
  const gotos = [...jumps.values()].reduce((sum, count) => sum + count, 0);
  const labels = [...new Set([...jumps.keys(), ...flags.labels])].sort((a, b) => a - b);
  return { code, nested, nodes, labels, behindLoops: structured.behindLoops, cost: gotos * jumpWeight + flags.labels.length * flagWeight + weight(nodes) };
}

interface Change {
  readonly key: string;
  readonly make: () => Attempt;
}

/** What could make a jump unnecessary, one after another. */
function* changes({ code, nested, labels, behindLoops }: Attempt, flags: Flags): Generator<Change, void, undefined> {
  for (const id of behindLoops) yield { key: `behind ${String(id)}`, make: () => attempt(code, new Set([...nested, id]), flags) };
  const blocks = new Map(code.blocks.map((block, index) => [block.id, { block, index }] as const));
  for (const id of new Set(labels.flatMap((label) => splittableAt(blocks.get(label)?.block, blocks)))) {
    yield { key: `split ${String(id)}`, make: () => attempt(splitBlock(code, id).code, nested, flags) };
    yield {
      key: `nest ${String(id)}`,
      make: () => {
        const split = splitBlock(code, id);
        return attempt(split.code, new Set([...nested, ...split.ids]), flags);
      },
    };
  }
}

type Blocks = ReadonlyMap<number, { readonly block: CodeBlock; readonly index: number }>;

/** The block that is jumped to, and those that are jumped over. */
function splittableAt(target: CodeBlock | undefined, blocks: Blocks): number[] {
  return target === undefined ? [] : [target, ...target.predecessors].filter((block) => canSplit(block, blocks)).map(({ id }) => id);
}

function canSplit(block: CodeBlock, blocks: Blocks): boolean {
  const { predecessors, lines, ending } = block;
  if (predecessors.length < 2 || lines.length > mostLines || predecessors.length * (lines.length + 1) > mostCopied || ending.kind === "switch") return false;
  const own = blocks.get(block.id)?.index ?? 0;
  // The first block has a way that none of them is; a loop is entered at one place only.
  if (own === 0 || new Set(predecessors).size < predecessors.length) return false;
  return predecessors.every(({ id, successors }) => (blocks.get(id)?.index ?? own) < own && successors.filter((each) => each === block).length === 1);
}
