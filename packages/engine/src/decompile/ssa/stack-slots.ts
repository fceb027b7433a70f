import { use, type Definition, type Expr } from "../../ir/expression.js";
import { extract, make } from "../../ir/simplify.js";
import type { Machine } from "../machine-model.js";
import { mapEnding, mapStatement, type Block, type Graph, type Statement } from "./graph.js";
import { Renaming } from "./renaming.js";
import { rewrite } from "./rewrite.js";
import { stackOffset, stackUse, type StackAccess, type StackUse } from "./stack-accesses.js";

const placeOfOffsetZero = 1_000_000;

/** The place of a stack offset, and back. */
export const stackPlace = (offset: number): number => placeOfOffsetZero + offset;
export const isStackPlace = (place: number): boolean => place > 100_000;
export const offsetOfPlace = (place: number): number => place - placeOfOffsetZero;

interface Slot {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Stack places that only plain accesses touch become values. A place at or above an address that is handed out may belong
 * to the object there and stays in memory; arguments on the stack are above everything of the function's own.
 */
export function promoteStackSlots(graph: Graph, machine: Machine): void {
  const stackPointer = graph.entryValues.get(machine.stackPointer);
  if (stackPointer === undefined) return;
  const slots = chooseSlots(stackUse(graph, stackPointer), machine);
  if (slots.size > 0) new Promotion(graph, stackPointer, slots).run();
}

/** Slots by each offset they cover. */
function chooseSlots({ accesses, escapes }: StackUse, machine: Machine): ReadonlyMap<number, Slot> {
  const lowest = escapes.filter((offset) => offset < machine.callArguments)[0] ?? Number.MAX_SAFE_INTEGER;
  const argumentsEscape = escapes.some((offset) => offset >= machine.callArguments);
  const chosen = new Map<number, Slot>();
  for (const group of overlapping(accesses)) {
    const offset = Math.min(...group.map((access) => access.offset));
    const end = Math.max(...group.map((access) => access.offset + access.bytes));
    if (end - offset > 16) continue;
    const isArgument = offset >= machine.callArguments;
    if (isArgument ? argumentsEscape : end > lowest) continue;
    // Close below an object that is handed out: its first elements, when they are set but never read by name.
    const isRead = group.some(({ writes }) => !writes);
    const isWritten = group.some(({ writes }) => writes);
    if (!isArgument && lowest - end < 64 && !(isRead && isWritten)) continue;
    const slot = { offset, bytes: sizeFor(end - offset) };
    for (let at = offset; at < end; at += 1) chosen.set(at, slot);
  }
  return chosen;
}

function sizeFor(bytes: number): number {
  return [1, 2, 4, 8, 16].find((size) => size >= bytes) ?? 16;
}

function overlapping(accesses: readonly StackAccess[]): readonly (readonly StackAccess[])[] {
  const sorted = [...accesses].sort((a, b) => a.offset - b.offset);
  const groups: StackAccess[][] = [];
  let end = Number.MIN_SAFE_INTEGER;
  for (const access of sorted) {
    const group = groups.at(-1);
    if (group !== undefined && access.offset < end) group.push(access);
    else groups.push([access]);
    end = Math.max(end, access.offset + access.bytes);
  }
  return groups;
}

class Promotion {
  readonly #graph: Graph;
  readonly #stackPointer: Definition;
  readonly #slots: ReadonlyMap<number, Slot>;
  readonly #renaming: Renaming;

  constructor(graph: Graph, stackPointer: Definition, slots: ReadonlyMap<number, Slot>) {
    this.#graph = graph;
    this.#stackPointer = stackPointer;
    this.#slots = slots;
    this.#renaming = new Renaming(graph, (place) => (slots.get(offsetOfPlace(place))?.bytes ?? 8) * 8);
  }

  run(): void {
    for (const block of this.#graph.blocks) {
      const out: Statement[] = [];
      const map = (expr: Expr): Expr => this.#loads(block, expr);
      for (const statement of block.statements) {
        mapStatement(statement, map);
        if (statement.kind !== "store" || !this.#store(block, statement, out)) out.push(statement);
      }
      mapEnding(block.ending, map);
      block.statements = out;
      this.#renaming.fill(block);
    }
    this.#renaming.finish();
  }

  #slotOf(address: Expr): { readonly slot: Slot; readonly offset: number } | undefined {
    const offset = stackOffset(address, this.#stackPointer);
    const slot = offset === undefined ? undefined : this.#slots.get(offset);
    return offset === undefined || slot === undefined ? undefined : { slot, offset };
  }

  #loads(block: Block, expr: Expr): Expr {
    return rewrite(
      expr,
      (leaf) => leaf,
      (node) => {
        if (node.kind !== "load") return node;
        const found = this.#slotOf(node.address);
        if (found === undefined) return node;
        const value = this.#renaming.read(block, stackPlace(found.slot.offset));
        return extract(value, (found.offset - found.slot.offset) * 8, node.bits);
      },
    );
  }

  #store(block: Block, { at, address, value }: Extract<Statement, { kind: "store" }>, out: Statement[]): boolean {
    const found = this.#slotOf(address);
    if (found === undefined) return false;
    const place = stackPlace(found.slot.offset);
    const bits = found.slot.bytes * 8;
    const from = (found.offset - found.slot.offset) * 8;
    const whole = value.bits === bits ? value : make("insert", bits, [this.#renaming.read(block, place), value], { imm: from });
    if (whole.kind === "const" || whole.kind === "use") this.#renaming.write(block, place, whole);
    else {
      const def = this.#graph.newDefinition(bits, place, { kind: "expr", expr: whole });
      this.#renaming.write(block, place, use(def));
      out.push({ kind: "def", at, def });
    }
    return true;
  }
}
