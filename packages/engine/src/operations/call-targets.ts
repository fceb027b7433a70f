import { formatAddress, type Address, type OperationParams, type OperationResult } from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import type { DecodedInstruction, NameRecord, Reference } from "../program.js";
import { answer, type Answer } from "./answer.js";
import { givenAddress } from "./cursor.js";
import type { ProgramQuery } from "./query.js";
import { shownName } from "./shown-text.js";

type Result = OperationResult<"resolve_native_call_targets">;
type Target = Result["targets"][number];

/** What a call, or a jump that leaves its function, can reach as far as the file alone tells. */
export function resolveNativeCallTargets(
  query: ProgramQuery,
  params: OperationParams<"resolve_native_call_targets">,
): Answer<Result> {
  const va = givenAddress(params.address);
  const rva = query.program.toRva(va);
  const starts = rva !== undefined && query.program.classify(rva) === "instruction";
  const instruction = starts ? query.program.decodeAt(rva) : undefined;
  const result =
    instruction === undefined
      ? notACall("No analysed instruction starts at this address; see inspect_native_instruction.")
      : resolve(query, instruction);
  return answer(result, { confidence: "derived", at: va, limitations: result.limitations });
}

function resolve(query: ProgramQuery, instruction: DecodedInstruction): Result {
  switch (instruction.flow) {
    case "call":
      return direct(query, instruction, "direct call");
    case "jump":
    case "conditional_jump":
      return leavesFunction(query, instruction)
        ? direct(query, instruction, "direct jump to another procedure (tail call)")
        : notACall("The instruction jumps inside its procedure.");
    case "indirect_call":
    case "indirect_jump":
      return indirect(query, instruction);
    case "sequential":
    case "return":
    case "trap":
    case "halt":
      return notACall("The instruction does not call.");
  }
}

function direct(query: ProgramQuery, { rva }: DecodedInstruction, basis: string): Result {
  const targets = controlFlow(query, rva).map(({ to }) => {
    const stub = query.program.functionAt(to)?.external === true;
    return target(query, to, stub ? `${basis} to the stub of an import` : basis);
  });
  if (targets.length === 0) return unresolved("The target lies outside the image.");
  return { outcome: "direct", targets, limitations: [] };
}

function indirect(query: ProgramQuery, instruction: DecodedInstruction): Result {
  const known = controlFlow(query, instruction.rva);
  if (known.length > 0) {
    const targets = known.map(({ to }) => target(query, to, "resolved by the analysis"));
    if (instruction.flow === "indirect_jump" && !leavesFunction(query, instruction)) {
      return notACall("The instruction jumps inside its procedure.");
    }
    return { outcome: targets.length === 1 ? "resolved_indirect" : "ambiguous", targets, limitations: [] };
  }
  const slots = query.program.referencesAt(instruction.rva).filter(({ kind }) => kind === "read");
  for (const { to } of slots) {
    const found = throughSlot(query, to);
    if (found !== undefined) return found;
  }
  return unresolved("The target is computed at run time; nothing in the file fixes it.");
}

function throughSlot(query: ProgramQuery, slot: number): Result | undefined {
  const { program, image } = query;
  const imported = program.namesAt(slot).find((record) => record.source === "import-slot");
  if (imported !== undefined) {
    const targets = [{ address: formatAddress(program.toVa(slot)), name: shownName(imported.name), basis: slotBasis(imported) }];
    return { outcome: "resolved_indirect", targets, limitations: ["The address is that of the slot which the loader fills."] };
  }
  const va = program.toVa(slot);
  const pointer = pointerTargets(image).get(va);
  const to = pointer === undefined ? undefined : program.toRva(pointer);
  if (to === undefined) return undefined;
  const targets = [target(query, to, "pointer stored in the image")];
  if (!isWritable(image, va)) return { outcome: "resolved_indirect", targets, limitations: [] };
  const limitations = ["The pointer lies in writable memory: this is its first value, which the program may change."];
  return { outcome: "ambiguous", targets, limitations };
}

function controlFlow({ program }: ProgramQuery, rva: number): readonly Reference[] {
  return program.referencesAt(rva).filter(({ kind }) => kind === "call" || kind === "jump");
}

function leavesFunction(query: ProgramQuery, { rva }: DecodedInstruction): boolean {
  const own = query.program.functionContaining(rva);
  return controlFlow(query, rva).some(({ to }) => {
    const fn = query.program.functionAt(to);
    return fn !== undefined && fn !== own;
  });
}

function target({ program, names }: ProgramQuery, rva: number, basis: string): Target {
  const name = names.at(rva);
  return { address: formatAddress(program.toVa(rva)), name: name === undefined ? null : shownName(name), basis };
}

function slotBasis(record: NameRecord): string {
  return record.library === undefined ? "import slot" : `import slot of ${shownName(record.library)}`;
}

function notACall(limitation: string): Result {
  return { outcome: "not_a_call", targets: [], limitations: [limitation] };
}

function unresolved(limitation: string): Result {
  return { outcome: "unresolved", targets: [], limitations: [limitation] };
}

function isWritable(image: BinaryImage, va: bigint): boolean {
  const segment = image.segments().items.find((item) => va >= item.va && va < item.va + item.virtualSize);
  return segment?.writable ?? true;
}

const pointers = new WeakMap<BinaryImage, ReadonlyMap<bigint, Address>>();

/** Where the image's relocated pointers lead, by the pointer's own address. */
function pointerTargets(image: BinaryImage): ReadonlyMap<bigint, Address> {
  const known = pointers.get(image);
  if (known !== undefined) return known;
  const map = new Map<bigint, Address>();
  for (const { va, target: to } of image.relocations().items) if (to !== undefined) map.set(va, to);
  pointers.set(image, map);
  return map;
}
