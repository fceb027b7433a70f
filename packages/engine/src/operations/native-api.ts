import { formatAddress, type NativeApi } from "@rea/core";
import { unnamedParameters } from "../debug-types/debug-signature.js";
import { lastAtOrBelow } from "../analysis/memory-map.js";
import { exceptionEdges } from "../facts/exception-edges.js";
import type { Frame, StackSlot } from "../facts/frame.js";
import type { CallFacts, ControlFlow } from "../facts/function-facts.js";
import type { Loop } from "../facts/loops.js";
import type { SwitchTable } from "../facts/switch-cases.js";
import type { Program } from "../program.js";
import { caseTexts } from "./control-flow.js";

interface Input {
  readonly program: Program;
  readonly flow: ControlFlow;
  /** Undefined where the registers of the architecture are not modelled. */
  readonly facts: CallFacts | undefined;
  /** Items of each list at most. */
  readonly limit: number;
}

/** The native API facet: only what instructions show; types and names of parameters stay unknown. */
export function nativeApi(input: Input): NativeApi {
  const { flow, facts } = input;
  const cut = new Cut(input.limit);
  const parameters = (facts?.parameters.list ?? []).map((parameter, position) => ({ position, ...parameter }));
  return {
    available: facts !== undefined,
    calling_convention: facts === undefined ? null : { name: facts.convention.name ?? null, basis: [...facts.convention.basis] },
    parameters: cut.list("parameters", parameters),
    variadic: variadic(facts),
    return_type: null,
    return_value: facts?.returnValue ?? null,
    signature_source: facts === undefined ? null : "instructions: registers and stack places read before they are written",
    jump_tables: cut.list("jump_tables", flow.switches).map((table) => jumpTable(table, input, cut)),
    artifacts: cut.list("artifacts", artifacts(input)),
    frame: facts === undefined ? null : shownFrame(facts.frame, input),
    loops: cut.list("loops", flow.loops.loops).map((loop) => shownLoop(loop, input)),
    truncated: [...cut.made],
    unknowns: unknowns(input),
  };
}

/** Stack places as locals; what is kept for the caller is none. */
export function stackLocals({ slots }: Frame): { description: string; provenance: string }[] {
  return slots.map((slot) => ({ description: slotText(slot), provenance: "stack place that instructions use" }));
}

function slotText({ offset, bytes, reads, writes, addressTaken }: StackSlot): string {
  const uses = [reads > 0 ? `read ${times(reads)}` : "", writes > 0 ? `written ${times(writes)}` : "", addressTaken ? "address taken" : ""];
  const size = bytes === 0 ? "" : `, ${String(bytes)} bytes`;
  return `entry stack pointer ${offset < 0 ? "-" : "+"} 0x${Math.abs(offset).toString(16)}${size}: ${uses.filter((use) => use !== "").join(", ")}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${String(count)} times`;
}

