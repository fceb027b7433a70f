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
  if (isSwitch(query, instruction)) {
    return notACall("The instruction is the jump of a switch; the basic blocks of analyze_function list its targets.");
  }
  const references = query.program.referencesAt(instruction.rva);
  const slots = references.map(({ to }) => to);
  const imported = slots.map((slot) => throughImport(query, slot)).find((found) => found !== undefined);
  if (imported !== undefined) return imported;
  const known = controlFlow(query, instruction.rva).map(({ to }) => target(query, to, "pointer stored in the image"));
  if (known.length > 0) return stored(query, known, references.filter(({ kind }) => kind === "read"));
  const pointed = references.filter(({ kind }) => kind === "read").map(({ to }) => throughPointer(query, to));
  return pointed.find((found) => found !== undefined) ?? unresolved("The target is computed at run time; nothing in the file fixes it.");
}

function isSwitch({ program }: ProgramQuery, { rva, length }: DecodedInstruction): boolean {
  const fn = program.functionContaining(rva);
  const block = fn === undefined ? undefined : program.blocks(fn).find(({ end }) => end === rva + length);
  return block?.successors.some(({ kind }) => kind === "switch") === true;
}

function throughImport({ program }: ProgramQuery, slot: number): Result | undefined {
  const imported = program.namesAt(slot).find((record) => record.source === "import-slot");
  if (imported === undefined) return undefined;
  const targets = [{ address: formatAddress(program.toVa(slot)), name: shownName(imported.name), basis: slotBasis(imported) }];
  return { outcome: "resolved_indirect", targets, limitations: ["The address is that of the slot which the loader fills."] };
}

function throughPointer(query: ProgramQuery, slot: number): Result | undefined {
  const { program, image } = query;
  const pointer = pointerTargets(image).get(program.toVa(slot));
  const to = pointer === undefined ? undefined : program.toRva(pointer);
  if (to === undefined) return undefined;
  return stored(query, [target(query, to, "pointer stored in the image")], [{ to: slot }]);
}

/** A pointer that the program may overwrite is only a first value. */
function stored({ program, image }: ProgramQuery, targets: Target[], cells: readonly { readonly to: number }[]): Result {
  const changeable = cells.some(({ to }) => isChangeable(image, program.toVa(to)));
  if (changeable) {
    const limitations = ["The pointer lies in writable memory: this is its first value, which the program may change."];
    return { outcome: "ambiguous", targets, limitations };
  }
  return { outcome: targets.length === 1 ? "resolved_indirect" : "ambiguous", targets, limitations: [] };
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

// Writable only until the loader has relocated it.
const constantAfterLoading = ["__DATA_CONST", "__AUTH_CONST"];

function isChangeable(image: BinaryImage, va: bigint): boolean {
  const holds = (start: bigint | undefined, size: bigint): boolean => start !== undefined && va >= start && va < start + size;
  const section = image.sections().items.find((item) => holds(item.va, item.virtualSize));
  if (section?.name.startsWith(".data.rel.ro") === true) return false;
  const segment = image.segments().items.find((item) => holds(item.va, item.virtualSize));
  return segment === undefined || (segment.writable && !constantAfterLoading.includes(segment.name));
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