/** Cuts lists and remembers which. */
class Cut {
  readonly made: { part: string; total: number }[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  list<T>(part: string, items: readonly T[]): T[] {
    if (items.length > this.limit) this.made.push({ part, total: items.length });
    return items.slice(0, this.limit);
  }
}

function variadic(facts: CallFacts | undefined): NativeApi["variadic"] {
  const named = facts?.parameters.variadicAfter;
  return named === undefined ? null : { named_registers: named, basis: "the argument registers behind the named ones are stored together, as va_start needs them" };
}

function jumpTable(table: SwitchTable, { program }: Input, cut: Cut): NativeApi["jump_tables"][number] {
  const at = (rva: number | undefined) => (rva === undefined ? null : formatAddress(program.toVa(rva)));
  const targets = [...table.cases].map(([target, numbers]) => ({ address: formatAddress(program.toVa(target)), cases: caseTexts(numbers) }));
  const jump = formatAddress(program.toVa(table.jump));
  return {
    jump,
    address: at(table.table),
    entry_bytes: table.entryBytes ?? null,
    entries: table.entries,
    bound_basis: table.boundBasis,
    numbering: table.numbering,
    lowest: table.lowest === undefined ? null : String(table.lowest),
    index_table: at(table.indexTable),
    default: at(table.defaultTarget),
    targets: cut.list(`targets of ${jump}`, targets),
  };
}

function artifacts(input: Input): NativeApi["artifacts"] {
  const { program, facts } = input;
  const address = (rva: number) => formatAddress(program.toVa(rva));
  return [
    ...unresolvedJumps(input).map((rva) => ({ kind: "unresolved_jump", address: address(rva), detail: "the targets of this computed jump are not known" })),
    ...(facts?.variadicCalls ?? []).map((rva) => ({
      kind: "variadic_call",
      address: address(rva),
      detail: "al is set before the call: the callee is variadic or was called without a prototype",
    })),
    ...(facts?.frame.dynamicAt ?? []).map((rva) => ({ kind: "dynamic_stack", address: address(rva), detail: "the stack pointer moves by an amount that is not fixed in the code" })),
  ].sort((a, b) => Number(BigInt(a.address) - BigInt(b.address)));
}

function shownFrame(frame: Frame, { program, limit }: Input): NonNullable<NativeApi["frame"]> {
  const address = (rva: number) => formatAddress(program.toVa(rva));
  return {
    size: frame.size ?? null,
    fixed_size: frame.fixedSize,
    deepest: frame.deepest,
    consistent: frame.consistent,
    dynamic_at: frame.dynamicAt.slice(0, limit).map(address),
    below_stack_pointer: frame.belowStackPointer,
    frame_pointer: frame.framePointer === undefined ? null : { register: frame.framePointer.register, set_at: address(frame.framePointer.rva) },
    saved_registers: frame.saved.map(({ register, offset, rva }) => ({ register, offset, address: address(rva) })),
  };
}

function shownLoop(loop: Loop, { program, flow, limit }: Input): NativeApi["loops"][number] {
  const block = (position: number) => formatAddress(program.toVa(flow.graph.blocks[position]?.start ?? 0));
  return {
    header: block(loop.header),
    kind: loop.kind,
    depth: loop.depth,
    parent: loop.parent === undefined ? null : block(loop.parent),
    block_count: loop.blockCount,
    latches: loop.latches.slice(0, limit).map(block),
    other_entries: loop.otherEntries.slice(0, limit).map(block),
  };
}

function unresolvedJumps({ program, flow }: Input): readonly number[] {
  const { blocks } = flow.graph;
  return program.coverage.unresolvedIndirectJumps.filter((rva) => {
    const block = blocks[lastAtOrBelow(blocks, rva)];
    return block !== undefined && rva < block.end;
  });
}

/** What the facet cannot say, each with its reason. */
function unknowns(input: Input): string[] {
  const { flow, facts, program } = input;
  const found: string[] = [];
  if (facts === undefined) found.push("Registers of this architecture are not modelled: frame, arguments and convention are not known.");
  else found.push(...factUnknowns(facts));
  const { pads, unreached } = exceptionEdges(program, flow.graph);
  if (pads.size > 0) found.push("Frame, dominators and loops are those of the paths without exceptions.");
  if (unreached > 0) found.push(`${String(unreached)} blocks are not reached from the entry by edges that were seen.`);
  const open = unresolvedJumps(input).length;
  if (open > 0) found.push(`${String(open)} computed jumps have no known targets.`);
  if (flow.switches.some(({ numbering }) => numbering === "index")) found.push("Some case numbers are positions in their table: the value of the first one, or whether it has a sign, is not shown by the code.");
  return found;
}

function factUnknowns({ frame, convention, undecoded }: CallFacts): string[] {
  const found = [unnamedParameters];
  if (frame.size === undefined) {
    const why = frame.dynamicAt.length > 0 ? "the stack pointer is moved by an amount that is not fixed" : frame.consistent ? "not all of the stack pointer's moves were followed" : "paths meet with different stack pointers";
    found.push(`The frame size is not one number: ${why}.`);
  }
  if (convention.name === undefined) found.push("The code does not fit the usual convention of its platform.");
  if (undecoded > 0) found.push(`${String(undecoded)} instructions have no known register effects.`);
  return found;
}
